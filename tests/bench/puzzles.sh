#!/usr/bin/env bash
# How often unscramble gives the truth, over folders of images: puzzles.sh FOLDER...
# Each image is shuffled three times on each grid. Where the answer is not the truth, the costs of
# the two tell why: the answer's is lower (the cost prefers a wrong order), equal (it cannot know),
# or higher (then the search is wrong). Writes a table for docs/bench/puzzles.md.
set -euo pipefail
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cost() {
    perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{cost}' <"$1"
}

echo '| images | grid | shuffles | the truth | another fits better | another fits as well | search wrong |'
echo '|---|---|---:|---:|---:|---:|---:|'
for folder in "$@"; do
    for grid in 2x2 3x3 4x2 4x3 1x5; do
        all=0 same=0 better=0 tied=0 wrong=0
        for image in "$folder"/*.png "$folder"/*.jpg; do
            [ -e "$image" ] || continue
            for seed in 1 2 3; do
                "$build/scramble" --quiet --grid $grid --seed $seed --format pnm \
                    --permutation "$work/truth" "$image" "$work/puzzle"
                "$build/unscramble" --quiet --grid $grid --format pnm --json "$work/found.json" \
                    "$work/puzzle" "$work/found"
                "$build/unscramble" --quiet --apply "$work/truth" --format pnm \
                    --json "$work/truth.json" "$work/puzzle" "$work/true"
                all=$((all + 1))
                found=$(cost "$work/found.json") truth=$(cost "$work/truth.json")
                if cmp -s "$work/found" "$work/true"; then
                    same=$((same + 1))
                elif [ "$found" -lt "$truth" ]; then
                    better=$((better + 1))
                elif [ "$found" -eq "$truth" ]; then
                    tied=$((tied + 1))
                else
                    wrong=$((wrong + 1))
                fi
            done
        done
        echo "| $(basename "$folder") | $grid | $all | $same | $better | $tied | $wrong |"
    done
done
