#!/usr/bin/env bash
# What is shuffled comes back: every way to cut, to search, to read and to write, on every device.
. "$(dirname "$0")/tap.lib"
. tests/cli/stages.lib

sample=images/samples/papyrus.png
"$scramble" -g 1x1 "$sample" "$T/truth.ppm"

# restores GRID SEED [OPTIONS]: unscramble undoes scramble.
restores() {
    rm -f "$T/shuffled.ppm" "$T/restored.ppm"
    "$scramble" -r cpu -g "$1" --seed "$2" "$T/truth.ppm" "$T/shuffled.ppm" &&
        not cmp -s "$T/truth.ppm" "$T/shuffled.ppm" &&
        "$unscramble" -r cpu -g "$1" "${@:3}" "$T/shuffled.ppm" "$T/restored.ppm" &&
        cmp "$T/truth.ppm" "$T/restored.ppm"
}
for grid in 2x2 3x3 4x2 4x3 1x5 5x1 12x1 6x2; do
    for seed in 1 2 18446744073709551615; do
        ok "$grid, seed $seed" restores $grid $seed
    done
done
ok 'with --sampling point' restores 3x3 5 --method classic --sampling point
ok 'with one thread' restores 3x3 5 --threads 1
ok 'the bundled puzzle' bash -c "'$unscramble' images/samples/papyrus-shuffled.png '$T/demo.ppm' && cmp '$T/demo.ppm' '$T/truth.ppm'"
"$scramble" "$sample" "$T/shuffled.png" && "$scramble" -g 1x1 "$T/shuffled.png" "$T/a.ppm"
"$scramble" -g 1x1 images/samples/papyrus-shuffled.png "$T/b.ppm"
ok 'the bundled puzzle is what scramble makes' cmp "$T/a.ppm" "$T/b.ppm"

# The permutation: the same from both tools, and it can be applied, also to another image.
perl -e 'print "P6\n101 67\n255\n", map chr(($_ * 7919 >> 3) % 256), 1 .. 101 * 67 * 3' >"$T/other.ppm"
for grid in 3x3 4x2; do
    "$scramble" -g $grid --seed 3 --permutation "$T/made" "$T/truth.ppm" "$T/shuffled.ppm"
    "$unscramble" -g $grid --permutation "$T/found" "$T/shuffled.ppm" "$T/restored.ppm"
    ok "$grid: both tools write the same permutation" cmp "$T/made" "$T/found"
    "$unscramble" --apply "$T/made" --permutation "$T/again" "$T/shuffled.ppm" "$T/applied.ppm"
    ok "$grid: --apply restores" cmp "$T/applied.ppm" "$T/truth.ppm"
    ok "$grid: --apply passes the permutation on" cmp "$T/made" "$T/again"
    "$unscramble" --apply "$T/made" --grid $grid "$T/shuffled.ppm" "$T/applied.ppm"
    ok "$grid: --apply with the same --grid" cmp "$T/applied.ppm" "$T/truth.ppm"
    "$scramble" -g $grid --seed 3 "$T/other.ppm" "$T/shuffled.ppm"
    "$unscramble" --apply "$T/made" "$T/shuffled.ppm" "$T/applied.ppm"
    ok "$grid: --apply to another image" cmp "$T/applied.ppm" "$T/other.ppm"
done
printf '# a comment\n\n 2\t1 # here\r\n0 3' >"$T/untidy"
printf 'P5 2 2 255\nabcd' >"$T/four.pgm"
"$unscramble" --apply "$T/untidy" "$T/four.pgm" "$T/applied.pgm"
is 'comments and blanks in a permutation' "$(tail -c 4 "$T/applied.pgm")" cbad

# What permutations say beside the order, of gray tiles of one pixel.
applied() { # NAME WANTED PERMUTATION [OPTIONS]: the pixels of abcdef, 3 x 2
    printf 'P5 3 2 255\nabcdef' >"$T/six.pgm"
    printf "$3" >"$T/order"
    rm -f "$T"/applied*.pgm
    "$unscramble" -r cpu "${@:4}" --apply "$T/order" "$T/six.pgm" "$T/applied.pgm"
    is "$1" "$(cd "$T" && for file in applied*.pgm; do head -n 2 "$file" | tail -n 1 && tail -n 1 "$file" && echo; done | tr '\n' ' ' | sed 's/ $//')" "$2"
}
applied 'places without a tile' '3 2 fAAbce' '5 - -\n1 2 4' --missing-color 414141
applied 'a color without a tile, in gray' '3 2 fYYbce' '5 - -\n1 2 4' --missing-color 804080
applied 'another grid' '1 3 fab' 'puzzle 3x2\n5\n0\n1'
applied 'turned whole' '2 3 dbecfa' 'puzzle 3x2\n3@90 1@270\n4 2\n5 0'
"$unscramble" -r cpu -v --apply "$T/order" --json "$T/out.json" "$T/six.pgm" "$T/applied.pgm" 2>"$T/said"
ok '-v says turns' grep -q ': permutation 3@90 1@270 4 2 5 0$' "$T/said"
applied 'two images' '2 1 db 1 3 ecf' 'puzzle 3x2\npicture\n3 1\npicture\n4\n2\n5'
ok 'two images: named by number' [ -e "$T/applied-1.pgm" -a -e "$T/applied-2.pgm" -a ! -e "$T/applied.pgm" ]

# Sizes that do not divide: each tile is where the permutation says, and the strips stay.
moved() { # SHUFFLED TRUTH ORDER COLUMNS ROWS: an independent check of every pixel
    perl -e 'my ($shuffled, $truth, $list, $columns, $rows) = @ARGV;
        sub slurp { open F, "<:raw", shift; local $/; <F> =~ /^P6\s(\d+) (\d+)\s255\s(.*)/s; return ($1, $2, $3) }
        open L, $list; my @order = map split, grep !/^#/, <L>;
        my ($w, $h, $s) = slurp($shuffled); my (undef, undef, $t) = slurp($truth);
        my ($tw, $th) = (int($w / $columns), int($h / $rows));
        for my $y (0 .. $h - 1) { for my $x (0 .. $w - 1) {
            my ($fx, $fy) = ($x, $y);
            if ($x < $tw * $columns && $y < $th * $rows) {
                my $tile = $order[int($y / $th) * $columns + int($x / $tw)];
                ($fx, $fy) = ($tile % $columns * $tw + $x % $tw, int($tile / $columns) * $th + $y % $th);
            }
            die "pixel $x, $y\n" if substr($t, 3 * ($y * $w + $x), 3) ne substr($s, 3 * ($fy * $w + $fx), 3);
        } }' "$@"
}
for grid in 3x3 4x3 2x5 12x1; do
    "$scramble" -r cpu -g $grid --seed 9 --permutation "$T/order" "$T/other.ppm" "$T/shuffled.ppm"
    ok "101 x 67 in $grid: every pixel where it should be" moved "$T/shuffled.ppm" "$T/other.ppm" "$T/order" ${grid/x/ }
done

# Both searches find the same.
for grid in 1x1 2x2 3x3 4x2 1x7; do
    "$scramble" -r cpu -g $grid --seed 7 "$T/truth.ppm" "$T/shuffled.ppm"
    for how in pruned exhaustive; do
        "$unscramble" -r cpu -g $grid --search $how --permutation "$T/$how" --json "$T/$how.json" \
            "$T/shuffled.ppm" "$T/restored.ppm"
    done
    ok "$grid: both searches give the same permutation" cmp "$T/pruned" "$T/exhaustive"
    is "$grid: and the same costs" "$(grep -E 'cost|margin' "$T/pruned.json")" \
        "$(grep -E 'cost|margin' "$T/exhaustive.json")"
done

# Every device writes the same bytes.
"$scramble" -r cpu -g 4x3 --seed 4 "$T/truth.ppm" "$T/shuffled.ppm"
for device in $(devices); do
    rm -f "$T/by-device.ppm" "$T/shuffled-by-device.ppm"
    ok "$device unscrambles" "$unscramble" -r "$device" -g 4x3 "$T/shuffled.ppm" "$T/by-device.ppm"
    ok "$device: the same bytes" cmp "$T/by-device.ppm" "$T/truth.ppm"
    "$scramble" -r "$device" -g 4x3 --seed 4 "$T/truth.ppm" "$T/shuffled-by-device.ppm"
    ok "$device: the same shuffle" cmp "$T/shuffled-by-device.ppm" "$T/shuffled.ppm"
    is "$device is the one that was used" \
        "$("$unscramble" -r "$device" --json - "$T/shuffled.ppm" "$T/x.ppm" | grep '"device":')" "  \"device\": \"$device\","
done
for kind in opencl cuda; do
    if required $kind; then
        ok "$kind is required" grep -q "^$kind" <(devices)
    elif ! devices | grep -q "^$kind"; then
        skip "$kind" 'no such device'
    fi
done

# Standard input and output, and a file that is replaced by its own result.
"$unscramble" -g 4x3 - "$T/by-input.ppm" <"$T/shuffled.ppm"
ok 'standard input' cmp "$T/by-input.ppm" "$T/truth.ppm"
cat "$T/shuffled.ppm" | "$unscramble" -g 4x3 --format ppm - - | cat >"$T/by-pipe.ppm"
ok 'standard input and output, piped' cmp "$T/by-pipe.ppm" "$T/truth.ppm"
"$scramble" -g 4x3 --seed 4 --permutation - "$T/truth.ppm" "$T/x.ppm" >"$T/order"
"$unscramble" --apply "$T/order" "$T/shuffled.ppm" "$T/applied.ppm"
ok '--permutation -' cmp "$T/applied.ppm" "$T/truth.ppm"
cp "$T/shuffled.ppm" "$T/place.ppm" && chmod 640 "$T/place.ppm"
"$unscramble" -g 4x3 "$T/place.ppm" "$T/place.ppm"
ok 'in place' cmp "$T/place.ppm" "$T/truth.ppm"
is 'in place, the mode is kept' "$(stat -c %a "$T/place.ppm")" 640
cp "$T/shuffled.ppm" "$T/place.ppm" && ln -s place.ppm "$T/link.ppm"
"$unscramble" -g 4x3 "$T/link.ppm" "$T/link.ppm"
ok 'through a link: the file has changed' cmp "$T/place.ppm" "$T/truth.ppm"
ok 'through a link: the link is still one' test -L "$T/link.ppm"
(umask 027 && "$unscramble" -g 4x3 "$T/shuffled.ppm" "$T/new.ppm")
is 'a new file has the mode of the umask' "$(stat -c %a "$T/new.ppm")" 640
"$unscramble" -g 2x2 -g 4x3 "$T/shuffled.ppm" "$T/twice.ppm"
ok 'of an option given twice the last counts' cmp "$T/twice.ppm" "$T/truth.ppm"
mkfifo "$T/pipe"
cat "$T/pipe" >"$T/by-fifo.ppm" &
"$unscramble" -g 4x3 --format ppm "$T/shuffled.ppm" "$T/pipe"
wait $!
ok 'into a named pipe' cmp "$T/by-fifo.ppm" "$T/truth.ppm"
rm "$T/pipe"
ok 'no temporary file is left' not grep -q tessera- <(ls -A "$T")

# What is said about it.
printf 'puzzle 3x2\npicture\n3@90 -\npicture\n4\n2@270' >"$T/turned"
"$unscramble" -r cpu -g 4x3 --permutation "$T/order" --json - "$T/shuffled.ppm" "$T/x.ppm" >"$T/out.json"
json() {
    perl -MJSON::PP -e 'local $/; open F, "'"$T"'/out.json"; our $j = decode_json(<F>); eval $ARGV[0] or die "not so: $ARGV[0] $@\n"' "$1"
}
ok 'JSON: size' json '$j->{width} == 900 && $j->{height} == 900'
ok 'JSON: grid' json '$j->{columns} == 4 && $j->{rows} == 3'
is 'JSON: permutation' "$(perl -MJSON::PP -e 'local $/; print join " ", @{decode_json(<>)->{permutation}}' "$T/out.json")" \
    "$(grep -v '#' "$T/order" | tr '\n' ' ' | sed 's/ $//')"
ok 'JSON: costs' json '$j->{cost} > 0 && $j->{runner_up_cost} >= $j->{cost}'
ok 'JSON: margin' json 'abs($j->{margin} - ($j->{runner_up_cost} + 1) / ($j->{cost} + 1)) < 1e-4'
ok 'JSON: device' json '$j->{device} =~ /^cpu/ && length $j->{device_name}'
ok 'JSON: stages' in_order "$small" "$(stages_of "$T/out.json")"
ok 'JSON: times' json '!grep { $_->{wall_s} < 0 || $_->{kernel_s} > $_->{wall_s} || $_->{transfer_s} > $_->{wall_s} } @{$j->{stages}}'
found=$(grep -o '"cost": [0-9]*' "$T/out.json" | cut -d" " -f2)
"$unscramble" -g 1x1 --json "$T/out.json" "$T/truth.ppm" "$T/x.ppm"
ok 'JSON: one tile has no runner-up' json '!defined $j->{runner_up_cost} && !defined $j->{margin} && $j->{cost} == 0'
"$unscramble" --apply "$T/order" --json "$T/out.json" "$T/shuffled.ppm" "$T/x.ppm"
ok 'JSON: --apply has the cost of what it was given' json '$j->{cost} == '"$found"' && !defined $j->{runner_up_cost} && $j->{columns} == 4'
"$scramble" --json "$T/out.json" "$T/truth.ppm" "$T/x.ppm"
ok 'JSON: scramble' json '$j->{device}'
ok 'JSON: scramble, stages' in_order "$scramble_stages" "$(stages_of "$T/out.json")"
"$unscramble" --benchmark --json "$T/out.json" "$T/shuffled.ppm"
measured=$(perl -MJSON::PP -e 'local $/; print join " ", map { $_->{stage} } @{decode_json(<>)->{benchmark}}' "$T/out.json")
ok 'JSON: --benchmark' in_order "$benchmark" "$measured"
is '--benchmark prints rows for each stage' \
    "$("$unscramble" --benchmark "$T/shuffled.ppm" | grep -w 'the reference  ' | cut -d' ' -f1 | paste -sd' ')" "$measured"
"$unscramble" --save-stages "$T/stages" --json "$T/run.json" "$T/shuffled.ppm" "$T/x.ppm"
ran=$(stages_of "$T/run.json")
is '--save-stages' "$(cd "$T/stages" && echo *)" "$(snapshots "$ran" costs confidence assemble)"
"$unscramble" --method classic --save-stages "$T/gray" --json "$T/run.json" "$T/shuffled.ppm" "$T/x.ppm"
is '--save-stages, --method classic' "$(cd "$T/gray" && echo *)" "$(snapshots "$(stages_of "$T/run.json")" grayscale edges fits confidence assemble)"
ok '--save-stages: each is a image' bash -c "for f in '$T'/stages/* '$T'/gray/*; do perl tests/cli/image.pl show \$f || exit 1; done"
is '--timings: a line for each stage' "$("$unscramble" --timings "$T/shuffled.ppm" "$T/x.ppm" 2>&1 | cut -d' ' -f1 | tr '\n' ' ')" \
    "stage $ran "
ok '-v says the device and the permutation' matches "$("$unscramble" -v -g 4x3 "$T/shuffled.ppm" "$T/x.ppm" 2>&1 | tr '\n' ';')" \
    '^unscramble: device [^;]+;unscramble: 4 x 3 tiles of 225 x 300 pixels: [^;]+;unscramble: dissimilarity: [a-z]+;unscramble: [0-9]+ pairs of best buddies;unscramble: permutation( [0-9]+){12}, cost [0-9]+;unscramble: .* has cost [0-9]+: margin [0-9.]+;unscramble: the answer is right with probability [0-9.]+;$'
printf 'P5 4 4 255\n0000000000000000' >"$T/flat.pgm"
ok 'a tie is said' matches "$("$unscramble" -g 2x2 "$T/flat.pgm" "$T/x.pgm" 2>&1)" '^unscramble: several orders of the tiles of .*$'
perl -e 'print "P5 15 5 255\n", map { my $x = $_ % 15; chr($x % 5 == 2 && int($_ / 15) == 2 ? 8 * $x : 255) } 0 .. 74' >"$T/blank.pgm"
is 'once, though turned tiles are tried too' "$("$unscramble" -g 3x1 "$T/blank.pgm" "$T/x.pgm" 2>&1 | grep -c 'several orders')" 1
is 'unless --quiet' "$("$unscramble" -q -g 2x2 "$T/flat.pgm" "$T/x.pgm" 2>&1)" ''

# The cost by its formula, from the gray image of --save-stages: squared differences of the pixels
# on both sides of every border.
cost() { # COLUMNS ROWS ORDER
    perl tests/cli/image.pl show "$T"/stages/*-grayscale.png | perl -e '
        my ($columns, $rows, @order) = @ARGV;
        my ($width) = split " ", <STDIN>;
        my @gray = split " ", <STDIN>;
        sub at { my ($place, $x, $y) = @_; my $tile = $order[$place];
            return $gray[(int($tile / $columns) * 64 + $y) * $width + $tile % $columns * 64 + $x] }
        my $sum = 0;
        for my $place (0 .. $columns * $rows - 1) { for (0 .. 63) {
            $sum += (at($place - 1, 63, $_) - at($place, 0, $_)) ** 2 if $place % $columns;
            $sum += (at($place - $columns, $_, 63) - at($place, $_, 0)) ** 2 if $place >= $columns;
        } }
        print $sum' "$@"
}
for sampling in average point; do
    "$unscramble" -g 4x3 --method classic --sampling $sampling --save-stages "$T/stages" --json "$T/out.json" "$T/shuffled.ppm" "$T/x.ppm"
    order=$(perl -MJSON::PP -e 'local $/; print "@{decode_json(<>)->{permutation}}"' "$T/out.json")
    ok "the cost by its formula, --sampling $sampling" json "\$j->{cost} == $(cost 4 3 $order)"
    cp "$T"/stages/*-grayscale.png "$T/$sampling.png"
done
ok 'the samplings differ' not cmp -s "$T/average.png" "$T/point.png"

"$unscramble" -r cpu --apply "$T/turned" --json "$T/out.json" "$T/six.pgm" "$T/x.pgm"
ok 'JSON: turns, empty places, several images' json 'my $s = JSON::PP->new->canonical->encode([@$j{qw(solutions permutation turns cost columns rows)}]);
    $s eq q([[{"columns":2,"rows":1},{"columns":1,"rows":2}],[3,null,4,2],[90,0,0,270],null,3,2])'

# Seeds: the same everywhere. SplitMix64 and Fisher and Yates' shuffle once more, by whole numbers of
# any size; scramble writes the inverse.
cat >"$T/shuffle.pl" <<'PERL'
use Math::BigInt;
my ($columns, $rows, $seed) = @ARGV;
my $two64 = Math::BigInt->new(2)->bpow(64);
my $state = Math::BigInt->new($seed);
my $last = $columns * $rows - 1;
my @order = 0 .. $last;
sub draw {
    $state = ($state + Math::BigInt->from_hex('9e3779b97f4a7c15')) % $two64;
    my $z = $state->copy;
    for (['30', 'bf58476d1ce4e5b9'], ['27', '94d049bb133111eb']) {
        $z = $z->copy->bxor($z->copy->brsft($_->[0])) * Math::BigInt->from_hex($_->[1]) % $two64;
    }
    return $z->copy->bxor($z->copy->brsft(31));
}
for my $place (reverse 1 .. $last) {
    my $bound = $place + 1;
    my $number;
    do { $number = draw() } while ($number >= $two64 - $two64 % $bound);
    my $other = ($number % $bound)->numify;
    @order[$place, $other] = @order[$other, $place];
}
my @inverse;
$inverse[$order[$_]] = $_ for 0 .. $last;
print join(' ', @inverse[$_ * $columns .. ($_ + 1) * $columns - 1]), "\n" for 0 .. $rows - 1;
PERL
head -c 144 "$T/other.ppm" >"$T/tiles" && (printf 'P5 12 12 255\n'; cat "$T/tiles") >"$T/tiles.pgm"
for case in 3x3:0 3x3:1 3x3:2 3x3:18446744073709551615 4x3:1 4x3:123456789012345 12x1:7 1x12:7 2x2:8 1x1:1; do
    grid=${case%:*} seed=${case#*:}
    is "the shuffle of seed $seed on $grid" \
        "$("$scramble" -g $grid --seed $seed --permutation - "$T/tiles.pgm" "$T/x.pgm" | grep -v '#')" \
        "$(perl "$T/shuffle.pl" ${grid/x/ } $seed)"
done
is 'without --seed: seed 0' "$("$scramble" --permutation - "$T/tiles.pgm" "$T/x.pgm" | grep -v '#')" \
    "$(perl "$T/shuffle.pl" 3 3 0)"

plan
