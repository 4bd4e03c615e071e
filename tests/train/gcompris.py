"""Takes the photographs of monuments and animals out of Debian's package gcompris-qt-data.

    gcompris.py FOLDER [DATA]

They lie as WebP files in archives of Qt's, in DATA, /usr/share/gcompris-qt/rcc, each after its
length in four bytes. They are scaled to 0.6 or somewhat more, so that what WebP has blurred is not
seen, and saved to FOLDER as JPEG of quality 94. Every fifth one is left out, to measure by.
"""
import hashlib
import io
import pathlib
import sys

import PIL.Image

ARCHIVES = ["erase", "explore_farm_animals", "explore_monuments", "explore_world_animals"]
LEAST = 500, 340  # pixels that the sides keep


def find_images(data):
    """Gives the bytes of all WebP files in an archive."""
    at = data.find(b"RIFF", 4)
    while at >= 0:
        size = int.from_bytes(data[at - 4:at], "big")
        if 20000 < size <= len(data) - at and data[at + 8:at + 12] == b"WEBP":
            yield data[at:at + size]
        at = data.find(b"RIFF", at + 1)


def main():
    """Reads the command line and writes the files."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: gcompris.py FOLDER [DATA]")
    folder = pathlib.Path(sys.argv[1])
    source = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/usr/share/gcompris-qt/rcc")
    folder.mkdir(parents=True, exist_ok=True)
    seen, count = set(), 0
    for archive in ARCHIVES:
        for data in find_images((source / f"{archive}.rcc").read_bytes()):
            picture = PIL.Image.open(io.BytesIO(data)).convert("RGB")
            long, short = max(picture.size), min(picture.size)
            scale = max(LEAST[0] / long, LEAST[1] / short, 0.6)
            digest = hashlib.sha256(data).digest()
            if long < 700 or short < 400 or scale > 0.9 or digest in seen:
                continue
            seen.add(digest)
            if count % 5:
                size = [round(side * scale) for side in picture.size]
                name = folder / f"{count:03}_{archive}.jpg"
                picture.resize(size, PIL.Image.LANCZOS).save(name, quality=94)
            count += 1


if __name__ == "__main__":
    main()
