#!/usr/bin/env bash
# Images that come through pipes: the same bytes as from files, and what is no image is refused as soon
# as that shows, with little memory.
. "$(dirname "$0")/tap.lib"

# As the end of a pipe that is written by SHELL: from_pipe SHELL COMMAND...
from_pipe() { bash -c "exec 0< <($1); "'exec "$@"' bash "${@:2}"; }

# A TIFF that is longer than two of the parts that a pipe is kept in, since noise does not shrink.
perl -e 'srand 1; print "P6\n2400 2400\n65535\n"; print pack "n*", map { int rand 65536 } 1 .. 7200 for 1 .. 2400' >"$T/noise.ppm"
"$scramble" -q -r cpu -g 1x1 "$T/noise.ppm" "$T/noise.tif"
ok 'a large TIFF is one' [ "$(stat -c %s "$T/noise.tif")" -gt 33554432 ]
for memory in 1G 1; do
    ok "a large TIFF through a pipe, --memory $memory" \
        from_pipe "cat $T/noise.tif" "$scramble" -q -r cpu -g 1x1 --memory $memory - "$T/piped.ppm"
    ok "its pixels are those of the file, --memory $memory" cmp "$T/noise.ppm" "$T/piped.ppm"
done
ok 'whoever writes a TIFF can write all of it' bash -o pipefail -c "{ cat $T/noise.tif; printf '%1000000s' end; } | $scramble -q -r cpu -g 1x1 - $T/piped.ppm"
mkfifo "$T/pipe"
cat "$T/noise.tif" >"$T/pipe" &
ok 'a large TIFF through a named pipe' "$scramble" -q -r cpu -g 1x1 "$T/pipe" "$T/piped.ppm"
wait
ok 'its pixels are those of the file' cmp "$T/noise.ppm" "$T/piped.ppm"
rm -f "$T"/noise.* "$T/pipe" "$T/piped.ppm"

# Metadata, which stand behind the pixels, come through a pipe as well; what is refused is refused.
for seed in tests/fuzz/seeds/*.{tif,webp,jxl,avif}; do
    "$scramble" -q -r cpu -g 1x1 "$seed" "$T/file.png" 2>"$T/file.error"
    from_pipe "cat $seed" "$scramble" -q -r cpu -g 1x1 - "$T/piped.png" 2>"$T/piped.error"
    ok "${seed##*/}: the same through a pipe" cmp "$T/file.png" "$T/piped.png"
    is "${seed##*/}: and the same is said" "$(sed "s|'[^']*'|-|" "$T/piped.error")" "$(sed "s|'[^']*'|-|" "$T/file.error")"
done
"$scramble" -q -g 1x1 images/samples/papyrus.png "$T/some.tif"
refuses 'a page that a TIFF does not have' 1 "cannot read '/dev/stdin\[7\]': it has the pages \[0\] to \[2\] only" \
    from_pipe "cat $T/some.tif" "$scramble" -g 1x1 '/dev/stdin[7]' "$T/out.png"
ok 'a page of a TIFF' from_pipe "cat $T/some.tif" "$scramble" -q -g 1x1 '/dev/stdin[1]' "$T/piped.png"
"$scramble" -q -g 1x1 "$T/some.tif[1]" "$T/file.png"
ok 'is that of the file' cmp "$T/file.png" "$T/piped.png"

# limited COMMAND...: with 150 MB for all that is no file; sanitizers need more by themselves. libjxl may
# print lines of its own, as 0.7 of Debian 12 does.
data=150000
limited() {
    { OMP_NUM_THREADS=1 bash -c "ulimit -d $data;"' exec "$@"' - "$@" 2>&1 >&3 | grep -av -e '^\./lib/jxl/' -e '^$' >&2; } 3>&1
    return "${PIPESTATUS[0]}"
}
limited "$scramble" --version >"$top/stdout" 2>&1 || data=unlimited

# stream NAME BYTES REGEX [OPTIONS]: a stream that begins so and goes on with zeros without end is refused.
stream() {
    refuses "$1, without end" 1 "scramble: cannot read '-': $3" \
        limited bash -c "exec 0< <(printf '$2'; exec cat /dev/zero); "'exec "$@"' bash "$scramble" -r cpu -j 1 -g 2x2 "${@:4}" - "$T/out.png"
}
none='its header names no place where a directory can be'
far='its directory would begin beyond its end, or further than an image that is allowed has one'
stream 'TIFF whose directory is nowhere' 'II*\0' "$none"
stream 'TIFF whose directory is in its header' 'MM\0*\0\0\0\007' "$none"
stream 'BigTIFF whose directory is nowhere' 'II+\0\010\0\0\0' "$none"
stream 'BigTIFF whose directory is in its header' 'MM\0+\0\010\0\0\0\0\0\0\0\0\0\010' "$none"
stream 'BigTIFF whose directory is too far away' 'MM\0+\0\010\0\0\0\017\0\0\0\0\0\0' "$far"
stream 'TIFF whose directory is empty' 'II*\0\010\0\0\0' '.*directory.*'
stream 'TIFF whose directory is some way off' 'II*\0\0\0\0\002' '.*directory.*'
refuses 'TIFF that is cut short' 1 "cannot read '-': the file is cut short" \
    from_pipe "printf 'II*\0\010'" "$scramble" -g 2x2 - "$T/out.png"
printf 'II*\0\0\0\0\0' >"$T/in.tif"
refuses 'a file whose directory is nowhere' 1 "cannot read '.*in.tif': $none" "$scramble" -g 2x2 "$T/in.tif" "$T/out.png"
stream 'TIFF that goes on behind its image' "'; cat $T/some.tif; printf '" \
    'the file is longer than an image that is allowed; raise max-pixels' --max-pixels 10000000

# piped FORMAT: a file that comes in several pieces, and with something behind it.
piped() {
    "$scramble" -q -r cpu -g 1x1 images/samples/papyrus.png "$T/some.$1"
    "$scramble" -q -r cpu -g 1x1 "$T/some.$1" "$T/file.png"
    ok "$1 through a pipe" from_pipe "cat $T/some.$1" "$scramble" -q -r cpu -g 1x1 - "$T/piped.png"
    ok "$1 has the pixels of the file" cmp "$T/file.png" "$T/piped.png"
    ok "whoever writes $1 can write all of it" bash -o pipefail -c "{ cat $T/some.$1; printf '%1000000s' end; } | $scramble -q -r cpu -g 1x1 - $T/piped.png"
    ok "$1 has the same pixels then" cmp "$T/file.png" "$T/piped.png"
    stream "$1 that goes on behind its image" "'; cat $T/some.$1; printf '" \
        'the file is longer than an image that is allowed; raise max-pixels' --max-pixels 10000000
}

# WebP, which this build may lack. Of an animation one frame is kept.
if "$scramble" --version | grep -q '^with: .*libwebp'; then
    small='WEBPVP8X\012\0\0\0\0\0\0\0\01\0\0\01\0\0' moving='WEBPVP8X\012\0\0\0\02\0\0\0\01\0\0\01\0\0'
    damaged='the WebP is damaged or cut short'
    stream 'WebP with nothing in it' 'RIFF\0\0\0\160WEBP' "$damaged"
    stream 'WebP that is no image' 'RIFF\0\0\0\160WEBPVP8L' "$damaged"
    stream 'WebP without an image' "RIFF\0\0\0\160$small" "$damaged"
    stream 'WebP without frames' "RIFF\0\0\0\160$moving" "$damaged"
    stream 'WebP with much else' "RIFF\0\0\0\060${small}else\0\0\0\020" "$damaged"
    stream 'WebP with a profile that is too long' "RIFF\0\0\0\160${small}ICCP\0\0\0\150" 'it is longer than its image can be'
    stream 'WebP with a frame that is too long' "RIFF\0\0\0\160${moving}ANMF\0\0\0\150" 'it is longer than its image can be'
    stream 'WebP whose image is too large' 'RIFF\0\0\0\160WEBPVP8X\012\0\0\0\0\0\0\0\377\177\0\377\177\0' '32768 x 32768 pixels are more than 536870912; raise max-pixels'
    "$BUILD/circles" -q -r cpu -s 300 --frames 20:31 newyear "$T/film.webp"
    ok 'an animated WebP through a pipe' from_pipe "cat $T/film.webp" "$scramble" -q -r cpu -g 1x1 - "$T/piped.png"
    "$BUILD/circles" -q -r cpu -s 300 --frames 20:20 newyear "$T/first.webp"
    "$scramble" -q -r cpu -g 1x1 "$T/first.webp" "$T/file.png"
    ok 'its pixels are those of its first frame' cmp "$T/file.png" "$T/piped.png"
    piped webp
else
    skip 'WebP through a pipe' 'this build lacks libwebp'
fi

# JPEG XL, likewise: as a codestream, and in boxes, whose contents may stand behind a header of any size.
if "$scramble" --version | grep -q '^with: .*libjxl'; then
    damaged='the JPEG XL is damaged or cut short' boxes='\0\0\0\014JXL \r\n\207\n\0\0\0\024ftypjxl \0\0\0\0jxl '
    piped jxl
    stream 'JPEG XL with nothing in it' '\377\012' "$damaged"
    stream 'JPEG XL that is damaged' "'; head -c 100000 $T/some.jxl; printf '" "$damaged"
    stream 'JPEG XL without boxes' '\0\0\0\014JXL \r\n\207\n' "$damaged"
    stream 'JPEG XL without a codestream' "$boxes\0\0\0\010jxlc" "$damaged"
    stream 'JPEG XL whose codestream is empty' "$boxes\0\0\0\0jxlc" "$damaged"
    stream 'JPEG XL with much else' "$boxes\0\0\0\001else\0\0\0\100\0\0\0\0" 'it is longer than its image can be'
    stream 'JPEG XL with metadata without end' "$boxes\0\0\0\0Exif" 'its metadata takes more memory than there is or is allowed'
    stream 'JPEG XL whose image is too large' '\377\012\374\341\044\001' '40000 x 40000 pixels are more than 536870912; raise max-pixels'
else
    skip 'JPEG XL through a pipe' 'this build lacks libjxl'
fi

# AVIF, likewise. Its images may stand before the box that tells where they are, or go on to the end.
if "$scramble" --version | grep -q '^with: .*libavif'; then
    begin='\0\0\0\034ftypavif\0\0\0\0avifmif1miaf' long='it is longer than its image can be'
    damaged='the AVIF is damaged or cut short: a box has no size'
    # altered NAME PERL: the file with its images at $at, where the box of metadata says so in $place.
    altered() {
        perl -0777 -ne '($head, $meta, $images) = /^(.{32})(.*?)(....mdat.*)$/s; $at = 40 + length $meta;
            $place = pack "NN", $at, length($images) - 8;'"$2" "$T/some.avif" >"$T/$1"
    }
    piped avif
    altered front.avif '$meta =~ s/\Q$place/pack "NN", 40, length($images) - 8/e; print $head, $images, $meta'
    altered end.avif '$images =~ s/^..../\0\0\0\0/s; print $head, $meta, $images'
    for name in front end; do
        for from in "$T/$name.avif" -; do
            ok "AVIF, images at the $name, $from" from_pipe "cat $T/$name.avif" "$scramble" -q -r cpu -g 1x1 "$from" "$T/piped.png"
            ok 'has the same pixels' cmp "$T/file.png" "$T/piped.png"
        done
    done
    altered long '$meta =~ s/\Q$place/pack "NN", $at, 1 << 30/e; $images =~ s/^..../\177\0\0\0/s; print $head, $meta, $images'
    altered far '$meta =~ s/\Q$place/pack "NN", 1 << 31, 100/e; print $head, $meta, $images'
    stream 'AVIF with nothing in it' "$begin" "$damaged"
    stream 'AVIF whose name has no size' '\0\0\0\0ftypavif' "$damaged"
    stream 'AVIF whose name is too long' '\100\0\0\0ftypavif' "$long"
    stream 'AVIF with metadata that are too long' "$begin\020\0\0\0meta" "$long"
    stream 'AVIF with much else' "$begin\0\0\0\001else\0\0\0\001\0\0\0\0" "$long"
    stream 'AVIF with images that are too long' "$begin\0\0\0\001mdat\0\0\001\0\0\0\0\0" 'the AVIF is damaged or cut short: .*'
    stream 'AVIF with images but no metadata' "$begin\006\0\0\0mdat" "$damaged" --memory 1
    stream 'AVIF whose image is too long' "'; cat $T/long; printf '" "$long"
    stream 'AVIF whose image is behind all boxes' "'; cat $T/far; printf '" "$damaged"
else
    skip 'AVIF through a pipe' 'this build lacks libavif'
fi
plan
