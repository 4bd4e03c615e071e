#!/usr/bin/env bash
# Times making and reading scenes on one thread and on all, and whole commands, as tables in
# Markdown on standard output: scenes.sh [RUNS]. Each time is the least of the runs. Programs are
# found in $BUILD; `make build/scenes_bench` makes one of them.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
runs=${1:-15}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for extension in csv json; do
    "$build/circles" -q -r cpu --save-scene "$work/rand1M.$extension" rand1M "$work/o.ppm"
done
perl -F, -lane 'BEGIN { print "<svg viewBox=\"0 0 1 1\">" } END { print "</svg>" }
    next if $. == 1;
    printf "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"#%02x%02x%02x\" fill-opacity=\"%s\"/>\n",
        @F[0, 1, 3], (map 255 * $_ > 255 ? 255 : 255 * $_, @F[4 .. 6]), $F[7];' \
    "$work/rand1M.csv" >"$work/rand1M.svg"
scenes=(rand10k rand1M micro2M tenmillion "$work"/rand1M.{csv,json,svg})
OMP_NUM_THREADS=1 "$build/scenes_bench" "$runs" "${scenes[@]}" >"$work/one"
"$build/scenes_bench" "$runs" "${scenes[@]}" >"$work/all"
threads=$(cut -f 2 "$work/all" | head -n 1)
printf '| scene | one thread, ms | %d threads, ms |\n|---|---:|---:|\n' "$threads"
paste "$work/one" "$work/all" |
    awk -F '\t' '{ sub(".*/", "", $1); print "| " $1 " | " $3 " | " $6 " |" }'

# The quickest of the runs of a command, with its stages.
printf '\n| command | s | scene, ms | upload | bin | shade | save |\n'
printf '|---|---:|---:|---:|---:|---:|---:|\n'
for scene in rand1M "$work"/rand1M.{csv,json} tenmillion; do
    for _ in $(seq "$runs"); do
        begun=$(date +%s%N)
        "$build/circles" -q -r cpu --timings "$scene" "$work/o.png" 2>"$work/timings"
        printf '%s\t%s\n' $((($(date +%s%N) - begun) / 10000000)) \
            "$(awk '/^(scene|upload|bin|shade|save)/ { printf " %.0f |", $2 }' "$work/timings")"
    done | sort -n | head -n 1 |
        awk -F '\t' -v name="${scene##*/}" '{ printf "| %s | %.2f |%s\n", name, $1 / 100, $2 }'
done
