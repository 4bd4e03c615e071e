#!/usr/bin/env bash
# How often the grid of shuffled images is found, over folders of images: grid.sh FOLDER...
# Writes a table for docs/bench/grid.md.
set -euo pipefail
build=${BUILD:-build}
make -s "$build/grid_bench" >&2
echo '| images | tiles | shuffles | right, sure | right, not sure | named | not named | wrong, sure | ms |'
echo '|---|---|---:|---:|---:|---:|---:|---:|---:|'
shopt -s nullglob
for folder in "$@"; do
    "$build/grid_bench" "$(basename "$folder")" "$folder"/*.png "$folder"/*.jpg
done
