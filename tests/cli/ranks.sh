#!/usr/bin/env bash
# Several processes, ranks, do one job together under mpirun: the same bytes, and one end for all.
. "$(dirname "$0")/tap.lib"

if [ ! -e "$BUILD/libtessera_mpi.so" ] || ! command -v mpirun >/dev/null; then
    skip 'ranks' 'built without MPI, or mpirun is not here'
    plan
    exit
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
circles=$BUILD/circles bezier=$BUILD/bezier
devices=$(devices | sed 's/:.*//' | sort -u)

ranks() { # N COMMAND...
    mpirun -n "$@" </dev/null
}

# agrees NAME OUTPUT COMMAND...: the command writes the same into OUTPUT with one process and with
# each of the $numbers of ranks.
agrees() {
    local name=$1 output=$2 n
    shift 2
    ok "$name: alone" "$@"
    mv "$output" "$T/alone"
    for n in $numbers; do
        ok "$name: $n ranks" ranks "$n" "$@"
        ok "$name: $n ranks, the same bytes" cmp "$output" "$T/alone"
        rm -f "$output"
    done
}

"$scramble" -q --tile 32x32 --seed 3 images/samples/papyrus.png "$T/puzzle.png"
"$scramble" -q -g 8x9 --rotate --seed 3 images/samples/papyrus.png "$T/turned.png"
numbers='2 3 4 7'
for device in $devices; do
    agrees "circles on $device" "$T/out.png" "$circles" -r "$device" -s 500x331 rand10k "$T/out.png"
    agrees "a puzzle on $device" "$T/out.png" "$unscramble" -q -r "$device" --rotate "$T/turned.png" "$T/out.png"
    agrees "patches on $device" "$T/out.png" "$bezier" -r "$device" -s 200 scenes/samples/kettle.bv "$T/out.png"
done
numbers='3 7'
agrees 'fewer rows than ranks' "$T/out.png" "$circles" -r cpu -s 7x3 rgb "$T/out.png"
agrees 'one pixel' "$T/out.ppm" "$circles" -r cpu -s 1 rgb "$T/out.ppm"
agrees 'a scene file, averaged samples' "$T/out.png" "$circles" -r cpu -s 333x217 --antialias 3 scenes/samples/sunflower.csv "$T/out.png"
agrees 'frames' "$T/out.y4m" "$circles" -r cpu -s 64 --frames 2:9 bouncingballs "$T/out.y4m"
agrees 'little memory on the device' "$T/out.png" "$circles" -r cpu -s 512 --device-memory 1M rand10k "$T/out.png"
agrees 'less memory than the image' "$T/out.png" "$circles" -r cpu -s 900x1300 --memory 4M scenes/samples/sunflower.csv "$T/out.png"
agrees 'frames, less memory' "$T/out-0003.png" "$circles" -r cpu -s 900x1300 --memory 4M --frames 3:3 fireworks "$T/out.png"
agrees 'all methods: good' "$T/out.png" "$circles" -r cpu -s 300x200 -m good rand10k "$T/out.png"
agrees 'the reference' "$T/out.png" "$circles" -s 60 -m reference rand10k "$T/out.png"
agrees 'a puzzle that stands' "$T/out.png" "$unscramble" -q -r cpu "$T/puzzle.png" "$T/out.png"
agrees 'few tiles' "$T/out.png" "$unscramble" -q -r cpu -g 3x2 images/samples/papyrus-shuffled.png "$T/out.png"
agrees 'a mesh' "$T/out.ply" "$bezier" -r cpu -n 9 scenes/samples/kinds.bv "$T/out.ply"
agrees 'a film of patches' "$T/out.y4m" "$bezier" -r cpu -s 64 -n 5 --animate degree --frames 1:4 scenes/samples/goblet.bv "$T/out.y4m"
agrees 'scramble, which shares nothing' "$T/out.png" "$scramble" -q -g 5x4 images/samples/papyrus.png "$T/out.png"

# From standard input, which only rank 0 has.
"$circles" -r cpu -s 99 - "$T/alone.ppm" <scenes/samples/sunflower.csv
mpirun -n 3 "$circles" -r cpu -s 99 - "$T/out.ppm" <scenes/samples/sunflower.csv
ok 'a scene from standard input' cmp "$T/out.ppm" "$T/alone.ppm"

# A rank that starts late.
late='[ "$OMPI_COMM_WORLD_RANK" != 1 ] || sleep 1; exec "$@"'
"$circles" -r cpu -s 99 rand10k "$T/alone.ppm"
ok 'a slow rank' ranks 3 bash -c "$late" bash "$circles" -r cpu -s 99 rand10k "$T/out.ppm"
ok 'a slow rank: the same bytes' cmp "$T/out.ppm" "$T/alone.ppm"

# What all would say is said once, what one says is said by rank 0.
said() { # STATUS LINE N COMMAND...
    local status=$1 line=$2
    ranks "${@:3}" >"$top/said" 2>&1
    [ $? = "$status" ] && is_one_line "$line"
}
is_one_line() {
    grep -E '^(circles|unscramble|bezier|scramble): ' "$top/said" >"$top/lines"
    [ "$(wc -l <"$top/lines")" = 1 ] && grep -q -e "$1" "$top/lines" || { cat "$top/said"; return 1; }
}
ok 'wrong usage' said 2 'unknown option' 3 "$circles" --none
ok 'no such file' said 1 'No such file' 3 "$circles" -r cpu none.csv "$T/out.png"
ok 'no such folder' said 1 'none' 3 "$unscramble" -r cpu images/samples/papyrus-shuffled.png "$T/none/out.png"
ok 'a device that is absent' said 1 'cpu:77' 3 "$circles" -r cpu:77 rgb "$T/out.png"
fails='[ "$OMPI_COMM_WORLD_RANK" = 2 ] && set -- "$1" -r cpu:77 "${@:4}"; exec "$@"'
ok 'one rank fails' said 1 'rank 2: .*cpu:77' 3 bash -c "$fails" bash "$circles" -r cpu -s 2000 rand100k "$T/new.png"
ok 'one rank fails: no output' not ls "$T/new.png"
ok 'one rank fails while rank 0 goes on to the next work' said 1 'rank 2: .*cpu:77' 3 bash -c "${fails/-s 2000/}" bash "$bezier" -r cpu -s 64 -n 5 --animate turn --frames 1:60 scenes/samples/kettle.bv "$T/new.y4m"
ok 'a launcher that MPI knows nothing of' not env OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 timeout 60 "$circles" -s 8 rgb "$T/out.png"
ok 'a benchmark is refused' said 2 'one process' 2 "$circles" -b rgb
ok 'snapshots are refused' said 2 'one process' 2 "$circles" --save-stages "$T" rgb "$T/out.png"
is 'the version is printed once' "$(ranks 3 "$circles" --version | grep -c Tessera)" 1
ok 'times of all ranks' bash -c "$(declare -f ranks); ranks 3 '$circles' -r cpu -s 2000 --timings rand10k '$T/out.png' 2>&1 | grep -q 'mean of . ranks'"

# Each rank is killed at several moments: all end soon, nothing half is left.
killed() { # RANK SECONDS
    local before after pid end
    before=$(snapshot)
    mpirun -n 3 bash -c 'echo $$ >"'"$top"'/pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' bash \
        "$circles" -r cpu -m good -s 8000 rand100k "$T/half.png" </dev/null >"$top/said" 2>&1 &
    local job=$!
    perl -e 'select undef, undef, undef, shift' "$2"
    until [ -s "$top/pid.$1" ]; do kill -0 $job 2>/dev/null || return 1; done
    end=$((SECONDS + 60)) # a hang
    kill -KILL "$(cat "$top/pid.$1")"
    wait $job
    local status=$?
    rm -f "$top"/pid.*
    [ $status != 0 ] && [ $SECONDS -le $end ] && [ ! -e "$T/half.png" ] || { cat "$top/said"; return 1; }
    rm -f "$T"/.tessera-* # which rank 0 removes where mpirun leaves it the time
    after=$(snapshot)
    [ "$before" = "$after" ]
}
for rank in 0 1 2; do
    for moment in .05 .5 1; do
        ok "rank $rank is killed after $moment s" killed $rank $moment
    done
done

plan
