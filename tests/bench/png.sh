#!/usr/bin/env bash
# Compares ways to write and read a PNG and writes the tables of docs/bench/png.md, which `make
# build/png_bench` makes a program for: png.sh [IMAGE...]. What stands behind them in the page stays.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=gnu11 -O2 -w -I. ${STB_CFLAGS:--I/usr/include/stb}"
${CC:-cc} $flags -DSTB_OWN tests/bench/png.c -o "$work/own" -lm
${CC:-cc} $flags tests/bench/png.c -o "$work/libdeflate" -ldeflate -lm
{
    printf "# Ways to write and read PNG\n\n"
    echo "Written by \`tests/bench/png.sh\`: the least of 5 runs, on one core of"
    awk -F ': ' '/model name/ { print $2 "."; exit }' /proc/cpuinfo
    for image in "${@:-images/samples/papyrus.png}"; do
        printf '\n%s:\n\n| compressor | row filter | ms | bytes |\n|---|---|---:|---:|\n' "$(basename "$image")"
        echo "| stb's own | stb's choice | $("$work/own" "$image" 0 -1) |"
        for level in 1 3 6; do
            echo "| libdeflate $level | stb's choice | $("$work/libdeflate" "$image" $level -1) |"
            echo "| libdeflate $level | Up | $("$work/libdeflate" "$image" $level 2) |"
            echo "| libdeflate $level | Paeth | $("$work/libdeflate" "$image" $level 4) |"
        done
    done
    echo
    for image in "${@:-images/samples/papyrus.png}"; do
        printf '%s in the project, in memory, the least of 7 runs:\n\n' "$(basename "$image")"
        printf '| | ms | ms of all threads | bytes |\n|---|---:|---:|---:|\n'
        "${BUILD:-build}/png_bench" "$image"
        echo
    done
    sed -n '/^## /,$p' docs/bench/png.md
} >"$work/png.md"
mv "$work/png.md" docs/bench/png.md
cat docs/bench/png.md
