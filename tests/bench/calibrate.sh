#!/usr/bin/env bash
# Makes the probabilities that unscramble tells, and shows how far they can be trusted:
#
#   calibrate.sh COUNT LEARN... -- CHECK...
#
# LEARN and CHECK are folders of PNG pictures; kinds of answers that have no puzzle in LEARN, such as those of
# pages, keep their coefficients. COUNT puzzles of all kinds are made of the pictures in
# LEARN, solved, and stages/unscramble/confidence_table.c is written so that the probabilities fit
# them. As many of CHECK, on which nothing is chosen, give the tables for docs/bench/calibration.md,
# which go to standard output. The rows of both stay in $BUILD/calibration/. Runs on all processors;
# 1000 puzzles take about 25 minutes on two.
set -euo pipefail
build=${BUILD:-build}
rows=$build/calibration
table=stages/unscramble/confidence_table.c
usage() {
    echo "usage: calibrate.sh COUNT LEARN... -- CHECK..." >&2
    exit 2
}
[ $# -ge 4 ] || usage
count=$1
shift
learn=() check=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    learn+=("$1"/*.png)
    shift
done
[ $# -ge 2 ] || usage
shift
for folder in "$@"; do
    check+=("$folder"/*.png)
done

quiet_make() { make CUDA="${CUDA-0}" BUILD="$build" "$@" >&2; }
quiet_make "$build/calibrate" "$build/fit"
mkdir -p "$rows"
"$build/calibrate" "$count" 1 "${learn[@]}" >"$rows/learn"
"$build/calibrate" "$count" 1000001 "${check[@]}" >"$rows/check"
"$build/fit" coefficients <"$rows/learn" >"$rows/table.c"
cp "$rows/table.c" $table
quiet_make "$build/fit"
"$build/fit" table <"$rows/check"
