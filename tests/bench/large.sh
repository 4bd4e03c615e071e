#!/usr/bin/env bash
# How well puzzles of hundreds and thousands of tiles are solved, over folders of images:
# large.sh FOLDER... Each image is cut, shuffled and spoiled three times ($SHUFFLES). Writes the
# tables of docs/bench/large.md, only the first where $TILES gives its sizes of tiles; $BUILD has solve, and
# $EFFORT is refills of each search, where it is not to end by itself.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
shuffles=${SHUFFLES:-3}
effort=(${EFFORT:+--effort "$EFFORT"})

# row NAME OPTIONS... of solve: the means over the images of a folder.
row() {
    local name=$1
    shift
    "$build/solve" --shuffles "$shuffles" "$@" "${images[@]}" | awk -v name="$name" '
        $1 == "mean" { printf "| %s | %.1f | %.1f | %.1f | %.1f of %d | %.2f |\n", name, $2, $3, $4,
            $5 * count, count, $9 }
        $1 != "mean" && $1 != "image" && !seen[$1]++ { count++ }'
}

head() {
    printf '\n### %s\n\n| | direct | neighbor | largest | perfect | seconds |\n|---|---:|---:|---:|---:|---:|\n' "$1"
}

for folder; do
    images=()
    for image in "$folder"/*.png "$folder"/*.jpg; do
        if [ -e "$image" ]; then
            images+=("$image")
        fi
    done
    name=$(basename "$folder")
    printf '\n## %s, %d images\n' "$name" ${#images[@]}
    head 'Tiles as they are, and turned'
    for tile in ${TILES:-28x28 20x20 14x14}; do
        row "$tile" --tile $tile "${effort[@]}"
        row "$tile, turned" --tile $tile --turn any "${effort[@]}"
    done
    if [ -n "${TILES:-}" ]; then
        continue
    fi
    head 'Spoiled: tiles of 28 x 28; then by plain prediction instead'
    for spoiled in '--noise 5' '--noise 15' '--erode 1' '--erode 2' '--missing 10' '--missing 25' '--mixed 3 --split'; do
        row "${spoiled#--}" --tile 28x28 $spoiled "${effort[@]}"
        row "${spoiled#--}, prediction" --tile 28x28 $spoiled --dissimilarity prediction "${effort[@]}"
    done
    head 'Step by step: tiles of 28 x 28'
    row 'gray squares, greedy' --tile 28x28 --gray --dissimilarity ssd --greedy --unrefined
    row 'color squares, greedy' --tile 28x28 --dissimilarity ssd --greedy --unrefined
    row 'prediction, greedy' --tile 28x28 --dissimilarity prediction --greedy --unrefined
    row 'blend, greedy' --tile 28x28 --dissimilarity blend --greedy --unrefined
    row 'blend, tree' --tile 28x28 --dissimilarity blend --unrefined
    for n in 14 100 1000 4000; do
        row "blend, tree, $n refills" --tile 28x28 --dissimilarity blend --effort $n
    done
done
