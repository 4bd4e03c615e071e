#!/usr/bin/env bash
# Compares circles on the CPU with Cairo drawing the same circles, as a table in Markdown on standard
# output: cairo.sh [-w] [SCENE:SIZE...]; -w writes docs/bench/cairo.md too. Needs libcairo2-dev and, in
# $BUILD, circles and circles_bench. Every time is the median of $RUNS, the reference's that of one.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
runs=${RUNS:-3}
out=/dev/null
if [ "${1:-}" = -w ]; then
    out=docs/bench/cairo.md
    shift
fi
cases=("$@")
if [ $# = 0 ]; then
    cases=(rgb:1024 pattern:1024 rand10k:1024 biglittle:1024 rand100k:1024 rand1M:1024
        micro2M:1024 seed10k:2048 seed100k:2048)
fi
if ! pkg-config --exists cairo; then
    echo "cairo.sh: Cairo is not there; install libcairo2-dev and pkg-config" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -std=gnu11 -O2 -fopenmp -D_GNU_SOURCE -DVERSION='""' -I. $(pkg-config --cflags cairo) tests/bench/cairo.c scenes/*.c \
    images/{input,output,scratch,memory}.c -o "$work/cairo" $(pkg-config --libs cairo) -ljansson -lexpat -lm

# warm SCENE SIZE: ms of all but making the scene and saving, in a process that has painted it before
warm() {
    "$build/circles_bench" cpu fast "$2" 1 "$1" | cut -f 6
}

# fresh SCENE SIZE OPTION...: the same of one run of the command
fresh() {
    local scene=$1 size=$2
    shift 2
    "$build/circles" -q --json - --format ppm -s "$size" "$@" "$scene" /dev/null |
        perl -MJSON::PP -MList::Util=sum -e '
            my $result = decode_json(do { local $/; <STDIN> });
            printf "%.3f\n", 1e3 * sum map { $_->{wall_s} }
                grep { $_->{stage} !~ /^(scene|save)$/ } @{$result->{stages}};'
}

# median COMMAND...: of $runs numbers that the command prints
median() {
    local i
    for ((i = 0; i < runs; i++)); do
        "$@"
    done | sort -n | sed -n "$((runs / 2 + 1))p"
}

{
    printf "# \`circles\` beside Cairo\n\n"
    echo "Written by \`tests/bench/cairo.sh\` with Cairo $(pkg-config --modversion cairo) on"
    echo "$(nproc) cores of $(awk -F ': ' '/model name/ { print $2 "."; exit }' /proc/cpuinfo)"
    echo
    echo "Milliseconds, medians of $runs. Cairo draws on one core, into memory: without antialiasing, and with its"
    echo "default, which is what one gets. \`circles\` in memory is everything from uploading the circles to the"
    echo "finished bytes, as \`circles_bench\` times it in a process that has painted before, as Cairo's has; in a"
    echo "fresh process threads have to start and memory is touched for the first time. The reference is one loop over"
    echo "the circles on one core. Without antialiasing Cairo's edges still differ: it draws Bézier curves."
    echo
    echo "| scene | size | Cairo, none | Cairo, default | reference | \`circles\` in memory, 1 thread | in memory, all threads | in a fresh process, all | in memory, times as fast as Cairo, none | as Cairo, default | as the reference |"
    echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for case in "${cases[@]}"; do
        scene=${case%:*} size=${case##*:}
        none=$("$work/cairo" "$scene" "$size" none "$runs")
        default=$("$work/cairo" "$scene" "$size" default "$runs")
        one=$(OMP_NUM_THREADS=1 median warm "$scene" "$size")
        all=$(median warm "$scene" "$size")
        fresh=$(median fresh "$scene" "$size" -r cpu)
        reference=$(fresh "$scene" "$size" -m reference)
        awk -v s="$scene" -v size="$size" -v n="$none" -v d="$default" -v r="$reference" \
            -v o="$one" -v a="$all" -v f="$fresh" 'BEGIN {
                printf "| %s | %d | %.4g | %.4g | %.4g | %.4g | %.4g | %.4g | %.3g | %.3g | %.3g |\n",
                    s, size, n, d, r, o, a, f, n / a, d / a, r / a }'
    done
} | tee "$work/table.md"
if [ "$out" != /dev/null ]; then
    cp "$work/table.md" "$out"
fi
