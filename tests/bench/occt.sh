#!/usr/bin/env bash
# Compares bezier on the CPU with Open CASCADE evaluating the same surfaces, as a table in Markdown on
# standard output: occt.sh [-w] [CONTROLS...]; -w writes docs/bench/occt.md too. Needs
# libocct-modeling-data-dev and libocct-foundation-dev; programs are found in $BUILD. Grids have
# $RESOLUTION points a side.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
resolution=${RESOLUTION:-256}
headers=/usr/include/opencascade
seed=1
out=/dev/null
if [ "${1:-}" = -w ]; then
    out=docs/bench/occt.md
    shift
fi
controls=("$@")
if [ $# = 0 ]; then
    controls=(4 8 12 24)
fi
if [ ! -e "$headers/Geom_BezierSurface.hxx" ]; then
    echo "occt.sh: Open CASCADE is not there; install libocct-modeling-data-dev and" \
        "libocct-foundation-dev" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s "$build/stages/bezier/reference.o" >&2
${CXX:-c++} -std=c++17 -O2 -I. -isystem "$headers" tests/bench/occt.cpp \
    "$build/stages/bezier/reference.o" -o "$work/occt" -lTKG3d -lTKMath -lTKernel

# bezier CONTROLS polynomial|rational float|double: milliseconds and error of the same grid
bezier() {
    echo "sep $3 $1 $resolution 1 $2 $seed" | "$build/bezier_bench" cpu 1 | cut -d ' ' -f 7,8
}

{
    printf "# \`bezier\` beside Open CASCADE\n\n"
    echo "Written by \`tests/bench/occt.sh\` with Open CASCADE" \
        "$(awk -F '"' '/define OCC_VERSION_COMPLETE/ { print $2 }' "$headers/Standard_Version.hxx") on"
    echo "$(nproc) cores of $(awk -F ': ' '/model name/ { print $2 "."; exit }' /proc/cpuinfo)"
    echo
    echo "Milliseconds for $resolution x $resolution points of a surface with random control points, medians; below"
    echo "each the largest error over the largest control point, by the reference in long double. Open CASCADE"
    echo "computes in double on one core: by \`D0\` for every point; by the Taylor polynomial of the surface that its"
    echo "own adaptors cache; by the curve of each row (\`UIso\`), point by point or by its Taylor polynomial."
    echo
    echo "| surface | control points | D0 | cache | rows | rows, cache | \`bezier\`, double | \`bezier\`, float | double: times as fast as D0 | as rows | as the fastest |"
    echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for kind in polynomial rational; do
        for count in "${controls[@]}"; do
            for method in d0 cache row row-cache; do
                "$work/occt" "$count" "$resolution" "$kind" "$seed" "$method"
            done >"$work/figures"
            for precision in double float; do
                bezier "$count" "$kind" "$precision"
            done >>"$work/figures"
            awk -v kind="$kind" -v count="$count" '
                NR == 1 || (NR <= 4 && $1 < fastest) { fastest = $1 }
                { ms[NR] = $1; cells = cells sprintf(" %.4g<br>%s |", $1, $2) }
                END { printf "| %s | %d x %d |%s %.3g | %.3g | %.3g |\n", kind, count, count, cells,
                    ms[1] / ms[5], ms[3] / ms[5], fastest / ms[5] }' "$work/figures"
        done
    done
} | tee "$work/table.md"
if [ "$out" != /dev/null ]; then
    cp "$work/table.md" "$out"
fi
