"""Takes photographs out of Debian's packages gcompris-qt-data and endless-sky-high-dpi.

    packages.py FOLDER [ROOT]

Those of monuments and animals go to FOLDER/gcompris: they lie as WebP files in archives of Qt's,
each after its length in four bytes. Landscapes and towns go to FOLDER/endless-sky. They are copied
as they are. ROOT is where the packages are unpacked, by default /. Every fifth one is left out;
those of landscapes and towns go to FOLDER/sky, to measure by, scaled to 672 x 336 pixels.
"""
import io
import pathlib
import sys

import PIL.Image

ARCHIVES = ["erase", "explore_farm_animals", "explore_monuments", "explore_world_animals"]
GCOMPRIS = "usr/share/gcompris-qt/rcc"
SKY = "usr/share/games/endless-sky/plugins/endless-sky-high-dpi/images/land"
HELD = 672, 336  # pixels of those to measure by


def find_images(data):
    """Gives the bytes of all WebP files in an archive."""
    at = data.find(b"RIFF", 4)
    while at >= 0:
        size = int.from_bytes(data[at - 4:at], "big")
        if 20000 < size <= len(data) - at and data[at + 8:at + 12] == b"WEBP":
            yield data[at:at + size]
        at = data.find(b"RIFF", at + 1)


def find_gcompris(root):
    """Gives names and files of gcompris-qt-data's photographs, if large enough."""
    seen = set()
    for archive in ARCHIVES:
        for data in find_images((root / GCOMPRIS / f"{archive}.rcc").read_bytes()):
            long, short = sorted(PIL.Image.open(io.BytesIO(data)).size, reverse=True)
            if long >= 700 and short >= 400 and data not in seen:
                seen.add(data)
                yield f"{archive}.webp", data


def find_sky(root):
    """Gives names and files of endless-sky-high-dpi's photographs."""
    for file in sorted((root / SKY).glob("*.jpg")):
        yield file.name.replace("@2x", ""), file.read_bytes()


def main():
    """Reads the command line and writes the files."""
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: packages.py FOLDER [ROOT]")
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/")
    gcompris, sky, held = (pathlib.Path(sys.argv[1]) / name
                           for name in ("gcompris", "endless-sky", "sky"))
    for folder, find in ((gcompris, find_gcompris), (sky, find_sky)):
        folder.mkdir(parents=True)
        files = list(find(root))
        if not files:
            sys.exit(f"packages.py: {root} has no photographs of {folder.name}")
        for count, (name, data) in enumerate(files):
            if count % 5:
                (folder / f"{count:03}_{name}").write_bytes(data)
            elif folder == sky:
                held.mkdir(exist_ok=True)
                picture = PIL.Image.open(io.BytesIO(data)).convert("RGB")
                picture.resize(HELD, PIL.Image.LANCZOS).save(held / f"{count:03}.png")


if __name__ == "__main__":
    main()
