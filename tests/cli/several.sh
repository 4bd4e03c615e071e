#!/usr/bin/env bash
# Files of several pages or frames: a line says that the first is read, and how to name another.
. "$(dirname "$0")/tap.lib"

# said NAME FILE LINE: scramble reads the file and says that line, or with '' nothing.
said() {
    is "$1" "$("$scramble" -r cpu -g 1x1 "$2" "$T/out.png" 2>&1 </dev/null || echo "it failed")" "${3:+scramble: }$3"
}

# tiff KIND...: a TIFF of a page for each kind, 0 a page, 1 a copy of less pixels, 4 a mask; of 2 x 2 gray pixels.
tiff() {
    perl -e 'binmode STDOUT;
        my $at = 8 + 4 * @ARGV;
        print pack("a2 v V", "II", 42, $at), map { chr(40 + $_ % 200) x 4 } 0 .. $#ARGV;
        for my $i (0 .. $#ARGV) {
            $at += 2 + 12 * 9 + 4;
            print pack "v", 9;
            print pack "v v V V", @$_ for [254, 4, 1, $ARGV[$i]], [256, 4, 1, 2], [257, 4, 1, 2], [258, 3, 1, 8], [259, 3, 1, 1],
                [262, 3, 1, 1], [273, 4, 1, 8 + 4 * $i], [278, 4, 1, 2], [279, 4, 1, 4];
            print pack "V", $i < $#ARGV ? $at : 0;
        }' "$@"
}
tiff 0 0 0 >"$T/multi.tif"
said 'TIFF of three pages' "$T/multi.tif" "'$T/multi.tif' has 3 pages, of which the first is read; name another as '$T/multi.tif[1]'"
said 'a page that is named' "$T/multi.tif[2]" ''
said 'the first page, named' "$T/multi.tif[0]" ''
tiff 0 >"$T/one.tif"
said 'TIFF of one page' "$T/one.tif" ''
tiff 0 1 4 >"$T/copies.tif"
said 'TIFF of a page, a smaller copy and a mask' "$T/copies.tif" ''
tiff 0 1 0 >"$T/both.tif"
said 'TIFF whose second page comes third' "$T/both.tif" "'$T/both.tif' has 2 pages, of which the first is read; name another as '$T/both.tif[2]'"
said 'that page' "$T/both.tif[2]" ''
"$scramble" -r cpu -g 1x1 images/samples/papyrus.png "$T/pyramid.tif"
said 'TIFF with a pyramid' "$T/pyramid.tif" ''
tiff $(yes 0 | head -1200) >"$T/book.tif"
said 'TIFF of 1200 pages' "$T/book.tif" "'$T/book.tif' has several pages, of which the first is read; name another as '$T/book.tif[1]'"
is 'TIFF from a file as standard input' "$("$scramble" -r cpu -g 1x1 - "$T/out.png" 2>&1 <"$T/multi.tif")" \
    "scramble: '-' has 3 pages, of which the first is read; another can be read where the file is named"
is 'TIFF from a pipe, whose pages are not looked for' "$(cat "$T/multi.tif" | "$scramble" -r cpu -g 1x1 - "$T/out.png" 2>&1)" ''
is 'with --quiet nothing is said' "$("$scramble" -q -r cpu -g 1x1 "$T/multi.tif" "$T/out.png" 2>&1)" ''
# The directory of the third page is beyond the end.
perl -e 'local $/; $_ = <STDIN>; substr($_, 8 + 12 + 2 * 114 - 4, 4) = pack "V", 99999; print' <"$T/multi.tif" >"$T/damaged.tif"
said 'TIFF of which two pages are there' "$T/damaged.tif" "'$T/damaged.tif' has 2 pages, of which the first is read; name another as '$T/damaged.tif[1]'"
# The last page names the first as the next.
perl -e 'local $/; $_ = <STDIN>; substr($_, -4) = pack "V", 20; print' <"$T/multi.tif" >"$T/round.tif"
said 'TIFF whose pages go round' "$T/round.tif" "'$T/round.tif' has 3 pages, of which the first is read; name another as '$T/round.tif[1]'"

# gif FRAMES: each 1 x 1, with a comment and a delay, and some a palette of their own.
gif() {
    perl -e 'binmode STDOUT; print "GIF89a", pack("v v C C C", 1, 1, 0x80, 0, 0), "\0\0\0\xff\xff\xff", "\x21\xfe\x03abc\x01d\0";
        print "\x21\xf9\x04\0\x0a\0\0\0", pack("C v4 C", 0x2c, 0, 0, 1, 1, $_ % 2 ? 0x80 : 0), ("\0\0\0\x80\x80\x80") x ($_ % 2), "\x02\x02\x44\x01\0" for 1 .. $ARGV[0];
        print ";"' "$1"
}
gif 1 >"$T/one.gif"
said 'GIF of one frame' "$T/one.gif" ''
gif 12 >"$T/many.gif"
said 'GIF of twelve frames' "$T/many.gif" "'$T/many.gif' has 12 frames, of which the first is read"
head -c -3 "$T/many.gif" >"$T/cut.gif"
said 'GIF whose last frame is cut short' "$T/cut.gif" "'$T/cut.gif' has 11 frames, of which the first is read"

# animated FRAMES: the PNG of standard input as an animation.
animated() {
    perl -MCompress::Zlib -e 'local $/; binmode $_ for *STDIN, *STDOUT; $_ = <STDIN>; my $chunk = "acTL" . pack "N N", $ARGV[0], 0;
        substr($_, 33, 0) = pack("N", 8) . $chunk . pack("N", crc32($chunk)); print' "$1"
}
if perl -MCompress::Zlib -e 1; then
    animated 3 <images/samples/papyrus.png >"$T/three.png"
    said 'APNG of three frames' "$T/three.png" "'$T/three.png' has 3 frames, of which the first is read"
    animated 1 <images/samples/papyrus.png >"$T/one.png"
    said 'APNG of one frame' "$T/one.png" ''
fi
if "$scramble" --version | grep -q '^with: .*libwebp'; then
    "$BUILD/circles" -r cpu -s 20x12 --frames 0:4 fireworks "$T/five.webp"
    said 'WebP of five frames' "$T/five.webp" "'$T/five.webp' has 5 frames, of which the first is read"
    "$BUILD/circles" -r cpu -s 20x12 hypnosis "$T/still.webp"
    said 'WebP without an animation' "$T/still.webp" ''
fi
if "$scramble" --version | grep -q '^with: .*libavif' && command -v avifenc >/dev/null; then
    avifenc images/samples/papyrus.png images/samples/papyrus-shuffled.png "$T/two.avif" >"$T/messages" 2>&1
    said 'AVIF of two frames' "$T/two.avif" "'$T/two.avif' has 2 frames, of which the first is read"
fi
if "$scramble" --version | grep -q '^with: .*libjxl' && command -v cjxl >/dev/null; then
    cjxl "$T/many.gif" "$T/many.jxl" >"$T/messages" 2>&1
    said 'JPEG XL of frames that nobody has counted' "$T/many.jxl" "'$T/many.jxl' has several frames, of which the first is read"
    cjxl "$T/one.gif" "$T/one.jxl" >"$T/messages" 2>&1
    said 'JPEG XL of one frame' "$T/one.jxl" ''
fi

# unscramble says it too: of a puzzle, and of loose tiles once.
is 'unscramble' "$("$unscramble" -r cpu --method classic -g 2x2 "$T/multi.tif" "$T/out.png" 2>&1 | head -1)" \
    "unscramble: '$T/multi.tif' has 3 pages, of which the first is read; name another as '$T/multi.tif[1]'"
mkdir "$T/tiles"
cp "$T/one.tif" "$T/tiles/a.tif"
for name in b c d; do cp "$T/multi.tif" "$T/tiles/$name.tif"; done
is 'unscramble: loose tiles' "$("$unscramble" -r cpu "$T/tiles" "$T/out.png" 2>&1 | grep pages)" \
    "unscramble: '$T/tiles/b.tif' has 3 pages, of which the first is read; name another as '$T/tiles/b.tif[1]'"
cp "$T/multi.tif" "$T/tiles/a.tif"
is 'unscramble: loose tiles, of which the first has others' "$("$unscramble" -r cpu "$T/tiles" "$T/out.png" 2>&1 | grep pages)" \
    "unscramble: '$T/tiles/a.tif' has 3 pages, of which the first is read; name another as '$T/tiles/a.tif[1]'"
plan
