#!/usr/bin/env bash
# How many drawings with areas of one color come back: areas.sh. Two and four areas, cut into tiles of
# 20, 32 and 40 pixels, each shuffled four times; the answer has to be the image.
set -euo pipefail
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

right=0 all=0
for areas in 2 4; do
    perl -e 'my $areas = shift; print "P6\n640 480\n255\n"; for $y (0 .. 479) { for $x (0 .. 639) {
        my $is_low = $areas == 4 && $y >= 170;
        print pack "C3", $x < 250 ? $is_low ? (60, 176, 67) : (20, 60, 200) : $is_low ? (224, 64, 64) : (255) x 3 } }' \
        $areas >"$work/image.ppm"
    for side in 20 32 40; do
        for seed in 1 2 3 4; do
            "$build/scramble" -q --tile ${side}x$side --seed $seed "$work/image.ppm" "$work/puzzle.ppm"
            "$build/unscramble" -q --tile ${side}x$side "$@" "$work/puzzle.ppm" "$work/answer.ppm" 2>"$work/warnings"
            all=$((all + 1))
            ! cmp -s "$work/image.ppm" "$work/answer.ppm" || right=$((right + 1))
        done
    done
done
echo "$right of $all"
