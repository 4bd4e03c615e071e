#!/usr/bin/env bash
# Photographs and pages, where they are present: how many come back. Where one does not, its answer
# must fit at least as well as the truth does, so that no search could have known better.
. "$(dirname "$0")/tap.lib"

puzzles=../shared/puzzles
cost() { grep -o '"cost": [0-9]*' | cut -d' ' -f2; }

# solve GRID: one line for each image: restored, excused or wrong, and its name.
solve() {
    local grid=$1 image found truth
    for image in "$T"/*.pnm; do
        "$scramble" -r cpu -g "$grid" --seed 11 --permutation "$T/order" "$image" "$T/shuffled.ppm"
        found=$("$unscramble" -q -r cpu -g "$grid" --json - "$T/shuffled.ppm" "$T/restored.ppm" | cost)
        if cmp -s "$image" "$T/restored.ppm"; then
            echo "restored $image"
        else
            truth=$("$unscramble" -r cpu --apply "$T/order" --json - "$T/shuffled.ppm" "$T/restored.ppm" | cost)
            if cmp -s "$image" "$T/restored.ppm" && [ "$found" -le "$truth" ]; then
                echo "excused $image ($found, the truth $truth)"
            else
                echo "wrong $image ($found, the truth $truth)"
            fi
        fi
    done
}

for set in mit432 kodak documents; do
    if [ ! -d "$puzzles/$set" ]; then
        skip "$set" "$puzzles/$set is not here"
        continue
    fi
    rm -f "$T"/*.pnm
    for image in "$puzzles/$set"/*.[pj][np]g; do
        "$scramble" -r cpu -g 1x1 "$image" "$T/${image##*/}.pnm"
    done
    total=$(find "$T" -name '*.pnm' | wc -l)
    ok "$set: images can be read" [ "$total" -gt 0 ]
    for grid in 2x2 3x3 4x2 4x3 1x5; do
        solve $grid >"$T/results"
        echo "# $set, $grid: $(grep -c restored "$T/results") of $total"
        ok "$set, $grid: no answer is worse than the truth" not grep wrong "$T/results"
    done
done

# The network looks at the edges once, whatever other ways are searched in, and once more as beyond a
# gap where steps across joints are larger than those inside of tiles.
ran() { grep -o "\"name\": *\"$1\"" "$T/trace.json" | wc -l; }
perl -e 'srand 3; print "P6\n20 20\n255\n", map { chr rand 256 } 1 .. 1200' >"$T/noise.ppm"
"$unscramble" -q -r cpu -g 5x5 --trace "$T/trace.json" "$T/noise.ppm" "$T/x.ppm"
ok 'several searches' [ "$(ran refine)" -gt 1 ]
ok 'several searches: the network runs no more than twice' [ "$(ran features)" -le 2 ]
"$BUILD/circles" -q -r cpu -s 400 rand10k "$T/whole.ppm"
perl -0777 -e 'srand 1; $_ = <>; /^P6\s+400\s+400\s+255\s/g; my $at = pos; print substr($_, 0, $at), map {
    my $v = $_ + int(rand 81) - 40; chr($v < 0 ? 0 : $v > 255 ? 255 : $v) } unpack "C*", substr $_, $at' \
    "$T/whole.ppm" >"$T/noisy.ppm"
"$unscramble" -q -r cpu -g 10x10 --trace "$T/trace.json" "$T/noisy.ppm" "$T/x.ppm"
is 'noise: the network runs once' "$(ran features)" 1
"$BUILD/circles" -q -r cpu -s 400 snow "$T/whole.ppm"
perl -0777 -ne '/^P6\s+400\s+400\s+255\s/g; my $at = pos; print "P6\n380 380\n255\n";
    for my $y (0 .. 379) { for my $x (0 .. 9) {
        print substr $_, $at + 3 * (400 * (int($y / 38) * 40 + $y % 38 + 1) + 40 * $x + 1), 114 } }' \
    "$T/whole.ppm" >"$T/apart.ppm"
"$scramble" -q -r cpu -g 10x10 --seed 2 "$T/apart.ppm" "$T/worn.ppm"
worn() { "$unscramble" -v -r cpu -g 10x10 --once "$@" "$T/worn.ppm" "$T/x.ppm" 2>&1 | grep -oP '^.*: \K\d\.\d{4}$'; }
"$unscramble" -q -r cpu -g 10x10 --trace "$T/trace.json" "$T/worn.ppm" "$T/x.ppm"
is 'tiles that have lost pixels: it runs once more' "$(ran features)" 2
is 'the file of weights has both networks' "$(wc -c <stages/unscramble/network.weights)" 291584
ok 'another network looks across the gap' [ "$(worn --dissimilarity learned)" != "$(worn --dissimilarity learned-gap)" ]
is 'after learned, too' "$(worn)" "$(worn --dissimilarity learned-gap)"

# The seams of JPEG files are not the ones of tiles that have lost pixels.
"$scramble" -q -r cpu -g 10x10 --seed 2 --quality 85 "$T/whole.ppm" "$T/seams.jpg"
"$unscramble" -q -r cpu -g 10x10 --trace "$T/trace.json" "$T/seams.jpg" "$T/x.ppm"
is 'JPEG: it runs once' "$(ran features)" 1

# A page of signs that look different upside down. Some of its tiles are turned by half, and nobody
# says so.
perl -e 'srand 5; my ($w, $h) = (900, 720); my @row = map { "\xff" x $w } 1 .. $h;
    for (my $y = 6; $y < $h - 20; $y += 17) { for (my $x = 8; $x < $w - 20; $x += 11 + int rand 6) {
        substr $row[$y + $_], $x, 2, "\0\0" for 0 .. 8 + int rand 4; substr $row[$y], $x, 7, "\0" x 7 } }
    print "P5\n$w $h\n255\n", @row' >"$T/signs.pgm"
"$scramble" -q -r cpu -g 3x2 --rotate --seed 4 "$T/signs.pgm" "$T/turned.pgm"
half() { perl -0777 -ne '/^P5\s+\d+\s+\d+\s+255\s/g; my $at = pos; print substr($_, 0, $at), scalar reverse substr $_, $at' "$1"; }
half "$T/signs.pgm" >"$T/down.pgm"
is_page() { cmp -s "$1" "$T/signs.pgm" || cmp -s "$1" "$T/down.pgm"; }
told=$("$unscramble" -r cpu -g 3x2 --progress never --json "$T/turned.json" "$T/turned.pgm" "$T/x.pgm" 2>&1)
ok 'a page with turned tiles: says how many' matches "$told" 'is a page: by its ink, [1-3] of 6 tiles lay another way round than most'
ok 'a page with turned tiles: comes right' is_page "$T/x.pgm"
ok 'a page with turned tiles: some are turned by half' grep -q 180 "$T/turned.json"
"$unscramble" -q -r cpu -g 3x2 --permutation "$T/order" "$T/turned.pgm" "$T/x.pgm"
"$unscramble" -q -r cpu -g 3x2 --apply "$T/order" "$T/turned.pgm" "$T/y.pgm"
ok 'a page with turned tiles: its order again' cmp "$T/x.pgm" "$T/y.pgm"
told=$("$unscramble" -r cpu -g 3x2 --progress never --rotate "$T/turned.pgm" "$T/x.pgm" 2>&1)
ok '--rotate of a page: no warning' not matches "$told" 'by its ink'
ok '--rotate of a page: comes right' is_page "$T/x.pgm"
"$unscramble" -q -r cpu -g 3x2 --once --json "$T/turned.json" "$T/turned.pgm" "$T/x.pgm"
ok '--once of a page: nothing is turned' not grep -q 180 "$T/turned.json"
"$scramble" -q -r cpu -g 3x2 --seed 4 "$T/signs.pgm" "$T/shuffled.pgm"
told=$("$unscramble" -r cpu -g 3x2 --progress never "$T/shuffled.pgm" "$T/x.pgm" 2>&1)
ok 'a page without turned tiles: no warning' not matches "$told" 'by its ink'
ok 'a page without turned tiles: comes right' cmp "$T/x.pgm" "$T/signs.pgm"
# Signs that look the same upside down: ink does not tell, so they are compared as a photograph, too.
perl -e 'srand 5; my ($w, $h) = (900, 720); my @row = map { "\xff" x $w } 1 .. $h;
    for (my $y = 6; $y < $h - 20; $y += 17) { for (my $x = 8; $x < $w - 20; $x += 12 + int rand 6) {
        substr $row[$y + $_], $x + 4, 2, "\0\0" for 0 .. 9; substr $row[$y + $_], $x, 10, "\0" x 10 for 4, 5 } }
    print "P5\n$w $h\n255\n", @row' >"$T/signs.pgm"
half "$T/signs.pgm" >"$T/down.pgm"
"$scramble" -q -r cpu -g 3x2 --rotate --seed 4 "$T/signs.pgm" "$T/turned.pgm"
"$unscramble" -q -r cpu -g 3x2 --rotate --trace "$T/trace.json" "$T/turned.pgm" "$T/x.pgm"
is 'ink that tells nothing: the page is searched' "$(ran page)" 1
is 'ink that tells nothing: as a photograph, too' "$(ran strips)" 1
"$unscramble" -q -r cpu -g 3x2 --rotate --once --trace "$T/trace.json" "$T/turned.pgm" "$T/x.pgm"
is 'ink that tells nothing, --once: not as a photograph' "$(ran strips)" 0
# Rules look alike upside down, but the borders of a table do not.
perl -e 'my ($w, $h) = (2480, 3508); my $blank = "\xff" x $w; my $down = $blank; my $across = $blank;
    substr $across, 200, 2083, "\0" x 2083; substr $down, 200 + 208 * $_, 3, "\0\0\0" for 0 .. 10;
    print "P5\n$w $h\n255\n", map { $_ < 200 || $_ >= 3303 ? $blank : ($_ - 200) % 155 < 3 ? $across : $down } 0 .. $h - 1' >"$T/table.pgm"
"$scramble" -q -r cpu -g 3x4 --seed 3 "$T/table.pgm" "$T/shuffled.pgm"
told=$("$unscramble" -r cpu -g 3x4 --progress never "$T/shuffled.pgm" "$T/x.pgm" 2>&1)
ok 'an empty table: comes right' cmp "$T/x.pgm" "$T/table.pgm"
is 'an empty table: no warning' "$told" ''
# Circles, and corners whose ink tells the way round: compared as a photograph, more of it fits.
perl -e 'srand 7; my $side = 1500; my @p = map { [(255) x $side] } 1 .. $side;
    sub dot { my ($x, $y) = map int, @_; $p[$y][$x] = 0 if $x >= 0 && $y >= 0 && $x < $side && $y < $side }
    for (1 .. 60) { my ($x, $y, $r) = (rand $side, rand $side, 20 + rand 180);
        for (0 .. 14 * $r) { my $a = $_ / 2 / $r; my ($i, $j) = ($x + $r * cos $a, $y + $r * sin $a);
            dot($i, $j); dot($i + 1, $j); dot($i, $j + 1); dot($i + 1, $j + 1) } }
    for (1 .. 250) { my ($x, $y) = (int rand $side, int rand $side);
        for (0 .. 15) { dot($x, $y + $_); dot($x + 1, $y + $_) }
        for (0 .. 9) { dot($x + $_, $y + 14); dot($x + $_, $y + 15) } }
    print "P5\n$side $side\n255\n", map { pack "C*", @$_ } @p' >"$T/circles.pgm"
"$scramble" -q -r cpu -g 4x5 --rotate --seed 2 --permutation "$T/truth" "$T/circles.pgm" "$T/turned.pgm"
drawn() { "$unscramble" -r cpu -g 4x5 --progress never --truth "$T/truth" --json "$T/drawn.json" "$@" "$T/turned.pgm" "$T/x.pgm" 2>&1; }
told=$(drawn)
ok 'a drawing that seems to be a page: a warning' matches "$told" 'looks as if tiles were turned, and not those of a page'
ok 'a drawing that seems to be a page: no other warning' not matches "$told" 'by its ink'
ok 'a drawing that seems to be a page: comes right' grep -q '"direct": 1.0' "$T/drawn.json"
is 'a drawing that seems to be a page: most tiles are not turned' "$(($(grep -o '\b180\b' "$T/drawn.json" | wc -l) <= 10))" 1
ok 'a drawing that seems to be a page, --rotate: no warning' not matches "$(drawn --rotate)" 'looks as if|by its ink'
"$unscramble" -r cpu -v -g 1x1 --rotate --progress never "$T/signs.pgm" "$T/x.pgm" >"$T/said" 2>&1
ok 'one tile of a page, --rotate: no doubt' matches "$(cat "$T/said")" 'right with probability 1.00'
ok 'one tile of a page, --rotate: none lay another way round' not matches "$(cat "$T/said")" 'by its ink'
letter=$puzzles/documents/OCR-D-IMG-fleming_jaeger01_1719-0117.jpg
if [ -f "$letter" ]; then
    "$scramble" -q -r cpu -g 4x4 --rotate --seed 4 "$letter" "$T/letter.png"
    told=$("$unscramble" -r cpu -g 5x5 --progress never "$T/letter.png" "$T/x.png" 2>&1)
    ok 'a page with turned tiles, another grid: says which' matches "$told" 'has the seams of 4 x 4 tiles'
fi
for option in '--method classic' '--search exhaustive'; do
    "$unscramble" -q -r cpu -g 3x2 --rotate $option "$T/signs.pgm" "$T/x.pgm" 2>"$T/said"
    is "$option --rotate of a page: refused" $? 2
done

plan
