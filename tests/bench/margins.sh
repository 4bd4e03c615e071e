#!/usr/bin/env bash
# Photographs with the margins of a scan, or other images, cut into two to four tiles: margins.sh FOLDER [KIND...]. How
# many answers are wrong, and what probability the command gives them. Of each kind: "noise", a gray margin of 12
# pixels with a standard deviation of about 3 of 255; "JPEG", the same without noise, as JPEG of quality 85, then cut;
# "white", a margin of plain white; "dim", a tenth of the contrast; "bright", three times as bright; "detail", the
# middle quarter; "plain", as they are. Takes ImageMagick.
set -euo pipefail
build=${BUILD:-build}
folder=${1:?usage: margins.sh FOLDER [KIND...]}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# spoil KIND IMAGE: makes $work/image.png of it
spoil() {
    case $1 in
    plain) convert "$2" "$work/image.png" ;;
    noise) convert "$2" -bordercolor '#606468' -border 12 -seed 1 -attenuate 0.14 +noise Gaussian "$work/image.png" ;;
    JPEG) convert "$2" -bordercolor '#606468' -border 12 -quality 85 "$work/image.jpg" && convert "$work/image.jpg" "$work/image.png" ;;
    white) convert "$2" -bordercolor white -border 12 "$work/image.png" ;;
    dim) convert "$2" +level '40%,50%' "$work/image.png" ;;
    bright) convert "$2" -evaluate multiply 3 "$work/image.png" ;;
    detail) convert "$2" -gravity center -crop '50%x50%+0+0' +repage "$work/image.png" ;;
    esac
}

echo '| | puzzles | wrong | of these not called doubtful | right, but called doubtful |'
echo '|---|---:|---:|---:|---:|'
kinds=("${@:2}")
[ ${#kinds[@]} -gt 0 ] || kinds=(plain noise JPEG white dim bright)
for kind in "${kinds[@]}"; do
    for image in "$folder"/*; do
        spoil $kind "$image"
        for grid in 2x1 1x2 3x1 1x3 2x2; do
            "$build/scramble" -q --seed 5 --grid $grid --permutation "$work/truth" "$work/image.png" "$work/puzzle.png"
            "$build/unscramble" -q -r cpu --grid $grid --truth "$work/truth" --json - "$work/puzzle.png" "$work/answer.png" |
                perl -MJSON::PP -e 'local $/; my $r = decode_json(<STDIN>);
                    print $r->{score}{perfect} ? 1 : 0, " $r->{probability}\n"'
        done
    done | awk -v kind=$kind '{ wrong += !$1; sure += !$1 && $2 >= 0.5; doubtful += $1 && $2 < 0.5 }
        END { printf "| %s | %d | %d | %d | %d |\n", kind, NR, wrong, sure, doubtful }'
done
