"""Solves puzzles of tiles, paints translucent circles and evaluates Bezier patches, on NumPy
arrays.

    import tessera
    order = tessera.unscramble(array)         # which tile stands where
    image = tessera.paint([(0.5, 0.5, 0, 0.3, 1, 0, 0, 0.5)], width=640, height=480)
    points = tessera.evaluate([tessera.Patch(control)])[0].positions

tessera.solve(array) gives all that is known of a solution. A Context chooses a device, sets the
number of threads and reports progress; the functions above use one Context per thread. What goes
wrong is an Error with the library's message. See tessera(3).
"""

import ctypes
import os
import threading
from ctypes import POINTER, c_char_p, c_double, c_float, c_int, c_size_t, c_uint8, c_uint32
from ctypes import c_uint64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import numpy

__all__ = ["Context", "Error", "Patch", "Points", "Solution", "Stopped", "evaluate", "paint",
           "solve", "unscramble"]

_LIBRARY = "../build/libtessera.so"  # from this file's folder; `make install` writes where it went
NO_TILE = 0xFFFFFFFF
STOPPED = -4
CURVATURES = 4


class Error(RuntimeError):
    """What the library said went wrong."""


class Stopped(Error):
    """The progress function asked to stop."""


class _Image(ctypes.Structure):
    _fields_ = [("width", c_int), ("height", c_int), ("channels", c_int), ("depth", c_int),
                ("pixels", c_void_p)]


class _PuzzleOptions(ctypes.Structure):
    _fields_ = [("columns", c_int), ("rows", c_int), ("tile_width", c_int), ("tile_height", c_int),
                ("is_rotated", c_int), ("solutions", c_int), ("solution_columns", c_int),
                ("solution_rows", c_int), ("has_missing", c_int), ("has_missing_color", c_int),
                ("missing_color", c_uint8 * 3), ("dissimilarity", c_char_p), ("effort", c_int),
                ("seconds", c_int), ("seed", c_uint64)]


class _Solution(ctypes.Structure):
    _fields_ = [("columns", c_int), ("rows", c_int), ("tiles", POINTER(c_uint32)),
                ("turns", POINTER(c_uint8)), ("probability", c_double),
                ("confidence", POINTER(c_float)), ("image", _Image)]


class _CirclesOptions(ctypes.Structure):
    _fields_ = [("width", c_int), ("height", c_int), ("samples", c_int), ("has_background", c_int),
                ("background", c_float * 3)]


class _Patch(ctypes.Structure):
    _fields_ = [("is_triangle", c_int), ("is_rational", c_int), ("degree_u", c_int),
                ("degree_v", c_int), ("control", POINTER(c_double))]


class _BezierOptions(ctypes.Structure):
    _fields_ = [("points_u", c_int), ("points_v", c_int), ("is_double", c_int),
                ("has_normals", c_int)]


class _Points(ctypes.Structure):
    _fields_ = [("count", c_size_t), ("positions", POINTER(c_double)),
                ("normals", POINTER(c_float)), ("curvatures", POINTER(c_float))]


_PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)


def _load():
    """The library that TESSERA_LIBRARY names, that _LIBRARY is, or the system's of that name."""
    own = Path(__file__).resolve().parent / _LIBRARY
    path = os.environ.get("TESSERA_LIBRARY") or (str(own) if own.exists() else own.name)
    library = ctypes.CDLL(path)
    context, image = c_void_p, POINTER(_Image)
    for function, result, *arguments in (
            ("new", context), ("free", None, context), ("version", c_char_p),
            ("error", c_char_p, context), ("device", c_char_p, context),
            ("set_device", c_int, context, c_char_p), ("set_threads", None, context, c_int),
            ("set_progress", None, context, _PROGRESS, c_void_p), ("image_free", None, image),
            ("unscramble", c_int, context, image, POINTER(_PuzzleOptions),
             POINTER(POINTER(_Solution)), POINTER(c_int)),
            ("solutions_free", None, POINTER(_Solution), c_int),
            ("paint_circles", c_int, context, c_void_p, c_size_t, POINTER(_CirclesOptions), image),
            ("evaluate_patches", c_int, context, POINTER(_Patch), c_size_t,
             POINTER(_BezierOptions), POINTER(_Points)),
            ("points_free", None, POINTER(_Points))):
        entry = getattr(library, "tessera_" + function)
        entry.restype, entry.argtypes = result, arguments
    return library


_library = _load()
__version__ = _library.tessera_version().decode()


@dataclass
class Solution:
    """One of the images that a puzzle was made of."""
    order: numpy.ndarray       # [rows, columns] tile of the puzzle at each place, -1: none
    turns: numpy.ndarray       # [rows, columns] quarters by which it is turned, clockwise
    probability: float         # that every place of all solutions shows the right pixels
    confidence: numpy.ndarray  # [rows, columns] the probability that the place does
    image: numpy.ndarray


@dataclass
class Patch:
    """A patch of Bezier control points.

    control: [degree_u + 1, degree_v + 1, 3] of a tensor product, [points, 3] of a triangle, its
    rows of d + 1, d, ..., 1 points one after the other; (wx, wy, wz, w) instead of (x, y, z) if
    rational.
    """
    control: numpy.ndarray


@dataclass
class Points:
    """What a patch was evaluated to: [points_u, points_v, ...], of a triangle [points, ...]."""
    positions: numpy.ndarray
    normals: Optional[numpy.ndarray]
    curvatures: Optional[numpy.ndarray]  # Gaussian, mean, largest, smallest


def _copy(pointer, shape, kind):
    """A copy of C's array, or None."""
    return numpy.ctypeslib.as_array(pointer, shape).astype(kind) if pointer else None


def _take_image(image):
    size = image.width * image.height * image.channels
    number = c_uint8 if image.depth == 8 else ctypes.c_uint16
    flat = numpy.ctypeslib.as_array(ctypes.cast(image.pixels, POINTER(number)), (size,)).copy()
    shape = (image.height, image.width) + ((image.channels,) if image.channels > 1 else ())
    return flat.reshape(shape)


def _int(name, value, least=0, most=2**31 - 1):
    """The value as a whole number that fits; what C takes would wrap round."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != value or not least <= number <= most:
        raise Error(f"{name} is {value!r}, not a whole number from {least} to {most}")
    return number


def _ints(name, values, count, most=2**31 - 1):
    """So many of them."""
    try:
        numbers = tuple(values)
    except TypeError:
        numbers = ()
    if len(numbers) != count:
        raise Error(f"{name} is {values!r}, not {count} numbers")
    return tuple(_int(name, number, 0, most) for number in numbers)


def _text(name, value):
    """A text as C takes it, which ends at the first zero."""
    if not isinstance(value, str) or "\0" in value:
        raise Error(f"{name} is {value!r}, not a name")
    return value.encode()


def _array(values, kind):
    """An array as C takes it: in one piece, aligned, of the machine's byte order."""
    try:
        return numpy.require(numpy.asarray(values), dtype=kind, requirements="CA")
    except (TypeError, ValueError) as error:
        raise Error(f"no array of numbers: {error}") from None


def _give_image(array):
    array = numpy.asarray(array)
    array = _array(array, array.dtype.newbyteorder("="))
    if array.dtype not in (numpy.uint8, numpy.uint16) or array.ndim not in (2, 3):
        raise Error("an image is an array [height, width] or [height, width, channels] of uint8 or "
                    f"uint16, not {array.shape} of {array.dtype}")
    channels = array.shape[2] if array.ndim == 3 else 1
    image = _Image(array.shape[1], array.shape[0], channels, 8 * array.itemsize, array.ctypes.data)
    return image, array  # which must outlive it


class _Job:
    """How a job goes: whether it is to stop and has ended, what progress raised, the library's
    code."""

    def __init__(self):
        self.stops, self.has_ended, self.failure, self.code = False, False, None, None
        self._end = threading.Event()

    def run(self, function, *arguments):
        try:
            self.code = function(*arguments)
        finally:
            self.has_ended = True
            self._end.set()

    def start_and_wait(self, function, *arguments):
        """Runs the job in a thread, so that Ctrl-C gets through here and ends it; gives what has
        interrupted. It never goes on behind the caller's back: Thread.join, interrupted, would take
        the thread for ended."""
        interruption = None
        worker = threading.Thread(target=self.run, args=(function, *arguments))
        try:
            worker.start()
        except BaseException as raised:  # pylint: disable=broad-except
            if worker.ident is None:  # it has not begun
                raise
            self.stops, interruption = True, raised
        while not self.has_ended:
            try:
                self._end.wait(0.1)
            except BaseException as raised:  # pylint: disable=broad-except
                self.stops, interruption = True, raised
        return interruption


class Context:
    """A device and what is asked for of all jobs; one thread at a time may use it.

    device: "auto", "cpu", "cuda", "cuda:1", "opencl", ...; threads: on the CPU, 0 means all.
    progress(stage, share): called now and then, in another thread; a job stops where it returns
    true.
    """

    def __init__(self, device="auto", threads=0, progress=None):
        self._context = _library.tessera_new()
        if not self._context:
            raise MemoryError
        self._at_work = threading.Lock()
        running = self._running = [_Job()]  # `report` must not hold the context itself

        def report(_, stage, share):
            job = running[0]
            try:
                job.stops = job.stops or bool(progress and progress(stage.decode(), share))
            except BaseException as failure:  # pylint: disable=broad-except
                job.failure, job.stops = failure, True
            return int(job.stops)

        self._progress = _PROGRESS(report)
        _library.tessera_set_progress(self._context, self._progress, None)
        _library.tessera_set_threads(self._context, _int("threads", threads))
        self._check(_library.tessera_set_device(self._context, _text("device", device)))

    def __del__(self):
        if getattr(self, "_context", None):
            _library.tessera_free(self._context)

    def _run(self, function, *arguments):
        """Calls the library; a job that Ctrl-C interrupts has ended before that is raised."""
        if not self._at_work.acquire(blocking=False):
            raise Error("the context is at work in another thread; make one for each thread")
        try:
            self._running[0] = job = _Job()
            interruption = job.start_and_wait(function, self._context, *arguments)
            if interruption or job.failure:
                raise interruption or job.failure
            self._check(job.code)
        finally:
            self._at_work.release()

    def _check(self, code):
        if code:
            message = _library.tessera_error(self._context).decode(errors="replace")
            raise (Stopped if code == STOPPED else Error)(message)

    @property
    def device(self):
        """The device that the last job ran on."""
        return _library.tessera_device(self._context).decode()

    def solve(self, puzzle, *, grid=(0, 0), tile=(0, 0), rotate=False, solutions=1,
              solution_grid=(0, 0), missing=None, dissimilarity="auto", effort=0, seconds=0,
              seed=0):
        """Puts a puzzle back together; gives a list of Solutions.

        puzzle: [height, width] or [height, width, channels] of uint8 or uint16.
        grid: columns and rows of tiles; tile: their width and height; without both it is found.
        rotate: tiles may be turned. missing: True where tiles may be absent, or their color.
        solutions: images that the tiles belong to, at most; solution_grid: most columns and rows of
        one.
        dissimilarity, effort, seconds (--time), seed: see unscramble(1).
        """
        image, _keep = _give_image(puzzle)
        is_color = missing is not None and not isinstance(missing, (bool, numpy.bool_))
        color = _ints("missing", missing, 3, 255) if is_color else (0, 0, 0)
        columns, rows = _ints("grid", grid, 2)
        tile_width, tile_height = _ints("tile", tile, 2)
        solution_columns, solution_rows = _ints("solution_grid", solution_grid, 2)
        options = _PuzzleOptions(
            columns=columns, rows=rows, tile_width=tile_width, tile_height=tile_height,
            is_rotated=bool(rotate), solutions=_int("solutions", solutions),
            solution_columns=solution_columns, solution_rows=solution_rows,
            has_missing=is_color or bool(missing), has_missing_color=is_color,
            missing_color=(c_uint8 * 3)(*color),
            dissimilarity=_text("dissimilarity", dissimilarity),
            effort=_int("effort", effort), seconds=_int("seconds", seconds),
            seed=_int("seed", seed, 0, 2**64 - 1))
        found, count = POINTER(_Solution)(), c_int()
        try:
            self._run(_library.tessera_unscramble, image, options, ctypes.byref(found),
                      ctypes.byref(count))
            return [self._take_solution(found[i]) for i in range(count.value)]
        finally:
            _library.tessera_solutions_free(found, count)

    @staticmethod
    def _take_solution(solution):
        shape = (solution.rows, solution.columns)
        order = _copy(solution.tiles, shape, numpy.int64)
        order[order == NO_TILE] = -1
        return Solution(order, _copy(solution.turns, shape, numpy.int64),
                        solution.probability, _copy(solution.confidence, shape, numpy.float32),
                        _take_image(solution.image))

    def unscramble(self, puzzle, **options):
        """The order of the tiles of a puzzle of one image: [rows, columns], -1 for none. As
        solve(), which also gives the probability that it is right: nothing here warns of an order
        that is doubtful."""
        if options.get("solutions", 1) != 1:
            raise Error("unscramble gives one order; use solve for several solutions")
        return self.solve(puzzle, **options)[0].order

    def paint(self, circles, *, width=1024, height=1024, samples=1, background=None):
        """Paints circles (x, y, z, r, red, green, blue, alpha) into [height, width, 3] of uint8."""
        array = _array(circles, numpy.float32)
        if array.shape != (0,) and (array.ndim != 2 or array.shape[1] != 8):
            raise Error(f"circles are an array [count, 8], not {list(array.shape)}")
        red, green, blue = (1, 1, 1) if background is None else map(float, background)
        options = _CirclesOptions(width=_int("width", width), height=_int("height", height),
                                  samples=_int("samples", samples), has_background=True,
                                  background=(c_float * 3)(red, green, blue))
        image = _Image()
        try:
            self._run(_library.tessera_paint_circles, array.ctypes.data, len(array),
                      ctypes.byref(options), ctypes.byref(image))
            return _take_image(image)
        finally:
            _library.tessera_image_free(image)

    def evaluate(self, patches, *, points=(17, 17), double=False, normals=False):
        """Evaluates Patches at points[0] x points[1] points each; gives a list of Points."""
        points = _ints("points", points, 2)
        if 0 in points:
            raise Error(f"there are at least 1 x 1 points, not {points[0]} x {points[1]}")
        keep, rows, shapes = [], (_Patch * len(patches))(), []
        for row, patch in zip(rows, patches):
            if not isinstance(patch, Patch):
                raise Error(f"patches are of the class Patch, not {type(patch).__name__}")
            control = _array(patch.control, numpy.float64)
            keep.append(control)
            is_triangle = control.ndim == 2
            if control.ndim not in (2, 3) or control.shape[-1] not in (3, 4):
                raise Error("control points are [rows, columns, 3 or 4], of a triangle [points, "
                            f"3 or 4], not {list(control.shape)}")
            if is_triangle:
                degree = int((8 * len(control) + 1) ** 0.5 - 3) // 2
                if (degree + 1) * (degree + 2) // 2 != len(control):
                    raise Error(f"a triangle has 3, 6, 10, ... control points, not {len(control)}")
                degrees = (degree, degree)
                shapes.append((points[0] * (points[0] + 1) // 2,))
            else:
                degrees = (control.shape[0] - 1, control.shape[1] - 1)
                shapes.append(tuple(points))
            row.is_triangle, row.is_rational = is_triangle, control.shape[-1] == 4
            row.degree_u, row.degree_v = degrees
            row.control = control.ctypes.data_as(POINTER(c_double))
        options, found = _BezierOptions(*points, bool(double), bool(normals)), _Points()
        try:
            self._run(_library.tessera_evaluate_patches, rows, len(patches), ctypes.byref(options),
                      ctypes.byref(found))
            return self._take_points(found, shapes)
        finally:
            _library.tessera_points_free(found)

    @staticmethod
    def _take_points(found, shapes):
        positions = _copy(found.positions, (found.count, 3), numpy.float64)
        normals = _copy(found.normals, (found.count, 3), numpy.float32)
        curvatures = _copy(found.curvatures, (found.count, CURVATURES), numpy.float32)
        result, first = [], 0
        for shape in shapes:
            end = first + int(numpy.prod(shape))
            parts = [None if all_ is None else all_[first:end].reshape(*shape, -1)
                     for all_ in (positions, normals, curvatures)]
            result.append(Points(*parts))
            first = end
        return result


_local = threading.local()


def _own():
    if not hasattr(_local, "context"):
        _local.context = Context()
    return _local.context


def unscramble(puzzle, **options):
    """Context.unscramble, on the device that is fastest for it."""
    return _own().unscramble(puzzle, **options)


def solve(puzzle, **options):
    """Context.solve, on the device that is fastest for it."""
    return _own().solve(puzzle, **options)


def paint(circles, **options):
    """Context.paint, on the device that is fastest for it."""
    return _own().paint(circles, **options)


def evaluate(patches, **options):
    """Context.evaluate, on the device that is fastest for it."""
    return _own().evaluate(patches, **options)
