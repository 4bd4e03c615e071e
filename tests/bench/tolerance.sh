#!/usr/bin/env bash
# Measures how far the triangles of images lie from the surface and writes the table of
# docs/bench/tolerance.md, of 50 views of each file; it wants `make build/tests/test_tolerance`:
# tolerance.sh [FILE...]. What stands behind the table stays.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- scenes/samples/*.bv
page=docs/bench/tolerance.md
{
    printf "# The distance of triangles from the surface\n\n"
    echo "Written by \`tests/bench/tolerance.sh\`: 50 random views of each file, from anywhere, at zooms of 1/4 to 16, of"
    echo "images of 64 to 1200 pixels a side, in perspective and without. The largest distance, in pixels, between a"
    echo "place on a triangle, as it is drawn, and the surface at the same parameters; the most points of a view; boundary"
    echo "edges of the mesh with 17 x 17 points a patch, and the most of a view."
    printf '\n| file | pixels | points | edges, -n 17 | edges |\n|---|---:|---:|---:|---:|\n'
    "${BUILD:-build}/tests/test_tolerance" 50 "$@"
    echo
    sed -n '/^$/,$p' "$page" 2>/dev/null | awk '/^## /, 0'
} >"$page.new"
mv "$page.new" "$page"
