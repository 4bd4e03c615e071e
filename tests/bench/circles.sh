#!/usr/bin/env bash
# Times circles on devices and writes docs/bench/circles-NAME.tsv, .md and, with gnuplot, .svg; NAME is
# $BENCH (default: this machine): circles.sh [DEVICE...]
#
# Without arguments it takes the best device of each kind. $BUILD has circles and circles_bench.
# $CASES=few takes scenes up to 10,000 circles only, to see that it works.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
name=${BENCH:-$(uname -n)}
out=docs/bench/circles-$name
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
devices=("$@")
if [ $# = 0 ]; then
    mapfile -t devices < <("$build/circles" --list-devices | awk '$1 ~ /:0$/ { print $1 }')
fi

# Processors, PoCL's among them.
processors=$("$build/circles" --list-devices | awk '/^cpu:|Portable Computing/ { print $1 }')
is_processor() { [[ $'\n'$processors$'\n' == *$'\n'$1$'\n'* ]]; }

# Runs of a kernel after one another.
runs_of() { # DEVICE METHOD CIRCLES
    if is_processor "$1"; then
        echo 1
    elif [ "$2" = good ]; then
        echo $(($3 > 200000 ? 1 : 5))
    else
        echo 20
    fi
}

# rows DEVICE METHOD SIZE SCENE...: a line each as circles_bench prints it; a scene is NAME=CIRCLES
rows() {
    local device=$1 method=$2 size=$3 scene count
    shift 3
    for scene; do
        count=${scene##*=}
        if [ "${CASES:-}" = few ] && [ "$count" -gt 10000 ]; then
            continue
        fi
        "$build/circles_bench" "$device" "$method" "$size" \
            "$(runs_of "$device" "$method" "$count")" "${scene%=*}"
    done
}

scenes=(rgb=3 rgby=4 pattern=1217 bouncingballs=10 hypnosis=25 fireworks=315 seed10k=10000
    rand10k=10000 biglittle=10000 littlebig=10000 seed100k=100000 rand100k=100000 snow=100000
    rand1M=1000000 micro2M=2000000 tenmillion=10000000)
sizes=(seed10k=10000 seed100k=100000 rand100k=100000)
uniform=()
for count in 1000 3000 10000 30000 100000 300000 1000000 3000000 10000000; do
    uniform+=("$count/0.02=$count")
done

{
    printf '#scene\tcircles\tsize\tmethod\tdevice\twhole\tkernels\tfirst\tsecond\n'
    for device in "${devices[@]}"; do
        for method in fast good; do
            rows "$device" "$method" 1024 "${scenes[@]}"
            rows "$device" "$method" 512 "${sizes[@]}"
            rows "$device" "$method" 2048 "${sizes[@]}"
            echo "$device, $method: scenes done" >&2
            rows "$device" "$method" 1024 "${uniform[@]}"
            echo "$device, $method: numbers of circles done" >&2
        done
    done
} >"$work/result.tsv"

mkdir -p docs/bench
cp "$work/result.tsv" "$out.tsv"
"$build/circles" --list-devices | perl tests/bench/circles_table.pl "$out.tsv" >"$out.md"
if command -v gnuplot >/dev/null; then
    gnuplot -c tests/bench/circles_plot.gp "$out.tsv" "$out.svg"
fi
cat "$out.md"
