"""The Python module of the library, against the tools and against formulas; prints TAP."""

import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy
import tessera

BUILD, FOLDER = sys.argv[1:]
count = 0


def check(passed, name):
    global count
    count += 1
    print(f"{'ok' if passed else 'not ok'} {count} - {name}")


def fails(action, words, kind=tessera.Error):
    try:
        action()
    except kind as error:
        return words in str(error)
    return False


def read_pnm(path):
    with open(path, "rb") as file:
        magic, size, most = file.readline(), file.readline(), int(file.readline())
        width, height = map(int, size.split())
        kind = numpy.uint8 if most < 256 else numpy.dtype(">u2")
        array = numpy.frombuffer(file.read(), kind).reshape(height, width, -1)
    array = array.astype(numpy.uint8 if most < 256 else numpy.uint16)
    return array if magic == b"P6\n" else array[:, :, 0]


def write_pnm(path, array):
    most, kind = (255, numpy.uint8) if array.dtype == numpy.uint8 else (65535, ">u2")
    with open(path, "wb") as file:
        file.write(b"P%d\n%d %d\n%d\n" % (6 if array.ndim == 3 else 5, array.shape[1],
                                          array.shape[0], most))
        file.write(array.astype(kind).tobytes())


def tool(name, *arguments):
    subprocess.run([f"{BUILD}/{name}", "-q", *arguments], check=True)


def smooth(height, width, channels, kind):
    y, x, c = numpy.mgrid[:height, :width, :max(channels, 1)].astype(float)
    value = (0.5 + 0.2 * numpy.sin(x / 17 + c) + 0.2 * numpy.cos(y / 13 - x / 41) +
             0.05 * numpy.sin(x * y / 99))
    array = (value * numpy.iinfo(kind).max).astype(kind)
    return array if channels else array[:, :, 0]


def check_puzzles():
    for channels, kind, name in ((0, numpy.uint8, "gray"), (3, numpy.uint8, "RGB"),
                                 (3, numpy.uint16, "RGB of 16 bits"),
                                 (0, numpy.uint16, "gray of 16 bits")):
        write_pnm(f"{FOLDER}/image.pnm", smooth(120, 160, channels, kind))
        tool("scramble", "-g", "4x3", "--seed", "7", f"{FOLDER}/image.pnm", f"{FOLDER}/puzzle.pnm")
        tool("unscramble", "-g", "4x3", f"{FOLDER}/puzzle.pnm", f"{FOLDER}/solved.pnm")
        puzzle = read_pnm(f"{FOLDER}/puzzle.pnm")
        solution = tessera.solve(puzzle, grid=(4, 3))[0]
        check(numpy.array_equal(solution.image, read_pnm(f"{FOLDER}/solved.pnm")),
              f"{name}: as unscramble")
        check(numpy.array_equal(solution.image, read_pnm(f"{FOLDER}/image.pnm")), f"{name}: solved")
        tiles = [puzzle[y * 40:y * 40 + 40, x * 40:x * 40 + 40] for y in range(3) for x in range(4)]
        built = numpy.vstack([numpy.hstack([tiles[t] for t in row]) for row in solution.order])
        check(numpy.array_equal(built, solution.image), f"{name}: the order gives the image")
        check(numpy.array_equal(tessera.unscramble(puzzle, tile=(40, 40)), solution.order),
              f"{name}: unscramble gives the order")
    alpha = numpy.dstack([smooth(60, 80, 3, numpy.uint8), numpy.full((60, 80), 77, numpy.uint8)])
    check(numpy.array_equal(tessera.solve(alpha, grid=(1, 1))[0].image, alpha), "alpha stays")
    two = alpha[:, :, 2:]
    check(numpy.array_equal(tessera.solve(two, grid=(1, 1))[0].image, two), "gray and alpha stay")


def check_large():
    write_pnm(f"{FOLDER}/image.pnm", smooth(168, 224, 3, numpy.uint8))
    tool("scramble", "-g", "8x6", "--rotate", f"{FOLDER}/image.pnm", f"{FOLDER}/puzzle.pnm")
    tool("unscramble", "-g", "8x6", "--rotate", "--effort", "20", f"{FOLDER}/puzzle.pnm",
         f"{FOLDER}/solved.pnm")
    solution = tessera.solve(read_pnm(f"{FOLDER}/puzzle.pnm"), grid=(8, 6), rotate=True,
                             effort=20)[0]
    check(numpy.array_equal(solution.image, read_pnm(f"{FOLDER}/solved.pnm")),
          "turned tiles: as unscramble")
    check(solution.confidence.shape == (6, 8) and solution.confidence.max() <= 1 and
          0 < solution.probability <= solution.confidence.min() + 1e-6, "turned tiles: probability")
    unsaid = tessera.solve(read_pnm(f"{FOLDER}/puzzle.pnm"), grid=(8, 6), effort=20)[0]
    check(0 <= unsaid.probability < 0.5, "turned tiles, unsaid: doubtful")
    check(set(solution.order.flat) == set(range(48)) and solution.turns.max() == 3,
          "turned tiles: order")


def check_circles():
    random = numpy.random.default_rng(1)
    circles = random.random((500, 8)) * [1, 1, 1, 0.1, 1, 1, 1, 1]
    with open(f"{FOLDER}/scene.csv", "w", encoding="ascii") as file:
        file.write("x,y,z,r,red,green,blue,alpha\n")
        for row in circles.astype(numpy.float32):
            file.write(",".join("%.9g" % number for number in row) + "\n")
    tool("circles", "-s", "161x97", "--antialias", "2", f"{FOLDER}/scene.csv",
         f"{FOLDER}/painted.pnm")
    check(numpy.array_equal(tessera.paint(circles, width=161, height=97, samples=2),
                            read_pnm(f"{FOLDER}/painted.pnm")), "circles: as circles")
    check((tessera.paint([], width=3, height=2, background=(0, 0.25, 1)) == [0, 63, 255]).all(),
          "no circles: the background")
    check(tessera.paint([]).shape == (1024, 1024, 3), "the usual size")


def check_patches():
    random = numpy.random.default_rng(2)
    bilinear = random.random((2, 2, 3))
    points = tessera.evaluate([tessera.Patch(bilinear)], points=(5, 9), double=True)[0]
    u, v = numpy.linspace(0, 1, 5)[:, None, None], numpy.linspace(0, 1, 9)[None, :, None]
    exact = ((1 - u) * ((1 - v) * bilinear[0, 0] + v * bilinear[0, 1]) +
             u * ((1 - v) * bilinear[1, 0] + v * bilinear[1, 1]))
    check(abs(points.positions - exact).max() < 1e-14, "a bilinear patch")
    triangle, rational = random.random((6, 3)), random.random((3, 3, 4)) + [0, 0, 0, 1]
    several = tessera.evaluate([tessera.Patch(triangle), tessera.Patch(bilinear),
                                tessera.Patch(rational), tessera.Patch(bilinear)],
                               points=(5, 9), double=True, normals=True)
    check([p.positions.shape for p in several] == [(15, 3), (5, 9, 3), (5, 9, 3), (5, 9, 3)],
          "patches of several kinds come in their order")
    check(numpy.array_equal(several[1].positions, points.positions) and
          numpy.array_equal(several[3].positions, points.positions), "and are what each is alone")
    corners = rational[[0, 0, 2, 2], [0, 2, 0, 2]]
    check(numpy.allclose(several[2].positions[[0, 0, 4, 4], [0, 8, 0, 8]],
                         corners[:, :3] / corners[:, 3:]), "a rational patch meets its corners")
    check(numpy.allclose(several[0].positions[[0, 4, 14]], triangle[[0, 2, 5]]),
          "so does a triangle")
    check(numpy.allclose(numpy.linalg.norm(several[2].normals, axis=-1), 1, atol=1e-6),
          "normals have length 1")
    check(several[2].curvatures.shape == (5, 9, 4) and points.normals is None,
          "curvatures where asked for")


def check_context():
    seen = []
    context = tessera.Context(device="cpu", threads=2, progress=lambda *what: seen.append(what))
    context.paint([], width=9, height=9)
    check(context.device == "cpu:0" and seen and all(0 <= share <= 1 for _, share in seen),
          "progress, a device")
    stopped = tessera.Context(progress=lambda stage, share: True)
    check(fails(lambda: stopped.paint([]), "stopped", tessera.Stopped), "progress can stop")

    def interrupted(stage, share):
        raise KeyboardInterrupt("now")
    check(fails(lambda: tessera.Context(progress=interrupted).paint([]), "now", KeyboardInterrupt),
          "what progress raises comes through")
    context = weakref.ref(stopped)
    del stopped
    check(context() is None, "a context ends with its last name, and its device with it")
    check(fails(lambda: tessera.Context(device="abacus"), "abacus"), "no such device")
    check(fails(lambda: tessera.unscramble(numpy.zeros((4, 4))), "uint8"), "an array of floats")
    check(fails(lambda: tessera.unscramble(numpy.zeros((4, 4), numpy.uint8), grid=(9, 9)),
                "only 4 x 4"), "more tiles than pixels")
    check(fails(lambda: tessera.unscramble(numpy.zeros((0, 4), numpy.uint8)), "bad image"),
          "an empty image")
    check(fails(lambda: tessera.paint([[0, 0, 0, -1, 0, 0, 0, 1]]), "circle 1"),
          "a negative radius")
    check(fails(lambda: tessera.evaluate([]), "bad patches"), "no patch")
    check(fails(lambda: tessera.evaluate([[[0, 0, 0]]]), "class Patch"), "a list for a patch")
    check(fails(lambda: tessera.evaluate([tessera.Patch([[[0, 0, 0]], [[1, 0]]])]), "no array"),
          "rows of control points of several lengths")
    check(fails(lambda: tessera.evaluate([tessera.Patch(numpy.zeros((4, 3)))]), "triangle"),
          "an odd triangle")
    check(fails(lambda: tessera.evaluate([tessera.Patch(numpy.full((2, 2, 3), numpy.nan))]), "nan"),
          "a control point that is no number")
    gray = numpy.zeros((4, 4), numpy.uint8)
    check(fails(lambda: tessera.paint(numpy.zeros((3, 0))), "[count, 8]"), "circles of no numbers")
    check(fails(lambda: tessera.paint(numpy.zeros((8, 7))), "[count, 8]"),
          "circles of another shape")
    check(fails(lambda: tessera.paint([], width=2**32 + 5), "width"), "a number beyond C's")
    check(fails(lambda: tessera.solve(gray, grid=(2,)), "grid is (2,), not 2 numbers"),
          "half a grid")
    check(fails(lambda: tessera.solve(gray, missing="black"), "not 3 numbers"), "a color by name")
    check(fails(lambda: tessera.solve(gray, seed=None), "not a whole number"), "no seed")
    check(fails(lambda: tessera.solve(gray, dissimilarity="mgc\0x"), "not a name"),
          "a zero in a name")
    check(fails(lambda: tessera.solve(gray, missing=(300, 0, 0)), "missing"), "a color beyond 255")
    check(fails(lambda: tessera.evaluate([tessera.Patch(numpy.zeros((2, 2, 3)))], points=(0, 0)),
                "1 x 1"), "no points")
    big = smooth(40, 60, 0, numpy.uint16)
    check(numpy.array_equal(tessera.solve(big.astype(">u2"), grid=(1, 1))[0].image, big),
          "the other byte order")
    check(fails(lambda: tessera.solve(numpy.zeros((4, 4), numpy.uint8), dissimilarity="love"),
                "mgc"), "no such dissimilarity")


def check_interrupt():
    context, began = tessera.Context(device="cpu"), time.monotonic()
    puzzle = numpy.random.default_rng(4).integers(0, 256, (600, 600), numpy.uint8)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    check(fails(lambda: context.solve(puzzle, grid=(30, 30), seconds=60), "", KeyboardInterrupt) and
          time.monotonic() - began < 30, "Ctrl-C ends a job, and is raised")
    small = smooth(120, 160, 3, numpy.uint8)
    order = tessera.unscramble(small, grid=(4, 3))
    check(all((context.unscramble(small, grid=(4, 3)) == order).all() for _ in range(20)),
          "and the job does not go on beside the next ones of the context")


def check_threads():
    circles = numpy.random.default_rng(3).random((2000, 8)) * [1, 1, 1, 0.1, 1, 1, 1, 1]
    puzzle = smooth(120, 160, 3, numpy.uint8)
    painted = tessera.paint(circles, width=200, height=200)
    order = tessera.unscramble(puzzle, grid=(4, 3))
    right = []

    def work():
        for _ in range(5):
            right.append(
                numpy.array_equal(tessera.paint(circles, width=200, height=200), painted) and
                numpy.array_equal(tessera.unscramble(puzzle, grid=(4, 3)), order))
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(right == [True] * 20, "four threads, each with a context")


def check_one_thread():
    circles = numpy.random.default_rng(3).random((2000, 8)) * [1, 1, 1, 0.1, 1, 1, 1, 1]
    said = []

    def progress(*_):
        try:
            context.paint(circles)
        except tessera.Error as error:
            said.append(str(error))
    context = tessera.Context(device="cpu", progress=progress)
    context.paint(circles, width=200, height=200)
    check(said and all("at work in another thread" in words for words in said),
          "a context that is at work refuses another job")
    context.paint(circles[:3], width=20, height=20)


check_puzzles()
check_large()
check_circles()
check_patches()
check_context()
check_interrupt()
check_threads()
check_one_thread()
print(f"1..{count}")
