#!/usr/bin/env bash
# Images that another program wrote (GraphicsMagick) have the pixels that it reads of them; and the
# ways to store rows that it does not write.
. "$(dirname "$0")/tap.lib"

if ! command -v gm >/dev/null; then
    skip 'images of another program' 'GraphicsMagick is missing'
    plan
    exit
fi
gm() { timeout 10 gm "$@" </dev/null 2>>"$top/gm"; }
read_theirs() { gm convert "$@" -depth 8 +matte rgb:-; }
read_ours() { "$scramble" -j 1 -g 1x1 "$1" ours.png </dev/null && read_theirs ours.png; }
alike() { # OURS THEIRS [OPTIONS...]: both can be read, to the same bytes
    read_ours "$1" >ours.rgb && read_theirs "${@:2}" >theirs.rgb && [ -s ours.rgb ] && cmp ours.rgb theirs.rgb
}

# Of each size images of all colors, of gray, and of few colors, in every format.
cd "$T" || exit 1
programs=$(cd "$OLDPWD" && realpath "$BUILD")
PATH=$programs:$PATH scramble=$programs/scramble
for size in 2x3 7x5 13x1 33x17; do
    circles -j 1 -s $size rand10k rgb.$size.ppm
    gm convert rgb.$size.ppm -colorspace gray gray.$size.pgm
    gm convert rgb.$size.ppm -colors 200 palette.$size.png
    gm convert rgb.$size.ppm -colors 14 few.$size.png
    gm convert rgb.$size.ppm -monochrome two.$size.png
    for name in rgb.$size.ppm gray.$size.pgm palette.$size.png few.$size.png two.$size.png; do
        stem=${name%.*}
        gm convert $name $stem.bmp
        gm convert $name -compress RLE $stem.rle.bmp
        gm convert $name BMP2:$stem.2.bmp
        gm convert $name -compress None BMP3:$stem.3.bmp
        gm convert $name -type TrueColor $stem.tga
        gm convert $name -type TrueColor -compress RLE $stem.rle.tga
        gm convert $name $stem.gif
        gm convert $name $stem.psd
        gm convert $name -interlace plane $stem.interlaced.png
        gm convert $name -quality 90 $stem.jpg
        gm convert $name -interlace line $stem.progressive.jpg
        gm convert $name $stem.pnm
    done
done
files=0 failed=
for file in *.bmp *.tga *.gif *.psd *.png *.jpg *.pnm; do
    files=$((files + 1))
    alike "$file" "$file" >/dev/null 2>&1 || failed+=" $file"
done
is "$files files of all formats have the pixels that GraphicsMagick reads" "$failed" ''
ok 'there are at least 200' test "$files" -ge 200

# A BMP from the top down: the rows turned round and the height negative.
top_down() {
    perl -e 'local $/; open F, "<:raw", $ARGV[0]; my $b = <F>;
        my ($data, $w, $h, $bits) = (unpack("V", substr $b, 10, 4), unpack("V2", substr $b, 18, 8), unpack "v", substr $b, 28, 2);
        my $row = int(($w * $bits + 31) / 32) * 4;
        my @rows = reverse unpack "(a$row)$h", substr $b, $data;
        substr($b, 22, 4) = pack "l<", -$h;
        binmode STDOUT; print substr($b, 0, $data), @rows' "$1"
}
for stem in rgb.7x5 palette.33x17 few.7x5 two.13x1; do
    top_down $stem.3.bmp >down.bmp
    ok "$stem from the top down" alike down.bmp $stem.3.bmp
done

# A TGA from each of its four corners.
corner() { perl -e 'local $/; open F, "<:raw", $ARGV[0]; $_ = <F>; substr($_, 17, 1) ^= chr($ARGV[1] << 4); binmode STDOUT; print' "$@"; }
for stem in rgb.7x5 rgb.33x17.rle gray.2x3; do
    corner $stem.tga 1 >corner.tga
    ok "$stem.tga from the other side" alike corner.tga $stem.tga -flop
    corner $stem.tga 2 >corner.tga
    ok "$stem.tga from the other end" alike corner.tga $stem.tga -flip
    corner $stem.tga 3 >corner.tga
    ok "$stem.tga from the opposite corner" alike corner.tga $stem.tga -flip -flop
done

# A BMP of 32 bits whose fourth bytes are all 0 has no alpha; else they are alpha.
deep() { perl -e 'binmode STDOUT; print "BM", pack("VvvV VVVvvV x20", 0, 0, 0, 54, 40, 2, 1, 1, 32, 0), pack "C8", 1, 2, 3, 0, 4, 5, 6, shift' "$1" >deep.bmp; }
samples() { "$scramble" -j 1 -g 1x1 deep.bmp deep.png && gm convert deep.png -depth 8 rgba:- | perl -e 'local $/; print join " ", unpack "C*", <STDIN>'; }
deep 0
is 'a BMP whose fourth bytes are 0 is opaque' "$(samples)" '3 2 1 255 6 5 4 255'
deep 7
is 'a BMP with alpha' "$(samples)" '3 2 1 0 6 5 4 7'

# What no image can be is refused with the reason.
head -c 60 rgb.7x5.3.bmp >short.bmp
refuses 'a BMP cut short' 1 "'short.bmp': the BMP is cut short" "$scramble" short.bmp out.png
perl -e 'print "BM", pack("VvvV VVl<vvV", 0, 0, 0, 58, 40, 5, -5, 1, 8, 1), "\0" x 99' >rle.bmp
refuses 'a compressed BMP from the top down' 1 'cannot begin at the top' "$scramble" rle.bmp out.png
perl -e 'print "BM", pack("VvvV VVVvvV", 0, 0, 0, 54, 40, 5, 5, 1, 24, 4), "\0" x 99' >jpeg.bmp
refuses 'a BMP that holds a JPEG' 1 'holds a JPEG or PNG' "$scramble" jpeg.bmp out.png
plan
