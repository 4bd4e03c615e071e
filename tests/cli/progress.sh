#!/usr/bin/env bash
# The line of progress: the share of the whole and the time left, on one line, without escape codes.
. "$(dirname "$0")/tap.lib"

# Work that takes long enough for the time left to be told, on a machine of any speed.
for side in 500 1000 2000 4000; do
    work=("$BUILD/circles" -r cpu -j 1 -s $side --antialias 2 --progress always --frames 0:149 fireworks "$T/film.y4m")
    rm -f "$T/film.y4m"
    "${work[@]}" 2>"$T/errors" || break
    grep -q ' s left' "$T/errors" && break
done
ok 'frames' [ -s "$T/film.y4m" ]
is 'no escape codes, no other lines' "$(tr -cd '\n\033' <"$T/errors" | wc -c)" 0
tr '\r' '\n' <"$T/errors" | sed 's/ *$//' | grep . >"$T/lines"
ok 'it is drawn several times' [ "$(wc -l <"$T/lines")" -ge 5 ]
ok 'each time with the share of the whole' not grep -qvE '^circles: frame [0-9]+ of 150: [a-z]+ +[0-9]+ %(, [0-9]+ s left)?$' "$T/lines"
ok 'the share never falls, and is that of the frames' perl -ne '($frame, $share) = /frame (\d+) .* (\d+) %/ or die; die "$_$last" if $share < $last;
    die $_ if abs($share - 100 * ($frame - 1) / 150) > 1; $last = $share' "$T/lines"
ok 'the time left is told' grep -q ' s left$' "$T/lines"
ok 'the line is removed in the end' grep -qP '\r +\r$' "$T/errors"

"$unscramble" -r cpu -j 1 --progress always --once -g 20x20 --time 4 images/samples/papyrus.png "$T/x.png" 2>"$T/errors"
tr '\r' '\n' <"$T/errors" | grep -oP 'refine +\K\d+(?= %)' >"$T/shares"
ok 'a puzzle: the share never falls' perl -ne 'die "$last $_" if $_ < $last; $last = $_; END { exit !($last > 50) }' "$T/shares"
ok 'a puzzle: the time left' grep -qE 'refine +[0-9]+ %, [0-9]+ s left' <(tr '\r' '\n' <"$T/errors")

if command -v script >/dev/null; then
    script -qec "stty cols 30; ${work[*]@Q}" /dev/null </dev/null >"$T/terminal"
    ok 'a narrow terminal: short lines' perl -ne 'for (split /[\r\n]/) { die $_ if length > 29 } END { exit !$. }' "$T/terminal"
else
    skip 'a narrow terminal' 'no script here'
fi

plan
