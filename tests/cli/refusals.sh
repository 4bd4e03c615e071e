#!/usr/bin/env bash
# What cannot be done is refused with one clear line, and every file stays as it was.
. "$(dirname "$0")/tap.lib"

sample=images/samples/papyrus-shuffled.png # its grid is found
perl -e 'print "P6\n12 12\n255\n", map chr($_ * 37 % 251), 0 .. 431' >"$T/in.ppm"
"$scramble" -g 1x1 "$T/in.ppm" "$T/in.png"
"$scramble" -g 1x1 "$T/in.ppm" "$T/in.jpg"
printf 'precious' >"$T/out.png"
chmod 640 "$T/out.png"
touch -d '2001-02-03 04:05:06.789' "$T/out.png"
out=$T/out.png # an earlier result, which a refusal must not touch

# Inputs.
missing='cannot open .*missing.png.: No such file or directory'
for tool in "$unscramble" "$scramble"; do
    refuses "${tool##*/}: missing input" 1 "$missing" "$tool" "$T/missing.png" "$out"
done
refuses 'scramble: a folder as input' 1 'it is a folder' "$scramble" "$T" "$out"
refuses 'unscramble: the folder of the output as input' 2 "cannot write '.*out.png': it is the file that is read" "$unscramble" "$T" "$out"
: >"$T/empty.png"
refuses 'empty input' 1 'the file is empty' "$unscramble" "$T/empty.png" "$out"
refuses 'empty standard input' 1 "cannot read '-': the file is empty" "$unscramble" - "$out"
refuses 'text as input' 1 'cannot read .*Makefile' "$unscramble" Makefile "$out"
perl -e 'srand 1; print map chr rand 256, 1 .. 100000' >"$T/noise"
refuses 'noise as input' 1 'cannot read' "$unscramble" "$T/noise" "$out"

# cut_short FILE LENGTHS...: the file cut to each length is refused.
cut_short() {
    local file=$1 length
    shift
    for length; do
        head -c "$length" "$file" >"$T/cut"
        refused 1 'cannot read' "$unscramble" -g 2x2 "$T/cut" "$out" || { echo "cut to $length bytes"; return 1; }
    done
}
size() { stat -c %s "$1"; }
"$scramble" -g 1x1 "$T/in.ppm" "$T/in.bmp"
"$scramble" -g 1x1 "$T/in.ppm" "$T/in.tga"
ok 'PNG cut short, at every length' cut_short "$T/in.png" $(seq 1 $(($(size "$T/in.png") - 5))) # not in the last CRC
ok 'JPEG cut short, at every 7th length' cut_short "$T/in.jpg" $(seq 1 7 $(($(size "$T/in.jpg") - 2))) $(($(size "$T/in.jpg") - 1))
ok 'PPM cut short, at every 7th length' cut_short "$T/in.ppm" $(seq 1 7 $(($(size "$T/in.ppm") - 1))) $(($(size "$T/in.ppm") - 1))
ok 'BMP cut short, at every 50th length' cut_short "$T/in.bmp" $(seq 1 50 $(($(size "$T/in.bmp") - 1)))
ok 'TGA cut short, at every 50th length' cut_short "$T/in.tga" $(seq 1 50 $(($(size "$T/in.tga") - 1)))
ok 'the sample cut short' cut_short "$sample" $(seq 50000 90000 $(size "$sample"))

# A header that promises more than there is, with its CRC made right.
png_of_size() {
    perl -MCompress::Zlib -e '$h = "IHDR" . pack "NNC5", @ARGV, 8, 2, 0, 0, 0;
        print "\x89PNG\r\n\x1a\n", pack("N", 13), $h, pack("N", crc32($h)), pack("N", 8), "IDATx\234\003\0\0\0\0\1", "\0" x 16' "$@"
}
png_of_size 2147483648 2147483648 >"$T/false.png"
refuses 'PNG of 2^31 x 2^31' 1 'cannot read' "$unscramble" "$T/false.png" "$out"
png_of_size 2147483647 2147483647 >"$T/false.png"
refuses 'PNG of 2^31-1 x 2^31-1' 1 'cannot read' "$unscramble" "$T/false.png" "$out"
png_of_size 60000 60000 >"$T/false.png"
refuses 'PNG of 60000 x 60000' 1 'cannot read' "$unscramble" "$T/false.png" "$out"
png_of_size 24000 23000 >"$T/false.png"
refuses 'PNG of 24000 x 23000' 1 '24000 x 23000 pixels are more than 536870912; raise max-pixels' \
    "$unscramble" "$T/false.png" "$out"
png_of_size 24000 22000 >"$T/false.png"
refuses 'PNG of 24000 x 22000, which is allowed but is not there' 1 'cannot read .*false.png.: [^0-9]*$' "$unscramble" "$T/false.png" "$out"
png_of_size 0 0 >"$T/false.png"
refuses 'PNG of 0 x 0' 1 'cannot read' "$unscramble" "$T/false.png" "$out"
printf 'P5 65535 65535 255\n' >"$T/false.pgm"
refuses 'PGM without its pixels' 1 'cut short' "$unscramble" --memory 64G --max-pixels 4294967295 "$T/false.pgm" "$out"
for header in 'P5 99999999999 1 255' 'P5 0 1 255' 'P5 1 1 0' 'P5 1 1 65536' 'P5 -1 1 255' 'P5' 'P2 1 1 9 10'; do
    printf '%s\n\0' "$header" >"$T/false.pgm"
    refuses "header $header" 1 'cannot read' "$unscramble" "$T/false.pgm" "$out"
done
refuses 'more than --max-pixels' 1 '12 x 12 pixels are more than 143' "$unscramble" --max-pixels 143 "$T/in.png" "$out"
refuses 'PPM of more than --max-pixels' 1 'are more than 143' "$scramble" --max-pixels 143 "$T/in.ppm" "$out"

# Outputs.
for tool in "$unscramble" "$scramble"; do
    name=${tool##*/}
    refuses "$name: folder missing" 1 "cannot write '.*': folder '.*' *: No such file or directory" "$tool" "$sample" "$T/no/out.png"
    refuses "$name: a folder as output" 1 'it is a folder; name a file in it' "$tool" --format png "$sample" "$T"
    refuses "$name: a folder as output, without a format" 1 'it is a folder; name a file in it' "$tool" "$sample" "$T"
    refuses "$name: unknown extension" 1 "no image format has the extension 'xyz'; use one of png, jpeg, .*, or name the format" "$tool" "$sample" "$T/out.xyz"
    refuses "$name: no extension" 1 'its name has no extension that tells the format; use one of png, ' "$tool" "$sample" "$T/out"
    refuses "$name: unknown --format" 2 "unknown image format 'xyz'; use one of png, jpeg" "$tool" --format xyz "$sample" "$out"
    refuses "$name: empty --format" 2 "unknown image format ''" "$tool" --format= "$sample" "$out"
done
refuses 'output is checked before input' 1 'no image format' "$unscramble" "$T/missing.png" "$T/out.xyz"
refuses 'a folder on the way is a file' 1 'cannot write' "$unscramble" "$sample" "$T/in.png/out.png"
refuses 'an output name of 300 letters' 1 'File name too long' "$unscramble" "$sample" "$T/$(printf 'a%.0s' {1..300}).png"
printf 'precious' >"$T/read-only.png"
chmod 444 "$T/read-only.png"
refuses 'a read-only file' 1 'the file is read-only' "$unscramble" "$sample" "$T/read-only.png"
refuses 'a read-only file for --permutation' 1 'the file is read-only' "$scramble" --permutation "$T/read-only.png" "$sample" "$out"
refuses 'a read-only file for --json' 1 'the file is read-only' "$unscramble" --json "$T/read-only.png" "$sample" "$out"
for option in permutation json; do
    refuses "--$option: folder missing" 1 "cannot write '.*no/file'.*make it first" "$unscramble" --$option "$T/no/file" "$sample" "$out"
    refuses "--$option: a folder" 1 'it is a folder' "$unscramble" --$option "$T" "$sample" "$out"
done
refuses '--save-stages: a file' 1 'in.png' "$unscramble" --save-stages "$T/in.png" "$sample" "$out"
refuses '--save-stages: folder missing' 1 'cannot make folder' "$unscramble" --save-stages "$T/no/stages" "$sample" "$out"
refuses '--json and the image both to standard output' 2 'standard output' "$unscramble" --format ppm --json - "$T/in.ppm" -
refuses '--permutation and the image both to standard output' 2 'standard output' "$unscramble" --format ppm --permutation - "$T/in.ppm" -
refuses '--permutation and --json both to standard output' 2 'standard output' "$unscramble" --json - --permutation - "$T/in.ppm" "$out"
refuses '--permutation and the image into one file' 2 'out.png' "$unscramble" --permutation "$out" "$T/in.ppm" "$out"
refuses '--json and the image into one file' 2 'out.png' "$unscramble" --json "$out" "$T/in.ppm" "$out"

# Folders and files that only others may write or read.
mkdir "$T/locked"
cp "$unscramble" "$BUILD"/libtessera.*[0-9]* "$top"
cp "$T/in.ppm" "$T/locked/in.ppm"
printf 'precious' >"$T/locked/out.png"
cp "$T/in.ppm" "$T/secret.ppm"
chmod 666 "$T/locked/out.png"
chmod 555 "$T/locked"
chmod 000 "$T/secret.ppm"
if as_user "$top/unscramble" --version >/dev/null 2>&1; then
    refuses 'a read-only folder' 1 "cannot write '.*': folder '.*': Permission denied" as_user "$top/unscramble" "$T/in.ppm" "$T/locked/new.png"
    refuses 'a file in a read-only folder' 1 "cannot write '.*': folder '.*': Permission denied" as_user "$top/unscramble" "$T/in.ppm" "$T/locked/out.png"
    refuses 'an unreadable input' 1 'cannot open .*: Permission denied' as_user "$top/unscramble" "$T/secret.ppm" -
else
    skip 'a read-only folder' 'no other user can be had here'
fi
chmod 755 "$T/locked"

# Grids.
for grid in 0x3 3x0 -1x3 3x-1 3 3x x x3 3x3x3 abc '' ' 3x3' '3x3 ' 3,3 99999999999x1 18446744073709551617x1 4294967297x1 0x10; do
    refuses "grid '$grid'" 2 "bad grid '.*': write columns x rows, each at least 1" "$unscramble" -g "$grid" "$sample" "$out"
done
for grid in 4000001x1 1x4000001 2001x2000 999999999x999999999 65536x65536; do
    for tool in "$unscramble" "$scramble"; do
        refuses "${tool##*/}: grid $grid" 2 "grid '$grid' has [0-9]+ tiles; at most 4000000 are possible" "$tool" -g $grid "$sample" "$out"
    done
done
printf 'P5 3 5 255\n012345678901234' >"$T/small.pgm"
refuses 'more columns than pixels' 1 'cannot cut .* into 4 x 1 tiles: it has only 3 x 5 pixels' "$unscramble" -g 4x1 "$T/small.pgm" "$out"
refuses 'more rows than pixels' 1 'cannot cut .* into 2 x 6 tiles: it has only 3 x 5 pixels' "$scramble" -g 2x6 "$T/small.pgm" "$out"

# Permutations.
permutation() { # NAME CONTENT REGEX [OPTIONS]
    printf "$2" >"$T/order"
    refuses "permutation: $1" 1 "permutation '.*order'.*$3" "$unscramble" "${@:4}" --apply "$T/order" "$T/in.ppm" "$out"
}
permutation 'a double'       '0 1\n2 1\n'           'tile 1 occurs twice|tile 3 is missing'
permutation 'a missing one'  '0 1 2\n3 5 5\n'       'tile 4 is missing|tile 5 occurs twice'
permutation 'a foreign one'  '0 1\n2 4\n'           'no tile 4; with 4 tiles the last is 3'
permutation 'a huge number'  '0 4294967296\n'       'line 1'
permutation 'a negative one' '0 -1\n'               'line 1: expected the number of a tile'
permutation 'ragged rows'    '0 1 2\n3 4\n'         'line 2 has 2 tiles, the first row 3'
permutation 'letters'        '0 1\n2 b\n'           'line 2: expected the number of a tile'
permutation 'a fraction'     '0 1.0\n'              'line 1: expected the number of a tile'
permutation 'empty'          ''                     'it has no tiles'
permutation 'a comment only' '# nothing\n'          'it has no tiles'
permutation 'only empty places' '# none\n- -\n- -\n' 'all places are empty'
permutation 'zero bytes'     '0 1\0 2\n'            'line 1'
permutation 'an eighth turn' '0@45 1\n'             'line 1: expected the number of a tile, also turned'
permutation 'a double turn'  '0@450 1\n'            'line 1: expected the number'
permutation 'no grid'        '0\npicture\n1\n'      "several images need the puzzle's grid, as in puzzle 4x3"
permutation 'a bad grid'     'puzzle 3\n0\n'        "line 1: expected the puzzle's columns x rows"
permutation 'a quarter turn' '0@90 1\n2 3\n4 5\n'   "turns tile 0 by 90 degrees, but a tile of '.*in.ppm' is not square: it has 6 x 4 pixels"
permutation 'another grid'   '0 1\n2 3\n'           'has 2 x 2 tiles, not the 3 x 2 of the grid' -g 3x2
permutation 'turned grid'    '0 1 2\n3 4 5\n'       'has 3 x 2 tiles, not the 2 x 3 of the grid' -g 2x3
permutation 'another large grid' '0 1 2\n3 4 5\n'     'has 3 x 2 tiles, not the 8 x 8 of the grid' -g 8x8
permutation 'a large file'   '%070000d'             'line 1: expected the number'
(echo puzzle 1x1 && printf '0 ' && printf -- '- %.0s' {1..999}) >"$T/order"
refuses 'permutation: a huge image' 1 "'.*order': 12000 x 12 pixels are more than 143999; raise max-pixels" \
    "$unscramble" --max-pixels 143999 --apply "$T/order" "$T/in.ppm" "$out"
printf 'puzzle 2x1\npicture\n0\npicture\n1' >"$T/order"
refuses 'two images to standard output' 1 'cannot write several images to standard output; name a file' \
    "$unscramble" --apply "$T/order" "$T/in.ppm" -
refuses 'two images, the second and --json into one file' 2 'two outputs' \
    "$unscramble" --json "$T/out-2.png" --apply "$T/order" "$T/in.ppm" "$out"
printf 'precious' >"$T/out-2.png" && chmod 444 "$T/out-2.png"
refuses 'two images, the second read-only' 1 "out-2.png': the file is read-only" \
    "$unscramble" --apply "$T/order" "$T/in.ppm" "$out"
rm -f "$T/out-2.png"
printf '0 1\n2 3\n' >"$T/order"
for option in --missing --mixed=2 --solution-grid=2x2 --dissimilarity=gap --effort=3 --time=3 --animate="$T/a.png"; do
    refuses "--apply with ${option%%=*}" 2 "${option%%=*} does not go with --apply; leave out ${option%%=*}\$" \
        "$unscramble" --apply "$T/order" $option "$T/in.ppm" "$out"
    refuses "-b with ${option%%=*}" 2 "${option%%=*} does not go with a benchmark; leave out ${option%%=*}\$" "$unscramble" -b $option "$T/in.ppm"
done
for option in --once --seed=3; do
    refuses "--apply with ${option%%=*}" 2 "--apply does not search; leave out ${option%%=*}" "$unscramble" --apply "$T/order" $option "$T/in.ppm" "$out"
done
refuses '--film-side without a film' 2 '--film-side is for --animate; name that too' "$unscramble" --film-side 100 "$T/in.ppm" "$out"
refuses '-b --truth' 2 'a benchmark gives no answer; leave out --truth' "$unscramble" -b --truth "$T/none.txt" "$T/in.ppm"
refuses '-b of too many tiles' 2 'a benchmark takes at most 12 tiles, and 10 that may be turned by quarters; the puzzle has 4 x 4' \
    "$unscramble" -b -g 4x4 "$T/in.ppm"
for name in /dev/full film film.xyz; do
    refuses "--animate $name" 1 "cannot write '$name': no format of images or videos has such an extension; use one of png, .*, y4m" \
        "$unscramble" -g 2x2 --animate $name "$T/in.ppm" "$out"
done
refuses 'a folder as standard input' 1 "cannot read '-': standard input is a folder; name a file" \
    bash -c 'exec "$1" - "$2" <"$3"' - "$unscramble" "$out" "$T"
refuses 'permutation: missing file' 1 "cannot open '.*no-order': No such file" "$unscramble" --apply "$T/no-order" "$T/in.ppm" "$out"
refuses 'permutation: a folder' 1 "cannot read '.*'" "$unscramble" --apply "$T" "$T/in.ppm" "$out"

# Devices.
for device in foo '' CPU cpu: cpu:x cpu:-1 cpu:1x auto:1; do
    refuses "device '$device'" 2 "unknown device '$device'; use auto, cpu, cuda(, | or )opencl" "$unscramble" -r "$device" "$sample" "$out"
done
for device in cpu:15 cpu:99 opencl:99 cuda:99; do
    refuses "device $device" '[12]' "device '$device'" "$unscramble" -r $device "$sample" "$out"
done
for kind in cuda opencl; do
    if devices | grep -q "^$kind"; then
        skip "absent $kind" 'it is here'
    else
        refuses "absent $kind" 1 "cannot use device '$kind'" "$unscramble" -r $kind "$sample" "$out"
        refuses "absent $kind:0" 1 "cannot use device '$kind:0'" "$unscramble" -r $kind:0 "$sample" "$out"
    fi
done

# Options and operands.
value() { # OPTION VALUE...
    for bad in "${@:2}"; do
        refuses "$1=$bad" 2 "bad $1 '$bad'" "$unscramble" "$1=$bad" "$sample" "$out"
    done
}
value --threads 0 -1 x 1x '' 99999 18446744073709551617
value --progress '' yes Always
value --search '' fast prune
value --sampling '' mean
value --max-pixels '' 0 -1 1e9 18446744073709551616
for seed in '' -1 x 1.5 18446744073709551616; do
    refuses "--seed=$seed" 2 "bad --seed '$seed'" "$scramble" "--seed=$seed" "$sample" "$out"
done
for tool in "$unscramble" "$scramble"; do
    refuses "${tool##*/}: no operands" 2 'name .* and one OUTPUT; --help explains' "$tool"
    refuses "${tool##*/}: no output" 2 'name .* and one OUTPUT; --help explains' "$tool" "$sample"
done
refuses 'unscramble: one operand' 2 'name one INPUT, or several that are tiles, and one OUTPUT; --help explains' "$unscramble" "$sample"
refuses 'unscramble: three operands, of which one is no image' 1 "cannot read '.*out.png': .*; if it is no tile" \
    "$unscramble" "$sample" "$out" "$T/third.png"
misused() { # two lines: getopt's and the tool's
    local before after
    before=$(snapshot)
    "$@" "$sample" "$out" >"$top/stdout" 2>"$top/stderr"
    [ $? = 2 ] && [ ! -s "$top/stdout" ] && [ "$(wc -l <"$top/stderr")" -le 2 ] &&
        grep -q -- "--help" "$top/stderr" && [ "$before" = "$(snapshot)" ]
}
ok 'unknown long option' misused "$unscramble" --nonsense
ok 'unknown short option' misused "$scramble" -Z
ok 'ambiguous option' misused "$unscramble" --s=x
ok 'a value where none belongs' misused "$unscramble" --timings=3
ok "unscramble's option given to scramble" misused "$scramble" --search pruned

# What is nearly right is named: one letter more, less, other or exchanged for every three, whatever
# their case; or what begins alike; else nothing.
suggests() { # WORD OPERAND...: the message of circles ends so, or with WORD '' asks nothing
    local end='[^?]$'
    [ -n "$1" ] && end="; did you mean '$1'\\?$"
    refused '[12]' "$end" "$BUILD/circles" "${@:2}"
}
for words in '--devcie=cpu --device' '--sise=5 --size' '--hepl --help' '--completoin --completion' '--metod=fast --method' \
    '--method=fats fast' '--method=refrance reference' '--method=quick ' '--progress=alwais always' '--device=cdua:0 cuda' \
    '--format=pgn png' '--format=PGN png' '--format=xyz ' '--Size=5 --size' '--METHOD=fast --method' '--method=Fast fast' \
    '--backdrop --background' '--anticlockwise ''--s=x ' '--nonsense ' '-Z ' \
    '--antialllllias=2 --antialias' '--antiallllllias=2 '; do
    ok "circles $words" suggests "${words##* }" "${words% *}" rgb "$T/x.png"
done
for words in 'RGB rgb' 'Hypnosys hypnosis' 'rand10l rand10k' 'rgbyb rgby' 'bb ' 'nosuch ' "rand10k$(printf 'k%.0s' {1..50}) "; do
    ok "circles $words" suggests "${words##* }" "${words% *}" "$T/x.png"
done
refuses 'unscramble: a word that is nearly right' 2 "both; did you mean 'learned'\?$" "$unscramble" --dissimilarity lernaed "$sample" "$out"
refuses 'unscramble: an option that is a part of another' 2 "; did you mean '--missing-color'\?$" "$unscramble" --colour=red "$sample" "$out"
refuses 'unscramble: an option that begins alike' 2 "; did you mean '--permutation'\?$" "$unscramble" --permute "$sample" "$out"
for words in 'x.pgn png' 'x.jgp jpg' 'x.PNGG png' 'x.xyz ' 'x '; do
    end=${words#* }
    refuses "unscramble: ${words% *}" 1 "or name the format${end:+; did you mean '.$end'\?}$" "$unscramble" "$sample" "$T/${words% *}"
done
refuses 'circles: an extension that is nearly right' 1 "; did you mean '.mp4'\?$" "$BUILD/circles" --frames 0:1 rgb "$T/x.pm4"
refuses 'bezier: an extension that is nearly right' 1 "; did you mean '.obj'\?$" "$BUILD/bezier" scenes/samples/wave.bv "$T/x.ojb"
refuses 'an old name is not suggested' 2 'lists the options$' "$unscramble" --metrik ssd "$sample" "$out"

# Writing that fails.
refuses 'disk full: the image' 1 "cannot write '/dev/full': No space left on device" "$unscramble" --format ppm "$sample" /dev/full
to_full() { "$@" >/dev/full; }
refuses 'disk full: standard output' 1 "cannot write '-': No space left on device" to_full "$unscramble" --format ppm "$sample" -
refuses 'disk full: JSON to standard output' 1 "cannot write '-': No space left on device" to_full "$unscramble" --benchmark --json - -g 3x3 "$T/in.ppm"
refuses 'disk full: --help' 1 'No space left on device' to_full "$unscramble" --help
refuses 'disk full: --benchmark' 1 'No space left on device' to_full "$unscramble" --benchmark -g 3x3 "$T/in.ppm"
# A disk that gets full in the middle, by a limit on the size of files.
limited() { (trap '' XFSZ && ulimit -f 8 && exec "$@"); }
for extension in png ppm bmp; do
    refuses "disk full in the middle: $extension" 1 "cannot write '.*': File too large" limited "$unscramble" "$sample" "$T/new.$extension"
done
refuses 'disk full in the middle: an earlier result' 1 'File too large' limited "$unscramble" "$sample" "$out"
for option in json permutation; do
    failed() { "$unscramble" -q -g 3x3 "--$option" /dev/full "$T/in.ppm" "$T/written.png" 2>"$top/stderr"; }
    failed
    is "disk full: --$option, status" $? 1
    is "disk full: --$option, message" "$(cat "$top/stderr")" "unscramble: cannot write '/dev/full': No space left on device"
done
to_closed_pipe() { perl -e 'pipe R, W; close R; open STDOUT, ">&W"; exec @ARGV' "$@"; }
refuses 'broken pipe' 1 "cannot write '-': Broken pipe" to_closed_pipe "$unscramble" --format ppm "$sample" -
to_nothing() { "$@" >&-; }
refuses 'closed standard output' 1 "cannot write '-': standard output is closed" to_nothing "$unscramble" --format ppm "$sample" -
from_nothing() { "$@" <&-; }
refuses 'closed standard input' 1 "cannot read '-'" from_nothing "$unscramble" - "$out"
if command -v script >/dev/null; then
    printed=$(script -qec "$unscramble $sample -" /dev/null </dev/null | tr -d '\r')
    is 'an image is not written to a terminal' "$printed" \
        "unscramble: cannot write '-': standard output is a terminal; name a file or use a pipe"
else
    skip 'an image is not written to a terminal' 'script(1) is not here'
fi
ok 'no temporary file is left' not grep -q tessera- <(ls -AR "$T")

is 'REQUIRE_DEVICES: a name that no device has' \
    "$(REQUIRE_DEVICES=opnecl "$BUILD/circles" --self-test 2>/dev/null | head -n 1)" \
    'not ok 1 - opnecl, which REQUIRE_DEVICES names, is present'

plan
