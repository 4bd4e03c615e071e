#!/usr/bin/env python3
"""Paints very many small circles that are in memory: many_circles.py [COUNT [SIZE [DEVICE]...]]

By default 1,000,000,000 circles, sorted by depth, on 1024 x 1024 pixels, on cuda and on cpu. Prints
how long each device takes, and fails where the pixels are not those of the first one. A circle
takes 32 bytes. Wanted: NumPy, and the module and the library where Python finds them; for a build:

    TESSERA_LIBRARY=build/libtessera.so.0 PYTHONPATH=stages tests/bench/many_circles.py
"""
import concurrent.futures
import sys
import time

import numpy
import tessera

BLOCK = 1 << 22


def fill(circles, first):
    """Makes a block of circles: x, y, z, r, red, green, blue, alpha."""
    block = circles[first:first + BLOCK]
    numpy.random.default_rng(first).random(dtype=numpy.float32, out=block)
    block[:, 2] = numpy.arange(first, first + len(block)) / len(circles)
    block[:, 3] = 0.001 + 0.002 * block[:, 3]
    block[:, 7] = 0.5


count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000_000
size = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
circles = numpy.empty((count, 8), numpy.float32)
with concurrent.futures.ThreadPoolExecutor() as pool:
    list(pool.map(lambda first: fill(circles, first), range(0, count, BLOCK)))
first = None
for device in sys.argv[3:] or ["cuda", "cpu"]:
    context = tessera.Context(device=device)
    begin = time.perf_counter()
    pixels = context.paint(circles, width=size, height=size)
    seconds = time.perf_counter() - begin
    print(f"{count} circles, {size} x {size}, {context.device}: {seconds:.2f} s")
    first = pixels if first is None else first
    if not numpy.array_equal(pixels, first):
        sys.exit("the pixels differ")
