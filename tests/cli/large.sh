#!/usr/bin/env bash
# Puzzles of hundreds of tiles: what is shuffled, turned or incomplete comes back, by a grid that is
# given or found; the same on every device and with any number of threads; Ctrl-C keeps what there is.
. "$(dirname "$0")/tap.lib"
. tests/cli/stages.lib

"$BUILD/circles" -q -r cpu -s 400 --seed 3 rand10k "$T/square.ppm"
"$BUILD/circles" -q -r cpu -s 400x300 --seed 3 rand10k "$T/wide.ppm"
"$BUILD/circles" -q -r cpu -s 407x311 --seed 3 rand10k "$T/odd.ppm"
"$scramble" -g 1x1 images/samples/papyrus.png "$T/papyrus.ppm"
perl -e 'binmode STDOUT; print "P5\n320 240\n65535\n"; for $y (0 .. 239) { for $x (0 .. 319) {
    print pack "n", 32000 + 9000 * sin($x / 17 + $y / 29) + 9000 * sin($y / 11 - $x / 41) + 9000 * cos($x * $y / 5000) } }' >"$T/deep.pgm"

solve() { "$unscramble" -r cpu "$@"; }
# What the tests need of each other, shuffled once.
"$scramble" -r cpu --tile 20x20 --seed 5 --permutation "$T/wide.order" "$T/wide.ppm" "$T/wide.shuffled.ppm"
"$scramble" -r cpu --tile 20x20 --seed 5 "$T/square.ppm" "$T/square.shuffled.ppm"
"$scramble" -r cpu --tile 30x30 --seed 5 "$T/papyrus.ppm" "$T/papyrus.shuffled.ppm"

# restores IMAGE CUT [OPTIONS]: exactly, what scramble with the options CUT and the seed SEED did.
restores() {
    local made=$T/made.${1##*.} got=$T/got.${1##*.}
    rm -f "$got"
    "$scramble" -r cpu $2 --seed ${SEED:-7} "$T/$1" "$made" && not cmp -s "$T/$1" "$made" &&
        solve "${@:3}" "$made" "$got" && cmp "$T/$1" "$got"
}
for cut in 'papyrus.ppm --tile 30x30' 'wide.ppm --tile 20x20' 'deep.pgm --tile 20x20'; do
    image=${cut%% *} tile=${cut#* }
    ok "$cut, known" restores "$image" "$tile" $tile
    ok "$cut, found" restores "$image" "$tile"
    ok "$cut, --grid auto" restores "$image" "$tile" --grid auto
done
ok '13 tiles' restores wide.ppm '-g 13x1' -g 13x1
for tile in 20x10 8x25 40x30; do
    ok "tiles of $tile, known" restores wide.ppm "--tile $tile" --tile $tile
    ok "tiles of $tile, found" restores wide.ppm "--tile $tile"
done
for grid in 1x20 20x1 1x100 100x1; do
    ok "strips, $grid" restores wide.ppm "-g $grid" -g $grid
done
# The margins of a scan are alike, but say nothing: with noise, and with a single dark pixel.
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s400 300\s255\s//; binmode STDOUT; srand 4; print "P6\n424 324\n255\n";
    sub margin { print map { chr 97 + rand 8 } 1 .. 3 * $_[0] }
    margin(424 * 12); for (0 .. 299) { margin(12); print substr $p, 1200 * $_, 1200; margin(12) } margin(424 * 12)' "$T/wide.ppm" >"$T/noisy-margin.ppm"
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s400 300\s255\s//; binmode STDOUT;
    for $y (0 .. 299) { for (0, 399) { substr($p, 3 * (400 * $y + $_), 3) = $y ? "ccc" : "\0\0\0" } } print "P6\n400 300\n255\n$p"' "$T/wide.ppm" >"$T/dark-pixel.ppm"
for grid in 2x1 4x1 1x2 1x3; do
    SEED=2 ok "margins with noise, $grid" restores noisy-margin.ppm "-g $grid" -g $grid
done
for grid in 2x1 4x1; do
    SEED=2 ok "margins with a dark pixel, $grid" restores dark-pixel.ppm "-g $grid" -g $grid
done
ok 'strips that are found' restores wide.ppm '-g 20x1'

# One tile that is turned, where nobody says so: it fits nowhere, however well the others fit.
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s400 300\s255\s//; $turned = $p;
    for $y (0 .. 49) { for (0 .. 49) { substr($turned, 3 * (400 * (100 + $y) + 150 + $_), 3) = substr $p, 3 * (400 * (149 - $y) + 199 - $_), 3 } }
    binmode STDOUT; print "P6\n400 300\n255\n$turned"' "$T/wide.ppm" >"$T/one-turned.ppm"
"$scramble" -r cpu -g 8x6 --seed 3 "$T/one-turned.ppm" "$T/made.ppm"
ok 'one turned tile' matches "$(solve -g 8x6 "$T/made.ppm" "$T/x.ppm" 2>&1)" 'looks as if tiles were turned'
ok 'one turned tile: it is turned back' cmp "$T/wide.ppm" "$T/x.ppm"
is '--once: the answer is doubtful, and says where' "$(solve --once -g 8x6 "$T/made.ppm" "$T/x.ppm" 2>&1)" \
    'unscramble: the answer is doubtful, right with probability 0.30; doubtful places, counted from 0: 19; if tiles are turned, absent or of several images, say so'
# White all over, but for its alpha: searched as if tiles were absent, which nobody said, all would be.
perl -e 'srand 3; binmode STDOUT; print pack("C12 v2 C2", 0, 0, 2, (0) x 9, 60, 50, 32, 0x28), map { "\xff\xff\xff" . chr rand 256 } 1 .. 3000' >"$T/white.tga"
ok 'an image that differs in alpha alone' solve -g 6x5 "$T/white.tga" "$T/x.tga"
ok 'a size that does not divide, known' restores odd.ppm '-g 20x15' -g 20x15
ok 'a size that does not divide, found' restores odd.ppm '-g 20x15'
for name in $("$unscramble" --completion | sed -n "s/.*--dissimilarity) .*-W '\([^']*\).*/\1/p"); do
    ok "--dissimilarity $name" restores square.ppm '--tile 20x20' --dissimilarity $name
done
# By which dissimilarity edges are compared, as JSON says.
compared_by() {
    solve --json - "$@" "$T/x.ppm" | perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{dissimilarity} // "null"'
}
"$scramble" -r cpu --tile 30x30 --seed 5 --permutation "$T/lossy.order" "$T/papyrus.ppm" "$T/lossy.jpg"
"$scramble" -r cpu --tile 60x60 "$T/papyrus.ppm" "$T/clean.ppm"
is 'auto compares clean tiles by blend' "$(compared_by --tile 60x60 "$T/clean.ppm")" blend
is 'auto compares tiles of a JPEG as it has learned' "$(compared_by --tile 30x30 "$T/lossy.jpg")" learned
ok 'which -v says too' matches "$(solve -v --tile 30x30 "$T/lossy.jpg" "$T/x.ppm" 2>&1)" 'dissimilarity: learned'
ok 'and solves them' matches "$(solve --tile 30x30 --truth "$T/lossy.order" "$T/lossy.jpg" "$T/x.ppm")" 'direct 100.00 %'
is 'what is asked for is taken' "$(compared_by --tile 30x30 --dissimilarity l1 "$T/lossy.jpg")" l1
is '--method classic compares no whole edges' "$(compared_by -g 3x3 --method classic "$T/wide.ppm")" null
perl -e 'srand 1; print "P6\n900 900\n255\n"; for my $y (0 .. 899) { my $row = "\xff" x 2700;
    if ($y >= 60 && $y < 840 && $y % 30 < 18) { substr $row, $_ * 18, 9, "\0" x 9 for grep rand() < .5, 10 .. 139 }
    print $row }' >"$T/page.ppm"
"$scramble" -g 3x2 --seed 2 "$T/page.ppm" "$T/page.shuffled.ppm"
is 'a page is compared as one' "$(compared_by -g 3x2 "$T/page.shuffled.ppm")" page
is '--method classic does not compare it so' "$(compared_by -g 3x2 --method classic "$T/page.shuffled.ppm")" null

ok "--metric is --dissimilarity's old name" restores square.ppm '--tile 20x20' --metric mgc

# One tile, and few: what serves them.
ok 'one tile' solve -g 1x1 --effort 2 "$T/wide.ppm" "$T/x.ppm"
ok 'one tile is as it was' cmp "$T/x.ppm" "$T/wide.ppm"
ok 'one tile that may be turned or absent' solve -g 1x1 --rotate --missing "$T/wide.ppm" "$T/x.ppm"
ok 'one tile is again as it was' cmp "$T/x.ppm" "$T/wide.ppm"
run() { # STAGES OPTION... INPUT: whether these run
    solve --json "$T/run.json" "${@:2}" "$T/x.ppm" && in_order "$1" "$(stages_of "$T/run.json")"
}
ok '12 tiles are searched' run "$small" -g 4x3 "$T/wide.ppm"
ok '13 tiles are grown' run "$large" -g 13x1 --effort 1 "$T/wide.ppm"
for option in '--dissimilarity mgc' '--metric mgc' '--confidence '"$T/c.png"; do
    ok "9 tiles with ${option%% *} are searched" run "$small" -g 3x3 $option "$T/wide.ppm"
done
ok '6 square tiles that may be turned are searched' run "$small" --tile 133x133 --rotate "$T/wide.ppm"
ok '12 square tiles that may be turned are grown' run "$large" -g 4x3 --rotate "$T/wide.ppm"
ok '12 others are searched' run "$small" -g 3x4 --rotate "$T/wide.ppm"
ok '9 tiles by gray edges' run "$classic" -g 3x3 --method classic "$T/wide.ppm"
for option in --rotate --missing --dissimilarity=mgc '-g 4x4'; do
    refuses "--method classic with ${option%%=*}" 2 'choose another method' "$unscramble" -g 3x3 --method classic $option "$T/wide.ppm" "$T/x.ppm"
done
for option in --missing '--solution-grid 3x3' '--effort 1' '--time 1'; do
    ok "9 tiles with $option are grown" run "$large" -g 3x3 $option "$T/wide.ppm"
done
ok '9 tiles, grown' restores papyrus.ppm '-g 3x3' -g 3x3 --effort 10
solve --effort 1 --save-stages "$T/stages" --json "$T/run.json" "$T/wide.shuffled.ppm" "$T/x.ppm"
is '--save-stages' "$(cd "$T/stages" && echo *)" "$(snapshots "$(stages_of "$T/run.json")" confidence assemble)"
# Curves on white look like a page at first.
perl -e 'my ($w, $h) = (784, 560); $p = "\xff" x ($w * $h); binmode STDOUT;
    for $k (1 .. 3) { for $x (40 .. $w - 41) { $y = int($h / 2 + 60 * $k * sin($x * $k / 90));
        substr($p, ($y + $_) * $w + $x, 1) = "\0" for 0, 1 } }
    print "P5\n$w $h\n255\n$p"' >"$T/curves.pgm"
"$scramble" --tile 28x28 --seed 3 "$T/curves.pgm" "$T/curves.shuffled.png"
solve --once --tile 28x28 -v --json "$T/run.json" "$T/curves.shuffled.png" "$T/x.png" 2>"$T/err"
ok 'curves are looked at as a page' grep -q 'a page: its tiles' "$T/err"
ok 'but are none' grep -qE '"dissimilarity": "(blend|both|learned|learned-gap)"' "$T/run.json"

# The order that is found, and what is said.
solve -v --permutation "$T/found.order" --json "$T/out.json" "$T/wide.shuffled.ppm" "$T/x.ppm" 2>"$T/said"
ok 'the order is that of scramble' cmp "$T/found.order" "$T/wide.order"
ok '-v: the grid was found' grep -q '^unscramble: grid 20 x 15, tiles of 20 x 20 pixels: evidence [0-9]*, sure$' "$T/said"
ok '-v: how' grep -q '^unscramble: 20 x 15 tiles of 20 x 20 pixels: grown' "$T/said"
ok '-v: the first of the order' grep -Eq '^unscramble: permutation( [0-9]+){12} \.\.\.$' "$T/said"
is '-v: no cost of all' "$(grep -c 'next best' "$T/said")" 0
ok 'JSON' perl -MJSON::PP -e 'local $/; open F, "<", shift; $j = decode_json <F>;
    exit !($j->{columns} == 20 && $j->{rows} == 15 && @{$j->{permutation}} == 300 && !grep $_, @{$j->{turns}})' "$T/out.json"

# up_to_a_turn IMAGE IMAGE: the same, one of them turned as a whole.
up_to_a_turn() {
    local turn
    for turn in 0 90 180 270; do
        printf 'puzzle 1x1\n0@%d' $turn | sed 's/@0$//' >"$T/turn.order"
        "$unscramble" -q -r cpu --apply "$T/turn.order" "$1" "$T/turned.ppm" 2>/dev/null &&
            cmp -s "$T/turned.ppm" "$2" && return
    done
    echo "$1 is not $2, however it is turned"
    return 1
}
turned() { # IMAGE CUT SEED [OPTIONS]
    "$scramble" -r cpu $2 --rotate --seed "$3" "$T/$1" "$T/made.ppm" &&
        solve --rotate "${@:4}" "$T/made.ppm" "$T/got.ppm" && up_to_a_turn "$T/got.ppm" "$T/$1"
}
for seed in 1 2 3; do
    ok "--rotate by quarters, seed $seed" turned square.ppm '--tile 20x20' $seed
done
ok '--rotate by quarters, wide' turned wide.ppm '--tile 20x20' 4 -g 20x15
ok '--rotate by half' turned wide.ppm '--tile 20x15' 5 --tile 20x15
"$scramble" -r cpu --tile 20x20 --rotate --seed 1 "$T/square.ppm" "$T/made.ppm"
solve --once --effort 1 "$T/made.ppm" "$T/got.ppm"
ok 'without --rotate tiles stay as they are' not up_to_a_turn "$T/got.ppm" "$T/square.ppm"

# Missing tiles: as what --apply of the truth makes.
missing() { # N COLOR [OPTIONS]
    "$scramble" -r cpu --tile 20x20 --drop "$1" --missing-color "$2" --seed 6 --permutation "$T/order" "$T/square.ppm" "$T/made.ppm" &&
        "$unscramble" -r cpu --apply "$T/order" "$T/made.ppm" "$T/wanted.ppm" &&
        solve -v "${@:3}" "$T/made.ppm" "$T/got.ppm" 2>"$T/said" &&
        grep -q ": $1 of 400 tiles are absent" "$T/said" && cmp "$T/got.ppm" "$T/wanted.ppm"
}
for n in 1 20 40; do
    ok "--missing of $n tiles" missing $n 000000 --missing
    ok "--missing of $n tiles, of a known grid" missing $n 000000 --missing -g 20x20
done
ok '--missing, of another color' missing 20 ff8000 --missing
# White tiles are more than the absent ones: only their color tells.
perl -e 'open F, "<:raw", shift; local $/; $_ = <F>; s/^P6\s400 400\s255\s//; $white = 100 * 1200;
    binmode STDOUT; print "P6\n400 400\n255\n", "\xff" x $white, substr $_, $white' "$T/square.ppm" >"$T/white.ppm"
"$scramble" -r cpu --tile 20x20 --drop 9 --missing-color 010203 --seed 6 "$T/white.ppm" "$T/made.ppm"
absent() {
    solve -v --effort 1 -g 20x20 --missing "$@" "$T/made.ppm" "$T/x.ppm" 2>"$T/said"
    sed -n 's/.*: \([0-9]*\) of 400 tiles are absent/\1/p' "$T/said"
}
is '--missing-color' "$(absent --missing-color 010203)" 9
ok 'without it, the color of most tiles of one color' [ "$(absent)" -gt 80 ]
absent --missing-color 040506 >/dev/null
ok '--missing-color that no tile has' grep -q "no tile of '.*made.ppm' has the missing color all over, so none is taken for absent" "$T/said"
"$scramble" -r cpu --tile 20x20 --drop 9 --seed 6 "$T/white.ppm" "$T/made.ppm"
is 'without it, black tiles before more white ones' "$(absent)" 9
absent >/dev/null
ok 'which is told' grep -q "has 9 tiles of the color 000000, which are taken for absent ones, and [0-9]* of ffffff, which are not" "$T/said"

# JPEG leaves traces of other tiles in absent ones.
for quality in 75 95; do
    "$scramble" -r cpu --tile 40x30 --drop 7 --missing-color ffffff --seed 6 --quality $quality "$T/wide.ppm" "$T/made.jpg"
    solve -v --effort 1 --tile 40x30 --missing "$T/made.jpg" "$T/x.ppm" 2>"$T/said"
    ok "--missing, JPEG of quality $quality" grep -q ': 7 of 100 tiles are absent' "$T/said"
done

# --solution-grid: 20 x 15 tiles that lie in another grid.
(echo puzzle 20x15 && perl -e 'for $y (0 .. 19) { print join(" ", map { (7 * ($y * 15 + $_) + 3) % 300 } 0 .. 14), "\n" }') >"$T/order"
"$unscramble" -r cpu --apply "$T/order" "$T/wide.ppm" "$T/made.ppm"
ok '--solution-grid' solve -g 15x20 --solution-grid 20x15 "$T/made.ppm" "$T/got.ppm"
ok '--solution-grid: the image in its own grid' cmp "$T/got.ppm" "$T/wide.ppm"
ok '--solution-grid with places to spare' solve -g 15x20 --solution-grid 22x15 --effort 5 --permutation "$T/order" "$T/made.ppm" "$T/got.ppm"
ok '--solution-grid with places to spare: what stays empty outside is cut off' cmp "$T/got.ppm" "$T/wide.ppm"
ok "--frame is --solution-grid's old name" restores square.ppm '--tile 20x20' --frame 20x20
refuses 'a grid too small' 1 '300 tiles do not fit a solution of 10 x 10; allow a larger one' "$unscramble" -g 15x20 --solution-grid 10x10 "$T/made.ppm" "$T/got.ppm"

# --truth, --confidence, --animate.
is '--truth' "$("$unscramble" -r cpu -g 20x15 --truth "$T/wide.order" "$T/wide.shuffled.ppm" "$T/x.ppm")" \
    'direct 100.00 %, neighbor 100.00 %, largest 100.00 %, perfect'
ok '--truth of another answer' matches "$("$unscramble" -r cpu -g 20x15 --seed 5 --effort 1 --truth "$T/wide.order" "$T/wide.ppm" "$T/x.ppm")" \
    '^direct [0-9.]+ %, neighbor [0-9.]+ %, largest [0-9.]+ %$'
ok '--truth: no line in a picture on standard output' matches \
    "$("$unscramble" -r cpu -g 20x15 --truth "$T/wide.order" --confidence - "$T/wide.shuffled.ppm" "$T/x.ppm" | tail -c 60 | tr -d '\0' | grep -c direct)" '^0$'
solve -g 20x15 --confidence "$T/sure.ppm" --animate "$T/film.y4m" "$T/wide.shuffled.ppm" "$T/x.ppm"
ok '--confidence: as large as the picture, and a scale' matches "$(head -c 10 "$T/sure.ppm" | tr '\n' ' ')" '^P6 4[1-9][0-9] 300'
is '--animate: 210 frames' "$(perl -0777 -ne 'print scalar(() = /FRAME\n/g)' "$T/film.y4m")" 210
is '--animate: its size' "$(head -1 "$T/film.y4m")" 'YUV4MPEG2 W400 H300 F30:1 Ip A1:1 C444'
refuses '--animate into no folder' 1 "folder" "$unscramble" -g 20x15 --animate "$T/nowhere/f.y4m" "$T/wide.shuffled.ppm" "$T/x.ppm"
mkdir "$T/f-0002.png"
refuses '--animate, a folder in the way of a frame' 1 "f-0002.png': it is a folder" "$unscramble" -g 20x15 --animate "$T/f.png" "$T/wide.shuffled.ppm" "$T/x.ppm"
rmdir "$T/f-0002.png"
refuses '--animate over an output' 2 'two outputs' "$unscramble" -g 20x15 --animate "$T/f.png" "$T/wide.shuffled.ppm" "$T/f-0150.png"

# What is doubtful is said: turned tiles of which nobody was told, unless they are found to be so.
doubt='the answer is doubtful, right with probability 0\.[0-4][0-9]; doubtful places, counted from 0: [0-9].*; if tiles are turned, absent or of several images, say so'
answer_is() { # CONDITION ARGUMENTS: of what JSON says
    "$unscramble" -q -r cpu --json - "${@:2}" "$T/x.ppm" | perl -MJSON::PP -e 'local $/; my $j = decode_json(<STDIN>);
        my ($p, @c) = ($j->{probability}, @{$j->{confidence}});
        print "probability $p, places @c\n";
        my @tile = @{$j->{permutation}};
        exit !(@c == @tile && !grep({ defined $tile[$_] && !($p - 1e-5 <= $c[$_] && $c[$_] <= 1) } 0 .. $#c) && ('"$1"'))'
}
for grid in 20x15 8x6; do
    "$scramble" -r cpu -g $grid --rotate "$T/wide.ppm" "$T/unsaid.ppm"
    ok "$grid, turned unsaid: doubtful" matches "$("$unscramble" -r cpu --once -g $grid "$T/unsaid.ppm" "$T/x.ppm" 2>&1)" "^unscramble: $doubt\$"
    ok "$grid, turned unsaid: in JSON" answer_is '$p < 0.5' --once -g $grid "$T/unsaid.ppm"
    ok "$grid, turned unsaid: found" matches "$("$unscramble" -r cpu -g $grid "$T/unsaid.ppm" "$T/x.ppm" 2>&1)" \
        "^unscramble: '$T/unsaid.ppm' looks as if tiles were turned: searched that way, 9[0-9.]+ % of them are likely in place, else [0-9.]+ %\$"
    ok "$grid, turned unsaid: the image" up_to_a_turn "$T/x.ppm" "$T/wide.ppm"
    "$scramble" -r cpu -g $grid "$T/wide.ppm" "$T/plain.ppm"
    ok "$grid, in another grid: found" matches "$("$unscramble" -r cpu --once --effort 1 -g 10x5 "$T/plain.ppm" "$T/x.ppm" 2>&1)" \
        "'$T/plain.ppm' has the seams of ${grid/x/ x } tiles, not of 10 x 5\$"
    is "$grid, not turned: nothing is said" "$("$unscramble" -r cpu -g $grid "$T/plain.ppm" "$T/x.ppm" 2>&1)" ''
    ok "$grid, not turned: in JSON" answer_is '$p > 0.8' -g $grid "$T/plain.ppm"
done
is 'unless --quiet' "$("$unscramble" -q -r cpu --once -g 8x6 "$T/unsaid.ppm" "$T/x.ppm" 2>&1)" ''
ok 'turned, and said' answer_is '$p > 0.8' -g 8x6 --rotate "$T/unsaid.ppm"
"$scramble" -r cpu -g 20x15 --drop 9 --seed 3 --missing-color 00ff00 --permutation "$T/less.order" "$T/wide.ppm" "$T/less.ppm"
is 'absent tiles unsaid: found' "$("$unscramble" -r cpu -g 20x15 --truth "$T/less.order" "$T/less.ppm" "$T/x.ppm" 2>&1 | sed 's/ if .*//')" \
    "unscramble: '$T/less.ppm' looks as
direct 100.00 %, neighbor 100.00 %, largest 100.00 %, perfect"
"$scramble" -r cpu -g 3x3 --permutation "$T/few.order" "$T/wide.ppm" "$T/few.ppm"
ok 'few tiles, JSON' answer_is '$p > 0.8' -g 3x3 "$T/few.ppm"
ok 'few tiles by gray edges, JSON' answer_is '$p > 0.5' -g 3x3 --method classic "$T/few.ppm"
ok 'one tile is right' answer_is '$p == 1 && $c[0] == 1' -g 1x1 "$T/few.ppm"
perl -e 'print "P6 80 60 255\n", chr(255) x 14400' >"$T/white.ppm"
for grid in 2x1 4x3 8x6; do
    ok "equal tiles are right in any order, $grid" answer_is '$p == 1 && !grep { $_ != 1 } @c' -g $grid "$T/white.ppm"
    ok "and turned, where they have one color, $grid" answer_is '$p == 1' -g $grid --rotate "$T/white.ppm"
    ok "which are absent is another matter, $grid" answer_is '$p < 1' -g $grid --missing --missing-color 000000 "$T/white.ppm"
done
ok 'an order that is given, JSON' answer_is '$p > 0.8' -g 3x3 --apply "$T/few.order" "$T/few.ppm"
ok 'a wrong one' answer_is '$p < 0.5' --apply "$T/few.order" "$T/wide.ppm"
# What an order costs that is found, and then given.
costs() { solve "$@" --json - "$T/x.ppm" 2>/dev/null | grep '"cost"'; }
"$scramble" -r cpu -g 3x3 "$T/square.ppm" "$T/nine.ppm"
for turned in '' --rotate; do
    found=$(costs $turned -g 3x3 --permutation "$T/nine.order" "$T/nine.ppm")
    ok "an order that is given costs what it did, $turned" matches "$(costs $turned -g 3x3 --apply "$T/nine.order" "$T/nine.ppm")" "${found:-none}"
done
"$scramble" -r cpu -g 4x3 --permutation "$T/twelve.order" "$T/wide.ppm" "$T/twelve.ppm"
ok 'as many tiles as are searched in full, unless they may be turned' solve -g 4x3 --rotate --apply "$T/twelve.order" "$T/twelve.ppm" "$T/x.ppm"
ok 'the image' cmp "$T/x.ppm" "$T/wide.ppm"
ok 'one of many tiles' answer_is '$p > 0.8' --apply "$T/wide.order" "$T/wide.shuffled.ppm"
ok 'a wrong one of many tiles' answer_is '$p < 0.5' --apply "$T/wide.order" "$T/wide.ppm"
is 'an order that is given is judged where that is asked' "$("$unscramble" -r cpu --apply "$T/few.order" "$T/wide.ppm" "$T/x.ppm" 2>&1)" ''
ok '-v says the probability' grep -Eq '^unscramble: the answer is right with probability 0\.[5-9][0-9]$' <(solve -v -g 8x6 "$T/plain.ppm" "$T/x.ppm" 2>&1)

# Four areas of one color each: a list is full of equal partners, but unlike areas are kept apart.
perl -e 'print "P6\n640 480\n255\n"; for $y (0 .. 479) { for $x (0 .. 639) {
    print pack "C3", $x < 250 ? $y < 170 ? (20, 60, 200) : (255) x 3 : $y < 170 ? (60, 176, 67) : (224, 64, 64) } }' >"$T/areas.ppm"
for seed in 1 2 3; do
    "$scramble" -r cpu --tile 32x32 --seed $seed "$T/areas.ppm" "$T/shuffled.ppm"
    "$unscramble" -q -r cpu --once --tile 32x32 "$T/shuffled.ppm" "$T/x.ppm" 2>/dev/null
    ok "areas of one color, seed $seed" cmp -s "$T/areas.ppm" "$T/x.ppm"
done

# A doubtful answer is searched for once more, for longer, and that which costs less is taken.
perl -e 'srand 1; print "P6 88 66 255\n"; print pack "C", rand 256 for 1 .. 88 * 66 * 3' >"$T/noise.ppm"
longer='searching for longer, since the answer is doubtful'
costs() { solve -v -g 8x6 "$@" "$T/noise.ppm" "$T/x.ppm" 2>&1 | grep -oP 'mean cost of two neighbors: \K.*'; }
ok 'doubtful: searched for longer' grep -q "$longer" <(solve -v -g 8x6 "$T/noise.ppm" "$T/x.ppm" 2>&1)
ok 'doubtful: not with --once' not grep -q "$longer" <(solve -v -g 8x6 --once "$T/noise.ppm" "$T/x.ppm" 2>&1)
ok 'doubtful: not with --effort' not grep -q "$longer" <(solve -v -g 8x6 --effort 9 "$T/noise.ppm" "$T/x.ppm" 2>&1)
ok 'not doubtful: not searched for longer' not grep -q "$longer" <(solve -v -g 8x6 "$T/plain.ppm" "$T/x.ppm" 2>&1)
ok 'searched for longer: costs less' perl -e '$ARGV[-1] < $ARGV[0] or die "@ARGV"' $(costs)

# --strict fails where the answer is doubtful, with the picture written.
rm -f "$T/x.ppm"
strict() { printf '%s ' "$("$unscramble" -q -r cpu --strict "$@" "$T/x.ppm" 2>&1)" "$?"; }
failed='^unscramble: the answer is right with probability 0\.[0-4][0-9] only, which --strict refuses; it is written all the same 1 $'
ok '--strict' matches "$(strict --once -g 8x6 "$T/unsaid.ppm")" "$failed"
ok '--strict: the picture is there' [ -s "$T/x.ppm" ]
is '--strict is content with a sure answer' "$(strict -g 8x6 "$T/plain.ppm")" ' 0 '
ok '--strict of an order that is given' matches "$(strict --apply "$T/few.order" "$T/wide.ppm")" "$failed"
{ printf 'P6\n40 10\n255\n' && for _ in 1 2 3 4 5 6 7 8 9 10; do head -c 60 /dev/zero && head -c 60 /dev/zero | tr '\0' '\310'; done; } >"$T/tie.ppm"
ok '--strict of one of two orders that fit alike' matches "$(strict --once -g 2x1 "$T/tie.ppm" | tail -n 1)" "$failed"
# A border that is not of one color, and a scaled puzzle: tiles do not end where the grid has it.
"$scramble" -r cpu -g 5x4 --seed 7 "$T/papyrus.ppm" "$T/made.ppm"
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s900 900\s255\s//; binmode STDOUT;
    sub border { print map { chr 100 + $_ % 90 } 1 .. 3 * $_[0] }
    print "P6\n930 930\n255\n"; border(930 * 15);
    for (0 .. 899) { border(15); print substr($p, 2700 * $_, 2700); border(15) } border(930 * 15)' "$T/made.ppm" >"$T/border.ppm"
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s900 900\s255\s//; binmode STDOUT; print "P6\n1003 902\n255\n";
    for $y (0 .. 901) { print substr $p, 3 * (900 * int($y * 900 / 902) + int($_ * 900 / 1003)), 3 for 0 .. 1002 }' "$T/made.ppm" >"$T/scaled.ppm"
solve -g 5x4 "$T/border.ppm" "$T/x.ppm" 2>"$T/said"
ok 'a border is told' grep -q "the answer is doubtful: '.*border.ppm' has lines like seams inside of the tiles of 5 x 4, as 15 and 915 pixels from the left; take away a border" "$T/said"
solve -g 5x4 "$T/scaled.ppm" "$T/x.ppm" 2>"$T/said"
ok 'a scaled puzzle is told' grep -q "the answer is doubtful: the tiles of '.*scaled.ppm' seem to be 200.60 x 225.50 pixels, no whole numbers; scale it to 1000 x 900 pixels" "$T/said"
# A border of one color and lines between tiles are left out; lines tell the grid.
frame() { # frame BORDER GAP: made.ppm with these
    perl -e '($border, $gap, $file) = @ARGV; open F, "<:raw", $file; local $/; ($p = <F>) =~ s/^P6\s900 900\s255\s//;
        binmode STDOUT; $width = 900 + 4 * $gap + 2 * $border; $height = 900 + 3 * $gap + 2 * $border; print "P6\n$width $height\n255\n";
        print "\x60" x (3 * $width * $border);
        for $y (0 .. 899) {
            print "\x60" x (3 * $width * $gap) if $y && $y % 225 == 0;
            print "\x60" x (3 * $border), join("\x60" x (3 * $gap), unpack "(a540)5", substr $p, 2700 * $y, 2700), "\x60" x (3 * $border) }
        print "\x60" x (3 * $width * $border)' "$1" "$2" "$T/made.ppm"
}
for how in '15 0' '0 4' '7 3'; do
    frame $how >"$T/framed.ppm"
    said="'$T/framed.ppm' has lines of one color between its 5 x 4 tiles, up to ${how#* } pixels wide; leaving them out"
    [ "$how" != '15 0' ] || said="'$T/framed.ppm' has a border of one color; leaving it out"
    for grid in '' '-g 5x4' '--tile 180x225'; do
        solve $grid --permutation "$T/found.order" "$T/framed.ppm" "$T/x.ppm" >/dev/null 2>"$T/said"
        ok "border and lines of $how pixels, $grid: it is said" grep -qF "$said" "$T/said"
        ok "border and lines of $how pixels, $grid: the image" cmp "$T/x.ppm" "$T/papyrus.ppm"
    done
    solve --apply "$T/found.order" "$T/framed.ppm" "$T/y.ppm" 2>/dev/null
    ok "border and lines of $how pixels: --apply gives the same" cmp "$T/x.ppm" "$T/y.ppm"
done
solve -g 3x3 "$T/framed.ppm" "$T/x.ppm" >/dev/null 2>"$T/said"
ok 'lines of another grid stay' not grep -q 'leaving them out' "$T/said"
is 'lines of another grid stay: the size' "$(sed -n 2p "$T/x.ppm" 2>/dev/null)" "$(sed -n 2p "$T/framed.ppm")"
is 'what is left out: in the order' "$(sed -n 2p "$T/found.order")" 'without lines'
is 'what is left out: in JSON' "$(solve -g 5x4 --json - "$T/framed.ppm" "$T/x.ppm" 2>/dev/null | tr -d ' \n' | grep -o '"left_out":[^,}]*')" '"left_out":"lines"'
sed 2d "$T/found.order" >"$T/plain.order"
solve --apply "$T/plain.order" "$T/framed.ppm" "$T/x.ppm" >"$T/said" 2>&1
is 'an order that says nothing of lines: they stay' "$(cat "$T/said"; sed -n 2p "$T/x.ppm")" "$(sed -n 2p "$T/framed.ppm")"
# So it is where tiles turn out to be turned.
"$scramble" -r cpu -g 4x4 --rotate --seed 3 "$T/square.ppm" "$T/turned.ppm"
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s400 400\s255\s//; binmode STDOUT; print "P6\n415 415\n255\n";
    for $y (0 .. 399) { print "\xff" x (3 * 415 * 5) if $y && $y % 100 == 0;
        print join "\xff" x 15, unpack "(a300)4", substr $p, 1200 * $y, 1200 }' "$T/turned.ppm" >"$T/framed.ppm"
solve -g 4x4 --json "$T/json" --permutation "$T/found.order" "$T/framed.ppm" "$T/x.ppm" 2>"$T/said"
ok 'turned tiles between lines: they are found' grep -q 'looks as if tiles were turned' "$T/said"
ok 'turned tiles between lines: what is left out' grep -q '"left_out": "lines"' "$T/json"
solve --apply "$T/found.order" "$T/framed.ppm" "$T/y.ppm" 2>/dev/null
ok 'turned tiles between lines: --apply gives the same' cmp "$T/x.ppm" "$T/y.ppm"
# Lines of the image itself stay, though tiles end at some of them.
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s900 900\s255\s//; binmode STDOUT; print "P6\n900 900\n255\n";
    for $y (0 .. 899) { for $x (0 .. 899) { print $x % 45 == 0 || $y % 45 == 0 ? "\x90\xb0\xd0" : substr $p, 2700 * $y + 3 * $x, 3 } }' "$T/papyrus.ppm" >"$T/ruled.ppm"
"$scramble" -r cpu -g 5x4 --seed 7 "$T/ruled.ppm" "$T/made.ppm"
solve "$T/made.ppm" "$T/x.ppm" >"$T/said" 2>&1
ok 'lines of the image itself stay' not grep -q 'leaving' "$T/said"
solve -g 5x4 "$T/made.ppm" "$T/x.ppm" >"$T/said" 2>&1
ok 'lines of the image itself stay, -g 5x4: the image' cmp "$T/x.ppm" "$T/ruled.ppm"
# What a wrong grid cuts belongs together: the answer that leaves it so is not likely right, nor is any place of it.
told() { matches "$("$unscramble" -r cpu -g "$1" "$2" "$T/x.ppm" 2>&1)" "^unscramble: the answer is doubtful: $3\$"; }
wrong='$p < 0.0501 && !grep { $_ > 0.0501 } @c' unsure='$p < 0.3001 && !grep { $_ > 0.3001 } @c'
# Noise, of which FILL gets no tile right, but whose tiles fit as they came.
perl -e 'use integer; binmode STDOUT; my $r = 1; my @n = map { $r = ($r * 1103515245 + 12345) & 0x7fffffff; $r >> 16 & 255 } 0 .. 322 * 242 - 1;
    print "P5\n320 240\n255\n"; for $y (0 .. 239) { for $x (0 .. 319) { my ($at, $sum) = (322 * $y + $x, 0);
        $sum += $n[$at + 322 * ($_ / 3) + $_ % 3] * (1, 2, 1, 2, 6, 2, 1, 2, 1)[$_] for 0 .. 8; print chr($sum / 18) } }' >"$T/noise.pgm"
solve -q --tile 20x20 "$T/noise.pgm" "$T/got.pgm"
ok 'noise that is not shuffled stays as it is' cmp -s "$T/noise.pgm" "$T/got.pgm"
for grid in 3x2 5x4 12x9; do
    ok "an image that is not shuffled, $grid: told" told $grid "$T/wide.ppm" \
        "it leaves most tiles of '$T/wide.ppm' beside each other as they were, so the image is hardly shuffled, or not cut into ${grid/x/ x } tiles; straighten and crop it, or name another grid"
    ok "an image that is not shuffled, $grid: in JSON" answer_is "$unsure" -g $grid "$T/wide.ppm"
done
# Four parts of an image, between which something is missing, beside each other: nobody has said that these are tiles.
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s900 900\s255\s//; binmode STDOUT; print "P6\n888 888\n255\n";
    for $y (0 .. 443, 456 .. 899) { print substr $p, 2700 * $y + $_, 1332 for 0, 1368 }' "$T/papyrus.ppm" >"$T/four.ppm"
ok 'four parts that lie right: told' matches "$(solve "$T/four.ppm" "$T/x.ppm" 2>&1)" 'the answer is doubtful: it leaves most tiles'
ok 'four parts that lie right: in JSON' answer_is "$unsure" "$T/four.ppm"
# JPEG blurs seams: the grid is taken, but not for sure.
"$scramble" -r cpu -g 5x4 --quality 75 --seed 7 --permutation "$T/truth" "$T/papyrus.ppm" "$T/made.jpg"
solve --truth "$T/truth" --json "$T/json" "$T/made.jpg" "$T/x.png" >"$T/said" 2>&1
ok 'a grid that is likely: told' matches "$(cat "$T/said")" \
    "^unscramble: '$T/made.jpg' is likely cut into 5 x 4 tiles, else perhaps [0-9x, ]+; if so, say what its grid is, or the size of a tile"
is 'a grid that is likely: in JSON' "$(tr -d ' \n' <"$T/json" | grep -oE '"(grid_is_guess|perfect)":[a-z]*' | tr '\n' ' ')" '"grid_is_guess":true "perfect":true '
"$scramble" -r cpu -g 8x6 --seed 3 "$T/wide.ppm" "$T/plain.ppm"
for grid in 2x2 7x5; do
    ok "8 x 6 tiles, cut into $grid: told" told $grid "$T/plain.ppm" "'$T/plain.ppm' has the seams of 8 x 6 tiles, not of ${grid/x/ x }"
    ok "8 x 6 tiles, cut into $grid: in JSON" answer_is "$wrong" -g $grid "$T/plain.ppm"
    ok "8 x 6 tiles, cut into $grid: --strict" matches "$(strict -g $grid "$T/plain.ppm")" "$failed"
done
"$scramble" -r cpu -g 4x3 --seed 2 "$T/wide.ppm" "$T/plain.ppm"
is '4 x 3 tiles, cut into 8x6: right' "$("$unscramble" -r cpu --strict -g 8x6 "$T/plain.ppm" "$T/x.ppm" 2>&1; cmp "$T/x.ppm" "$T/wide.ppm")" ''
# Nothing tells where an image begins that goes on at its left as at its right.
perl -e 'binmode STDOUT; print "P6\n240 180\n255\n"; $u = 6.28318530717959 / 240;
    for $y (0 .. 179) { for $x (0 .. 239) { for $c (0 .. 2) {
        print chr 128 + 40 * cos(3 * $u * $x + 0.05 * $y + $c) + 30 * cos(5 * $u * $x - 0.09 * $y + 2 * $c) +
            20 * cos(8 * $u * $x + (0.15 + 0.05 * $c) * $y) + 15 * sin(0.0003 * $y * $y * (1 + $c)) } } }' >"$T/round.ppm"
"$scramble" -r cpu -g 6x4 --seed 3 "$T/round.ppm" "$T/made.ppm"
ok 'an image without a beginning: told' told 6x4 "$T/made.ppm" "'$T/made.ppm' may begin at another column, since its borders fit together as its tiles do"
ok 'an image without a beginning: in JSON' answer_is '$p > 0.29 && $p < 0.31 && !grep { $_ > 0.3001 } @c' -g 6x4 "$T/made.ppm"
# Two images in one, that meet at a seam: nothing tells which is above.
perl -e 'binmode STDOUT; print "P6\n240 180\n255\n"; for $y (0 .. 179) { $s = $y < 90 ? 1 : 2; for $x (0 .. 239) { for $c (0 .. 2) {
    print chr 128 + 60 * cos(0.05 * $s * $x + 0.0004 * $y * $y * (1 + $c)) + 50 * sin(0.0003 * $x * $x + 0.06 * $y * $s + 2 * $s + $c) } } }' >"$T/pair.ppm"
"$scramble" -r cpu -g 6x4 --seed 3 "$T/pair.ppm" "$T/made.ppm"
ok 'two images in one: told' told 6x4 "$T/made.ppm" "no tiles fit along a seam through the whole answer to '$T/made.ppm', so its parts may have changed places; if tiles are turned or of several images, say so"
ok 'two images in one: in JSON' answer_is '$p > 0.29 && $p < 0.31 && !grep { $_ > 0.3001 } @c' -g 6x4 "$T/made.ppm"
# A strip with blank tiles at its ends: they fit on either side.
perl -e 'binmode STDOUT; print "P6\n240 480\n255\n"; for $y (0 .. 479) { for $x (0 .. 239) { for $c (0 .. 2) {
    print chr($y < 45 || $y > 464 ? 250 : 128 + 60 * cos(0.11 * $x + 0.03 * $y * (1 + $c)) + 50 * sin(0.0007 * $y * $y + 0.05 * $x)) } } }' >"$T/blank.ppm"
"$scramble" -r cpu -g 1x16 --seed 3 "$T/blank.ppm" "$T/made.ppm"
ok 'a strip with blank ends: told' told 1x16 "$T/made.ppm" "'$T/made.ppm' may begin at another row, since its borders fit together as its tiles do"
# Nothing tells where tiles belong that absent ones leave without a neighbor, nor how far all belong to a side.
untold() { # CONDITION MESSAGE ORDER: of that order of square.ppm's 5 x 5 tiles
    printf '%s\n' "${@:3}" >"$T/untold.order"
    matches "$(solve --confidence "$T/c.ppm" --apply "$T/untold.order" "$T/square.ppm" "$T/x.ppm" 2>&1)" "$2" &&
        answer_is "$1" --confidence "$T/c.ppm" --apply "$T/untold.order" "$T/square.ppm"
}
ok 'absent tiles inside' untold '$p > 0.5 && !grep { $_ < 0.5 } @c[0 .. 5, 7 .. 16, 18 .. 24]' '^$' \
    '0 1 2 3 4' '5 - 7 8 9' '10 11 12 13 14' '15 16 - 18 19' '20 21 22 23 24'
ok 'tiles apart' untold '$p < 0.3001 && $c[4] < 0.3001 && $c[9] < 0.3001 && $c[0] > 0.5' "doubtful: tiles of '.*' lie apart from the others, and nothing tells where they belong" \
    '0 1 2 - 4' '5 6 7 - 9' '10 11 12 13 -' '15 16 17 18 19' '20 21 22 23 24'
ok 'a tile apart, and the answer doubtful without that' untold '$p < 0.3001 && $c[4] < 0.3001 && $c[0] > 0.5' "doubtful, right with probability 0\.30; doubtful places, counted from 0: 4$" \
    '0 1 2 - 4' '5 6 7 8 -' '10 11 12 13 14' '15 16 17 18 19' '20 21 22 23 24'
for lines in '- 1 2 3 4|- 6 7 8 9|- 11 12 13 14|- 16 17 18 19|- 21 22 23 24|column' '0 1 2 3 -|5 6 7 8 -|10 11 12 13 -|15 16 17 18 -|20 21 22 23 -|column' \
    '- - - - -|5 6 7 8 9|10 11 12 13 14|15 16 17 18 19|20 21 22 23 24|row' '0 1 2 3 4|5 6 7 8 9|10 11 12 13 14|15 16 17 18 19|- - - - -|row'; do
    IFS='|' read -ra line <<<"$lines"
    ok "an empty ${line[5]} at a border, $lines" untold "$unsure" "doubtful: absent tiles leave a ${line[5]} at the border of '.*' empty" "${line[@]:0:5}"
done
"$scramble" -r cpu -g 10x1 --drop 1 --seed 1 "$T/wide.ppm" "$T/made.ppm"
ok 'a strip with an absent tile: --strict' matches "$(strict -g 10x1 --missing "$T/made.ppm")" "$failed"
# Where the seams show it, a puzzle is scaled to whole tiles, and what has bled across seams is not compared.
perfect='direct 100.00 %, neighbor 100.00 %, largest 100.00 %, perfect'
"$BUILD/circles" -q -r cpu -s 400x320 rand10k "$T/dots.ppm"
"$scramble" -r cpu -g 5x4 --seed 3 --permutation "$T/dots.order" "$T/dots.ppm" "$T/made.ppm"
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s400 320\s255\s//; binmode STDOUT; print "P6\n463 371\n255\n";
    for $y (0 .. 370) { print substr $p, 3 * (400 * int(($y + 0.5) * 320 / 371) + int(($_ + 0.5) * 400 / 463)), 3 for 0 .. 462 }' "$T/made.ppm" >"$T/scaled-dots.ppm"
is 'a scaled puzzle is solved' "$(solve --truth "$T/dots.order" --permutation "$T/found.order" "$T/scaled-dots.ppm" "$T/x.ppm" 2>"$T/said")" "$perfect"
ok 'a scaled puzzle: it is said' grep -q "scaled-dots.ppm' seems to have been scaled after it was cut: its 5 x 4 tiles have 92.60 x 92.75 pixels; scaling it from 463 x 371 to 465 x 372 pixels" "$T/said"
is 'a scaled puzzle: the size' "$(head -n 2 "$T/x.ppm" | tail -n 1)" '465 372'
solve --apply "$T/found.order" "$T/scaled-dots.ppm" "$T/y.ppm" 2>"$T/said"
ok 'a scaled puzzle: --apply gives the same' cmp "$T/x.ppm" "$T/y.ppm"
ok 'a puzzle with strips left over is not scaled' not grep -q 'seems to have been scaled' <(solve -g 7x3 "$T/dots.ppm" "$T/x.ppm" 2>&1)
perl -e 'open F, "<:raw", shift; local $/; ($p = <F>) =~ s/^P6\s400 320\s255\s//; binmode STDOUT; @p = unpack "C*", $p;
    for $step (3, 1200) { @q = @p; $p[$_] = ($q[$_ - $step] + 2 * $q[$_] + $q[$_ + $step]) / 4 for 1200 .. 382800 }
    print "P6\n400 320\n255\n", pack "C*", @p' "$T/made.ppm" >"$T/blurred-dots.ppm"
is 'a blurred puzzle is solved' "$(solve -v --truth "$T/dots.order" "$T/blurred-dots.ppm" "$T/x.ppm" 2>"$T/said")" "$perfect"
ok 'a blurred puzzle: it is said' grep -q 'pixels at the edges of tiles, 1 deep, hold something of the tiles beside them and are not compared' "$T/said"
ok '--strict of a scaled puzzle' matches "$(strict -g 5x4 "$T/scaled.ppm" | tail -n 1)" 'only, which --strict refuses'
refuses '--strict of a benchmark' 2 'leave out --strict' "$unscramble" -b --strict "$T/few.ppm"

# --mixed: two images in one puzzle come out as two.
"$BUILD/circles" -q -r cpu -s 120x80 rand10k "$T/other.ppm"
"$scramble" -r cpu --tile 20x20 --seed 2 --missing-color 00ff00 --permutation "$T/mixed.order" "$T/wide.ppm" "$T/other.ppm" "$T/mixed.ppm"
solve -g 18x18 --mixed 2 --missing --missing-color 00ff00 --truth "$T/mixed.order" "$T/mixed.ppm" "$T/part.ppm" >"$T/said"
ok '--mixed: the first image' cmp "$T/part-1.ppm" "$T/wide.ppm"
ok '--mixed: the second' cmp "$T/part-2.ppm" "$T/other.ppm"
# The same without --missing and a number, with places left over at the end; and one picture alone.
"$BUILD/circles" -q -r cpu -s 100x80 rand10k "$T/other.ppm"
"$scramble" -r cpu --tile 20x20 --seed 2 --permutation "$T/two.order" "$T/wide.ppm" "$T/other.ppm" "$T/mixed.ppm"
rm "$T"/part-*
is '--mixed auto, of two pictures' "$(solve -g 18x18 --mixed auto --truth "$T/two.order" "$T/mixed.ppm" "$T/part.ppm" 2>&1)" \
    'direct 100.00 %, neighbor 100.00 %, largest 93.75 %, perfect'
ok '--mixed auto: the first picture' cmp "$T/part-1.ppm" "$T/wide.ppm"
ok '--mixed auto: the second' cmp "$T/part-2.ppm" "$T/other.ppm"
is '--mixed auto: no other' "$(ls "$T"/part-* | wc -l)" 2
solve -g 20x15 --mixed auto "$T/wide.shuffled.ppm" "$T/alone.ppm"
ok '--mixed auto: one picture is numbered too' cmp "$T/alone-1.ppm" "$T/wide.ppm"
# Fewer images than are asked for: it is said how many, and these are written.
"$scramble" -r cpu -g 3x3 --seed 2 "$T/papyrus.ppm" "$T/nine.ppm"
is '--mixed 3 of one picture' "$(solve -g 3x3 --mixed 3 "$T/nine.ppm" "$T/fewer.ppm" 2>&1 | head -n 1)" "unscramble: the answer is doubtful: found 1 of 3 images in '$T/nine.ppm'; if there are no more, ask for 1"
ok '--mixed 3 of one picture: it is right' cmp "$T/fewer-1.ppm" "$T/papyrus.ppm"
is '--mixed 3 of one picture: no other' "$(ls "$T"/fewer*)" "$T/fewer-1.ppm"
is '--mixed 3 of one picture, JSON' "$(solve -q -g 3x3 --mixed 3 --json - "$T/nine.ppm" "$T/fewer.ppm" |
    perl -MJSON::PP -e 'local $/; $j = decode_json(<STDIN>); print @{$j->{solutions}} . " $j->{probability}"')" '1 0'
ok '--mixed 3 of one picture, --strict' matches "$(strict -g 3x3 --mixed 3 "$T/nine.ppm")" "$failed"
is '--mixed 1 of one picture' "$(solve -g 3x3 --mixed 1 "$T/nine.ppm" "$T/fewer.ppm" 2>&1)" ''
is '--mixed auto of one picture' "$(solve -g 3x3 --mixed auto "$T/nine.ppm" "$T/fewer.ppm" 2>&1 | grep found)" ''
is '--mixed 5 of two pictures' "$(solve -g 18x18 --mixed 5 "$T/mixed.ppm" "$T/fewer.ppm" 2>&1 | head -n 1)" "unscramble: the answer is doubtful: found 2 of 5 images in '$T/mixed.ppm'; if there are no more, ask for 2"
refuses '--mixed x' 2 "bad --mixed 'x'" "$unscramble" --mixed x "$T/mixed.ppm" "$T/part.ppm"
refuses '--apply searches nothing' 2 '--animate does not go with --apply' "$unscramble" --apply "$T/mixed.order" --animate "$T/c.png" "$T/mixed.ppm" "$T/x.ppm"
ok '--apply of two images, judged' answer_is '$p >= 0' --apply "$T/mixed.order" --confidence "$T/c.ppm" "$T/mixed.ppm"
ok '--confidence shows both' matches "$(head -c 10 "$T/c.ppm" | tr '\n' ' ')" '^P6 8[1-9][0-9] 300'

# The answer depends on --effort and --seed, and on nothing else: noise has no right one.
perl -e 'srand 9; binmode STDOUT; print "P5\n40 40\n255\n", map chr(rand 256), 1 .. 1600' >"$T/noise.pgm"
answer() { "$unscramble" -r "${1:-cpu}" -g 20x20 --effort 70 --seed "${2:-3}" --permutation - "${@:3}" "$T/noise.pgm" "$T/x.pgm" | cksum; }
wanted=$(answer)
is 'the same twice' "$(answer)" "$wanted"
ok 'another seed, another answer' [ "$(answer cpu 4)" != "$wanted" ]
ok 'more effort, another answer' [ "$(answer cpu 3 --effort 1000)" != "$wanted" ]
for threads in 1 2 3; do
    is "-j $threads: the same" "$(answer cpu 3 -j $threads)" "$wanted"
    is "OMP_NUM_THREADS=$threads: the same" "$(OMP_NUM_THREADS=$threads answer)" "$wanted"
done
# A large board has more chains, which meet.
large() { OMP_NUM_THREADS=$1 "$unscramble" -r cpu -g 50x40 --effort 40 --seed 3 --permutation - "$T/large.pgm" "$T/x.pgm" | cksum; }
perl -e 'srand 9; binmode STDOUT; print "P5\n150 120\n255\n", map chr(rand 256), 1 .. 18000' >"$T/large.pgm"
wanted_large=$(large 1)
for threads in 2 5; do
    is "2000 tiles, OMP_NUM_THREADS=$threads: the same" "$(large $threads)" "$wanted_large"
done
for device in $(devices); do
    is "$device: the same order" "$(answer "$device")" "$wanted"
    ok "$device solves" "$unscramble" -r "$device" --effort 20 "$T/wide.shuffled.ppm" "$T/by-device.ppm"
    ok "$device: the same image" cmp "$T/by-device.ppm" "$T/wide.ppm"
done

# --time, of the stage that it is for; the machine may be busy.
refined() { # OPTIONS: seconds
    solve --json - "$@" "$T/wide.shuffled.ppm" "$T/x.ppm" |
        perl -MJSON::PP -e 'local $/; print map { $_->{wall_s} } grep { $_->{stage} eq "refine" } @{decode_json(<STDIN>)->{stages}}'
}
between() { perl -e 'print "$ARGV[0] s\n"; exit !($ARGV[1] <= $ARGV[0] && $ARGV[0] <= $ARGV[2])' "$@"; }
ok '--time 2 is two seconds' between "$(refined --time 2)" 1.9 20
ok '--time 2: the image' cmp "$T/x.ppm" "$T/wide.ppm"
ok '--time 100 --effort 2 ends by the effort' between "$(refined --time 100 --effort 2)" 0 50
ok '--time 2 with much effort ends by the time' between "$(refined --time 2 --effort 2147483647)" 1.9 20

# Refusals.
in=$T/wide.shuffled.ppm out=$T/out.png
printf 'precious' >"$out"
printf 'P5 9 9 255\n%081d' 0 >"$T/flat.pgm"
for bad in '--effort 0' '--effort -1' '--effort x' '--effort 1.5' '--effort 2147483648' '--time 0' '--time -1' '--time 1.5' \
    '--time 31536001' '--dissimilarity xyz' '--dissimilarity Mgc' '--seed -1' '--seed x' '--missing-color 12345'; do
    refuses "$bad" 2 "bad ${bad% *} '${bad#* }'" "$unscramble" $bad "$in" "$out"
done
for bad in 0x3 3 3x 3x3x3 -1x3 ''; do
    refuses "--tile '$bad'" 2 "bad tile size '$bad'" "$unscramble" --tile "$bad" "$in" "$out"
    refuses "--solution-grid '$bad'" 2 "'$bad'.*columns x rows" "$unscramble" --solution-grid "$bad" "$in" "$out"
done
refuses '--solution-grid of 4000001 places' 2 "has 4000001 .*at most 4000000" "$unscramble" --solution-grid 4000001x1 "$in" "$out"
refuses '--grid and --tile' 2 '--grid and --tile both cut; leave one out' "$unscramble" -g 3x3 --tile 20x20 "$in" "$out"
refuses 'tiles larger than the image' 1 "cannot cut '.*' into tiles of 401 x 3 pixels: it has only 400 x 300 pixels" \
    "$unscramble" --tile 401x3 "$in" "$out"
printf 'P5 2001 2000 255 ' >"$T/many.pgm"
head -c 4002000 /dev/zero >>"$T/many.pgm"
refuses 'too many tiles' 1 "'.*' has 2001 x 2000 tiles; at most 4000000 are possible" "$unscramble" --tile 1x1 "$T/many.pgm" "$out"
rm "$T/many.pgm"
refuses 'all tiles absent' 1 "has no tiles: all are absent" \
    "$unscramble" -g 3x3 --missing "$T/flat.pgm" "$out"
refuses 'an image that is not shuffled' 1 "'.*wide.ppm' shows no seams of a shuffle; if it is shuffled, say what its grid is, or the size of a tile" \
    "$unscramble" "$T/wide.ppm" "$out"
"$scramble" -r cpu -g 1x20 --seed 7 "$T/wide.ppm" "$T/made.ppm"
refuses 'a grid that is not sure' 1 "cannot be sure how '.*made.ppm' is cut, perhaps 1x20, 1x19, .*; say what its grid is, or the size of a tile" \
    "$unscramble" "$T/made.ppm" "$out"
rm "$out"

# Signals during refine: the best answer so far, then death by it.
drawn='/%.*refine/'
for signal in INT TERM; do
    number=$(kill -l $signal)
    rm -f "$T/got.ppm" "$T/got.order" "$T/out.json"
    before=$(find "$T" | sort)
    is "SIG$signal during refine: death by it" \
        "$(stopped $signal "$drawn" "$unscramble" --progress always -r cpu --time 1000 --permutation "$T/got.order" --json "$T/out.json" \
            --animate "$T/film.y4m" "$in" "$T/got.ppm")" \
        "signal $number"
    is "SIG$signal during refine: it is said once" \
        "$(grep -c 'unscramble: stopped; this is the best answer so far$' "$top/errors")" 1
    is "SIG$signal during refine: nothing but the outputs, without the video" "$(find "$T" | sort)" \
        "$( (echo "$before" && printf '%s\n' "$T/got.ppm" "$T/got.order" "$T/out.json") | sort)"
    ok "SIG$signal during refine: every tile has a place" matches "$(grep -v '#' "$T/got.order" | tr ' ' '\n' | sort -nu | wc -l)" '^300$'
    "$unscramble" -r cpu --apply "$T/got.order" "$in" "$T/x.ppm"
    ok "SIG$signal during refine: the image is whole" cmp "$T/got.ppm" "$T/x.ppm"
done
stopped INT "$drawn" "$unscramble" --progress always -q -r cpu --time 3 "$in" "$T/got.ppm" >/dev/null
is '--quiet: no progress' "$(cat "$top/errors")" ''
ok 'no temporary file is left' not grep -q tessera- <(ls -A "$T")

plan
