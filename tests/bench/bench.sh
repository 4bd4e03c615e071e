#!/usr/bin/env bash
# Times every stage on every device against the sequential reference and writes
# docs/bench/NAME.tsv, NAME.md and, with gnuplot, NAME.svg; NAME is $BENCH (default: this machine).
# Images are noise: speed does not depend on what they show.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
name=${BENCH:-$(uname -n)}
out=docs/bench/$name
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One device of each kind, the best, and every OpenCL device.
devices=$("$build/unscramble" --list-devices | awk '$1 ~ /:0$/ || $1 ~ /^opencl/ { print $1 }')

# image SIDE: a square image of noise
image() {
    printf 'P6\n%d %d\n255\n' "$1" "$1"
    head -c $(($1 * $1 * 3)) /dev/urandom
}

# rows CASE DEVICE IMAGE [OPTION...]: one line a stage: case, device, stage, then milliseconds
rows() {
    local case=$1 device=$2 image=$3
    shift 3
    "$build/unscramble" --benchmark --json - --quiet --device "$device" "$@" "$image" |
        perl -MJSON::PP -e '
            my ($case, $device) = @ARGV;
            my $result = decode_json(do { local $/; <STDIN> });
            printf "%s\t%s\t%s\t%.5f\t%.5f\t%.5f\t%.5f\n", $case, $device, $_->{stage},
                map { 1e3 * $_ } @$_{qw(reference_s device_s kernel_s transfer_s)}
                for @{$result->{benchmark}};
            printf "%s\t%s\tupload\t0\t%.5f\t0\t%.5f\n", $case, $device,
                (1e3 * $result->{upload_s}) x 2;' "$case" "$device"
}

{
    printf 'case\tdevice\tstage\treference\twall\tkernel\tcopy\n'
    for megapixels in 1 4 16 100; do
        side=$(awk "BEGIN { print int(1000 * sqrt($megapixels) + 0.5) }")
        image "$side" >"$work/image.ppm"
        for device in $devices; do
            rows "$megapixels" "$device" "$work/image.ppm"
        done
        echo "$megapixels megapixels: done" >&2
    done
    for device in $devices; do
        for search in pruned exhaustive; do
            rows "9 tiles, $search" "$device" images/samples/papyrus.png --search "$search"
        done
        rows "12 tiles, pruned" "$device" images/samples/papyrus.png --grid 4x3
        if [[ $device == cuda:* ]]; then # half a minute a run on a small CPU
            rows "12 tiles, exhaustive" "$device" images/samples/papyrus.png --grid 4x3 \
                --search exhaustive
        fi
    done | awk -F '\t' '$3 == "search"'
} >"$work/result.tsv"

copy=
if command -v nvcc >/dev/null && [[ $devices == *cuda:0* ]]; then
    nvcc -O2 -o "$work/copy" tests/bench/copy.cu && copy=$("$work/copy")
fi
mkdir -p docs/bench
cp "$work/result.tsv" "$out.tsv"
"$build/unscramble" --list-devices | perl tests/bench/table.pl "$out.tsv" "$copy" >"$out.md"
if command -v gnuplot >/dev/null; then
    gnuplot -c tests/bench/plot.gp "$out.tsv" "$out.svg"
fi
cat "$out.md"
