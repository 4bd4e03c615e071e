#!/usr/bin/env bash
# What scramble makes: large, turned, incomplete, noisy and worn puzzles, puzzles of several images;
# and that unscramble --apply undoes what can be undone.
. "$(dirname "$0")/tap.lib"

# pnm WIDTH HEIGHT TYPE: an image of which every pixel is another; P6, P5, or 16 bits with P5s.
pnm() {
    perl -e '($w, $h, $t) = @ARGV; $deep = $t =~ s/s//; binmode STDOUT;
        print "$t\n$w $h\n", $deep ? 65535 : 255, "\n";
        for $i (0 .. $w * $h - 1) { print $t eq "P6" ? substr(pack("N", $i * 40503 & 0xffffff), 1) : pack($deep ? "n" : "C", $i * 40503) }' "$@"
}
pnm 900 900 P6 >"$T/square.ppm"
pnm 700 500 P6 >"$T/wide.ppm"
pnm 101 67 P6 >"$T/odd.ppm"
pnm 301 101 P5s >"$T/deep.pgm"
pnm 60 40 P5 >"$T/gray.pgm"

# undoes IMAGE OPTIONS: --apply gives the image again, to the byte.
undoes() {
    local made=$T/made.${1##*.}
    "$scramble" -r cpu "${@:2}" --permutation "$T/order" "$T/$1" "$made" && not cmp -s "$T/$1" "$made" &&
        "$unscramble" -r cpu --apply "$T/order" --permutation "$T/again" "$made" "$T/applied.${1##*.}" &&
        cmp "$T/$1" "$T/applied.${1##*.}" && cmp "$T/order" "$T/again"
}
for options in '-g 20x15' '-g 100x100' '-g 900x1' '-g 1x900' '-g 30x30 --rotate' '-g 7x90 --rotate' '-g 300x300 --rotate' \
    '--tile 9x9 --rotate' '--tile 30x20 --rotate' '-g 2x1 --rotate --seed 3'; do
    ok "900 x 900, $options" undoes square.ppm $options
done
for options in '-g 10x7' '-g 10x7 --rotate' '-g 101x1 --rotate' '-g 4x3 --rotate'; do
    ok "101 x 67, strips left over, $options" undoes odd.ppm $options
done
ok '16 bits, -g 30x10 --rotate' undoes deep.pgm -g 30x10 --rotate
pnm 400 250 P5s >"$T/most.pgm"
ok '100000 tiles' undoes most.pgm -g 400x250 --rotate
pnm 100000 1 P5s >"$T/strip.pgm"
ok '100000 tiles in a row' undoes strip.pgm -g 100000x1

# turns OPTIONS: by how much tiles are turned.
turns() {
    "$scramble" -r cpu "$@" --rotate --permutation "$T/order" "$T/square.ppm" "$T/x.ppm"
    grep -v '#' "$T/order" | tr ' ' '\n' | sed -n 's/.*@//p' | sort -un | tr '\n' ' '
}
is 'square tiles are turned by quarters' "$(turns -g 10x10)" '90 180 270 '
is 'others are turned by half' "$(turns -g 10x9)" '180 '
"$scramble" -r cpu -g 10x10 --seed 8 --permutation "$T/plain" "$T/square.ppm" "$T/x.ppm"
"$scramble" -r cpu -g 10x10 --seed 8 --rotate --permutation "$T/order" "$T/square.ppm" "$T/x.ppm"
is 'turns leave the order as it is' "$(sed 's/@[0-9]*//g' "$T/order")" "$(cat "$T/plain")"

# --tile cuts off what fills no tile.
"$scramble" -r cpu --tile 30x20 --permutation "$T/order" "$T/odd.ppm" "$T/x.ppm"
"$unscramble" -r cpu --apply "$T/order" "$T/x.ppm" "$T/y.ppm"
ok '--tile: whole tiles remain' perl -e 'open A, "<:raw", shift; open B, "<:raw", shift; local $/; $a = <A>; $b = <B>;
    $a =~ s/^P6\s101 67\s255\s//; $b =~ s/^P6\s90 60\s255\s// or die "size";
    for (0 .. 59) { die "row $_" if substr($a, $_ * 303, 270) ne substr($b, $_ * 270, 270) }' "$T/odd.ppm" "$T/y.ppm"

# same_but FILE N COLOR: as square.ppm, but for N tiles of 90 x 90 pixels of that color.
same_but() {
    perl -e 'open A, "<:raw", shift; open B, "<:raw", shift; local $/; $a = <A>; $b = <B>; ($n, $color) = @ARGV;
        s/^P6\s900 900\s255\s// or die "size" for $a, $b;
        for $i (0 .. 809999) { $x = substr $b, 3 * $i, 3; next if $x eq substr $a, 3 * $i, 3;
            die "pixel $i\n" if unpack("H*", $x) ne $color; $tiles{int($i / 81000) * 10 + int($i % 900 / 90)}++ }
        die join(" ", %tiles) if grep $_ < 8099, values %tiles or keys %tiles != $n' "$T/square.ppm" "$@"
}
for n in 0 1 37 99; do
    "$scramble" -r cpu -g 10x10 --rotate --drop $n --missing-color 123456 --permutation "$T/order" "$T/square.ppm" "$T/x.ppm"
    is "--drop $n: so many places are empty" "$(grep -v '#' "$T/order" | grep -o -- - | wc -l)" $n
    "$unscramble" -r cpu --apply "$T/order" --missing-color abcdef "$T/x.ppm" "$T/y.ppm"
    ok "--drop $n: the rest comes back" same_but "$T/y.ppm" $n abcdef
done
# --noise: normal, of that standard deviation, the same everywhere.
perl -e 'print "P5\n300 300\n255\n", chr(100) x 90000' >"$T/flat.pgm"
perl -e 'print "P6\n100 100\n65535\n", pack("n", 30000) x 30000' >"$T/flat.ppm"
"$scramble" -r cpu -g 2x1 --drop 1 "$T/flat.pgm" "$T/x.pgm"
is '--drop: black by default' "$(tail -c 90000 "$T/x.pgm" | tr -cd '\0' | wc -c)" 45000
noise() { # FILE BYTES MIDDLE SCALE: the mean, the deviation, and the share within one deviation of 7
    perl -e '($file, $bytes, $middle, $scale) = @ARGV; open F, "<:raw", $file; local $/; $_ = <F>; s/^P.\s\d+ \d+\s\d+\s//;
        @x = map { ($_ - $middle) / $scale } unpack $bytes == 2 ? "n*" : "C*", $_;
        for (@x) { $sum += $_; $squares += $_ ** 2; $near += abs($_) < 7.5; }
        printf "%.1f %.1f %.2f\n", $sum / @x + 1e-9, sqrt($squares / @x), $near / @x' "$@"
}
"$scramble" -g 1x1 --noise 7 "$T/flat.pgm" "$T/x.pgm"
"$scramble" -g 1x1 --noise 7 "$T/flat.ppm" "$T/x.ppm"
ok '--noise 7: mean 0, deviation 7, 0.72 within 7.5' matches "$(noise "$T/x.pgm" 1 100 1)" '^-?0.0 7.0 0.7[12]$'
ok '--noise 7: of 16 bits' matches "$(noise "$T/x.ppm" 2 30000 257)" '^-?0.[01] [67].[019] 0.7[12]$'
noise_by_formula() { # by whole numbers of any size
    perl -MMath::BigInt -e 'my $two64 = Math::BigInt->new(2)->bpow(64); my $state = Math::BigInt->from_hex("6e6f697365");
        for (1 .. 16) {
            my $sum = -6 * 65535;
            for (1 .. 3) {
                $state = ($state + Math::BigInt->from_hex("9e3779b97f4a7c15")) % $two64;
                my $z = $state->copy;
                for (["30", "bf58476d1ce4e5b9"], ["27", "94d049bb133111eb"]) {
                    $z = $z->copy->bxor($z->copy->brsft($_->[0])) * Math::BigInt->from_hex($_->[1]) % $two64;
                }
                $z = $z->copy->bxor($z->copy->brsft(31));
                $sum += hex for substr("000" . substr($z->as_hex, 2), -16) =~ /..../g;
            }
            print " ", 100 + int(7 * $sum / 65536 + ($sum < 0 ? -0.5 : 0.5));
        }'
}
is '--noise: the same everywhere' "$(tail -c 90000 "$T/x.pgm" | head -c 16 | od -An -tu1 -w16 | tr -s ' ')" "$(noise_by_formula)"
"$scramble" -g 1x1 --noise 7 --seed 1 "$T/flat.pgm" "$T/y.pgm"
ok '--noise: another seed, other noise' not cmp -s "$T/x.pgm" "$T/y.pgm"
"$scramble" -g 1x1 --noise 0 "$T/flat.pgm" "$T/y.pgm"
ok '--noise 0 adds nothing' cmp "$T/flat.pgm" "$T/y.pgm"
"$scramble" -g 1x1 --noise 255 --format png "$T/gray.pgm" "$T/y.png"
ok '--noise: gray stays gray' matches "$(perl tests/cli/image.pl show "$T/y.png" | head -n 1)" '1 8$'

# --erode.
printf 'P5 7 3 255\nabcdefghijklmnopqrstu' >"$T/letters.pgm"
"$scramble" -r cpu -g 2x1 --erode 1 --seed 3 "$T/letters.pgm" "$T/x.pgm"
ok '--erode 1: the middles of two tiles' matches "$(tail -n +2 "$T/x.pgm" | tr '\n' ' ')" '^2 1 255 (il|li) ?$'
"$scramble" -r cpu --tile 9x9 --erode 2 --permutation "$T/order" "$T/square.ppm" "$T/x.ppm"
is '--erode 2: smaller tiles, a smaller image' "$(head -n 2 "$T/x.ppm" | tail -n 1)" '500 500'
"$unscramble" -r cpu --apply "$T/order" "$T/x.ppm" "$T/y.ppm"
ok '--erode 2: the middles stay where they were' perl -e 'open A, "<:raw", shift; open B, "<:raw", shift; local $/; $a = <A>; $b = <B>;
    s/^P6\s\d+ \d+\s255\s// for $a, $b;
    for $y (0 .. 499) { for $x (0 .. 499) {
        $i = (int($y / 5) * 9 + 2 + $y % 5) * 900 + int($x / 5) * 9 + 2 + $x % 5;
        die "$x, $y\n" if substr($a, 3 * $i, 3) ne substr($b, 3 * ($y * 500 + $x), 3) } }' "$T/square.ppm" "$T/y.ppm"

# Several images.
several=("$T/wide.ppm" "$T/square.ppm" "$T/odd.ppm")
"$scramble" -r cpu --tile 50x50 --rotate --seed 5 --permutation "$T/order" --json "$T/out.json" "${several[@]}" "$T/x.ppm"
"$unscramble" -r cpu --apply "$T/order" "$T/x.ppm" "$T/part.ppm"
ok 'several: the first' cmp "$T/part-1.ppm" "$T/wide.ppm"
ok 'several: the second' cmp "$T/part-2.ppm" "$T/square.ppm"
is 'several: the third, cut off' "$(head -n 2 "$T/part-3.ppm" | tail -n 1)" '100 50'
ok 'several: no more' [ ! -e "$T/part.ppm" -a ! -e "$T/part-4.ppm" ]
is 'several: as square as can be' "$(grep puzzle "$T/order")" 'puzzle 22x22' # of 140 + 324 + 2 tiles
ok 'several: JSON' perl -MJSON::PP -e 'local $/; open F, "<", shift; $j = decode_json <F>;
    exit !($j->{columns} == 22 && $j->{width} == 1100 && @{$j->{solutions}} == 3 && $j->{solutions}[0]{columns} == 14 &&
        @{$j->{permutation}} == 466 && @{$j->{turns}} == 466)' "$T/out.json"
"$scramble" -r cpu --tile 20x20 --seed 5 --permutation "$T/order" "$T/gray.pgm" "$T/wide.ppm" "$T/gray.pgm" "$T/x.png"
"$unscramble" -r cpu --apply "$T/order" "$T/x.png" "$T/part.ppm"
ok 'several: gray beside color' [ "$(tail -c +14 "$T/part-1.ppm" | od -An -v -tu1 -w3 | tr -s ' ')" = \
    "$(tail -c +14 "$T/gray.pgm" | od -An -v -tu1 -w1 | awk '{ print " " $1 " " $1 " " $1 }')" ]

pnm 20000 1 P6 >"$T/long.ppm"
printf 'puzzle 2x1\npicture\n0\npicture\n1' >"$T/order"
ok 'several: each is as large as its format allows' "$unscramble" -r cpu --apply "$T/order" "$T/long.ppm" "$T/part.bmp"

# Every device makes the same.
options=(--tile 50x50 --rotate --drop 20 --noise 9 --erode 3 --missing-color 102030 "${several[@]}")
"$scramble" -r cpu "${options[@]}" --permutation "$T/order" "$T/x.ppm"
"$unscramble" -r cpu --apply "$T/order" "$T/x.ppm" "$T/part.ppm"
for device in $(devices); do
    ok "$device scrambles" "$scramble" -r "$device" "${options[@]}" "$T/by-device.ppm"
    ok "$device: the same puzzle" cmp "$T/by-device.ppm" "$T/x.ppm"
    ok "$device applies" "$unscramble" -r "$device" --apply "$T/order" "$T/x.ppm" "$T/device.ppm"
    for i in 1 2 3; do
        ok "$device: the same image $i" cmp "$T/part-$i.ppm" "$T/device-$i.ppm"
    done
done

# Refusals.
out=$T/out.png
printf 'precious' >"$out"
for bad in '' 0x3 3 3x 28x28x28 -1x3; do
    refuses "--tile '$bad'" 2 "bad tile size '$bad': write width x height in pixels, each at least 1, as in 28x20" \
        "$scramble" --tile "$bad" "$T/odd.ppm" "$out"
done
for bad in '' 12345 1234567 reddish '#12345' 12345g none '#ff000080'; do
    refuses "--missing-color '$bad'" 2 "bad --missing-color '$bad': write an opaque color as CSS does" \
        "$scramble" --missing-color "$bad" "$T/odd.ppm" "$out"
done
for color in '#c86400' 'rgb(200 100 0)' 'hsl(30 100% 39.2%)'; do
    for written in c86400 "$color"; do
        "$scramble" -r cpu -g 3x3 --drop 1 --seed 1 --missing-color "$written" "$T/odd.ppm" "$T/$written.ppm"
    done
    ok "--missing-color '$color' is c86400" cmp "$T/c86400.ppm" "$T/$color.ppm"
done
for option in '--drop -1' '--drop 4000001' '--noise 256' '--noise 1.5' '--erode -1' '--erode x'; do
    refuses "$option" 2 "bad ${option% *} '${option#* }': write a whole number" "$scramble" $option "$T/odd.ppm" "$out"
done
refuses '--drop of all' 1 'cannot drop 9 of 9 tiles: nothing would be left' "$scramble" --drop 9 "$T/odd.ppm" "$out"
refuses '--erode of all' 1 'cannot erode tiles of 33 x 22 pixels by 11: nothing would be left' "$scramble" --erode 11 "$T/odd.ppm" "$out"
refuses '--tile larger than the image' 1 "cannot cut '.*odd.ppm' into tiles of 102 x 3 pixels: it has only 101 x 67" \
    "$scramble" --tile 102x3 "$T/odd.ppm" "$out"
printf 'P5 2001 2000 255 ' >"$T/many.pgm"
head -c 4002000 /dev/zero >>"$T/many.pgm"
printf 'P5 100 80 255 ' >"$T/few.pgm"
head -c 8000 /dev/zero >>"$T/few.pgm"
refuses '--tile, too many' 1 'the puzzle would have 4002000 tiles; at most 4000000' "$scramble" --tile 1x1 "$T/many.pgm" "$out"
refuses 'several, too many tiles in all' 1 'the puzzle would have 4010000 tiles; at most' "$scramble" --tile 1x1 "$T/many.pgm" "$T/few.pgm" "$out"
rm "$T/many.pgm" "$T/few.pgm"
refuses 'several, too many pixels in all' 1 "cannot make the puzzle of '.*': 1100 x 1100 pixels are more than 1000000; raise max-pixels" \
    "$scramble" --max-pixels 1000000 --tile 50x50 "${several[@]}" "$out"
refuses '--grid and --tile' 2 '--grid and --tile both cut; leave one out' "$scramble" -g 3x3 --tile 3x3 "$T/odd.ppm" "$out"
refuses 'several with --grid' 2 'several images need tiles of one size: --tile WxH' "$scramble" -g 3x3 "${several[@]}" "$out"
refuses 'several of different depths' 1 "'.*odd.ppm' has 8 bits a channel and '.*deep.pgm' 16; convert one" \
    "$scramble" --tile 9x9 "$T/odd.ppm" "$T/deep.pgm" "$out"
refuses 'several, one missing' 1 'cannot open .*none.ppm' "$scramble" --tile 9x9 "$T/odd.ppm" "$T/none.ppm" "$out"
refuses 'several, two from standard input' 2 'standard input is one file' "$scramble" --tile 9x9 - - "$out"
refuses 'more than 100' 2 'name 1 to 100 INPUTs and one OUTPUT' "$scramble" --tile 9x9 $(yes "$T/odd.ppm" | head -n 101) "$out"

plan
