#!/bin/sh
# Makes the images of README.md and docs/ again, from the root of the tree after `make`:
#
#   docs/pictures/make.sh
#
# It needs ImageMagick for the animation, Chromium for the page of a report, and takes about a minute on two cores. The images
# large-*, which show a puzzle of 1296 turned tiles, and circles-bad.png, which needs a GPU to go wrong, are not among these.
set -eu
cd "$(dirname "$0")/../.."
pictures=docs/pictures samples=scenes/samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A puzzle of 400 tiles comes together: the puzzle, every third of the 150 frames, the answer.
build/scramble --tile 45x45 --seed 7 images/samples/papyrus.png "$work/puzzle.png"
build/unscramble --missing-color ffffff --animate "$work/frame.png" "$work/puzzle.png" "$work/answer.png"
(
    cd "$work"
    frames=$(ls frame-*.png | awk 'NR % 3 == 0')
    convert answer.png puzzle.png -resize 450x450 +append +dither -colors 32 palette.png
    convert -delay 150 puzzle.png -delay 8 $frames -delay 300 answer.png -resize 450x450 \
        +dither -remap palette.png -layers OptimizeFrame -layers OptimizeTransparency assembly.gif
)
cp "$work/assembly.gif" "$pictures"

# What the search of few tiles sees.
build/unscramble --method classic --save-stages "$work/few" images/samples/papyrus-shuffled.png "$work/answer.png"
cp "$work"/few/*-grayscale.png "$pictures/grayscale.png"
cp "$work"/few/*-edges.png "$pictures/edges.png"
cp "$work"/few/*-fits.png "$pictures/fits.png"

# A doubtful answer, for noise, and the page of its report, on which a third of the puzzle is shown.
build/scramble -q --tile 45x45 --noise 26 images/samples/papyrus.png "$work/noisy.png"
build/unscramble -q --tile 45x45 --confidence "$work/doubtful.png" --report "$work/report.html" "$work/noisy.png" \
    "$work/answer.png"
convert "$work/doubtful.png" -resize 620x -quality 85 "$pictures/doubtful.jpg"
sed -i 's/^image.src = picture;/find("slider").value = 33; &/' "$work/report.html"
chromium --headless --no-sandbox --hide-scrollbars --window-size=1280,800 --screenshot="$work/report.png" \
    "file://$work/report.html"
convert "$work/report.png" -resize 1000x -quality 80 "$pictures/report.jpg"

build/circles -s 480 --antialias 4 rand10k "$pictures/circles-rand10k.png"
build/circles -s 480 "$samples/bubbles.json" "$pictures/circles-bubbles.png"
for scene in newyear snowfall; do
    build/circles -s 420 --antialias 4 $scene "$pictures/circles-$scene.jpg"
done
build/circles -s 512 --save-stages "$work/circles" biglittle "$pictures/circles-biglittle.png"
cp "$work"/circles/*-bin.png "$pictures/circles-bin.png"
cp "$work"/circles/*-shade.png "$pictures/circles-shade.png"

bezier() { build/bezier -s 640x440 --antialias 3 "$@"; }
kettle=$samples/kettle.bv
bezier "$kettle" "$pictures/bezier-kettle.png"
bezier -n 65 --curvature mean "$kettle" "$pictures/bezier-curvature.png"
bezier -n 65 --shading highlight "$kettle" "$pictures/bezier-highlight.png"
bezier -n 65 --shading reflection "$kettle" "$pictures/bezier-reflection.png"
bezier -n 9 --shading none --lines "$samples/goblet.bv" "$pictures/bezier-lines.png"
bezier --net --groups "$samples/kinds.bv" "$pictures/bezier-kinds.png"
