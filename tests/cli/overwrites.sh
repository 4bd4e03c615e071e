#!/usr/bin/env bash
# No file that a command reads is written by it, whatever option writes and however the path is spelled;
# OUTPUT of unscramble and scramble alone may be INPUT.
. "$(dirname "$0")/tap.lib"
. tests/cli/stages.lib
circles=$BUILD/circles bezier=$BUILD/bezier

perl -e 'srand 5; print "P6\n40 30\n255\n", map { $x = $_ / 3 % 40; $y = int($_ / 120);
    chr((3 * $x + 4 * $y + 20 * ($_ % 3) + rand 9) & 255) } 0 .. 3599' >"$T/small.ppm"
"$scramble" -j 1 -g 2x2 --permutation "$T/order" "$T/small.ppm" "$T/in.png"
printf 'x,y,r,red,green,blue\n.5,.5,.3,1,0,0\n' >"$T/scene.csv"
cp scenes/samples/wave.bv "$T/model.bv"

# spell FILE: makes the same file known by other paths, and prints them all.
mkdir "$T/other"
ln -s "$T" "$T/linked"
spell() {
    local name=${1##*/}
    ln -f "$1" "$T/other/hard-$name"
    ln -sf "../$name" "$T/other/soft-$name"
    echo "$1" "$T/./$name" "$T/other/../$name" "$T/linked/$name" "$T/other/hard-$name" "$T/other/soft-$name"
}

# kept NAME FILE COMMAND...: the command, with @ for each spelling of the file, is refused for it.
kept() {
    local name=$1 file=$2 before path failed=
    shift 2
    before=$(cksum <"$file")
    for path in $(spell "$file"); do
        "${@//@/$path}" >"$top/stdout" 2>"$top/stderr" </dev/null
        [ $? = 2 ] && grep -q "it is the file that is read; name another" "$top/stderr" || failed+=" exit:$path"
        [ "$(cksum <"$file")" = "$before" ] || { failed+=" written:$path"; break; }
        cmp -s "$file" "$T/other/hard-${file##*/}" || failed+=" hard:$path"
    done
    is "$name" "$failed" ''
}

for option in --json --permutation --confidence --report; do
    kept "unscramble: INPUT is $option" "$T/in.png" "$unscramble" -g 2x2 $option=@ "$T/in.png" "$T/x.png"
    kept "unscramble: --truth is $option" "$T/order" "$unscramble" -g 2x2 --truth "$T/order" $option=@ "$T/in.png" "$T/x.png"
done
kept 'unscramble: --truth is OUTPUT' "$T/order" "$unscramble" --format png --truth "$T/order" "$T/in.png" @
kept 'unscramble: --apply is OUTPUT' "$T/order" "$unscramble" --format png --apply "$T/order" "$T/in.png" @
for option in --json --permutation; do
    kept "unscramble: --apply is $option" "$T/order" "$unscramble" --apply "$T/order" $option=@ "$T/in.png" "$T/x.png"
    kept "scramble: INPUT is $option" "$T/in.png" "$scramble" $option=@ "$T/in.png" "$T/x.png"
    kept "scramble: the second INPUT is $option" "$T/in.png" "$scramble" --tile 10x10 $option=@ "$T/small.ppm" "$T/in.png" "$T/x.png"
done
for option in --json --save-scene; do
    cp "$T/scene.csv" "$T/copy.csv"
    kept "circles: SCENE is $option" "$T/scene.csv" "$circles" -s 9 $option=@ "$T/scene.csv" "$T/x.png"
done
# A file of several pages would be left with one.
gm convert "$T/small.ppm" "$T/in.png" "$T/pages.tif"
kept 'unscramble: a page of INPUT is OUTPUT' "$T/pages.tif" "$unscramble" -g 2x2 "$T/pages.tif[1]" @
kept 'scramble: a page of INPUT is OUTPUT' "$T/pages.tif" "$scramble" -g 2x2 "$T/pages.tif[1]" @
"$scramble" -g 1x1 "$T/pages.tif[1]" "$T/page.ppm" && "$scramble" -g 1x1 "$T/in.png" "$T/image.ppm"
cmp -s "$T/page.ppm" "$T/image.ppm"
is 'unscramble: a page that is named is read' $? 0

kept 'circles: SCENE is OUTPUT' "$T/scene.csv" "$circles" -s 9 --format png "$T/scene.csv" @
kept 'bezier: INPUT is --json' "$T/model.bv" "$bezier" -n 3 --json=@ "$T/model.bv" "$T/x.obj"
kept 'bezier: INPUT is OUTPUT' "$T/model.bv" "$bezier" -n 3 -s 9 --format png "$T/model.bv" @

# Images of stages and frames, of which many go to one folder.
mkdir "$T/stages"
"$unscramble" -j 1 -g 2x2 --json "$T/run.json" "$T/in.png" "$T/x.png"
ran=$(stages_of "$T/run.json")
for name in $(snapshots "$ran" $ran); do
    cp "$T/in.png" "$T/stages/$name"
done
gray=$(snapshots "$ran" costs)
before=$(cksum "$T"/stages/*)
"$unscramble" -j 1 -g 2x2 --save-stages "$T/linked/stages" "$T/stages/$gray" "$T/x.png" 2>"$top/stderr"
is 'unscramble: INPUT is the image of a stage' "$? $(grep -c 'the file that is read' "$top/stderr")" '2 1'
is 'unscramble: and is as it was' "$(cksum "$T"/stages/*)" "$before"
cp "$T/model.bv" "$T/m-0007.bv"
ln "$T/m-0007.bv" "$T/f-0003.png"
kept 'bezier: INPUT is a frame' "$T/m-0007.bv" "$bezier" -n 3 -s 9 --format png --animate turn --frames 5:9 @ "$T/m.bv"
refuses 'bezier: a hard link to INPUT is a frame' 2 "'.*f-0003.png': it is the file that is read" \
    "$bezier" -n 3 -s 9 --animate turn --frames 0:9 "$T/m-0007.bv" "$T/f.png"
cp "$T/in.png" "$T/in-0007.png"
kept 'unscramble: INPUT is an image of --animate' "$T/in-0007.png" "$unscramble" -g 2x2 --animate "$T/in.png" @ "$T/x.png"
refuses 'an OUTPUT is the image of a stage' 2 'two outputs' "$unscramble" -g 2x2 --save-stages "$T/stages" "$T/in.png" "$T/stages/$gray"
rm "$T"/m-0007.bv "$T"/f-0003.png "$T"/in-0007.png

: >"$T/q-0001.png"
ln -s q-0001.png "$T/q-0003.png"

# What standard input and output were redirected to.
before=$(cksum <"$T/in.png")
"$unscramble" -j 1 -g 2x2 --json "$T/in.png" - "$T/x.png" <"$T/in.png" 2>/dev/null
is 'standard input is the file of --json' "$? $(cksum <"$T/in.png")" "2 $before"
"$unscramble" -j 1 -g 2x2 --json - "$T/in.png" "$T/x.png" >>"$T/in.png" 2>/dev/null
is 'standard output is INPUT, and gets JSON' "$? $(cksum <"$T/in.png")" "2 $before"
"$scramble" -j 1 -g 2x2 --format png "$T/in.png" - >>"$T/in.png" 2>/dev/null
is 'standard output is INPUT, and the image is added' "$? $(cksum <"$T/in.png")" "2 $before"
"$scramble" -j 1 -g 2x2 --format png - - <"$T/in.png" >>"$T/in.png" 2>/dev/null
is 'the same file is both standard streams' "$? $(cksum <"$T/in.png")" "2 $before"
"$unscramble" -j 1 -g 2x2 --truth "$T/order" "$T/in.png" "$T/x.png" >>"$T/in.png" 2>/dev/null
is 'standard output is INPUT, and gets the score' "$? $(cksum <"$T/in.png")" "2 $before"

"$unscramble" -j 1 -g 2x2 -v --truth "$T/order" "$T/in.png" "$T/x.png" 2>>"$T/order" >"$top/stdout"
is 'standard error is the truth, and gets nothing' "$? $(grep -c 'standard error goes to' "$top/stdout") $(grep -c unscramble "$T/order")" '2 1 0'
before=$(cksum <"$T/in.png")
"$scramble" -j 1 "$T/in.png" "$T/small.ppm" "$T/x.png" >"$top/stdout" 2>>"$T/in.png"
is 'standard error is an input of a wrong command' "$? $(grep -c 'one size' "$top/stdout") $(cksum <"$T/in.png")" "2 1 $before"
"$scramble" -j 1 "$T/in.png" "$T/small.ppm" "$T/x.png" >>"$T/in.png" 2>&1
is 'standard output and error are one' "$? $(cksum <"$T/in.png")" "2 $before"
"$unscramble" -j 1 -g 2x2 "$T/in.png" "$T/x.png" >>"$T/in.png" 2>&1
is 'standard output and error are INPUT' "$? $(cksum <"$T/in.png")" "2 $before"
refuses 'two frames that are one file by a link' 2 'two frames of .* lead to the same file' "$circles" -s 8 --frames 0:4 hypnosis "$T/q.png"
"$scramble" -j 1 -g 2x2 --permutation "$T/order" "$T/small.ppm" "$T/in.png"

# OUTPUT may be INPUT of unscramble and scramble: it is whole when it is replaced.
for path in $(spell "$T/in.png"); do
    cp "$T/in.png" "$T/kept.png"
    "$unscramble" -j 1 -g 2x2 "$T/in.png" "$T/wanted.png"
    "$unscramble" -j 1 -g 2x2 "$T/in.png" "$path" && cmp -s "$path" "$T/wanted.png"
    is "unscramble: OUTPUT is INPUT, as ${path#"$T"/}" $? 0
    cp "$T/kept.png" "$T/in.png"
done
"$scramble" -j 1 -g 2x2 "$T/in.png" "$T/wanted.png"
"$scramble" -j 1 -g 2x2 "$T/in.png" "$T/in.png"
ok 'scramble: OUTPUT is INPUT' cmp "$T/in.png" "$T/wanted.png"
cp "$T/in.png" "$T/in-1.png"
"$unscramble" -q -j 1 -g 2x2 "$T/in.png" "$T/deep.dzi"
tile=$(find "$T/deep_files" -name 0_0.png | sort | head -n 1)
refuses 'INPUT is a tile of the output' 2 'lies in the folder of tiles' "$unscramble" -g 2x2 "$tile" "$T/deep.dzi"
refuses 'an output is a tile of another' 2 'lies in the folder of tiles' "$unscramble" -g 2x2 --json "$tile" "$T/in.png" "$T/deep.dzi"
refuses 'an output would be beside the tiles of another' 2 'lies in the folder of tiles' "$unscramble" -g 2x2 --json "${tile%/*}/new" "$T/in.png" "$T/deep.dzi"
"$scramble" -q -g 1x1 "$T/in.png" "$T/one.dzi"
"$scramble" -q -g 1x1 "$T/in.png" "$T/two.dzi"
refuses 'an output is a tile of a loose tile' 2 'meets the tiles of' "$unscramble" -g 2x1 "$T/one.dzi" "$T/two.dzi" "$(find "$T/one_files" -name '*.png' | head -1)"
refuses '--json gets the name of the folder of tiles, still to be made' 2 'lies in the folder of tiles' "$scramble" -g 2x2 --json "$T/fresh_files" "$T/in.png" "$T/fresh.dzi"
refuses '--trace gets it by another path' 2 'lies in the folder of tiles' "$circles" -s 9 --trace "$T/linked/fresh_files" rgb "$T/fresh.dzi"
mkdir "$T/below"
"$circles" -q -s 9 rgb "$T/below/real.dzi"
ln -s below/real.dzi "$T/alias.dzi"
refuses 'the page of --viewer, beside what a link leads to, is --json' 2 'two outputs' "$circles" -s 9 --viewer --json "$T/below/real.html" rgb "$T/alias.dzi"
ln -s deep.dzi "$T/link.dzi"
refuses 'INPUT is a tile of the output, by a link' 2 'lies in the folder of tiles' "$unscramble" -g 2x2 "$tile" "$T/link.dzi"

# The tiles of a DeepZoom image are read, too.
tile=$(find "$T/deep_files" -name 0_0.png | sort -V | tail -n 1)
cp "$T/deep.dzi" "$T/deep.xml"
ln "$tile" "$T/hard.png"
ln -s "${tile#"$T"/}" "$T/soft.png"
cp "$T/hard.png" "$T/far.png"
mkdir "$T/apart_files" && cp -r "$T/deep_files"/* "$T/apart_files" && cp "$T/deep.dzi" "$T/apart.dzi"
ln -sf "$T/far.png" "$T/apart_files/${tile#"$T"/deep_files/}"
ln "$tile" "$T/f-0003.png"
for path in "$tile" "$T/linked/${tile#"$T"/}" "$T/hard.png" "$T/soft.png" "${tile%/*}/new.png" "$T/deep_files/new.png"; do
    refuses "OUTPUT meets tiles of INPUT: ${path#"$T"/}" 2 "meets the tiles of '.*deep.dzi', which are read" "$unscramble" -g 2x2 "$T/deep.dzi" "$path"
    refuses "--json meets tiles of INPUT: ${path#"$T"/}" 2 'meets the tiles of' "$scramble" -g 2x2 --json "$path" "$T/deep.dzi" "$T/x.png"
done
refuses 'a tile of INPUT is a link to OUTPUT' 2 'meets the tiles of' "$scramble" -g 2x2 "$T/apart.dzi" "$T/far.png"
refuses 'a frame is a tile of INPUT' 2 'meets the tiles of' "$unscramble" -g 2x2 --animate "$T/f.png" "$T/deep.dzi" "$T/x.png"
refuses 'frames would be beside tiles of INPUT' 2 'meets the tiles of' "$unscramble" -g 2x2 --animate "$T/deep_files/f.png" "$T/deep.dzi" "$T/x.png"
refuses 'loose tiles would be beside tiles of INPUT' 2 "cannot write '.*/deep_files/new': it meets the tiles of" \
    "$scramble" -g 2x2 --loose "$T/deep_files/new" "$T/deep.dzi"
mkdir "$T/empty"
for option in --json --permutation; do
    refuses "loose tiles and $option to one path" 2 'two outputs cannot both go to .*/new' "$scramble" -g 2x2 --loose "$T/new" $option="$T/new" "$T/in.png"
    refuses "$option in the folder of loose tiles" 2 "'.*/empty/x' lies in the folder of tiles '.*/empty'" \
        "$scramble" -g 2x2 --loose "$T/empty" $option="$T/empty/x" "$T/in.png"
done
for folder in new empty; do
    refuses "loose tiles and snapshots in one folder: $folder" 2 'both go to|lies in the folder' \
        "$scramble" -g 2x2 --loose "$T/$folder" --save-stages "$T/$folder" "$T/in.png"
done
rmdir "$T/empty"
ok 'the folders are not made' [ ! -e "$T/new" ]
refuses 'OUTPUT has the tiles of another INPUT' 2 'meets the tiles of' "$unscramble" -g 2x2 "$T/deep.xml" "$T/deep.dzi"
refuses 'OUTPUT has the tiles of INPUT, by its format' 2 'meets the tiles of' "$unscramble" -g 2x2 --format dzi "$T/deep.dzi" "$T/deep.out"
cp scenes/samples/tessera.svg "$T/scene.svg" && mkdir "$T/scene_files"
ok 'a folder beside another file is free' "$circles" -s 9 "$T/scene.svg" "$T/scene_files/x.png"
"$unscramble" -j 1 -g 2x2 "$T/deep.dzi" "$T/wanted.png"
ok 'unscramble: OUTPUT is INPUT, a DeepZoom image' "$unscramble" -j 1 -g 2x2 "$T/deep.dzi" "$T/deep.dzi"
"$scramble" -g 1x1 "$T/deep.dzi" "$T/got.png"
ok 'unscramble: and then holds the result' cmp "$T/got.png" "$T/wanted.png"
refuses 'one of several outputs is INPUT' 2 'the file that is read' "$unscramble" --mixed 2 "$T/in-1.png" "$T/in.png"
plan
