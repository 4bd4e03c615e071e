#!/usr/bin/env bash
# Progress on standard error, and Ctrl-C: no output, no stray file, death by that signal.
. "$(dirname "$0")/tap.lib"

sample=images/samples/papyrus.png
cpu=$(devices | grep ^cpu | tail -n 1)
long=(--search exhaustive -g 12x1 -j 1 -r "$cpu") # half a minute, unless it is stopped

drawn='/%.*: search/'

printf 'precious' >"$T/old.png"
for signal in INT TERM; do
    number=$(kill -l $signal)
    before=$(snapshot)
    for name in old new; do # a file that is there, and one that is not
        is "SIG$signal: death by it" \
            "$(stopped $signal "$drawn" "$unscramble" --progress always "${long[@]}" $sample "$T/$name.png")" "signal $number"
        is "SIG$signal: the line is cleared and then said" "$(tail -n 1 "$top/errors" | tr '\r' '^' | sed 's/.*%[^^]*^ *//')" '^unscramble: stopped'
        is "SIG$signal: no output, no stray file" "$(snapshot)" "$before"
    done
done
waiting='open(F, "<", "/proc/$pid/stat") && <F> =~ /^\d+ \(unscramble\) S/'
if [ -r /proc/self/stat ]; then
    is 'SIGINT while standard input is awaited' "$(stopped INT "$waiting" "$unscramble" - "$T/new.png")" 'signal 2'
    mkfifo "$T/pipe"
    is 'SIGINT while a named pipe is awaited' \
        "$(stopped INT "$waiting" "$unscramble" --format ppm -r cpu -j 1 -g 3x3 $sample "$T/pipe")" 'signal 2'
    rm "$T/pipe"
else
    skip 'SIGINT while standard input is awaited' 'no /proc'
    skip 'SIGINT while a named pipe is awaited' 'no /proc'
fi

# Drivers of OpenCL may take this signal for themselves.
opencl=$(devices | grep ^opencl | head -n 1)
if [ "$opencl" ]; then
    is 'SIGQUIT: death by it, with OpenCL too' \
        "$(ulimit -c 0; stopped QUIT "$drawn" "$unscramble" --progress always --search exhaustive -g 12x1 -r "$opencl" $sample "$T/new.png")" 'signal 3'
else
    skip 'SIGQUIT: death by it, with OpenCL too' 'no OpenCL'
fi

# A mesh that is being written, and a stream that is read: nothing of them stays.
for extension in obj ply stl glb; do
    before=$(snapshot)
    is "SIGINT while a mesh is written: $extension" \
        "$(stopped INT "grep { -s > 100000 } glob '$T/.tessera-*'" "$BUILD/bezier" -r "$cpu" -n 700 scenes/samples/goblet.bv "$T/new.$extension")" 'signal 2'
    is "SIGINT while a mesh is written: no $extension, no stray file" "$(snapshot)" "$before"
done
# The tool is the end of a pipe and takes the place of its shell, so that the signal is for it.
# One is an image as large as is read, so that it takes longer than the signal; the other a TIFF whose
# directory is far away.
for begin in 'P6\n23000 23000\n255\n' 'II*\0\0\0\0\300'; do
    endless="exec 0< <(printf '$begin'; cat /dev/zero); "'exec "$@"'
    for tool in "$scramble" "$unscramble"; do
        is "SIGTERM while an endless image is read: ${tool##*/}" \
            "$(stopped TERM '/ (cut|load) /' bash -c "$endless" bash "$tool" --progress always - "$T/new.png")" 'signal 15'
    done
done

# timeout(1) sends a signal to a process and to its group: two, which are one request.
for signals in INT,INT TERM,TERM; do
    is "SIG$signals while tiles are written: death by it" \
        "$(stopped $signals '/save/' "$scramble" --progress always -g 100x100 --loose "$T/new" --format dzi $sample)" \
        "signal $(kill -l ${signals%,*})"
    is "SIG$signals: it is said" "$(tail -n 1 "$top/errors" | tr '\r' '\n' | tail -n 1)" 'scramble: stopped'
    is "SIG$signals: no tiles, no temporary folder" "$(find "$T" -name 'new*' -o -name '.tessera*')" ''
done

# Without progress: two that are silent start before one that draws, and are stopped after it.
start() {
    errors=$top/$1 stopped INT "-e '$top/seen'" "$unscramble" "${@:2}" "${long[@]}" $sample "$T/$1.png" >/dev/null &
}
start never --progress never
start quiet --progress always --quiet
start auto # standard error is no terminal
stopped INT "$drawn" "$unscramble" --progress always "${long[@]}" $sample "$T/new.png" >/dev/null
ok '--progress always draws' grep -q '%' "$top/errors"
: >"$top/seen"
wait
for name in never quiet auto; do
    is "nothing is drawn: $name" "$(cat "$top/$name")" 'unscramble: stopped'
done

# Work that ends: short work draws nothing; on a terminal long work draws, and the line is cleared.
printf 'P2 4 4 1 1 1 0 0 1 1 0 0 0 0 1 1 0 0 1 1' >"$T/tiny.pgm"
is 'short work draws nothing' "$("$scramble" --progress always -g 2x2 "$T/tiny.pgm" "$T/new.pgm" 2>&1)" ''
if command -v script >/dev/null; then
    script -qec "$unscramble --search exhaustive -g 11x1 -j 1 -r $cpu $sample $T/new.ppm" /dev/null </dev/null >"$top/terminal"
    ok 'a terminal: long work draws' grep -q '%.*: search' "$top/terminal"
    ok 'a terminal: the line is cleared, before the last messages' \
        grep -Pzq '%[^\n]*\r +\r(unscramble: [^\r\n]*\r?\n)+$' "$top/terminal"
else
    skip 'a terminal: long work draws' 'script(1) is not here'
    skip 'a terminal: the line is cleared, before the last messages' 'script(1) is not here'
fi

plan
