"""Compares circles on the CPU with Blend2D and Skia drawing the same circles:

    renderers.py [-w] [SCENE:SIZE...]

Writes a table in Markdown to standard output, with -w to docs/bench/renderers.md too. Needs the
packages blend2d-py and skia-python of PyPI; circles and circles_bench are found in $BUILD. Every
time is the median of 5. The two libraries are called from Python, a call for the color and one for
the circle, whose cost is shown: it is that of as many circles outside the image.
"""

import importlib.metadata
import os
import statistics
import subprocess
import sys
import tempfile
import time

import blend2d
import skia

BUILD, RUNS = os.environ.get("BUILD", "build"), 5
CASES = ["rgb:1024", "pattern:1024", "rand10k:1024", "biglittle:1024", "rand100k:1024"]


def median_ms(draw):
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        draw()
        times.append(1e3 * (time.perf_counter() - began))
    return statistics.median(times)


def read_scene(name, size):
    """Circles as x, y, radius in pixels and their color from 0 to 1."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scene.csv")
        subprocess.run([f"{BUILD}/circles", "-q", "-r", "cpu", "-s", "1", "--save-scene", path,
                        name, os.path.join(folder, "x.ppm")], check=True)
        with open(path, encoding="utf-8") as file:
            columns = file.readline().strip().split(",")
            rows = [dict(zip(columns, map(float, line.split(",")))) for line in file]
    return [(row["x"] * size, (1 - row["y"]) * size, row["r"] * size,
             (row["red"], row["green"], row["blue"], row["alpha"])) for row in rows]


def draw_blend2d(circles, size):
    image = blend2d.Image(size, size)
    context = blend2d.Context(image)
    context.set_fill_style_rgba(255, 255, 255)
    context.fill_all()
    for x, y, r, color in circles:
        context.set_fill_style_rgba(*color)
        context.fill_circle(x, y, r)
    context.end()


def draw_skia(circles, size):
    surface = skia.Surface(size, size)
    canvas, paint = surface.getCanvas(), skia.Paint(AntiAlias=False)
    canvas.clear(skia.ColorWHITE)
    for x, y, r, color in circles:
        paint.setColor(color)
        canvas.drawCircle(x, y, r, paint)
    surface.flushAndSubmit()


def time_circles(name, size, threads):
    """All stages from uploading the circles to the finished bytes, in a process that has painted
    before, as those of the libraries have."""
    environment = dict(os.environ, **({"OMP_NUM_THREADS": str(threads)} if threads else {}))
    command = [f"{BUILD}/circles_bench", "cpu", "fast", str(size), "1", name]
    output = subprocess.run(command, check=True, capture_output=True, env=environment).stdout
    return float(output.split(b"\t")[5])


def outside(circles, size):
    return [(-2 * size, -2 * size, 1, color) for _, _, _, color in circles]


def row(case):
    name, size = case.split(":")[0], int(case.split(":")[1])
    circles = [(x, y, r, tuple(round(255 * part) for part in color))
               for x, y, r, color in read_scene(name, size)]
    skia_circles = [(x, y, r, skia.Color(*color)) for x, y, r, color in circles]
    times = [median_ms(lambda: draw_blend2d(circles, size)),
             median_ms(lambda: draw_blend2d(outside(circles, size), size)),
             median_ms(lambda: draw_skia(skia_circles, size)),
             median_ms(lambda: draw_skia(outside(skia_circles, size), size)),
             time_circles(name, size, 1), time_circles(name, size, 0)]
    cells = " | ".join(f"{ms:.3g}" for ms in times)
    return f"| {name} | {size} | {cells} | {times[0] / times[4]:.3g} | {times[0] / times[5]:.3g} |"


def main():
    arguments = sys.argv[1:]
    writes = arguments[:1] == ["-w"]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(": ")[1].strip() for line in file
                      if line.startswith("model name")), "a CPU")
    lines = ["# `circles` beside Blend2D and Skia", "",
             f"Written by `tests/bench/renderers.py` on {os.cpu_count()} cores of {model}: "
             f"milliseconds, medians of {RUNS}.",
             f"Blend2D (blend2d-py {importlib.metadata.version('blend2d-py')}, antialiased, it has "
             "no other way) and Skia",
             f"(skia-python {skia.__version__}, not antialiased) draw on one core, called from "
             "Python; \"calls\" is what as many",
             "circles outside the image take. `circles` is everything from uploading the circles "
             "to the finished bytes on",
             "the CPU, as `circles_bench` times it in a process that has painted before.",
             "",
             "| scene | size | Blend2D | its calls | Skia | its calls | `circles`, 1 thread | "
             "all threads | times as fast as Blend2D, 1 thread | all |",
             "|---|" + 9 * "---:|"]
    for line in lines:
        print(line)
    for case in arguments[writes:] or CASES:
        lines.append(row(case))
        print(lines[-1], flush=True)
    if writes:
        with open("docs/bench/renderers.md", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


main()
