#!/usr/bin/env bash
# Measures the evaluation of Bézier patches and writes docs/bench/bezier-$BENCH.{md,tsv} and plots of it:
# bezier.sh [DEVICE...], by default the CPU and, where there is one, a GPU; $BENCH names the machine. The
# cases are those of Palomar et al. (2017), whose results stand beside. Programs are found in $BUILD.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
name=docs/bench/bezier-${BENCH:-$(uname -n)}
threads=$(nproc)
devices=("$@")
if [ $# = 0 ]; then
    devices=(cpu)
    "$build/bezier" --list-devices | grep -q '^cuda:0' && devices+=(cuda)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# cases METHODS PRECISIONS CONTROLS RESOLUTIONS PATCHES: lines for bezier_bench
cases() {
    local method precision controls resolution
    for precision in $2; do
        for controls in $3; do
            for resolution in $4; do
                for method in $1; do
                    echo "$method $precision $controls $resolution $5 polynomial 1"
                done
            done
        done
    done
}

# measure SECTION DEVICE THREADS <CASES: rows of the table
measure() {
    "$build/bezier_bench" "$2" "$3" | sed "s/^/$1 $2 $3 /" | tr ' ' '\t'
}

# patch CONTROLS: a patch of so many control points a side, as a .bv file
patch() {
    perl -e 'my $n = shift; printf "5\n%d %d\n", $n - 1, $n - 1;
        printf "%d %d %g\n", $_ / $n, $_ % $n, $_ * 37 % 11 / 4 for 0 .. $n * $n - 1' "$1"
}

# shares DEVICE THREADS METHOD CONTROLS RESOLUTION: rows of the table for every share of the CPU, with the
# percentage, or "list", in the place of patches
shares() {
    patch "$4" >"$work/patch.bv"
    "$build/bezier" -q -r "$1" -j "$2" -m "$3" -n "$5" --share sweep --json - "$work/patch.bv" |
        perl -MJSON::PP -e '
            my ($device, $threads, $method, $controls, $resolution) = @ARGV;
            my $result = decode_json(do { local $/; <STDIN> });
            my @rows = map { [$_->{cpu_percent}, $_->{seconds}] } @{$result->{sweep}};
            for (@rows, ["list", $result->{dynamic_seconds}]) {
                print join("\t", "share", $device, $threads, $method, "float", $controls, $resolution, $_->[0],
                    "polynomial", 1e3 * $_->[1], "", ""), "\n";
            }' "$@"
}

# frames DEVICE COOPERATION OPTION...: a row of the table, seconds a frame of the wave running through a
# patch of 8 x 8 control points, 400 x 400 points, as in the paper's table 3
frames() {
    local device=$1 name=$2
    shift 2
    "$build/bezier" -q -r "$device" -m mle -n 400 --animate wave --frames 0:50 --json - "$@" \
        "$work/eight.bv" "$work/frame.stl" | perl -MJSON::PP -e '
        my ($device, $name) = @ARGV;
        my $result = decode_json(do { local $/; <STDIN> });
        my %stage = map { $_->{stage} => $_ } @{$result->{stages}};
        my $e = $stage{evaluate};
        print join("\t", "frames", $device, $name, map { 1e3 * $_ } $stage{bases}{wall_s}, $e->{kernel_s} / 51,
            $e->{transfer_s} / 51, $e->{wall_s} / 51), "\t\t\t\t\t\n";' "$device" "$name"
}

methods='brf mat3 mat4 mle sep'
{
    printf 'section\tdevice\tthreads\tmethod\tprecision\tcontrols\tresolution\tpatches\tkind\tms\terror\tgbs\n'
    for device in "${devices[@]}"; do
        if [ "$device" = cpu ]; then
            orders=$(seq -s ' ' 2 21)
            cases 'sep mle brf casteljau mat3 mat4' 'float double' "$orders" 64 1 | measure errors cpu 0
            cases direct 'float double' 4 64 1 | measure errors cpu 0
            cases 'sep mle casteljau' 'float double' '51 101' 33 1 | measure errors cpu 0
            cases brf double 51 33 1 | measure errors cpu 0
            for count in $(seq 1 "$threads"); do
                case $count in 1 | 2 | 4 | 8 | "$threads")
                    cases "$methods" 'float double' 4 256 1 | measure threads cpu "$count"
                    ;;
                esac
            done
            cases "$methods" 'float double' '4 8 12' '256 384 512' 1 | measure grids cpu 0
        else
            cases "$methods" 'float double' '4 8 12' '300 400 500 1000 2000' 1 | measure grids "$device" 0
            cases sep 'float double' '4 8 12 24' 256 2000 | measure many "$device" 0
            cases sep 'float double' '4 8 12 24' 1024 400 | measure many "$device" 0
        fi
    done
    for device in "${devices[@]}"; do
        if [ "$device" = cpu ]; then
            continue
        fi
        for method in mle sep; do
            for controls in 4 8 12; do
                for resolution in 300 400 500; do
                    for count in 1 2 4 "$threads"; do
                        shares "$device" "$count" "$method" "$controls" "$resolution"
                    done
                done
            done
            shares "$device" "$threads" "$method" 12 2000
        done
        patch 8 >"$work/eight.bv"
        frames "$device" "device alone"
        frames "$device" "15 percent to the CPU" --share 15
        frames "$device" "one list" --share dynamic
        if [ "$device" = cuda ] && command -v nvcc >/dev/null; then
            nvcc -O3 tests/bench/fill.cu -o "$work/fill"
            "$work/fill" | sort -n | tail -1 | sed "s/.*/fill\tcuda\t0\t\t\t\t\t\t\t\t\t&/"
        fi
    done
} >"$name.tsv"

tests/bench/bezier_table.pl "$name.tsv" "$threads" >"$name.md"
if command -v gnuplot >/dev/null; then
    gnuplot -e "name='$name'" tests/bench/bezier_plot.gp
fi
cat "$name.md"
