#!/usr/bin/env bash
# Several processes, ranks, do one job together under mpirun: the same bytes, and one end for all.
. "$(dirname "$0")/tap.lib"
. tests/cli/ranks.lib

devices=$(devices | sed 's/:.*//' | sort -u)

ranks() { # N COMMAND...
    "$mpirun" -n "$@" </dev/null
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
tied() { # processors that two processes are tied to
    ranks 2 taskset -c "$1" "$circles" -r cpu -s 7 rgb "$T/out.ppm" 2>&1 | grep -c '^circles: rank 0 may use 1 of .*--bind-to none$'
}
first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
is 'two processes on one of many processors: a warning' "$(tied "$first")" $(($(getconf _NPROCESSORS_ONLN) / 2 > 1))
numbers='3 7'
agrees 'fewer rows than ranks' "$T/out.png" "$circles" -r cpu -s 7x3 rgb "$T/out.png"
agrees 'one pixel' "$T/out.ppm" "$circles" -r cpu -s 1 rgb "$T/out.ppm"
agrees 'a scene file, averaged samples' "$T/out.png" "$circles" -r cpu -s 333x217 --antialias 3 scenes/samples/sunflower.csv "$T/out.png"
agrees 'frames' "$T/out.y4m" "$circles" -r cpu -s 64 --frames 2:9 bouncingballs "$T/out.y4m"
numbers='2 3 4 7'
agrees 'frames of their own' "$T/out.y4m" "$circles" -r cpu -s 64x50 --antialias 2 --background '#102' --frames 3:33 bouncingballs "$T/out.y4m"
numbers='3 7'
agrees 'frames as files' "$T/out-0017.png" "$circles" -r cpu -s 64 --seed 5 --frames 9:30 snowfall "$T/out.png"
agrees 'frames, little memory' "$T/out.y4m" "$circles" -r cpu -s 200 --memory 8M --frames 2:19 fireworks "$T/out.y4m"
agrees 'little memory on the device' "$T/out.png" "$circles" -r cpu -s 512 --device-memory 1M rand10k "$T/out.png"
agrees 'less memory than the image' "$T/out.png" "$circles" -r cpu -s 900x1300 --memory 4M scenes/samples/sunflower.csv "$T/out.png"
agrees 'alpha' "$T/out.png" "$circles" -r cpu -s 300x217 --background none rand10k "$T/out.png"
agrees 'frames, less memory' "$T/out-0003.png" "$circles" -r cpu -s 900x1300 --memory 4M --frames 3:3 fireworks "$T/out.png"
agrees 'all methods: good' "$T/out.png" "$circles" -r cpu -s 300x200 -m good rand10k "$T/out.png"
agrees 'the reference' "$T/out.png" "$circles" -s 60 -m reference rand10k "$T/out.png"
agrees 'a puzzle that stands' "$T/out.png" "$unscramble" -q -r cpu "$T/puzzle.png" "$T/out.png"
agrees 'few tiles' "$T/out.png" "$unscramble" -q -r cpu -g 3x2 images/samples/papyrus-shuffled.png "$T/out.png"
agrees 'a mesh' "$T/out.ply" "$bezier" -r cpu -n 9 scenes/samples/kinds.bv "$T/out.ply"
agrees 'a film of patches' "$T/out.y4m" "$bezier" -r cpu -s 64 -n 5 --animate degree --frames 1:9 scenes/samples/goblet.bv "$T/out.y4m"
agrees 'patches and polyhedra in groups, a film' "$T/out.y4m" "$bezier" -q -r cpu -s 90 -n 4 --animate wave --groups --net --frames 0:12 scenes/samples/kinds.bv "$T/out.y4m"
agrees 'frames of curvatures' "$T/out-0007.png" "$bezier" -r cpu -s 90 -n 4 --shading curvature --animate turn --frames 0:12 scenes/samples/kettle.bv "$T/out.png"
agrees 'frames of a mesh' "$T/out-0003.ply" "$bezier" -r cpu -n 4 --animate turn --frames 0:9 scenes/samples/kettle.bv "$T/out.ply"
agrees 'scramble, which shares nothing' "$T/out.png" "$scramble" -q -g 5x4 images/samples/papyrus.png "$T/out.png"

# A DeepZoom image, whose tiles all ranks write.
agrees_in_tiles() { # NAME ARGUMENT...
    local name=$1 n
    ok "$name: alone" "$circles" -q "${@:2}" "$T/alone.dzi"
    for n in $numbers; do
        ok "$name: $n ranks" ranks "$n" "$circles" -q "${@:2}" "$T/out.dzi"
        ok "$name: $n ranks, the same tiles" diff -r "$T/out_files" "$T/alone_files"
        ok "$name: $n ranks, the same file" cmp "$T/out.dzi" "$T/alone.dzi"
        rm -rf "$T/out.dzi" "$T/out_files"
    done
    rm -rf "$T/alone.dzi" "$T/alone_files"
}
numbers='2 3 4 7'
for device in $devices; do
    agrees_in_tiles "tiles on $device" -r "$device" -s 900x2300 rand10k
done
numbers='2 7'
agrees_in_tiles 'tiles: fewer parts than ranks' -r cpu -s 300x509 rand10k
agrees_in_tiles 'tiles: one row of them' -r cpu -s 600x200 rand10k
agrees_in_tiles 'tiles: a scene file, averaged samples' -r cpu -s 333x1017 --antialias 3 scenes/samples/sunflower.csv
agrees_in_tiles 'tiles: less memory than a part' -r cpu -s 900x1300 --memory 1M rand10k
agrees_in_tiles 'tiles: alpha' -r cpu -s 300x1300 --background '#f008' rand10k
agrees_in_tiles 'tiles: the reference' -s 30x600 -m reference rand10k
ok 'tiles: frames' ranks 3 "$circles" -q -r cpu -s 100x600 --frames 2:4 fireworks "$T/out.dzi"
"$circles" -q -r cpu -s 100x600 --frames 2:4 fireworks "$T/alone.dzi"
for frame in 2 3 4; do
    ok "tiles: frame $frame" diff -r "$T/out-000${frame}_files" "$T/alone-000${frame}_files"
done
rm -rf "$T"/out* "$T"/alone*
ok 'tiles: all ranks write them' bash -c "mpirun=$mpirun; $(declare -f ranks); ranks 2 '$circles' -r cpu -s 3000 --timings rand10k '$T/out.dzi' 2>&1 | grep -A1 ^save | grep 'mean of 2 ranks'"
ok 'tiles: an earlier image is replaced' ranks 2 "$circles" -q -r cpu -s 300x600 rgb "$T/out.dzi"
is 'tiles: nothing else is left' "$(ls -A "$T" | grep -v png | tr '\n' ' ')" 'out.dzi out_files '
rm -rf "$T"/out*

# peaks N COMMAND...: the most memory that each rank takes, in KiB, the least first.
peaks() {
    ranks "$1" python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, close_fds=False) # MPICH speaks through one
print("%d\n" % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, end="")' "${@:2}" | sort -n | tr '\n' ' '
}
# --memory bounds each rank. Without it these would take more than 80 MiB for an image of 125.
read -r first second rest <<<"$(peaks 2 "$circles" -j 2 -r cpu -s 16384x2000 --memory 32M rgb "$T/out.dzi")"
ok "--memory: two ranks take less than 72 MiB each, $first and $second KiB" [ "${second:-100000}" -lt 73728 ]
rm -rf "$T"/out*
# Ten million circles are 305 MiB, a part of them less.
read -r first second third rest <<<"$(peaks 3 "$circles" -j 1 -r cpu -s 300 tenmillion "$T/out.ppm")"
ok "circles: only one of three ranks has all of them: $first, $second and $third KiB" [ "${second:-400000}" -lt 204800 ]

# From standard input, which only rank 0 has.
"$circles" -r cpu -s 99 - "$T/alone.ppm" <scenes/samples/sunflower.csv
"$mpirun" -n 3 "$circles" -r cpu -s 99 - "$T/out.ppm" <scenes/samples/sunflower.csv
ok 'a scene from standard input' cmp "$T/out.ppm" "$T/alone.ppm"

# A rank that starts late.
late='[ "'$own_rank'" != 1 ] || sleep 1; exec "$@"'
"$circles" -r cpu -s 99 rand10k "$T/alone.ppm"
ok 'a slow rank' ranks 3 bash -c "$late" bash "$circles" -r cpu -s 99 rand10k "$T/out.ppm"
ok 'a slow rank: the same bytes' cmp "$T/out.ppm" "$T/alone.ppm"
"$circles" -r cpu -s 99 --frames 0:40 snowfall "$T/alone.y4m"
ok 'a slow rank: frames' ranks 3 bash -c "$late" bash "$circles" -r cpu -s 99 --frames 0:40 snowfall "$T/out.y4m"
ok 'a slow rank: the same frames' cmp "$T/out.y4m" "$T/alone.y4m"

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
ok 'wrong usage, found by rank 0 after the others' said 2 'unknown option' 3 \
    bash -c "${late/!= 1/!= 0}" bash "$circles" --none
ok 'no such file' said 1 'No such file' 3 "$circles" -r cpu none.csv "$T/out.png"
ok 'no such folder' said 1 'none' 3 "$unscramble" -r cpu images/samples/papyrus-shuffled.png "$T/none/out.png"
ok 'a device that is absent' said 1 'cpu:77' 3 "$circles" -r cpu:77 rgb "$T/out.png"
fails='[ "'$own_rank'" = 2 ] && set -- "$1" -r cpu:77 "${@:4}"; exec "$@"'
ok 'one rank fails' said 1 'rank 2: .*cpu:77' 3 bash -c "$fails" bash "$circles" -r cpu -s 2000 rand100k "$T/new.png"
ok 'one rank fails: no output' not ls "$T/new.png"
before=$(snapshot)
ok 'one rank fails while others write tiles' said 1 'rank 2: .*cpu:77' 3 bash -c "$fails" bash "$circles" -r cpu -s 6000 rand100k "$T/new.dzi"
is 'one rank fails while others write tiles: nothing is left' "$(snapshot; ls -A "$T" | grep tessera)" "$before"
ok 'one rank fails while rank 0 goes on to the next work' said 1 'rank 2: .*cpu:77' 3 bash -c "${fails/-s 2000/}" bash "$bezier" -r cpu -s 64 -n 5 --animate turn --frames 1:60 scenes/samples/kettle.bv "$T/new.y4m"
is 'one rank fails: no half video' "$(ls -A "$T" | grep 'tessera\|new')" ''
ok 'a launcher that MPI knows nothing of' not env OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 timeout 60 "$circles" -s 8 rgb "$T/out.png"
ok 'a benchmark is refused' said 2 'one process' 2 "$circles" -b rgb
ok 'snapshots are refused' said 2 'one process' 2 "$circles" --save-stages "$T" rgb "$T/out.png"
is 'the version is printed once' "$(ranks 3 "$circles" --version | grep -c Tessera)" 1
ranks 3 "$circles" --list-devices -r cpu >"$top/list"
is 'the devices of all ranks, once' "$(cut -d' ' -f-6 "$top/list")" \
    "$(for rank in 0 1 2; do echo "rank $rank on $(uname -n): cpu:0 "; done)"
ranks 3 "$circles" --list-devices -r cpu:77 --json "$T/list.json" >"$top/list"
is 'as JSON: one that is absent' "$(tr -d ' \n' <"$T/list.json") $(wc -c <"$top/list")" \
    "[$(for rank in 0 1 2; do echo "{\"rank\":$rank,\"host\":\"$(uname -n)\"}"; done | paste -sd,)] 0"
ok 'all ranks draw frames' bash -c "mpirun=$mpirun; $(declare -f ranks); ranks 2 '$bezier' -r cpu -s 300 --timings --animate turn --frames 0:20 scenes/samples/kettle.bv '$T/out.y4m' 2>&1 | grep -A1 ^draw | grep 'mean of 2 ranks'"
ok 'times of all ranks' bash -c "mpirun=$mpirun; $(declare -f ranks); ranks 3 '$circles' -r cpu -s 2000 --timings rand10k '$T/out.png' 2>&1 | grep -q 'mean of . ranks'"

# A search that is stopped, by a signal to the launcher, which sends it to each rank and soon answers them no
# more, to each rank, or to one that only waits: rank 0 writes the best answer so far.
perl -e 'srand 1; binmode STDOUT; print "P6\n400 300\n255\n", pack "C*", map int rand 256, 1 .. 400 * 300 * 3' >"$T/noise.ppm"
for asked in launcher '*' 1; do
    rm -f "$T"/got.*
    before=$(ls -A "$T")
    asks='/%.*refine/ && kill("INT", map { open my $file, "<", $_; 0 + <$file> } glob "'$top'/pid.'$asked'")'
    signal=0
    if [ "$asked" = launcher ]; then
        signal=INT asks='/%.*refine/'
    fi
    stopped $signal "$asks" "$mpirun" -n 2 bash -c 'echo $$ >"$0/pid.'"$own_rank"'"; exec "$@"' "$top" \
        "$unscramble" -r cpu --progress always -g 20x15 --time 1000 --permutation "$T/got.order" --json "$T/got.json" \
        "$T/noise.ppm" "$T/got.ppm" >/dev/null
    is "SIGINT to rank $asked: what is said" "$(tr '\r' '\n' <"$top/errors" | grep -oE 'unscramble: (.*: )?stopped.*')" \
        'unscramble: stopped; this is the best answer so far'
    is "SIGINT to rank $asked: the outputs, and no other file" "$(ls -A "$T")" \
        "$( (echo "$before" && printf '%s\n' got.json got.order got.ppm) | sort)"
    "$unscramble" -r cpu --apply "$T/got.order" "$T/noise.ppm" "$T/applied.ppm"
    ok "SIGINT to rank $asked: the image is whole" cmp "$T/got.ppm" "$T/applied.ppm"
    rm -f "$T/applied.ppm"
done

plan
