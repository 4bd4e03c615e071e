#!/usr/bin/env bash
# How often unscramble gives the truth, over folders of images: puzzles.sh FOLDER...
# Each image is shuffled three times on each grid. Where the answer is not the truth, the costs of
# the two tell why: the answer's is lower (the cost prefers a wrong order), equal (it cannot know),
# or higher (then the search is wrong). Turned tiles may also give the truth upside down; what that costs is not
# known, so the cost of the second best order stands for it. Writes a table for docs/bench/puzzles.md.
set -euo pipefail
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# cost FILE [MEMBER]
cost() {
    perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{$ARGV[0]}' "${2:-cost}" <"$1"
}

is_perfect() {
    perl -MJSON::PP -e 'local $/; exit !decode_json(<STDIN>)->{score}{perfect}' <"$1"
}

echo '| images | grid | shuffles | the truth | another fits better | another fits as well | search wrong |'
echo '|---|---|---:|---:|---:|---:|---:|'
for folder in "$@"; do
    for kind in 2x2 3x3 4x2 4x3 1x5 2x2,turned 3x3,turned 4x2,turned; do
        grid=${kind%,*} turned=
        [ "$grid" = "$kind" ] || turned=--rotate
        all=0 same=0 better=0 tied=0 wrong=0
        for image in "$folder"/*.png "$folder"/*.jpg; do
            [ -e "$image" ] || continue
            for seed in 1 2 3; do
                "$build/scramble" --quiet $turned --grid "$grid" --seed $seed --format pnm \
                    --permutation "$work/truth" "$image" "$work/puzzle"
                "$build/unscramble" --quiet $turned --grid "$grid" --format pnm --json "$work/found.json" \
                    --truth "$work/truth" "$work/puzzle" "$work/found"
                "$build/unscramble" --quiet --apply "$work/truth" --format pnm \
                    --json "$work/truth.json" "$work/puzzle" "$work/true"
                all=$((all + 1))
                found=$(cost "$work/found.json") truth=$(cost "$work/truth.json")
                [ -z "$turned" ] || truth=$(cost "$work/found.json" runner_up_cost)
                if cmp -s "$work/found" "$work/true" || [ -n "$turned" ] && is_perfect "$work/found.json"; then
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
        echo "| $(basename "$folder") | ${kind/,/, } | $all | $same | $better | $tied | $wrong |"
    done
done
