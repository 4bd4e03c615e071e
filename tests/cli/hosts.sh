#!/usr/bin/env bash
# Ranks on two machines, hosta and hostb: each has its own network, name, shared memory and files, so that what
# ranks tell each other goes by TCP. They are namespaces of Linux, which end with this script. Only Open MPI.
here=(--net --mount --uts --ipc --pid --fork --kill-child --mount-proc)
for user in '--user --map-root-user' ''; do # as root in a container only the second may be allowed
    if [ -z "${INSIDE:-}" ] && unshare $user "${here[@]}" ip link add name a type veth peer name b 2>/dev/null; then
        INSIDE=1 unshare $user "${here[@]}" bash "$0" &
        trap 'kill -TERM $(cat /proc/$!/task/$!/children)' INT TERM # unshare itself ignores them
        wait $! || { wait $!; exit; }
        exit 0
    fi
done
. "$(dirname "$0")/tap.lib"
. tests/cli/ranks.lib
if [ -z "${INSIDE:-}" ] || ! "$mpirun" --version 2>&1 | grep -q 'Open MPI'; then
    skip 'two machines' 'namespaces are not allowed, ip is not here, or this is not Open MPI'
    plan
    exit
fi

# hostb has other files where hosta has those of this test. Its shell ends with this one.
hostname hosta
mkfifo "$top/never" "$top/ready"
{ unshare --net --uts --mount --ipc sh -c 'hostname hostb && mount -t tmpfs tmpfs "$1/files" &&
    mount -t tmpfs tmpfs /dev/shm && echo $$ >"$1/ready" && read -r line <"$1/never"' sh "$top" || echo >"$top/ready"; } &
read -r hostb <"$top/ready"
if [ -z "$hostb" ]; then
    skip 'two machines' 'no second namespace is allowed'
    plan
    exit
fi
ip link add name a type veth peer name b netns "$hostb"
on_b() { nsenter --target "$hostb" --net --uts --mount --ipc -- "$@"; }
ip address add 10.77.0.1/24 dev a
on_b ip address add 10.77.0.2/24 dev b
ip link set dev a up && ip link set dev lo up
on_b ip link set dev b up && on_b ip link set dev lo up

# What mpirun calls instead of ssh.
printf '#!/bin/sh\nshift\nexec nsenter --target %s --net --uts --mount --ipc -- sh -c "cd %s; $*"\n' "$hostb" "$PWD" >"$top/agent"
chmod 755 "$top/agent"
export OMPI_MCA_plm_rsh_agent=$top/agent OMPI_MCA_oob_tcp_if_include=10.77.0.0/24 OMPI_MCA_btl_tcp_if_include=10.77.0.0/24
ranks() { "$mpirun" -q -n 4 --host 10.77.0.1:2,10.77.0.2:2 --bind-to none "$@" </dev/null; }

# agrees NAME OUTPUT COMMAND...: the command writes the same into OUTPUT with one process and with four.
agrees() {
    local name=$1 output=$2
    shift 2
    ok "$name: alone" "$@"
    mv "$output" "$T/alone"
    ok "$name: on two machines" ranks "$@"
    ok "$name: the same bytes" cmp "$output" "$T/alone"
    rm -f "$output" "$T/alone"
}

is 'each machine has two ranks' "$(ranks "$circles" -r cpu --list-devices | cut -d: -f1 | tr '\n' ' ')" \
    'rank 0 on hosta rank 1 on hosta rank 2 on hostb rank 3 on hostb '
ok "hostb does not see this test's files" not on_b ls "$T/puzzle.png"
cp scenes/samples/sunflower.csv scenes/samples/kettle.bv "$T"
"$scramble" -q -g 12x9 --rotate --seed 3 images/samples/papyrus.png "$T/puzzle.png"
"$circles" -q -r cpu -s 505x510 rand10k "$T/rand10k.png"
"$scramble" -q --tile 5x5 --seed 4 "$T/rand10k.png" "$T/many.png"
agrees 'a scene file' "$T/out.png" "$circles" -q -r cpu -s 500x331 "$T/sunflower.csv" "$T/out.png"
agrees 'a million circles' "$T/out.png" "$circles" -q -r cpu -s 900 rand1M "$T/out.png"
agrees 'frames' "$T/out.y4m" "$circles" -q -r cpu -s 64x50 --frames 3:33 bouncingballs "$T/out.y4m"
agrees 'a puzzle' "$T/out.png" "$unscramble" -q -r cpu --rotate -g 12x9 "$T/puzzle.png" "$T/out.png"
agrees 'more than 10,000 tiles' "$T/out.png" "$unscramble" -q -r cpu --tile 5x5 --once --effort 8 --dissimilarity ssd "$T/many.png" "$T/out.png"
ranks "$unscramble" -q -r cpu --tile 5x5 --once --effort 8 --dissimilarity ssd --timings "$T/many.png" "$T/out.png" >"$top/said" 2>&1
ok 'REFINE has times of all ranks' grep 'mean of 4 ranks' <(grep -A1 ^refine "$top/said")
agrees 'patches' "$T/out.png" "$bezier" -q -r cpu -s 200 "$T/kettle.bv" "$T/out.png"
agrees 'a mesh' "$T/out.ply" "$bezier" -q -r cpu "$T/kettle.bv" "$T/out.ply"

# A DeepZoom image, whose tiles all ranks write: the folder has to be the same everywhere.
mkdir "$top/shared"
"$circles" -q -r cpu -s 900x2300 rand10k "$top/shared/alone.dzi"
ok 'tiles on two machines' ranks "$circles" -q -r cpu -s 900x2300 rand10k "$top/shared/out.dzi"
ok 'tiles: the same' diff -r "$top/shared/out_files" "$top/shared/alone_files"
before=$(snapshot)
ok 'tiles: a folder that machines do not share' not ranks "$circles" -q -r cpu -s 900x2300 rand10k "$T/out.dzi"
ranks "$circles" -q -r cpu -s 900x2300 rand10k "$T/out.dzi" >"$top/said" 2>&1
is 'tiles: what is said of that' "$(grep -c '^circles: rank [23]: .*folder that all processes share' "$top/said") $(grep -c '^circles:' "$top/said")" '1 1'
is 'tiles: nothing is left of that' "$(snapshot; ls -A "$T" | grep tessera)" "$before"

# A rank of the other machine is killed.
ok 'a rank of the other machine is killed' not timeout 60 "$mpirun" -q -n 4 --host 10.77.0.1:2,10.77.0.2:2 bash -c \
    'if [ '"$own_rank"' = 3 ]; then timeout -s KILL 1 "$@"; kill -KILL $$; fi; exec "$@"' bash \
    "$circles" -q -r cpu -m good -s 8000 rand100k "$T/out.png"
is 'a rank of the other machine is killed: nothing half' "$(snapshot; ls -A "$T" | grep tessera)" "$before"

plan
