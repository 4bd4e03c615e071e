#!/usr/bin/env bash
# Puzzles of loose tiles: scramble --loose writes them, unscramble reads them, finds the shape of the
# image, and gives the same bytes as for the same tiles in one file.
. "$(dirname "$0")/tap.lib"

photo=images/samples/papyrus.png
image() { perl tests/cli/image.pl "$@"; }

# solves_as_one GRID FOLDER OPTIONS: the loose tiles and the same ones in one file give the same image.
solves_as_one() {
    local grid=$1 folder=$T/$2
    shift 2
    "$scramble" -g $grid "$@" --permutation "$T/truth" $photo "$T/one.png" &&
        "$scramble" -g $grid "$@" --loose "$folder" --permutation "$T/loose-truth" $photo && cmp "$T/truth" "$T/loose-truth" &&
        "$unscramble" -r cpu -g $grid "$T/one.png" "$T/one-solved.png" &&
        "$unscramble" -r cpu --permutation "$T/found" "$folder" "$T/loose-solved.png" &&
        cmp "$T/one-solved.png" "$T/loose-solved.png"
}
ok '400 tiles' solves_as_one 20x20 many --seed 3
ok '150 tiles, in a wide shape' solves_as_one 25x6 wide
ok '12 tiles' solves_as_one 4x3 twelve
ok '2 tiles, one above the other' solves_as_one 1x2 two
is 'names tell the number' "$(ls "$T/many" | sed -n '1p;$p' | paste -sd' ')" 'tile-000.png tile-399.png'
ok 'the original comes back' cmp <(image show "$T/loose-solved.png") <(image show $photo)
ok 'fewer threads, the same' sh -c '"$1" -j 1 -r cpu "$2/many" "$2/a.png" && "$1" -r cpu -g 20x20 "$2/many" "$2/b.png" && cmp "$2/a.png" "$2/b.png"' \
    - "$unscramble" "$T"
ok '--apply of the truth' sh -c '"$1" --apply "$2/loose-truth" "$2/two" "$2/a.png" && cmp "$2/a.png" "$2/loose-solved.png"' \
    - "$unscramble" "$T"

# The order of the names: natural, whatever the order in which they are given.
mkdir "$T/natural"
for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    cp "$T/twelve/tile-$(printf %02d $i).png" "$T/natural/tile$i.png"
done
"$unscramble" -r cpu --json "$T/twelve.json" --permutation "$T/order" "$T/twelve" "$T/a.png"
"$unscramble" -r cpu --permutation "$T/natural-order" "$T"/natural/*.png "$T/b.png"
ok 'tile2 stands before tile10, also in a list of files' cmp "$T/a.png" "$T/b.png"
is 'the permutation has the same numbers' "$(grep -v '#' "$T/natural-order")" "$(grep -v '#' "$T/order")"
ok 'the permutation names the files' grep -q "^# 10 is .*/natural/tile10.png$" "$T/natural-order"
ok 'the JSON names them by their places' perl -MJSON::PP -e 'local $/; open F, "<", shift; $j = decode_json <F>;
    for $i (0 .. 11) { $name = sprintf "tile-%02d.png", $j->{permutation}[$i]; die $i if $j->{files}[$i] !~ m{/$name$} }
    exit !(@{$j->{files}} == 12 && $j->{columns} == 4 && $j->{rows} == 3)' "$T/twelve.json"
ok 'the permutation can be applied to the files' sh -c '"$1" --apply "$2/order" "$2/twelve" "$2/b.png" && cmp "$2/a.png" "$2/b.png"' \
    - "$unscramble" "$T"

# Tiles of several formats, gray beside color; hidden files and folders beside them.
mkdir -p "$T/formats/folder"
i=0
for format in png ppm bmp tga jpg pgm; do
    perl -e 'printf "P6\n8 8\n255\n"; print map chr(9 * $ARGV[0] + int($_ / 3) % 8 * 20), 0 .. 191' $i >"$T/x.ppm"
    name=$T/formats/$((i++)).$format
    [ $format = tga ] && name=$T/formats/$i.png
    if [ $format = pgm ]; then
        { printf 'P5\n8 8\n255\n'; head -c 64 /dev/zero; } >"$name"
    else
        "$scramble" -g 1x1 "$T/x.ppm" "$name"
    fi
done
cp "$T/formats/0.png" "$T/formats/folder/deeper.png"
echo hidden >"$T/formats/.hidden"
ok 'tiles of several formats' "$unscramble" -r cpu -q -g 3x2 "$T/formats" "$T/a.png"
is 'they become color' "$(image show "$T/a.png" | head -n 1)" '24 16 3 8'

# Shapes: given, of too few tiles, of prime numbers.
"$scramble" -g 9x6 --tile 100x150 $photo "$T/x.png" 2>/dev/null
"$scramble" --tile 100x150 --drop 1 --loose "$T/prime" --permutation "$T/truth" $photo
is '--drop leaves files out' "$(ls "$T/prime" | wc -l)" 53
ok 'a prime number of tiles: one is missing' "$unscramble" -r cpu -q --json "$T/x.json" --truth "$T/truth" "$T/prime" "$T/a.png"
ok 'its shape is found, and the order' perl -MJSON::PP -e 'local $/; open F, "<", shift; $j = decode_json <F>;
    exit !($j->{columns} == 9 && $j->{rows} == 6 && $j->{score}{perfect} && grep { !defined } @{$j->{files}})' "$T/x.json"
"$unscramble" -r cpu -q -g 9x6 "$T/prime" "$T/b.png"
ok '-g says the same' cmp "$T/a.png" "$T/b.png"
"$scramble" --tile 90x90 --drop 4 --loose "$T/fewer" --permutation "$T/truth" $photo
ok '--missing: shapes with empty places' matches \
    "$("$unscramble" -r cpu --missing --truth "$T/truth" "$T/fewer" "$T/a.png")" perfect
"$scramble" --tile 90x90 --rotate --loose "$T/turned" --permutation "$T/truth" $photo
ok '--rotate' matches "$("$unscramble" -r cpu --rotate --truth "$T/truth" "$T/turned" "$T/a.png")" perfect
"$BUILD/circles" -r cpu -s 450 rand10k "$T/circles.png"
"$scramble" --tile 45x45 --loose "$T/mixed" --permutation "$T/truth" $photo "$T/circles.png"
ok '--mixed' matches "$("$unscramble" -r cpu --mixed 2 --truth "$T/truth" "$T/mixed" "$T/mixed.png")" perfect
ok '--mixed: two images' cmp <(image show "$T/mixed-1.png") <(image show $photo)
mkdir "$T/single"
cp "$T/two/tile-0.png" "$T/single"
ok 'a single tile is the image' sh -c '"$1" -r cpu "$2/single" "$2/a.ppm" && "$3" -g 1x1 "$2/two/tile-0.png" "$2/b.ppm" &&
    cmp "$2/a.ppm" "$2/b.ppm"' - "$unscramble" "$T" "$scramble"

# What cannot be done.
out=$T/out.png
mkdir "$T/empty" "$T/bad"
refuses 'an empty folder' 1 "folder '.*empty' has no files; name one with the images of single tiles" "$unscramble" "$T/empty" "$out"
cp "$T/many/tile-000.png" "$T/bad/0.png"
cp "$T/two/tile-0.png" "$T/bad/1.png"
refuses 'tiles of unequal size' 1 "'.*bad/0.png' has 45 x 45 pixels and '.*bad/1.png' 900 x 450; the tiles of a puzzle are of one size" \
    "$unscramble" "$T/bad" "$out"
echo 'no image' >"$T/bad/1.png"
refuses 'a file that is no image' 1 "cannot read '.*bad/1.png': .*; if it is no tile, move it elsewhere" "$unscramble" "$T/bad" "$out"
printf 'P5\n45 45\n65535\n' >"$T/bad/1.png"
head -c 4050 /dev/zero >>"$T/bad/1.png"
refuses 'tiles of different depths' 1 "'.*0.png' has 8 bits a channel and '.*1.png' 16; convert one" "$unscramble" "$T/bad" "$out"
refuses 'a tile named twice' 2 "tile-0.png' is named twice" "$unscramble" "$T/two/tile-0.png" "$T/two/tile-0.png" "$out"
refuses 'more tiles than places' 1 'there are 12 tiles, more than the 3 x 3 of the grid' "$unscramble" -g 3x3 "$T/twelve" "$out"
cp -r "$T/twelve" "$T/thirteen"
cp "$T/twelve/tile-04.png" "$T/thirteen/tile-04 (1).png"
ok 'a copy of a tile' matches "$("$unscramble" -r cpu "$T/thirteen" "$T/x.png" 2>&1)" \
    "^unscramble: '.*thirteen/tile-04.*png' and '.*thirteen/tile-04.*png' have the same pixels; if one is a copy, leave it out"
rm -r "$T/thirteen"
refuses 'too many pixels' 1 "cannot make the puzzle of '.*twelve': 900 x 900 pixels are more than 100000; raise max-pixels" \
    "$unscramble" --max-pixels 100000 "$T/twelve" "$out"
refuses '--tile' 2 'loose tiles have the size of their files; leave out --tile' "$unscramble" --tile 9x9 "$T/twelve" "$out"
refuses 'an output that is read' 2 "cannot write '.*tile-03.png': it is the file that is read" "$unscramble" "$T/twelve" "$T/twelve/tile-03.png"
for option in '' --permutation --json --confidence --animate --report; do
    for name in answer.png ./../twelve/answer.png; do
        [ "$option" ] && arguments=("$option" "$T/twelve/$name" "$T/twelve" "$out") || arguments=("$T/twelve" "$T/twelve/$name")
        refuses "$option $name among the tiles" 2 "answer.png': all files in folder '$T/twelve' are read as tiles, the next time this one too; name another folder" \
            "$unscramble" "${arguments[@]}"
    done
done
refuses 'snapshots among the tiles' 2 "twelve/.': all files in folder '$T/twelve' are read as tiles" \
    "$unscramble" --save-stages "$T/twelve/." "$T/twelve" "$out"
refuses 'the folder of the tiles for snapshots' 2 "twelve': all files in folder '$T/twelve' are read as tiles" \
    sh -c 'cd "$1/.." && "$2" --save-stages twelve "$1" "$3"' - "$T/twelve" "$(realpath "$unscramble")" "$out"
refuses 'an output in the current folder, which is read' 2 "cannot write 'x.png': all files in folder '.' are read" \
    sh -c 'cd "$1" && "$2" . x.png' - "$T/twelve" "$(realpath "$unscramble")"
mkdir "$T/twelve/within"
ok 'a folder within that of the tiles' "$unscramble" -q -g 4x3 "$T/twelve" "$T/twelve/within/x.png"
rm -r "$T/twelve/within"
"$scramble" -g 3x3 --loose "$T/nine" $photo
refuses '--apply of an order of more tiles' 1 "permutation '.*order' has a tile (9|10|11), but the 9 tiles are numbered from 0; name the permutation of these" \
    "$unscramble" --apply "$T/order" "$T/nine" "$out"
refuses 'a permutation that is read' 2 'it is the file that is read' "$unscramble" --permutation "$T/twelve/tile-03.png" "$T/twelve" "$out"
ln "$T/twelve/tile-04.png" "$T/hard.png"
refuses 'an output that is read, by a hard link' 2 'it is the file that is read' "$unscramble" "$T/twelve" "$T/hard.png"
refuses 'a list of tiles without an output' 2 "tile-11.png' is there and looks like one of the tiles; name the OUTPUT last" \
    "$unscramble" -g 11x1 "$T"/twelve/*
cp "$T/twelve/tile-00.png" "$T/as-a-tile.png"
ok 'an output as large as a tile, of a folder, is replaced' "$unscramble" -r cpu -q "$T/twelve" "$T/as-a-tile.png"
refuses 'scramble: a folder that is not empty' 1 "cannot make folder '.*twelve': it is there and not empty" "$scramble" --loose "$T/twelve" $photo
refuses 'scramble: a file' 1 "cannot make folder '.*hard.png': Not a directory" "$scramble" --loose "$T/hard.png" $photo
refuses 'scramble: in no folder' 1 "cannot make folder '.*none/x': No such file" "$scramble" --loose "$T/none/x" $photo
refuses 'scramble: an output too' 1 'cannot open|cannot read' "$scramble" --tile 9x9 --loose "$T/x" $photo "$out"
refuses 'scramble: standard output is no folder' 1 "cannot make folder '-': standard output takes no folder; name another" "$scramble" --loose - "$T/none.png"
refuses 'scramble: a folder without a name' 1 "cannot make folder '': No such file or directory; name another" "$scramble" --loose= "$T/none.png"
mkdir "$T/current"
refuses 'scramble: the current folder' 1 "cannot make folder '.': it is the current one; name another" \
    sh -c 'cd "$2" && exec "$1" --loose . ../none.png' - "$(realpath "$scramble")" "$T/current"
ln -s empty "$T/link"
refuses 'scramble: a link' 1 "cannot make folder '.*link': it is a link; name another" "$scramble" --loose "$T/link" "$T/none.png"
refuses 'scramble: no format' 2 "unknown image format 'abc'; use one of png" "$scramble" --loose "$T/new" --format abc "$T/none.png"
printf 'P5\n40 40\n65535\n' >"$T/deep.pgm"
head -c 3200 /dev/zero >>"$T/deep.pgm"
refuses 'scramble: a format that cannot hold the tiles' 1 "cannot write '.*/new/tile-0.jpeg': jpeg cannot hold 20 x 20 pixels of 16-bit gray; use one of png" \
    "$scramble" --loose "$T/new/" -g 2x2 --format jpeg "$T/deep.pgm"
refuses 'scramble: a tile that is too large' 1 "cannot write '.*/new/tile-0.ppm': File too large" \
    bash -c 'ulimit -f 20; exec "$@"' - "$scramble" --loose "$T/new" --format ppm $photo
ok 'scramble: into an empty folder, with a slash' "$scramble" --loose "$T/empty/" --format ppm $photo
is 'scramble: --format' "$(ls "$T/empty" | head -n 1)" tile-0.ppm
is 'scramble: stopped by Ctrl-C' "$(stopped INT '/cut|save/' "$scramble" --progress always -g 900x900 --loose "$T/stopped" $photo)" 'signal 2'
ok 'then nothing is left' [ ! -e "$T/stopped" -a -z "$(find "$T" -name '.tessera*')" ]

plan
