#!/usr/bin/env bash
# --memory of the puzzles' tools: with so little that every image is a scratch file, all that is
# written has the same bytes, nothing stays in the folder of these files, and a folder that cannot
# hold them is told of.
. "$(dirname "$0")/tap.lib"

sample=images/samples/papyrus.png
mkdir "$T/scratch"
export TMPDIR=$T/scratch
image() { perl tests/cli/image.pl make "$@"; }

# made TOOL [ARGUMENTS]: the tool writes the same files into a folder, for which OUT stands, with a
# byte of memory and, without a folder for scratch files, with enough. A report has the command and
# times.
made() {
    set -- "${@//OUT/$T\/made}"
    rm -rf "$T/enough" "$T/byte"
    mkdir "$T/made" &&
        TMPDIR=/nowhere "$1" --memory 1G "${@:2}" && mv "$T/made" "$T/enough" &&
        mkdir "$T/made" &&
        "$1" --memory 1 "${@:2}" && mv "$T/made" "$T/byte" &&
        find "$T/enough" "$T/byte" -name '*.html' -exec sed -i -E 's/"--memory","[^"]*",|"[a-z]*_s":[^,]*,//g' {} + &&
        [ "$(ls "$T/enough")" ] && diff -r "$T/enough" "$T/byte" && [ -z "$(ls -A "$T/scratch")" ]
}

# Every format that is read and written, in all depths and channels, and of odd sizes.
for kind in gray8 gray16 gray-alpha8 gray-alpha16 rgb8 rgb16 rgba8 rgba16 palette8 rgb8-interlaced; do
    image $kind 37 29 >"$T/$kind.png"
    ok "scramble, PNG, $kind" made "$scramble" -g 3x2 "$T/$kind.png" OUT/a.png
    ok "scramble, PNG to TIFF, $kind" made "$scramble" -g 3x2 "$T/$kind.png" OUT/a.tif
    "$scramble" -g 1x1 "$T/$kind.png" "$T/$kind.tif"
    ok "scramble, TIFF, $kind" made "$scramble" -g 3x2 "$T/$kind.tif" OUT/a.tif
done
image rgb16 1 1 >"$T/dot.png"
ok 'an image of one pixel' made "$scramble" -g 1x1 "$T/dot.png" OUT/a.tif
for extension in ppm bmp tga jpg dzi webp jxl avif; do
    if "$scramble" -g 1x1 "$sample" "$T/in.$extension" 2>/dev/null; then
        ok "$extension" made "$scramble" -g 3x3 "$T/in.$extension" "OUT/a.$extension"
    else
        skip "$extension" 'the build lacks it'
    fi
done
ok 'noise, erosion, several images' made "$scramble" --tile 20x20 --erode 1 --noise 5 \
    "$sample" "$T/rgb8.png" OUT/a.png
ok 'loose tiles' made "$scramble" -g 3x3 --loose OUT/tiles "$sample"

# Every way to solve.
"$scramble" -g 4x3 --seed 4 --permutation "$T/order" "$sample" "$T/twelve.png"
"$scramble" --tile 45x45 --seed 4 "$sample" "$T/many.tif"
"$scramble" --tile 45x45 --rotate --seed 4 "$sample" "$T/turned.png"
"$scramble" --tile 45x45 --seed 4 --loose "$T/tiles" "$sample"
ok 'unscramble, the grid found' made "$unscramble" "$T/twelve.png" OUT/a.png
ok 'unscramble, classic' made "$unscramble" --method classic -g 4x3 --save-stages OUT/stages "$T/twelve.png" OUT/a.png
ok 'unscramble --apply' made "$unscramble" --apply "$T/order" "$T/twelve.png" OUT/a.tif
ok 'unscramble, many tiles' made "$unscramble" --tile 45x45 --report OUT/report.html --confidence OUT/sure.png \
    --animate OUT/film.y4m --permutation OUT/order --save-stages OUT/stages "$T/many.tif" OUT/a.tif
ok 'unscramble, turned tiles' made "$unscramble" --tile 45x45 --rotate "$T/turned.png" OUT/a.png
ok 'unscramble, loose tiles' made "$unscramble" "$T/tiles" OUT/a.png
pipes() {
    "$scramble" --memory 1 --format tiff "$T/rgb16.tif" "$T/x.tif" && cat "$T/x.tif" | "$unscramble" --memory 1 -g 3x3 - "$T/piped.png" &&
        "$unscramble" -g 3x3 "$T/x.tif" "$T/named.png" && cmp "$T/piped.png" "$T/named.png"
}
ok 'a TIFF from a pipe' pipes
ok 'memory enough: no file' env TMPDIR=/nowhere "$scramble" --memory 64M "$sample" "$T/a.png"

# An image of 96 MB, with 85 MB for all that is no file; sanitizers need more by themselves.
perl -e '$r = pack "n*", map { $_ * 7919 % 65536 } 1 .. 15000; print "P6\n4000 3000\n65535\n"; print substr $r, 2 * $_, 24000 for 0 .. 2999' >"$T/large.ppm"
memory=85000
limited() {
    OMP_NUM_THREADS=1 bash -c "ulimit -d $memory;"' exec "$@"' - "$1" -r cpu -j 1 "${@:2}"
}
limited "$scramble" --version >"$top/stdout" 2>&1 || memory=unlimited
if [ $memory = unlimited ]; then
    skip 'an image larger than memory, without --memory' 'built with sanitizers'
else
    refuses 'an image larger than memory, without --memory' 1 'not enough memory for 96000000 bytes' \
        limited "$scramble" -g 5x4 "$T/large.ppm" "$T/out.tif"
fi
ok 'scramble, an image larger than memory' limited "$scramble" --memory 32M -g 5x4 --permutation "$T/order" "$T/large.ppm" "$T/out.tif"
ok 'unscramble --apply, an image larger than memory' limited "$unscramble" --memory 32M --apply "$T/order" "$T/out.tif" "$T/back.ppm"
ok 'and its pixels are back' cmp "$T/large.ppm" "$T/back.ppm"
rm -f "$T"/large.ppm "$T"/back.ppm "$T/out.tif"

# Where a scratch file cannot be, or has no room.
out=$T/out.png
refuses 'no folder' 1 "cannot make a scratch file of [0-9]+ bytes in '/nowhere': No such file or directory; name another folder in TMPDIR, or allow more memory" \
    env TMPDIR=/nowhere "$scramble" --memory 1K "$sample" "$out"
refuses 'no room' 1 'cannot make a scratch file of 3240000 bytes in .*: File too large' \
    bash -c 'trap "" XFSZ; ulimit -f 64; exec "$@"' - "$scramble" --memory 1K "$sample" "$out"
refuses 'no room for the result' 1 'cannot make a scratch file' env TMPDIR=/nowhere "$unscramble" --memory 1M -g 3x3 "$sample" "$out"
for value in '' 0 -1 1T K 1.5G; do
    refuses "--memory '$value'" 2 "bad --memory '.*': write bytes, as in 268435456 or 256M" "$scramble" --memory "$value" "$sample" "$out"
done

long=(--search exhaustive -g 12x1 -j 1 -r cpu)
is 'Ctrl-C: death by it' "$(stopped INT '/%.*: search/' "$unscramble" --memory 1 --progress always "${long[@]}" $sample "$out")" 'signal 2'
is 'Ctrl-C: no stray file' "$(ls -A "$T/scratch")$(ls "$out" 2>/dev/null)" ''
plan
