#!/usr/bin/env python3
"""A sheet of photographs that fade into each other, as one large image in PPM:

    fading_sheet.py COLUMNSxROWS FOLDER >SHEET.ppm

of so many tiles of 28 x 28 pixels. The images of the folder, in the order of their names, are
scaled to about a tenth of the height and laid side by side, line below line. Five lines make the
upper half; the lower half is the upper one, upside down. Neighbors fade into each other over 150
pixels. Takes NumPy and Pillow."""
import os
import sys

import numpy
from PIL import Image

FADE = 150  # pixels
LINES = 5  # in half of the sheet


def lay(canvas, at, pixels):
    """Lays pixels below the first rows of the canvas, whose last ones fade into them; `at` is how
    many rows are laid. Returns how many are laid then."""
    rows = min(len(pixels), len(canvas) - at + (FADE if at else 0))
    if at == 0:
        canvas[:rows] = pixels[:rows]
        return rows
    fade = numpy.linspace(0, 1, FADE)[:, None, None]
    mixed = canvas[at - FADE : at] * (1 - fade) + pixels[:FADE] * fade
    canvas[at - FADE : at] = numpy.rint(mixed)
    canvas[at : at + rows - FADE] = pixels[FADE:rows]
    return at + rows - FADE


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    columns, rows = map(int, sys.argv[1].split("x"))
    width, height = 28 * columns, 28 * rows
    line_height = -(-(height - FADE) // (2 * LINES)) + FADE
    folder = sys.argv[2]
    names = iter(sorted(os.listdir(folder)))
    lines = []
    for line in range(LINES):
        pixels = numpy.empty((width, line_height, 3), numpy.uint8)  # columns are rows here
        at = 0
        while at < width:
            name = next(names, None)
            if name is None:
                sys.exit(f"fading_sheet.py: the images of {folder} do not fill line {line + 1}")
            image = Image.open(os.path.join(folder, name)).convert("RGB")
            size = (round(image.width * line_height / image.height), line_height)
            at = lay(pixels, at, numpy.asarray(image.resize(size, Image.LANCZOS)).swapaxes(0, 1))
        lines.append(pixels.swapaxes(0, 1))
    sheet = numpy.empty((height, width, 3), numpy.uint8)
    at = 0
    for pixels in lines + [line[::-1, ::-1] for line in reversed(lines)]:
        at = lay(sheet, at, pixels)
    sys.stdout.buffer.write(b"P6\n%d %d\n255\n" % (width, height))
    for row in sheet:
        sys.stdout.buffer.write(row)


main()
