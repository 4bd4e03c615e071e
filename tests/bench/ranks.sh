#!/usr/bin/env bash
# Times commands with one rank and with more, and writes what the table in docs/scale.md is made of:
# ranks.sh SHEET.ppm [RANKS]..., by default 1 and 2. SHEET.ppm is an image, which is cut into tiles of 28 x 28
# pixels and shuffled. The device is $DEVICE, by default cuda; programs are those in $BUILD, by default build.
# 40 GB of files go to a folder in $TMPDIR, by default /tmp. Needs Open MPI, GNU time as /usr/bin/time, and
# Perl; root sets OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
device=${DEVICE:-cuda}
sheet=${1:?usage: ranks.sh SHEET.ppm [RANKS]...}
shift
[ $# -gt 0 ] || set -- 1 2
ranks=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
outputs=0

# row NAME STAGES COMMAND...: runs a command with each number of ranks. STAGES are those that ranks share. What
# was written stays until the end: ext4 makes files slowly for a while after many were removed.
row() {
    local name=$1 stages=$2 n seconds
    shift 2
    for n in "${ranks[@]}"; do
        rm -f "$work"/memory.*
        mkdir -p "$work/out"
        seconds=$(date +%s.%N)
        mpirun -q --bind-to none -n "$n" sh -c 'exec /usr/bin/time -f %M -o "$0.$OMPI_COMM_WORLD_RANK" "$@"' \
            "$work/memory" "$@" -q -r "$device" --json "$work/json" >/dev/null
        seconds=$(perl -e 'printf "%.1f", $ARGV[1] - $ARGV[0]' "$seconds" "$(date +%s.%N)")
        perl -MJSON::PP -e '
            my ($name, $n, $seconds, $json, $shared, @memory) = @ARGV;
            my $result = decode_json(do { local (@ARGV, $/) = $json; <> });
            my (%wall, %kernel);
            for my $stage (@{$result->{stages}}) {
                $wall{$stage->{stage}} += $stage->{slowest_wall_s} // $stage->{wall_s};
                $kernel{$stage->{stage}} += $stage->{kernel_s};
            }
            my @each = map { sprintf "%s %.2f", $_, $wall{$_} } split " ", $shared;
            my $kernels = 0;
            $kernels += $kernel{$_} for split " ", $shared;
            printf "| %s | %d | %s | %s | %.3f | %s |\n", $name, $n, $seconds, join(", ", @each), $kernels,
                join ", ", map { chomp(my $kb = do { local (@ARGV, $/) = $_; <> }); int $kb / 1024 } @memory
        ' "$name" "$n" "$seconds" "$work/json" "$stages" "$work"/memory.*
        mv "$work/out" "$work/$((++outputs))"
    done
}

# hills COLUMNS ROWS: a .bv file of so many bicubic patches
hills() {
    perl -e 'my ($columns, $rows) = @ARGV;
        my @height = map { sprintf "%.4f", sin($_ * $_) } 0 .. 96;
        for my $patch (0 .. $columns * $rows - 1) {
            print "4\n3\n";
            for my $i (0 .. 15) {
                my ($u, $v) = (3 * ($patch % $columns) + int($i / 4), 3 * int($patch / $columns) + $i % 4);
                printf "%g %g %s\n", $u / 3, $v / 3, $height[($u * 31 + $v * 57) % 97];
            }
        }' "$@"
}

# many: a scene file of ten times ten million circles
many() {
    local seed
    for seed in {0..9}; do
        "$build/circles" -q -r cpu -s 1 --seed "$seed" --format ppm --save-scene "$work/part.csv" tenmillion "$work/out.ppm"
        tail -n +$((seed ? 2 : 1)) "$work/part.csv"
    done
}

echo '| command | ranks | seconds | shared stages, the slowest rank | kernels of these, rank 0 | MiB of each rank |'
echo '|---|---:|---:|---|---:|---|'
paint='upload bin shade resolve'
row 'circles, 65,536 x 65,536, DeepZoom' "$paint save" "$build/circles" -s 65536 rand1M "$work/out/out.dzi"
row 'circles, 65,536 x 65,536, PPM to /dev/null' "$paint" "$build/circles" -s 65536 --format ppm rand1M /dev/null
row 'circles, 262,144 x 131,072, DeepZoom' "$paint save" "$build/circles" -s 262144x131072 rand1M "$work/out/out.dzi"
"$build/scramble" -q -r cpu --tile 28x28 --seed 1 --permutation "$work/truth" --format pnm "$sheet" "$work/puzzle.ppm"
row "unscramble" compare "$build/unscramble" --tile 28x28 --truth "$work/truth" --format pnm "$work/puzzle.ppm" "$work/out/out.ppm"
hills 316 317 >"$work/hills.bv"
row 'bezier, 100,172 patches of 17 x 17 points' evaluate "$build/bezier" -n 17 "$work/hills.bv" "$work/out/out.png"
many >"$work/many.csv"
rm "$work/part.csv"
row '100,000,000 circles, 32,768 x 32,768, DeepZoom' "$paint save" "$build/circles" -s 32768 "$work/many.csv" "$work/out/out.dzi"
