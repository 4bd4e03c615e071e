#!/usr/bin/env bash
# Every image format that is read and written: pixels, depth, channels and alpha.
. "$(dirname "$0")/tap.lib"

image() { perl tests/cli/image.pl "$@"; }
convert() { "$scramble" -r cpu -g 1x1 "$@" </dev/null; } # copies the pixels unchanged

# shows FILE KIND: the PNG holds that image of image.pl, of 13 x 9 pixels.
shows() { diff <(image show "$1") <(image expect "$2" 13 9); }

KINDS='gray8 gray16 gray-alpha8 gray-alpha16 rgb8 rgb16 rgba8 rgba16'
for kind in $KINDS gray1 gray2 gray4 palette8 palette4-alpha rgb8-interlaced gray16-interlaced; do
    image make $kind 13 9 >"$T/$kind.png"
    convert "$T/$kind.png" "$T/out.png"
    ok "PNG $kind" shows "$T/out.png" $kind
done

# Whether samples differ by a few steps at most.
close_images() {
    perl -e 'for (@ARGV) { open F, "<:raw", $_; local $/; push @p, <F> } exit 1 if length $p[0] != length $p[1];
        for (0 .. length($p[0]) - 1) { exit 1 if abs(ord(substr $p[0], $_, 1) - ord(substr $p[1], $_, 1)) > 8 }' "$@"
}

# kept KIND EXTENSION [KIND]: the image survives a file of that format; the second kind is what it
# comes back as.
kept() {
    rm -f "$T/middle".* "$T/out.png"
    convert "$T/$1.png" "$T/middle.$2" && convert "$T/middle.$2" "$T/out.png" &&
        shows "$T/out.png" "${3:-$1}"
}
for kind in gray8 gray-alpha8 rgb8 rgba8; do
    ok "$kind through TGA" kept $kind tga
done
for kind in gray8 gray-alpha8 rgb8 rgba8 gray16 gray-alpha16 rgb16 rgba16; do
    ok "$kind through TIFF" kept $kind tif
done
# WebP, which this build may lack, stores gray as equal red, green and blue.
if "$scramble" --version | grep -q '^with: .*libwebp'; then
    for kind in rgb8 rgba8; do
        ok "$kind through WebP" kept $kind webp
    done
    for kind in gray8 gray-alpha8; do
        convert "$T/$kind.png" "$T/gray.webp" && convert "$T/gray.webp" "$T/gray.png"
        alpha=
        [ $kind = gray8 ] || alpha=' (\d+)'
        is "$kind through WebP: equal red, green and blue" "$(image show "$T/gray.png" | tail -n +2)" \
            "$(image show "$T/$kind.png" | tail -n +2 | perl -pe "s/(\\d+)$alpha/\$1 \$1 \$1${alpha:+ \$2}/g")"
    done
    convert "$T/rgb8.png" "$T/middle.webp"
    head -c -40 "$T/middle.webp" >"$T/cut.webp"
    refuses 'a WebP cut short' 1 "cannot read '.*cut.webp': the WebP is damaged or cut short" \
        "$scramble" "$T/cut.webp" "$T/refused.png"
    (printf 'P5 16384 1 255\n'; head -c 16384 /dev/zero) >"$T/wide.pgm"
    refuses 'webp cannot hold 16384 columns' 1 'webp cannot hold 16384 x 1 pixels of 8-bit gray; use one of .*' \
        "$scramble" -g 1x1 "$T/wide.pgm" "$T/refused.webp"
    if command -v dwebp >/dev/null; then
        dwebp -quiet -ppm "$T/middle.webp" -o "$T/theirs.ppm"
        convert "$T/rgb8.png" "$T/ours.ppm"
        ok 'dwebp reads our WebP' cmp "$T/theirs.ppm" "$T/ours.ppm"
        cwebp -quiet -q 70 "$T/ours.ppm" -o "$T/lossy.webp" && dwebp -quiet -ppm "$T/lossy.webp" -o "$T/theirs.ppm"
        convert "$T/lossy.webp" "$T/ours.ppm"
        ok 'a lossy WebP has the pixels that dwebp reads' cmp "$T/theirs.ppm" "$T/ours.ppm"
    else
        skip 'dwebp reads our WebP' 'webp is missing'
    fi
else
    printf 'RIFF\044\0\0\0WEBPVP8 ' >"$T/some.webp"
    refuses 'a WebP without libwebp' 1 "cannot read '.*some.webp': it is a file of the format webp, for which this build lacks libwebp; convert it to png" \
        "$scramble" "$T/some.webp" "$T/refused.png"
    refuses 'writing one' 1 "cannot write '.*refused.webp': this build lacks libwebp for the format webp; use one of .*" \
        "$scramble" "$T/rgb8.png" "$T/refused.webp"
fi
# JPEG XL, likewise.
if "$scramble" --version | grep -q '^with: .*libjxl'; then
    for kind in gray8 gray-alpha8 rgb8 rgba8 gray16 gray-alpha16 rgb16 rgba16; do
        ok "$kind through JPEG XL" kept $kind jxl
    done
    convert "$T/rgb8.png" "$T/middle.jxl"
    head -c -20 "$T/middle.jxl" >"$T/cut.jxl"
    refuses 'a JPEG XL cut short' 1 "cannot read '.*cut.jxl': the JPEG XL is damaged or cut short" \
        "$scramble" "$T/cut.jxl" "$T/refused.png"
    if command -v djxl >/dev/null; then
        djxl "$T/middle.jxl" "$T/theirs.ppm" 2>"$T/messages"
        convert "$T/rgb8.png" "$T/ours.ppm"
        ok 'djxl reads our JPEG XL' cmp "$T/theirs.ppm" "$T/ours.ppm"
        cjxl "$T/ours.ppm" "$T/lossy.jxl" -d 2 2>"$T/messages" && djxl "$T/lossy.jxl" "$T/theirs.ppm" 2>"$T/messages"
        convert "$T/lossy.jxl" "$T/ours.ppm"
        ok 'a lossy JPEG XL has the pixels that djxl reads' close_images "$T/theirs.ppm" "$T/ours.ppm"
    else
        skip 'djxl reads our JPEG XL' 'libjxl-tools is missing'
    fi
else
    printf '\377\012\0\0' >"$T/some.jxl"
    refuses 'a JPEG XL without libjxl' 1 "cannot read '.*some.jxl': it is a file of the format jxl, for which this build lacks libjxl; convert it to png" \
        "$scramble" "$T/some.jxl" "$T/refused.png"
fi
# AVIF, likewise.
if "$scramble" --version | grep -q '^with: .*libavif'; then
    for kind in gray8 gray-alpha8 rgb8 rgba8; do
        ok "$kind through AVIF" kept $kind avif
    done
    convert "$T/rgb8.png" "$T/middle.avif"
    head -c -20 "$T/middle.avif" >"$T/cut.avif"
    refuses 'an AVIF cut short' 1 "cannot read '.*cut.avif': the AVIF is damaged or cut short: .*" \
        "$scramble" "$T/cut.avif" "$T/refused.png"
    if command -v avifdec >/dev/null; then
        avifdec "$T/middle.avif" "$T/theirs.png" >"$T/messages" && convert "$T/theirs.png" "$T/theirs.ppm"
        convert "$T/rgb8.png" "$T/ours.ppm"
        ok 'avifdec reads our AVIF' cmp "$T/theirs.ppm" "$T/ours.ppm"
        avifenc --min 20 --max 30 "$T/rgb8.png" "$T/lossy.avif" >"$T/messages" &&
            avifdec "$T/lossy.avif" "$T/theirs.png" >"$T/messages" && convert "$T/theirs.png" "$T/theirs.ppm"
        convert "$T/lossy.avif" "$T/ours.ppm"
        ok 'a lossy AVIF has the pixels that avifdec reads' close_images "$T/theirs.ppm" "$T/ours.ppm"
    else
        skip 'avifdec reads our AVIF' 'libavif-bin is missing'
    fi
else
    printf '\0\0\0\034ftypavif' >"$T/some.avif"
    refuses 'an AVIF without libavif' 1 "cannot read '.*some.avif': it is a file of the format avif, for which this build lacks libavif; convert it to png" \
        "$scramble" "$T/some.avif" "$T/refused.png"
fi
for kind in gray8 gray-alpha16 rgb8 rgba8; do
    convert "$T/$kind.png" "$T/out.dzi"
    ok "$kind as DZI: the level of its size" shows "$T/out_files/4/0_0.png" $kind
done
for kind in $KINDS; do
    ok "$kind through DZI" kept $kind dzi
done
"$scramble" -r cpu -g 3x2 --permutation "$T/order" images/samples/papyrus.png "$T/mixed.dzi"
"$unscramble" -r cpu --apply "$T/order" "$T/mixed.dzi" "$T/again.dzi" && convert "$T/again.dzi" "$T/again.png"
convert images/samples/papyrus.png "$T/papyrus.png"
ok 'a DeepZoom image is scrambled, and put together with --apply' cmp "$T/again.png" "$T/papyrus.png"
"$unscramble" -q -r cpu -g 3x2 "$T/mixed.dzi" "$T/again.png"
ok 'and by its edges' cmp "$T/again.png" "$T/papyrus.png"
rm "$T/mixed_files/10/1_1.png"
refuses 'a tile is missing' 1 "cannot open '.*mixed_files/10/1_1.png': No such file or directory; it is a tile of '.*mixed.dzi': copy or make all of that again" \
    "$scramble" -g 1x1 "$T/mixed.dzi" "$T/out.png"
refuses 'its tiles are not on standard input' 1 "cannot read '-': the tiles of a DeepZoom image lie beside its file; name that file" \
    bash -c '"$@" <"'"$T/again.dzi"'"' bash "$scramble" -g 1x1 - "$T/out.png"
refuses 'dzi is no stream' 1 "cannot write '-': a DeepZoom image is a file and a folder beside it; name a file" \
    "$scramble" -g 1x1 --format dzi "$T/rgb8.png" -
refuses 'tiff is no stream' 1 "cannot write '-': a TIFF is not written from its beginning to its end, .*" \
    "$scramble" -g 1x1 --format tiff "$T/rgb8.png" -
for kind in rgb8 rgba8; do
    ok "$kind through BMP" kept $kind bmp
done
for extension in pgm pnm; do
    ok "gray8 through $extension" kept gray8 $extension
    ok "gray16 through $extension" kept gray16 $extension
done
for extension in ppm pnm; do
    ok "rgb8 through $extension" kept rgb8 $extension
    ok "rgb16 through $extension" kept rgb16 $extension
done

# BMP and JPEG store gray as equal red, green and blue.
convert "$T/gray8.png" "$T/gray.bmp" && convert "$T/gray.bmp" "$T/gray.ppm"
is 'gray through BMP: equal red, green and blue' \
    "$(tail -c 351 "$T/gray.ppm" | od -An -v -tu1 -w3 | awk '{ print $1, $2, $3 }')" \
    "$(image expect gray8 13 9 | tail -n 1 | tr ' ' '\n' | awk '{ print $1, $1, $1 }')"

# JPEG loses something: a smooth image comes back within a few steps.
perl -e 'print "P6\n40 30\n255\n"; for $y (0 .. 29) { print pack "C3", 40 + 3 * $_, 60 + 4 * $y, 200 - 2 * $_ for 0 .. 39 }' \
    >"$T/smooth.ppm"
for extension in jpg jpeg; do
    convert "$T/smooth.ppm" "$T/smooth.$extension" && convert "$T/smooth.$extension" "$T/jpeg.ppm"
    ok "color through $extension" close_images "$T/smooth.ppm" "$T/jpeg.ppm"
done
is 'a JPEG starts and ends as one' "$( (head -c 3 "$T/smooth.jpg"; tail -c 2 "$T/smooth.jpg") | od -An -tx1)" \
    ' ff d8 ff ff d9'
# A million of segments, which took hours when each was looked for from the first one on.
for segment in 'fffe 0003 61' 'ffe1 0002' 'ffe2 0002'; do
    perl -e 'local $/; $_ = <STDIN>; print substr($_, 0, 2), pack("H*", $ARGV[0] =~ s/ //gr) x 1e6, substr($_, 2)' "$segment" \
        <"$T/smooth.jpg" >"$T/segments.jpg"
    timeout 120 "$scramble" -r cpu -g 1x1 "$T/segments.jpg" "$T/segments.ppm"
    ok "a JPEG of a million segments $segment" cmp "$T/jpeg.ppm" "$T/segments.ppm"
done

# pnm NAME FILE WANTED: the file, read and written, is WANTED (header, then samples in hexadecimal).
pnm() {
    printf "$2" >"$T/in.pnm"
    convert "$T/in.pnm" "$T/out.pnm"
    is "$1" "$(head -n 3 "$T/out.pnm" | tr '\n' ' ')$(tail -n +4 "$T/out.pnm" | od -An -v -tx1 | tr -d ' \n')" "$3"
}
pnm 'P1'                     'P1\n3 2\n1 0 1\n0 1 0\n'                  'P5 3 2 255 00ff00ff00ff'
pnm 'P1 without blanks'      'P1\n3 2\n101010\n'                        'P5 3 2 255 00ff00ff00ff'
pnm 'P1 with comments'       'P1 # one\n#two\n3 # w\n2\n1 0 #x\n1 0 1 0' 'P5 3 2 255 00ff00ff00ff'
pnm 'P2'                     'P2\n3 1\n255\n0 128 255\n'                'P5 3 1 255 0080ff'
pnm 'P2 with maximum 100'    'P2 5 1 100 0 1 50 99 100'                 'P5 5 1 255 000380fcff'
pnm 'P2 with maximum 1'      'P2 2 1 1 0 1'                             'P5 2 1 255 00ff'
pnm 'P2 with maximum 65535'  'P2 3 1 65535 0 258 65535'                 'P5 3 1 65535 00000102ffff'
pnm 'P2 with maximum 1000'   'P2 3 1 1000 0 500 1000'                   'P5 3 1 65535 00008000ffff'
pnm 'P3'                     'P3\n# c\n1 2\n255\n1 2 3\n#d\n4 5 6'      'P6 1 2 255 010203040506'
pnm 'P3 with maximum 3'      'P3 1 1 3 0 1 3'                           'P6 1 1 255 0055ff'
pnm 'P4, rows padded'        'P4\n3 2\n\240\137'                        'P5 3 2 255 00ff00ff00ff'
pnm 'P4 of nine columns'     'P4 9 1\n\200\200'                         'P5 9 1 255 00ffffffffffffff00'
pnm 'P5'                     'P5\n3 1\n255\n\001#\n'                    'P5 3 1 255 01230a'
pnm 'P5 with maximum 15'     'P5 3 1 15\n\000\010\017'                  'P5 3 1 255 0088ff'
pnm 'P5 with maximum 256'    'P5 2 1 256\n\000\200\001\000'             'P5 2 1 65535 8000ffff'
pnm 'P5 of 16 bits'          'P5 2 1 65535\n\001\002\377\376'           'P5 2 1 65535 0102fffe'
pnm 'P6'                     'P6 # c\n2 1\n255\n\001\002\003\004\005\006' 'P6 2 1 255 010203040506'
pnm 'P6 with maximum 51'     'P6 1 1 51\n\000\001\063'                  'P6 1 1 255 0005ff'
pnm 'P6 of 16 bits'          'P6 1 1 65535\n\001\002\003\004\005\006'   'P6 1 1 65535 010203040506'

# What is read only: GIF, PSD and Radiance HDR, one pixel each.
printf 'GIF89a\001\000\001\000\200\000\000\012\024\036\377\377\377,\000\000\000\000\001\000\001\000\000\002\002D\001\000;' >"$T/one.gif"
perl -e 'print "8BPS", pack("n x6 n N N n n N N N n", 1, 3, 1, 1, 8, 3, 0, 0, 0, 0), "\012\024\036"' >"$T/one.psd"
for file in one.gif one.psd; do
    convert "$T/$file" "$T/one.png"
    is "${file#one.}: one pixel" "$(image show "$T/one.png" | sed -n 2p | cut -d' ' -f1-3)" '10 20 30'
done
perl -e 'print "8BPS", pack("n x6 n N N n n N N N n", 1, 4, 1, 1, 8, 3, 0, 0, 0, 0), "\012\024\036\040"' >"$T/alpha.psd"
refuses 'psd with alpha' 1 "cannot read '.*alpha.psd': a PSD with alpha; save it as PNG" \
    "$scramble" -g 1x1 "$T/alpha.psd" "$T/refused.png"
printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\200\200\200\201' >"$T/one.hdr"
convert "$T/one.hdr" "$T/one.png"
is 'hdr: one white pixel' "$(image show "$T/one.png" | sed -n 2p | cut -d' ' -f1-3)" '255 255 255'

# What a format cannot hold is refused with the list of those that can.
more='(, [a-z0-9]+)*' # formats that this test does not know
cannot() { # KIND EXTENSION FORMATS
    refuses "$2 cannot hold $1" 1 "cannot write '.*': .* cannot hold 13 x 9 pixels of .*; use one of $3$more\$" \
        "$scramble" "$T/$1.png" "$T/refused.$2"
}
cannot gray8 ppm 'png, jpeg, bmp, tga, pgm, pnm'
for extension in jpg bmp tga ppm; do
    cannot gray16 $extension 'png, pgm, pnm'
done
for extension in jpg bmp pgm ppm pnm; do
    cannot gray-alpha8 $extension 'png, tga'
done
cannot rgb8 pgm 'png, jpeg, bmp, tga, ppm, pnm'
for extension in jpg bmp tga pgm; do
    cannot rgb16 $extension 'png, ppm, pnm'
done
for extension in jpg pgm ppm pnm; do
    cannot rgba8 $extension 'png, bmp, tga'
done
for kind in gray-alpha16 rgba16; do
    for extension in jpg bmp tga pgm ppm pnm; do
        cannot $kind $extension png
    done
done
(printf 'P5 65501 1 255\n'; head -c 65501 /dev/zero) >"$T/wide.pgm"
refuses 'jpeg cannot hold 65501 columns' 1 'jpeg cannot hold 65501 x 1 pixels .*; use one of png, pgm, pnm'"$more\$" \
    "$scramble" -g 1x1 "$T/wide.pgm" "$T/refused.jpg"
refuses '--format is checked as extensions are' 1 'jpeg cannot hold .*; use one of png'"$more\$" \
    "$scramble" --format jpeg "$T/rgba16.png" "$T/refused.png"

# The format is that of --format, or of the extension in any letter case.
convert "$T/rgb8.png" "$T/OUT.PNG"
ok 'extension .PNG' shows "$T/OUT.PNG" rgb8
for extension in PPM pPm; do
    convert "$T/rgb8.png" "$T/OUT.$extension"
    is "extension .$extension" "$(head -c 2 "$T/OUT.$extension")" P6
done
for format in png PNG; do
    convert --format $format "$T/rgb8.png" "$T/no-extension"
    ok "--format $format without an extension" shows "$T/no-extension" rgb8
done
convert --format ppm "$T/rgb8.png" "$T/really.png"
is '--format has the last word' "$(head -c 2 "$T/really.png")" P6
convert "$T/rgb8.png" - >"$T/standard"
ok 'standard output is PNG' shows "$T/standard" rgb8
convert --format bmp "$T/rgb8.png" - >"$T/standard"
is 'standard output by --format' "$(head -c 2 "$T/standard")" BM
cp "$T/rgb8.png" "$T/liar.jpg"
convert "$T/liar.jpg" "$T/out.png"
ok 'what is read is told by its content' shows "$T/out.png" rgb8

# JPEG and lossy WebP by --quality.
for extension in jpg webp; do
    [ $extension = jpg ] || "$scramble" --version | grep -q '^with: .*libwebp' || continue
    for quality in 5 60 95; do
        convert --quality $quality images/samples/papyrus.png "$T/$quality.$extension"
    done
    convert images/samples/papyrus.png "$T/default.$extension"
    is "$extension: what has less quality is smaller" "$(cd "$T" && ls -S {5,60,95}.$extension | tr '\n' ' ')" "95.$extension 60.$extension 5.$extension "
done
ok 'JPEG has quality 95 by default' cmp "$T/95.jpg" "$T/default.jpg"
if [ -f "$T/95.webp" ]; then
    is 'WebP without --quality loses nothing' "$(head -c 16 "$T/default.webp" | tail -c 4)" VP8L
    is 'WebP with --quality loses detail' "$(head -c 16 "$T/60.webp" | tail -c 4)" 'VP8 '
    convert "$T/rgba8.png" "$T/a.png"
    convert --quality 60 "$T/rgba8.png" "$T/a.webp"
    convert "$T/a.webp" "$T/b.png"
    is 'lossy WebP keeps alpha' "$(image show "$T/b.png" | perl -lane 'print join " ", map { $F[4 * $_ - 1] } 1 .. $#F / 4')" \
        "$(image show "$T/a.png" | perl -lane 'print join " ", map { $F[4 * $_ - 1] } 1 .. $#F / 4')"
fi
circles=$BUILD/circles bezier=$BUILD/bezier
"$circles" -r cpu -s 64 --quality 10 rand10k "$T/10.jpg"
"$circles" -r cpu -s 64 rand10k "$T/95.jpg"
ok 'circles --quality' test "$(stat -c %s "$T/10.jpg")" -lt "$(stat -c %s "$T/95.jpg")"
"$circles" -r cpu -s 64 --quality 10 --frames 0:1 fireworks "$T/frame.jpg"
"$circles" -r cpu -s 64 --frames 0:1 fireworks "$T/other.jpg"
ok 'numbered images have it too' test "$(stat -c %s "$T/frame-0001.jpg")" -lt "$(stat -c %s "$T/other-0001.jpg")"
"$bezier" -r cpu -s 64x48 --quality 10 scenes/samples/kettle.bv "$T/10.jpg"
"$bezier" -r cpu -s 64x48 scenes/samples/kettle.bv "$T/95.jpg"
ok 'bezier --quality' test "$(stat -c %s "$T/10.jpg")" -lt "$(stat -c %s "$T/95.jpg")"
"$scramble" -r cpu -g 2x2 --quality 10 --format jpeg --loose "$T/low" images/samples/papyrus.png
"$scramble" -r cpu -g 2x2 --format jpeg --loose "$T/high" images/samples/papyrus.png
ok 'scramble --loose --quality' test "$(stat -c %s "$T/low/tile-1.jpeg")" -lt "$(stat -c %s "$T/high/tile-1.jpeg")"
NONE='has no quality to choose; leave the quality out, or use one of jpeg'
refuses '--quality of PNG' 2 "png $NONE" "$scramble" --quality 5 -g 1x1 "$T/rgb8.png" "$T/x.png"
refuses '--quality of loose tiles, which are PNG' 2 "png $NONE" "$scramble" --quality 5 --loose "$T/x" "$T/rgb8.png"
refuses '--quality of TIFF' 2 "tiff $NONE" "$circles" --quality 5 rgb "$T/x.tif"
refuses '--quality of a video' 2 'not for videos; leave it out' "$circles" --quality 5 rgb "$T/x.mp4"
refuses '--quality of a mesh' 2 'is a mesh' "$bezier" --quality 5 scenes/samples/kettle.bv "$T/x.obj"
refuses '--quality without an image' 2 'and there is none; leave it out' "$unscramble" -b --quality 5 "$T/rgb8.png"
refuses '--quality of a benchmark' 2 'leave out --quality' "$unscramble" -b --quality 5 "$T/rgb8.png" "$T/x.jpg"
for quality in 0 101 high; do
    refuses "--quality $quality" 2 'write a whole number from 1 to 100' "$circles" --quality $quality rgb "$T/x.jpg"
done

plan
