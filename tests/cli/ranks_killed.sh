#!/usr/bin/env bash
# Each rank is killed at ten moments, told by what rank 0 has said of its progress: while all work, and
# while rank 0 writes. All end soon, with one line of ours at most, and nothing half is left. A job may
# also be over just before; then its file is whole. None is killed before all have joined: then mpirun
# itself may wait for ever (Open MPI 4.1, in PMIx_server_finalize).
. "$(dirname "$0")/tap.lib"
. tests/cli/ranks.lib

now() { perl -MTime::HiRes=time -e 'print time'; }
# started RANK COMMAND...: starts the job, whose ranks leave their process ids in a folder of their own.
started() {
    mkdir -p "$top/$1" "$T/$1"
    rm -f "$top/$1"/pid.*
    timeout 120 "$mpirun" -n 3 bash -c 'echo $$ >"$0/pid.'$own_rank'"; exec "$@"' "$top/$1" "${@:2}" \
        </dev/null >"$top/$1/said" 2>&1 &
}
# await_moment RANK JOB LINES SHARE: until the rank is there, and rank 0 has told its progress so many times
# and that it has written so many percent; or until the job is over.
await_moment() {
    perl -e 'my ($folder, $rank, $job, $lines, $share) = @ARGV;
        for (1 .. 6000) {
            open my $file, "<", "$folder/said";
            my @said = join("", <$file>) =~ /: (\w+) +(\d+) %/g;
            my $count = @said / 2;
            my $written = $count && $said[-2] eq "save" ? $said[-1] : 0;
            last if -s "$folder/pid.$rank" && $count >= $lines && $written >= $share;
            last if !defined readlink "/proc/$job/exe";
            select undef, undef, undef, 0.01;
        }' "$top/$1" "$@"
}
# killed RANK LINES SHARE COMMAND...: kills the rank at that moment.
killed() {
    local rank=$1 lines=$2 share=$3 start status fault=
    shift 3
    started "$rank" "$@"
    local job=$!
    await_moment "$rank" $job "$lines" "$share"
    start=$(now)
    kill -KILL "$(cat "$top/$rank/pid.$rank")" 2>/dev/null
    wait $job
    status=$?
    perl -e 'exit !($ARGV[0] - $ARGV[1] > $ARGV[2])' "$(now)" "$start" "$limit" && fault+=' late'
    [ "$(tr '\r' '\n' <"$top/$rank/said" | sed 's/^.\[K//' | grep -E '^circles: ' | grep -cvE '^circles: [a-z ]+ +[0-9]+ %')" -le 1 ] || fault+=' lines'
    if [ -e "$T/$rank/out.png" ]; then
        cmp -s "$T/$rank/out.png" "$T/whole.png" || fault+=' half'
    else
        [ $status != 0 ] || fault+=' status'
    fi
    rm -f "$T/$rank"/.tessera-* "$T/$rank/out.png" # which rank 0 removes where mpirun leaves it the time
    [ -z "$(ls -A "$T/$rank")" ] || fault+=' left'
    echo "$fault" >"$top/$rank/fault"
}
# What mpirun itself takes to end a job, and four seconds.
started 0 sleep 60
job=$!
await_moment 0 $job 0 0
start=$(now)
kill -KILL "$(cat "$top/0/pid.0")"
wait $job
limit=$(perl -e 'print $ARGV[0] - $ARGV[1] + 4' "$(now)" "$start")
"$circles" -r cpu -s 6000 rand100k "$T/whole.png"
long=("$circles" -r cpu --progress always -m good -s 8000 rand100k) # takes minutes
short=("$circles" -r cpu --progress always -s 6000 rand100k)
for moment in 'long 1 0' 'long 2 0' 'long 4 0' 'long 8 0' 'short 1 0' 'short 1 1' 'short 1 25' 'short 1 50' 'short 1 75' 'short 1 95'; do
    read -r name lines share <<<"$moment"
    declare -n command=$name
    for rank in 0 1 2; do
        killed $rank $lines $share "${command[@]}" "$T/$rank/out.png" &
    done
    wait
    for rank in 0 1 2; do
        is "rank $rank is killed, at $moment" "$(cat "$top/$rank/fault")" ''
    done
done

plan
