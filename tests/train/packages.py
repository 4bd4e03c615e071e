"""Takes photographs out of Debian's packages gcompris-qt-data and endless-sky-high-dpi.

    packages.py FOLDER [ROOT]

Those of monuments and animals go to FOLDER/gcompris: they lie as WebP files in archives of Qt's,
each after its length in four bytes. Landscapes and towns go to FOLDER/endless-sky. ROOT is where
the packages are unpacked, by default /. They are scaled to 0.6 or somewhat more, so that what WebP
and JPEG have blurred is not seen, and saved as JPEG of quality 94. Every fifth one is left out, to
measure by.
"""
import io
import pathlib
import sys

import PIL.Image

ARCHIVES = ["erase", "explore_farm_animals", "explore_monuments", "explore_world_animals"]
GCOMPRIS = "usr/share/gcompris-qt/rcc"
SKY = "usr/share/games/endless-sky/plugins/endless-sky-high-dpi/images/land"
LEAST = 500, 340  # pixels that the sides keep


def find_images(data):
    """Gives the bytes of all WebP files in an archive."""
    at = data.find(b"RIFF", 4)
    while at >= 0:
        size = int.from_bytes(data[at - 4:at], "big")
        if 20000 < size <= len(data) - at and data[at + 8:at + 12] == b"WEBP":
            yield data[at:at + size]
        at = data.find(b"RIFF", at + 1)


def find_gcompris(root):
    """Gives names and photographs of gcompris-qt-data and their scales, if large enough."""
    seen = set()
    for archive in ARCHIVES:
        for data in find_images((root / GCOMPRIS / f"{archive}.rcc").read_bytes()):
            picture = PIL.Image.open(io.BytesIO(data)).convert("RGB")
            long, short = max(picture.size), min(picture.size)
            scale = max(LEAST[0] / long, LEAST[1] / short, 0.6)
            if long < 700 or short < 400 or scale > 0.9 or data in seen:
                continue
            seen.add(data)
            yield archive, picture, scale


def find_sky(root):
    """Gives names and photographs of endless-sky-high-dpi, and their scales."""
    for file in sorted((root / SKY).glob("*.jpg")):
        yield file.stem.replace("@2x", ""), PIL.Image.open(file).convert("RGB"), 0.7


def main():
    """Reads the command line and writes the files."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: packages.py FOLDER [ROOT]")
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/")
    for package, find in (("gcompris", find_gcompris), ("endless-sky", find_sky)):
        folder = pathlib.Path(sys.argv[1]) / package
        folder.mkdir(parents=True, exist_ok=True)
        for count, (name, picture, scale) in enumerate(find(root)):
            if count % 5:
                size = [round(side * scale) for side in picture.size]
                file = folder / f"{count:03}_{name}.jpg"
                picture.resize(size, PIL.Image.LANCZOS).save(file, quality=94)


if __name__ == "__main__":
    main()
