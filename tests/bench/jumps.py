#!/usr/bin/env python3
"""The jumps of joints (stages/unscramble/jumps.h) of photographs, counted by NumPy alone, and what
unscramble says of puzzles that they are for.

jumps.py limits FOLDER: of photographs cut into tiles and shuffled, spoiled and put back, and of the
same with one tile turned, the least jump of the place where it is greatest; and the mean jump at
the border.
jumps.py solve FOLDER [UNSCRAMBLE]: wrong answers of puzzles of whole photographs, of some with one
tile turned, of some whose left border goes on at the right one, and of pairs of photographs side by
side. Takes NumPy and Pillow."""
import glob
import io
import json
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image

GRIDS = [(4, 3), (5, 4), (6, 4), (8, 6), (12, 8)]
SPOILED = ["plain", "JPEG 85", "JPEG 60", "noise 10", "eroded by 1", "eroded by 3", "scaled"]
random = np.random.default_rng(1)


def tiles_of(image, columns, rows):
    height, width = image.shape[0] // rows, image.shape[1] // columns
    rows_of = [image[y * height:(y + 1) * height] for y in range(rows)]
    return [row[:, x * width:(x + 1) * width] for row in rows_of for x in range(columns)]


def put_together(tiles, columns):
    rows = range(0, len(tiles), columns)
    return np.concatenate([np.concatenate(tiles[i:i + columns], 1) for i in rows], 0)


def encoded(image, quality):
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=quality)
    return np.array(Image.open(file).convert("RGB"))


def spoil(image, columns, rows, kind):
    """The image as it is when its tiles have been shuffled, spoiled and put back."""
    tiles = tiles_of(image, columns, rows)
    order = random.permutation(len(tiles))
    puzzle = put_together([tiles[i] for i in order], columns)
    number = int(kind.split()[-1]) if " " in kind else 0
    if kind.startswith("JPEG"):
        puzzle = encoded(puzzle, number)
    elif kind.startswith("noise"):
        puzzle = np.clip(puzzle + random.normal(0, number, puzzle.shape), 0, 255).astype(np.uint8)
    elif kind.startswith("eroded"):
        cut = [t[number:-number, number:-number] for t in tiles_of(puzzle, columns, rows)]
        puzzle = put_together(cut, columns)
    elif kind == "scaled":
        height, width = (side * 13 // 10 for side in puzzle.shape[:2])
        size = width // columns * columns, height // rows * rows
        puzzle = np.array(Image.fromarray(puzzle).resize(size, Image.BICUBIC))
    shuffled = tiles_of(puzzle, columns, rows)
    back = [None] * len(tiles)
    for at, tile in enumerate(order):
        back[tile] = shuffled[at]
    return put_together(back, columns)


def turn_one(image, columns, rows):
    tiles = tiles_of(image, columns, rows)
    number = random.integers(len(tiles))
    tiles[number] = tiles[number][::-1, ::-1]
    return put_together(tiles, columns)


def ring(image):
    """The image with its right part, a quarter or more, faded into its left border. Its width can
    be divided by the columns of all grids."""
    wide = image.shape[1]
    overlap = wide - wide * 3 // 4 // 120 * 120
    share = np.linspace(0, 1, overlap, endpoint=False)[None, :, None]
    left = image[:, wide - overlap:] * (1 - share) + image[:, :overlap] * share
    return np.concatenate([left.astype(np.uint8), image[:, overlap:wide - overlap]], 1)


def jump(one, other):
    """Of two tiles side by side, as jumps.c has it."""
    sides = one[:, ::-1], other
    inward = [sum(np.abs(np.diff(side[:, :deep + 1], axis=1)).mean() for side in sides)
              for deep in (1, 8)]
    return (np.abs(one[:, -1] - other[:, 0]).mean() + 1) / (max(inward) / 2 + 1)


def jumps_of(image, columns, rows):
    """The greatest of the places' least jumps, the mean where the right border meets the left one,
    and the greatest of the seams' least jumps, over the median."""
    tiles = [t.astype(float) for t in tiles_of(image, columns, rows)]
    joints = {}
    for i in range(len(tiles)):
        if (i + 1) % columns:
            joints[i, i + 1] = jump(tiles[i], tiles[i + 1])
        if i + columns < len(tiles):
            below = tiles[i + columns].swapaxes(0, 1)
            joints[i, i + columns] = jump(tiles[i].swapaxes(0, 1), below)
    median = np.median(list(joints.values()))
    least = [min(v for pair, v in joints.items() if i in pair) for i in range(len(tiles))]
    border = [jump(tiles[(y + 1) * columns - 1], tiles[y * columns]) for y in range(rows)]
    seams = [[joints[y * columns + x, y * columns + x + 1] for y in range(rows)]
             for x in range(columns - 1)]
    seams += [[joints[y * columns + x, (y + 1) * columns + x] for x in range(columns)]
              for y in range(rows - 1)]
    return max(least) / median, np.mean(border) / median, max(map(min, seams)) / median


def limits(images):
    print("| | place, median | 99 of 100 | most | above 1.75 | border, least | most | seam, most |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for kind in SPOILED + ["a tile turned", "a ring"]:
        found = []
        for columns, rows in GRIDS:
            for image in images:
                if kind == "a tile turned":
                    whole = turn_one(image, columns, rows)
                else:
                    whole = ring(image) if kind == "a ring" else spoil(image, columns, rows, kind)
                found.append(jumps_of(whole, columns, rows))
        place, border, seam = np.array(found).T
        shown = (kind, np.median(place), np.percentile(place, 99), place.max(),
                 100 * np.mean(place > 1.75), border.min(), border.max(), seam.max())
        print("| %s | %.2f | %.2f | %.2f | %.1f %% | %.2f | %.2f | %.2f |" % shown)


def answer_of(program, image, whole, columns, rows):
    """Whether the answer to a shuffle of an image is `whole`, as it is or turned by half, and its
    probability."""
    tiles = tiles_of(image, columns, rows)
    whole = put_together(tiles_of(whole, columns, rows), columns)
    with tempfile.TemporaryDirectory() as folder:
        puzzle = put_together([tiles[i] for i in random.permutation(len(tiles))], columns)
        Image.fromarray(puzzle).save(folder + "/puzzle.png")
        command = [program, "-q", "-r", "cpu", "-g", "%dx%d" % (columns, rows), "--json", "-",
                   folder + "/puzzle.png", folder + "/answer.png"]
        said = subprocess.run(command, capture_output=True, check=True)
        got = np.array(Image.open(folder + "/answer.png").convert("RGB"))
    is_right = any(np.array_equal(turned, whole) for turned in (got, got[::-1, ::-1]))
    return is_right, json.loads(said.stdout)["probability"]


def solve(images, program):
    print("| | puzzles | wrong | sure | right, doubted |\n|---|---:|---:|---:|---:|")
    for kind in ["plain", "a tile turned", "a ring", "side by side"]:
        found = []
        for number, image in enumerate(images):
            if kind == "side by side":
                other = Image.fromarray(images[number - 1])
                other = other.resize((image.shape[1], image.shape[0]))
                image = np.concatenate([image, np.array(other)], 1)
            grids = [(2, 1), (4, 3), (6, 4), (8, 6)] if kind == "side by side" else GRIDS[:4]
            for columns, rows in grids:
                whole = ring(image) if kind == "a ring" else image
                puzzle = turn_one(whole, columns, rows) if kind == "a tile turned" else whole
                found.append(answer_of(program, puzzle, whole, columns, rows))
        right, sure = np.array([(f[0], f[1] >= 0.5) for f in found]).T
        print("| %s | %d | %d | %d | %d |" % (kind, len(found), np.sum(~right),
                                              np.sum(~right & sure), np.sum(right & ~sure)))


if __name__ == "__main__":
    files = sorted(glob.glob(sys.argv[2] + "/*"))
    pictures = [np.array(Image.open(f).convert("RGB")) for f in files]
    if sys.argv[1] == "limits":
        limits(pictures)
    else:
        solve(pictures, sys.argv[3] if len(sys.argv) > 3 else "build/unscramble")
