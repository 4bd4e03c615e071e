#!/usr/bin/env bash
# What the command makes of photographs: answers.sh FOLDER. Each image is cut into tiles of 28 x 28 pixels
# and shuffled three times; means over all answers, and seconds from file to file.
set -euo pipefail
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# row OPTIONS...: of both commands; --once is of unscramble alone
row() {
    local image seed begin cut=()
    [[ " $* " != *" --rotate "* ]] || cut=(--rotate)
    for image in "$folder"/*; do
        for seed in 1 2 3; do
            "$build/scramble" -q --tile 28x28 "${cut[@]}" --seed $seed --permutation "$work/truth" \
                --format pnm "$image" "$work/puzzle"
            begin=$(date +%s%N)
            "$build/unscramble" -q --tile 28x28 "$@" --truth "$work/truth" --json "$work/json" \
                --format pnm "$work/puzzle" "$work/answer" 2>"$work/warnings"
            perl -MJSON::PP -e 'my ($nanoseconds, $file) = @ARGV; open my $f, "<", $file or die;
                my $r = decode_json(do { local $/; <$f> })->{score};
                print "$r->{direct} $r->{neighbor} $nanoseconds\n"' $(($(date +%s%N) - begin)) "$work/json"
        done
    done |
        awk -v name="unscramble${*:+ $*}" '{ direct += $1; neighbor += $2; perfect += $1 == 1; seconds += $3 / 1e9 }
            END { printf "| `%s` | %.1f | %.1f | %.1f of %d | %.2f |\n", name, 100 * direct / NR,
                100 * neighbor / NR, perfect / 3, NR / 3, seconds / NR }'
}

folder=${1:?usage: answers.sh FOLDER}
echo '| | direct | neighbor | perfect | seconds |'
echo '|---|---:|---:|---:|---:|'
row --once
row
row --once --rotate
row --rotate
