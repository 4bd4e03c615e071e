#!/usr/bin/env bash
# What a photograph carries besides pixels: it stays, from every format that has it to every other;
# and pixels are turned as the file says.
. "$(dirname "$0")/tap.lib"

metadata() { perl tests/cli/metadata.pl "$@"; }
convert() { "$scramble" -r cpu -g 1x1 "$@" </dev/null; } # copies the pixels
perl -MCompress::Zlib -e 1 || { skip 'metadata' 'Perl has no Compress::Zlib'; plan; exit; }

formats='jpg png tif'
"$scramble" --version | grep -q '^with: .*libwebp' && formats+=' webp'
"$scramble" --version | grep -q '^with: .*libjxl' && formats+=' jxl'
cp images/samples/papyrus.png "$T"
"$BUILD/circles" -r cpu -s 96x64 rand10k "$T/plain.ppm"
convert "$T/plain.ppm" "$T/plain.jpg"
metadata put II 1 <"$T/plain.jpg" >"$T/in.jpg"

# What is to be there after any way through the formats, and what the file itself has besides.
wanted="UNIT: inch
X: 300
Y: 300
exposure: 0.008
height: 64
hemisphere: N
latitude: 48 30 3.5
maker: Maker
note: makernote
profile: $(metadata profile)
width: 96
xmp: $(metadata xmp 1)"
# The profile in a JPEG XL file is compressed, so that it is seen when the file is read.
carries() { # FILE
    diff <(metadata get "$1" | grep -Ev '^(comment|description|orientation: 1$)') - \
        <<<"$([ "${1##*.}" = jxl ] && grep -v ^profile <<<"$wanted" || echo "$wanted")"
}
for first in $formats; do
    convert "$T/in.jpg" "$T/first.$first"
    ok "from JPEG to $first" carries "$T/first.$first"
    for second in $formats; do
        convert "$T/first.$first" "$T/second.$second"
        ok "from JPEG to $first to $second" carries "$T/second.$second"
    done
done
if "$scramble" --version | grep -q '^with: .*libavif'; then
    convert "$T/in.jpg" "$T/first.avif"
    for second in $formats; do
        convert "$T/first.avif" "$T/second.$second"
        ok "from JPEG to AVIF to $second" carries "$T/second.$second"
    done
fi
is 'the comment of a JPEG in PNG' "$(metadata get "$T/first.png" | grep comment)" 'comment: made by hand'
is 'the comment of a JPEG in TIFF' "$(metadata get "$T/first.tif" | grep description)" 'description: made by hand'
convert "$T/first.png" "$T/second.jpg"
is 'the comment of a PNG in JPEG' "$(metadata get "$T/second.jpg" | grep comment)" 'comment: made by hand'
metadata put MM 1 <"$T/plain.jpg" >"$T/big-endian.jpg"
for format in $formats; do
    convert "$T/big-endian.jpg" "$T/first.$format"
    ok "EXIF whose numbers begin with the largest byte, to $format" carries "$T/first.$format"
done

# Every tool and way that writes an answer.
convert "$T/papyrus.png" "$T/papyrus.jpg"
metadata put II 1 <"$T/papyrus.jpg" >"$T/photo.jpg"
wanted=$(sed -e "s/^width.*/width: $(head -c 24 "$T/papyrus.png" | tail -c 8 | od -An -tu1 | awk '{ print $3 * 256 + $4 }')/" \
    -e "s/^height.*/height: $(head -c 24 "$T/papyrus.png" | tail -c 8 | od -An -tu1 | awk '{ print $7 * 256 + $8 }')/" <<<"$wanted")
for format in $formats; do
    "$scramble" -r cpu --permutation "$T/order.txt" "$T/photo.jpg" "$T/puzzle.$format"
    ok "scramble to $format" carries "$T/puzzle.$format"
    "$unscramble" -r cpu "$T/puzzle.$format" "$T/answer.png"
    ok "unscramble from $format" carries "$T/answer.png"
    "$unscramble" -r cpu --apply "$T/order.txt" "$T/puzzle.$format" "$T/answer.$format"
    ok "unscramble --apply from and to $format" carries "$T/answer.$format"
    "$unscramble" -r cpu --strip-metadata --apply "$T/order.txt" "$T/puzzle.$format" "$T/bare.$format"
    is "--strip-metadata leaves nothing in $format" "$(metadata get "$T/bare.$format")" ''
    convert --strip-metadata "$T/photo.jpg" "$T/bare.$format"
    is "scramble --strip-metadata leaves nothing in $format" "$(metadata get "$T/bare.$format")" ''
done

# Loose tiles have all of it, and the answer what is the same in all of them.
whole=$wanted
for format in $formats; do
    "$scramble" -r cpu --loose "$T/loose-$format" --format "$format" "$T/photo.jpg"
    wanted=$(sed -e 's/^width.*/width: 300/' -e 's/^height.*/height: 300/' <<<"$whole")
    ok "a loose tile in $format" carries "$T/loose-$format/tile-7.$format"
    wanted=$whole
    "$unscramble" -r cpu "$T/loose-$format" "$T/answer.png"
    ok "an answer of loose tiles in $format" carries "$T/answer.png"
done
"$unscramble" -r cpu --strip-metadata "$T/loose-png" "$T/bare.png"
is 'an answer of loose tiles with --strip-metadata' "$(metadata get "$T/bare.png")" ''
"$scramble" -r cpu --strip-metadata --loose "$T/bare" "$T/photo.jpg"
is 'a loose tile with --strip-metadata' "$(metadata get "$T/bare/tile-7.png")" ''
metadata exif MM 1 <"$T/bare/tile-7.png" >"$T/tile-7.png"
cp "$T/tile-7.png" "$T/loose-png"
"$unscramble" -r cpu "$T/loose-png" "$T/answer.png"
is 'what one loose tile lacks is not in the answer' "$(metadata get "$T/answer.png" | grep -cE '^(profile|xmp|maker|comment)')" 0

"$scramble" -r cpu --tile 32x32 "$T/in.jpg" "$T/tiles.png"
is 'an image cut into tiles of a size keeps its profile' "$(metadata get "$T/tiles.png" | grep profile)" "profile: $(metadata profile)"
is 'and EXIF, which has its size' "$(metadata get "$T/tiles.png" | grep -E '^(width|height|maker)' | tr '\n' ' ')" 'height: 64 maker: Maker width: 96 '
"$scramble" -r cpu --tile 30x30 "$T/in.jpg" "$T/tiles.png"
is 'also where strips are cut off' "$(metadata get "$T/tiles.png" | grep -E '^(width|height)' | tr '\n' ' ')" 'height: 60 width: 90 '
"$scramble" -r cpu --tile 32x32 "$T/in.jpg" "$T/big-endian.jpg" "$T/tiles.png"
is 'a puzzle of two images keeps what is the same in both' "$(metadata get "$T/tiles.png" | tr '\n' ' ')" \
    "UNIT: inch X: 300 Y: 300 comment: made by hand profile: $(metadata profile) xmp: $(metadata xmp 1) "
"$scramble" -r cpu --tile 32x32 "$T/in.jpg" "$T/plain.jpg" "$T/tiles.png"
is 'and none that only one has' "$(metadata get "$T/tiles.png")" ''

# What PNG tells of colors in chunks of its own stays in PNG, and a line says where it is lost: Display
# P3 by code points, a gamma of 1, the primaries of Adobe RGB.
convert "$T/plain.ppm" "$T/plain.png"
p3=cICP=0c0d0001 srgb=sRGB=00 linear=gAMA=000186a0 gamma=gAMA=0000b18f
adobe=cHRM=00007a26000080840000fa00000080e8000052080001155800003a9800001770
primaries=cHRM=00007a26000080840000fa00000080e8000075300000ea6000003a9800001770
lost="does not keep the color space that the PNG file told, so its colors may look different; a PNG file keeps it"
for colors in "$p3 $linear $adobe" "$srgb $gamma $primaries" "$linear" "$adobe" "cICP=010d0001"; do
    metadata colors $colors <"$T/plain.png" >"$T/colors.png"
    metadata colors $colors <"$T/papyrus.png" >"$T/puzzle.png"
    is "$colors from PNG to PNG" "$(convert "$T/colors.png" "$T/first.png" 2>&1; metadata chunks "$T/first.png")" "$colors"
    is "$colors through unscramble --apply" "$("$unscramble" -r cpu -q --apply "$T/order.txt" "$T/puzzle.png" "$T/first.png" 2>&1;
        metadata chunks "$T/first.png")" "$colors"
    is "$colors with --strip-metadata" "$(convert --strip-metadata "$T/colors.png" "$T/first.png" 2>&1; metadata chunks "$T/first.png")" ''
    is "$colors with --strip-metadata, to TIFF: nothing is said" "$(convert --strip-metadata "$T/colors.png" "$T/first.tif" 2>&1)" ''
    wanted="scramble: '$T/first.tif' $lost"
    case $colors in sRGB* | cICP=01*) wanted= ;; esac
    is "$colors to TIFF: what is said" "$(convert "$T/colors.png" "$T/first.tif" 2>&1)" "$wanted"
done
"$scramble" -r cpu --loose "$T/loose-colors" "$T/puzzle.png" 2>"$T/messages"
is 'colors of loose tiles' "$(metadata chunks "$T/loose-colors/tile-7.png")" 'cICP=010d0001'
metadata colors $linear <"$T/papyrus.png" >"$T/puzzle.png"
is 'loose tiles that lose it: one line' "$("$scramble" -r cpu --loose "$T/loose-gamma" --format jpg "$T/puzzle.png" 2>&1)" \
    "scramble: '$T/loose-gamma' $lost"
metadata colors $linear sRGB=0000 gAMA=00 "$adobe" "$adobe"00 cICP= <"$T/plain.png" >"$T/colors.png"
convert "$T/colors.png" "$T/first.png"
is 'chunks of a wrong size are left out' "$(metadata chunks "$T/first.png")" "$linear $adobe"
convert "$T/in.jpg" "$T/profile.png"
metadata colors $p3 $srgb $linear <"$T/profile.png" >"$T/colors.png"
convert "$T/colors.png" "$T/first.png"
is 'beside a profile there is no sRGB' "$(metadata chunks "$T/first.png" | cut -d' ' -f1-3)" "$p3 $linear iCCP"
metadata colors $srgb $linear <"$T/profile.png" >"$T/colors.png"
is 'a profile is kept in TIFF, so nothing is said' "$(convert "$T/colors.png" "$T/first.tif" 2>&1)" ''
perl tests/cli/image.pl make rgb8-interlaced 13 9 >"$T/interlaced.png"
metadata colors "$adobe" <"$T/interlaced.png" >"$T/colors.png"
convert "$T/colors.png" "$T/first.png"
is 'colors of an interlaced PNG' "$(metadata chunks "$T/first.png")" "$adobe"
for kind in plain interlaced; do
    metadata colors "$linear" <"$T/$kind.png" | perl -e 'local $/; $_ = <STDIN>; my $chunk = substr $_, 33, 16, "";
        substr($_, -12, 0) = $chunk; print' >"$T/colors.png"
    convert "$T/colors.png" "$T/first.png"
    is "colors behind the pixels of a PNG do not count: $kind" "$(metadata chunks "$T/first.png")" ''
done

# IPTC stays in JPEG and TIFF files and between the two; the names of a document and a page in TIFF files.
metadata iptc <"$T/plain.jpg" >"$T/iptc.jpg"
sum="iptc: $(metadata iptc-sum)"
for format in jpg tif; do
    convert "$T/iptc.jpg" "$T/first.$format"
    is "IPTC from JPEG to $format" "$(metadata get "$T/first.$format" | grep iptc)" "$sum"
    for second in jpg tif; do
        convert "$T/first.$format" "$T/second.$second"
        is "IPTC from JPEG to $format to $second" "$(metadata get "$T/second.$second" | grep iptc)" "$sum"
    done
    convert --strip-metadata "$T/iptc.jpg" "$T/bare.$format"
    is "IPTC with --strip-metadata to $format" "$(metadata get "$T/bare.$format")" ''
done
for order in II MM; do
    for type in byte long undefined turned; do
        metadata tiff $order $type >"$T/iptc.tif"
        convert "$T/iptc.tif" "$T/first.jpg"
        is "IPTC from TIFF to JPEG, $order, $type" "$(metadata get "$T/first.jpg" | grep iptc)" "$sum"
        convert "$T/iptc.tif" "$T/first.tif"
        is "IPTC and names from TIFF to TIFF, $order, $type" "$(metadata get "$T/first.tif")" $'document: A document\n'"$sum"$'\npage: A page'
        convert "$T/first.tif" "$T/second.tif"
        is "and once more, $order, $type" "$(metadata get "$T/second.tif")" $'document: A document\n'"$sum"$'\npage: A page'
    done
done
convert "$T/iptc.jpg" "$T/first.png"
is 'PNG has no place for IPTC' "$(metadata get "$T/first.png")" ''

# A profile is for the samples that it names: none for CMYK or RGB goes with gray.
perl -e 'print "P5\n16 16\n255\n", map { chr } 0 .. 255' >"$T/gray.pgm"
convert "$T/gray.pgm" "$T/gray.jpg"
metadata put II 1 <"$T/gray.jpg" >"$T/gray-rgb.jpg"
convert "$T/gray-rgb.jpg" "$T/gray.png"
is 'a profile of colors is no profile of gray' "$(metadata get "$T/gray.png" | grep -c profile)" 0
is 'but the rest is kept' "$(metadata get "$T/gray.png" | grep maker:)" 'maker: Maker'

# Orientation: the pixels of a JPEG that says how it is held are those that it has without, turned;
# likewise of a PNG, and of a TIFF as tests/test_tiff.c tries.
convert "$T/plain.jpg" "$T/stored.ppm"
convert "$T/plain.ppm" "$T/plain.png"
for orientation in 1 2 3 4 5 6 7 8; do
    metadata put MM $orientation <"$T/plain.jpg" >"$T/turned.jpg"
    convert "$T/turned.jpg" "$T/upright.ppm"
    ok "a JPEG of orientation $orientation" cmp "$T/upright.ppm" <(metadata turn $orientation <"$T/stored.ppm")
    convert "$T/turned.jpg" "$T/upright.jpg"
    is "orientation $orientation: upright is 1" "$(metadata get "$T/upright.jpg" | grep orientation)" 'orientation: 1'
    is "orientation $orientation: in XMP too" "$(metadata get "$T/upright.jpg" | grep xmp)" "xmp: $(metadata xmp 1)"
    size='width: 96 height: 64'
    [ $orientation -lt 5 ] || size='width: 64 height: 96'
    is "orientation $orientation: the size in EXIF" "$(metadata get "$T/upright.jpg" | grep -E '^(width|height)' | sort -r | tr '\n' ' ')" "$size "
    metadata exif II $orientation <"$T/plain.png" >"$T/turned.png"
    convert "$T/turned.png" "$T/upright.ppm"
    ok "a PNG of orientation $orientation" cmp "$T/upright.ppm" <(metadata turn $orientation <"$T/plain.ppm")
done
convert --strip-metadata "$T/turned.jpg" "$T/bare.ppm"
ok 'an image is turned with --strip-metadata too' cmp "$T/bare.ppm" <(metadata turn 8 <"$T/stored.ppm")

# AVIF files tell it by a turn anticlockwise, and by what is exchanged then: top and bottom, or left and
# right.
if command -v avifenc >/dev/null && "$scramble" --version | grep -q '^with: .*libavif'; then
    while read -r orientation turn mirror; do
        avifenc --lossless --irot "$turn" ${mirror:+--imir $mirror} "$T/plain.png" "$T/turned.avif" >"$T/messages"
        convert "$T/turned.avif" "$T/upright.ppm"
        ok "an AVIF that is turned $turn times, mirror ${mirror:-none}" cmp "$T/upright.ppm" <(metadata turn $orientation <"$T/plain.ppm")
    done <<<$'8 1\n3 2\n6 3\n4 0 0\n2 0 1\n5 1 0\n7 3 0\n7 1 1\n5 3 1'
fi

# A puzzle that is stored on its side has the answer of the one that is not.
"$scramble" -r cpu -g 4x3 "$T/papyrus.png" "$T/puzzle.ppm"
for orientation in 6 8 3; do
    back=$orientation
    [ $orientation = 6 ] && back=8
    [ $orientation = 8 ] && back=6
    metadata turn $back <"$T/puzzle.ppm" >"$T/side.ppm"
    convert "$T/side.ppm" "$T/side.png"
    metadata exif MM $orientation <"$T/side.png" >"$T/side-told.png"
    "$unscramble" -r cpu -g 4x3 "$T/side-told.png" "$T/answer.ppm"
    "$unscramble" -r cpu -g 4x3 "$T/puzzle.ppm" "$T/direct.ppm"
    ok "a puzzle of orientation $orientation" cmp "$T/answer.ppm" "$T/direct.ppm"
done

# What other programs see.
metadata put MM 6 <"$T/plain.jpg" >"$T/phone.jpg"
if command -v exiftool >/dev/null; then
    seen() { exiftool -s3 -ICC_Profile:ProfileClass -Make -Orientation# -XResolution -ExposureTime -GPSLatitude -XMP-tiff:Orientation# -warning "$1"; }
    for format in $formats; do
        convert "$T/phone.jpg" "$T/phone-upright.$format"
        is "exiftool sees it in $format" "$(seen "$T/phone-upright.$format" | tr '\n' ';')" \
            "$([ $format = jxl ] || echo 'Display Device Profile;')Maker;1;300;1/125;48 deg 30' 3.50\" N;1;"
        is "exiftool sees no small picture in $format" "$(exiftool -s3 -ThumbnailLength "$T/phone-upright.$format")" ''
    done
    for format in jpg tif; do
        convert "$T/iptc.jpg" "$T/first.$format"
        is "exiftool sees IPTC in $format" "$(exiftool -s3 -IPTC:ObjectName -IPTC:Keywords -warning "$T/first.$format" | tr '\n' ';')" 'A title;word;'
    done
    cp "$T/plain.jpg" "$T/theirs.jpg"
    exiftool -q -overwrite_original -IPTC:ObjectName=Theirs -IPTC:City=Berlin "$T/theirs.jpg"
    convert "$T/theirs.jpg" "$T/first.tif"
    is 'IPTC that exiftool wrote' "$(exiftool -s3 -IPTC:ObjectName -IPTC:City -warning "$T/first.tif" | tr '\n' ';')" 'Theirs;Berlin;'
else
    skip 'exiftool sees it' 'exiftool is missing'
fi
for python in python3 /usr/bin/python3 ''; do
    [ "$python" ] && "$python" -c 'import PIL' 2>/dev/null && break
done
if [ "$python" ]; then
    for format in ${formats% jxl}; do
        convert "$T/phone.jpg" "$T/phone-upright.$format"
        is "Pillow sees it in $format" "$("$python" -c '
import hashlib, sys
from PIL import Image
image = Image.open(sys.argv[1])
exif = image.getexif()
print(image.size, hashlib.md5(image.info["icc_profile"]).hexdigest(), exif.get(271), exif.get(274, 1),
      float(exif.get_ifd(34665)[33434]), round(float(image.info["dpi"][0] if "dpi" in image.info else exif[282])))' "$T/phone-upright.$format")" \
            "(64, 96) $(metadata profile) Maker 1 0.008 300"
    done
else
    skip 'Pillow sees it' 'Pillow is missing'
fi
plan
