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
ok 'each time with the share of the whole' not grep -qvE '^circles: +[0-9]+ %(, [0-9]+ s left)?: frame [0-9]+ of 150: [a-z]+$' "$T/lines"
ok 'the share never falls, and is that of the frames' perl -ne '($share, $frame) = /(\d+) %.* frame (\d+) / or die; die "$_$last" if $share < $last;
    die $_ if abs($share - 100 * ($frame - 1) / 150) > 1; $last = $share' "$T/lines"
ok 'the time left is told' grep -q ' s left: ' "$T/lines"
ok 'the line is removed in the end' grep -qP '\r +\r$' "$T/errors"

"$unscramble" -r cpu -j 1 --progress always --once -g 20x20 --time 4 images/samples/papyrus.png "$T/x.png" 2>"$T/errors"
tr '\r' '\n' <"$T/errors" | grep -oP '\d+(?= %.*refine$)' >"$T/shares"
ok 'a puzzle: the share never falls' perl -ne 'die "$last $_" if $_ < $last; $last = $_; END { exit !($last > 50) }' "$T/shares"
ok 'a puzzle: the time left' grep -qE ' %, [0-9]+ s left: .*refine' <(tr '\r' '\n' <"$T/errors" | sed 's/ *$//')

# Loose tiles are compared once more when their grid is found, and spoiled ones as if they were turned.
"$scramble" --noise 60 --loose "$T/loose" -g 24x25 images/samples/papyrus.png
"$unscramble" -r cpu -j 1 --progress always -v "$T/loose" "$T/x.png" 2>&1 >/dev/null | tr '\r' '\n' | sed 's/ *$//' | grep . >"$T/lines"
ok 'a puzzle that is searched again: the share never falls' perl -ne 'next unless /: +(\d+) %.*: [a-z]+$/; die "$last $_" if $1 < $last; $last = $1;
    END { exit !($last > 90) }' "$T/lines"
ok 'half of the work is still to come when the grid is found' perl -ne '$share = $1 if / (\d+) %.*: /; die "$share $_" if /loose tiles make/ && $share > 60;
    $seen |= /loose tiles make/; END { exit !$seen }' "$T/lines"
ok 'something is left for the search of turned tiles' perl -ne '$share = $1 if / (\d+) %.*: /; die "$share $_" if /as if/ && $share > 95;
    $seen |= /as if/; END { exit !$seen }' "$T/lines"

# Edges enough for the network to work on for a while, on a machine of any speed.
for side in 1400 2800 5600; do
    "$BUILD/circles" -r cpu -q -s $side rand10k "$T/tiles.ppm"
    "$unscramble" -r cpu -j 1 --progress always --once --effort 1 --dissimilarity learned --tile 28x28 "$T/tiles.ppm" "$T/x.png" 2>"$T/errors"
    features=$(tr '\r' '\n' <"$T/errors" | grep -oP '\d+(?= %.*features)' | sort -u | wc -l)
    [ "$features" -ge 3 ] && break
done
ok 'the network tells how far it is' [ "$features" -ge 3 ]

if command -v script >/dev/null; then
    script -qec "stty cols 30; ${work[*]@Q}" /dev/null </dev/null >"$T/terminal"
    ok 'a narrow terminal: short lines' perl -ne 'for (split /[\r\n]/) { die $_ if length > 29 } END { exit !$. }' "$T/terminal"
    ok 'they have the share' perl -ne 'for (split /[\r\n]/) { next unless /frame/; $seen = 1; die $_ unless / \d+ %/ } END { exit !$seen }' "$T/terminal"
else
    skip 'a narrow terminal' 'no script here'
fi

plan
