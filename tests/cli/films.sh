#!/usr/bin/env bash
# Videos through ffmpeg: what it is asked for, with a stand-in on PATH, and, where it is installed,
# that its files are what phones and browsers play; and those of libraries.
. "$(dirname "$0")/tap.lib"

circles=$BUILD/circles
unscramble=$(realpath "$unscramble") circles=$(realpath "$circles")
puzzle=$PWD/images/samples/papyrus-shuffled.png
paths=$PATH
bin=$top/bin
mkdir "$bin" "$top/none"

# stand_in COMMANDS: an ffmpeg that does so; $file is the file that it is to write.
stand_in() {
    printf '#!/bin/sh\nfor file; do :; done\nfile=${file#file:}\n%s\n' "$1" >"$bin/ffmpeg"
    chmod +x "$bin/ffmpeg"
    export PATH=$bin:$paths
}

stand_in 'printf "%s\n" "$@" >"'"$top"'/arguments"; cat >"$file"'
draw() { "$circles" -r cpu -s 20x12 --frames 0:2 hypnosis "$@"; }
ok 'circles: a film' draw "$T/a.mp4"
is 'its header: half the colors, even sides' "$(head -n 1 "$T/a.mp4")" 'YUV4MPEG2 W20 H12 F60:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED'
is 'three frames' "$(stat -c %s "$T/a.mp4")" $((62 + 3 * (6 + 360)))
arguments=$(tr '\n' ' ' <"$top/arguments")
for wanted in '-f yuv4mpegpipe -i pipe:0' '-pix_fmt yuv420p' '-c:v libx264' '-movflags \+faststart' '-f mp4' '-color_range tv' \
    '-colorspace bt709' '-color_primaries bt709' '-color_trc bt709' '-threads [0-9]' '-fflags \+bitexact' 'file:[^ ]*/\.tessera-[0-9-]* $'; do
    ok "ffmpeg is told $wanted" matches "$arguments" "$wanted"
done
ok 'a film in webm' draw "$T/a.webm"
ok 'ffmpeg is told VP9' matches "$(tr '\n' ' ' <"$top/arguments")" '-f webm -c:v libvpx-vp9 '
ok 'y4m420' draw --format y4m420 "$T/halved"
is 'y4m420: the header, half the colors' "$(head -n 1 "$T/halved")" 'YUV4MPEG2 W20 H12 F60:1 Ip A1:1 C420mpeg2 XCOLORRANGE=LIMITED'
ok 'y4m420: as long as what the encoder of mp4 reads' same "$(stat -c %s "$T/halved")" "$(stat -c %s "$T/a.mp4")"
ok 'y4m420: but with other colors, since decoders take them by BT.601' not cmp -s "$T/a.mp4" "$T/halved"
ok 'y4m420 to standard output' sh -c '"$1" -r cpu -s 20x12 --frames 0:2 --format y4m420 hypnosis - | cmp - "$2"' - "$circles" "$T/halved"
ok '--format' draw --format mp4 "$T/named"
ok '--format: the same film' cmp "$T/a.mp4" "$T/named"
ok 'odd sides are made even' "$circles" -r cpu -s 21x11 --frames 0:1 hypnosis "$T/odd.mp4"
ok 'odd sides: the header' matches "$(head -n 1 "$T/odd.mp4")" 'W22 H12 '
mkdir "$T/-a b"
ok 'names with blanks and dashes in front' sh -c 'cd "$2" && "$1" -r cpu -s 20x12 --frames 0:2 hypnosis -- "-a b/-c d.mp4" &&
    cmp "./-a b/-c d.mp4" a.mp4' - "$circles" "$T"
ok 'names are not looked at by a shell' sh -c 'cd "$2" && "$1" -r cpu -s 20x12 --frames 0:2 hypnosis "\$(touch x);\`touch y\`.mp4" &&
    [ ! -e x -a ! -e y ]' - "$circles" "$T"
ok 'bezier: a film' "$BUILD/bezier" -r cpu -s 20x12 -n 3 --frames 1:3 --animate turn scenes/samples/kettle.bv "$T/b.mp4"
ok 'unscramble: a film' "$unscramble" -r cpu -q --animate "$T/c.mp4" "$puzzle" "$T/x.png"
is 'unscramble: 210 frames at 30 a second' "$(head -n 1 "$T/c.mp4" | cut -d' ' -f2-4) $(perl -0777 -ne 'print scalar(() = /FRAME\n/g)' "$T/c.mp4")" \
    'W900 H900 F30:1 210'
ok '--film-side' "$unscramble" -r cpu -q --film-side 90 --animate "$T/d.mp4" "$puzzle" "$T/x.png"
ok '--film-side: smaller' matches "$(head -n 1 "$T/d.mp4")" 'W90 H90 '

# Decoders take the colors of files without a tag by BT.601: here a puzzle of 1 x 3 tiles, one color each.
colors='200,30,40 20,180,60 70,50,220'
perl -e 'print "P6\n16 48\n255\n", map { pack("C3", split /,/) x 256 } @ARGV' $colors >"$T/colors.ppm"
ok 'unscramble: a film in y4m420' "$unscramble" -r cpu -q -g 1x3 --animate "$T/c.y4m420" "$T/colors.ppm" "$T/x.ppm"
ok 'its colors are by BT.601' perl -e '
    open my $file, "<:raw", shift or die; <$file>; <$file>; read $file, my $frame, 16 * 48 * 3 / 2;
    for my $i (0 .. 2) {
        my ($red, $green, $blue) = map { $_ / 255 } split /,/, $ARGV[$i];
        my $y = .299 * $red + .587 * $green + .114 * $blue;
        my @wanted = (16 + 219 * $y, 128 + 224 * ($blue - $y) / 1.772, 128 + 224 * ($red - $y) / 1.402);
        my @got = map { ord substr $frame, $_, 1 } 16 * (16 * $i + 8) + 8, map { $_ + 8 * (8 * $i + 4) + 4 } 16 * 48, 16 * 48 * 5 / 4;
        abs($got[$_] - $wanted[$_]) <= .51 or die "$ARGV[$i]: @got, not @wanted\n" for 0 .. 2;
    }' "$T/c.y4m420" $colors
is 'no temporary files are left' "$(find "$T" -name '.tessera*')" ''

# What fails leaves what was there, and one line.
printf 'precious' >"$T/old.mp4"
failing() { refuses "$1" 1 "cannot write '.*old.mp4': ffmpeg: $2" "$circles" -r cpu -s 200 --frames 0:99 hypnosis "$T/old.mp4"; }
stand_in 'echo "Unknown encoder libx264" >&2; echo "Conversion failed!" >&2; exit 1'
failing 'ffmpeg fails at once' 'Unknown encoder libx264$'
stand_in 'head -c 100000 >"$file"; echo "no space left" >&2; exit 7'
failing 'ffmpeg fails on the way' 'no space left$'
stand_in 'cat >"$file"; exit 7'
failing 'ffmpeg fails at the end without a word' 'it failed with status 7$'
stand_in 'cat >"$file"; kill -9 $$'
failing 'ffmpeg is killed' 'it was ended by signal 9$'
stand_in 'echo "no space left" >&2; exit 1'
refuses 'ffmpeg fails before it reads what is short' 1 "cannot write '.*old.mp4': ffmpeg: no space left$" \
    "$circles" -r cpu -s 2 --frames 0:99 hypnosis "$T/old.mp4"
stand_in 'cat >"$file"; echo "no space left" >&2; exit 0'
failing 'ffmpeg fails at the end, and ends as if it had not' 'no space left$'
stand_in 'head -c 100000 >"$file"; exit 0'
refuses 'ffmpeg ends too soon' 1 'ffmpeg ended before it had all frames' "$circles" -r cpu -s 200 --frames 0:99 hypnosis "$T/old.mp4"
for output in old.mp4 new.mp4; do
    stand_in 'echo $$ >"'"$top"'/process"; cat >"$file"'
    before=$(snapshot)
    is "SIGINT in a film, $output: death by it" \
        "$(stopped INT '/frame +[3-9]/' "$circles" --progress always -r cpu -s 400 --frames 0:99999 fireworks "$T/$output")" 'signal 2'
    is "SIGINT in a film, $output: files are as they were" "$(snapshot)" "$before"
    ok "SIGINT in a film, $output: ffmpeg has gone" not kill -0 "$(cat "$top/process")"
done
rm "$top/process"
stand_in 'echo $$ >"'"$top"'/process"; exec sleep 1000'
before=$(snapshot)
is 'SIGTERM while ffmpeg hangs: death by it' \
    "$(stopped TERM '-s "'"$top"'/process"' "$circles" -r cpu -s 400 --frames 0:999 fireworks "$T/new.mp4")" 'signal 15'
is 'SIGTERM while ffmpeg hangs: files are as they were' "$(snapshot)" "$before"
ok 'SIGTERM while ffmpeg hangs: it has gone' not kill -0 "$(cat "$top/process")"
rm "$top/process"
is 'SIGTERM while ffmpeg hangs: death by it, once the answer is written' \
    "$(stopped TERM '-s "'"$top"'/process"' "$unscramble" -q -r cpu --animate "$T/new.mp4" "$puzzle" "$T/answer.ppm")" 'signal 15'
ok 'SIGTERM while ffmpeg hangs: the answer' cmp "$T/answer.ppm" <("$unscramble" -q -r cpu --format ppm "$puzzle" -)
rm "$T/answer.ppm"
stand_in 'cat >"$file"'
for format in mp4 webm gif; do
    refuses "too large for $format, before ffmpeg runs" 1 \
        "cannot write '.*old.$format': a video in $format has at most 16254 pixels a side, not 16255 x 9; make it smaller, or name a .y4m file" \
        "$circles" -r cpu -s 16255x9 --frames 0:1 hypnosis "$T/old.$format"
done
refuses 'a film to standard output' 1 "cannot write '-': a video in mp4 needs a file; only y4m goes elsewhere" \
    "$circles" --format mp4 --frames 0:1 hypnosis -
refuses 'a film to a device' 1 "cannot write '/dev/null': a video in webm needs a file" "$circles" --format webm --frames 0:1 hypnosis /dev/null
ln -s "$(command -v env)" "$top/none/env"
refuses 'no ffmpeg' 1 "cannot write '.*old.mp4': that takes ffmpeg, which is not there; install it, or name a file in y4m.*$" \
    env PATH="$top/none" "$circles" --frames 0:1 hypnosis "$T/old.mp4"
refuses 'no ffmpeg for a puzzle, before any work' 1 'that takes ffmpeg' env PATH="$top/none" "$unscramble" --animate "$T/old.mp4" "$puzzle" "$T/y.png"

export PATH=$paths
# field FILE NAME: what ffprobe says of its only stream.
field() { ffprobe -v error -select_streams v -count_frames -show_entries "stream=$2" -of default=nw=1:nk=1 "$1" | paste -sd' '; }
processor=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
tags=pix_fmt,color_range,color_space,color_transfer,color_primaries
if command -v ffprobe >/dev/null && command -v ffmpeg >/dev/null; then
    for format in mp4:h264 webm:vp9; do
        film=$T/film.${format%:*}
        ok "ffmpeg: ${film##*.}" "$circles" -r cpu -s 161x121 --background 0.2,0.6,0.9 --frames 0:29 bouncingballs "$film"
        is "${film##*.}: the codec" "$(field "$film" codec_name)" "${format#*:}"
        is "${film##*.}: colors and tags" "$(field "$film" $tags)" 'yuv420p tv bt709 bt709 bt709'
        ok "${film##*.}: the same bytes again, on one processor" taskset -c "$processor" "$circles" -r cpu -s 161x121 --background 0.2,0.6,0.9 \
            --frames 0:29 bouncingballs "$T/again.${film##*.}"
        ok "${film##*.}: they are" cmp "$film" "$T/again.${film##*.}"
        is "${film##*.}: frames" "$(field "$film" nb_read_frames)" 30
        ffmpeg -v error -y -i "$film" -frames:v 1 -vf scale=in_color_matrix=bt709 -pix_fmt rgb24 "$T/frame.ppm"
        ok "${film##*.}: the background is 51, 153, 230 nearly" perl -e 'open F, "<:raw", shift; local $/; $_ = <F>;
            @c = unpack "C3", substr $_, -3; $wanted = [51, 153, 230]; abs($c[$_] - $wanted->[$_]) <= 4 or die "@c\n" for 0 .. 2' "$T/frame.ppm"
    done
    ok 'mp4: the largest film' "$circles" -r cpu -s 16254x2 --frames 0:0 hypnosis "$T/wide.mp4"
    is 'mp4: it is that large' "$(field "$T/wide.mp4" width)" 16254
    ok 'mp4: it can be played before it is whole' perl -e 'open F, "<:raw", shift; local $/; $_ = <F>; exit !(index($_, "moov") < index($_, "mdat"))' \
        "$T/film.mp4"
    for film in "$T/c.y4m420" "$T/c.y4m"; do
        "$unscramble" -r cpu -q -g 1x3 --animate "$film" "$T/colors.ppm" "$T/x.ppm"
        ffmpeg -v error -y -i "$film" -frames:v 1 -pix_fmt rgb24 "$T/frame.ppm"
        ok "ffmpeg: ${film##*.} has the colors of the puzzle" perl -e 'open my $file, "<:raw", shift or die; local $/; my $pixels = substr <$file>, -3 * 16 * 48;
            for my $i (0 .. 2) {
                my @got = unpack "C3", substr $pixels, 3 * (16 * (16 * $i + 8) + 8);
                my @wanted = split /,/, $ARGV[$i];
                abs($got[$_] - $wanted[$_]) <= 3 or die "@got, not @wanted\n" for 0 .. 2;
            }' "$T/frame.ppm" $colors
    done
    ok 'ffmpeg: the film of a puzzle' "$unscramble" -r cpu -q --animate "$T/-puzzle film.mp4" "$puzzle" "$T/x.png"
    is 'the film of a puzzle: 7 seconds, H.264' "$(field "$T/-puzzle film.mp4" codec_name,nb_read_frames,r_frame_rate)" 'h264 30/1 210'
else
    skip 'real films' 'no ffmpeg and ffprobe here'
fi

# Animations by libraries.
for python in python3 /usr/bin/python3 ''; do
    [ "$python" ] && "$python" -c 'import PIL' 2>/dev/null && break
done
ln -s "$(command -v taskset)" "$top/none/taskset"
bounce() { env PATH="$top/none" "${@:2}" "$circles" -r cpu -s 161x121 --frames 0:29 bouncingballs "$1"; }
for format in webp:libwebp gif:giflib; do
    library=${format#*:} format=${format%:*}
    if ! "$circles" --version | grep -q "^with: .*$library"; then
        refuses "$format: no library" 1 "this build lacks $library for videos in $format; name a .y4m file" "$circles" --frames 0:2 hypnosis "$T/a.$format"
        continue
    fi
    ok "$format: a film without ffmpeg" bounce "$T/a.$format"
    ok "$format: on one processor" bounce "$T/again.$format" taskset -c "$processor"
    ok "$format: the same bytes" cmp "$T/a.$format" "$T/again.$format"
    ok "$format: frames to standard output" sh -c '"$1" -r cpu -s 161x121 --format "$3" --frames 0:29 bouncingballs - | cmp - "$2"' - \
        "$circles" "$T/a.$format" $format
    ok "$format: the film of a puzzle" "$unscramble" -r cpu -q --film-side 90 --animate "$T/puzzle.$format" "$puzzle" "$T/x.png"
    ok "$format: one frame of one pixel" "$circles" -r cpu -s 1 --frames 0:0 hypnosis "$T/one.$format"
    refuses "$format: a full disk" 1 "cannot write '/dev/full': No space left" "$circles" -r cpu -s 20x12 --format $format --frames 0:2 hypnosis /dev/full
    before=$(snapshot)
    is "SIGINT in a film, $format: death by it" \
        "$(stopped INT '/frame +[3-9]/' "$circles" --progress always -r cpu -s 400 --frames 0:99999 fireworks "$T/new.$format")" 'signal 2'
    is "SIGINT in a film, $format: files are as they were" "$(snapshot)" "$before"
done

if [ -f "$T/a.webp" ]; then
    "$circles" -r cpu -s 161x121 hypnosis "$T/still.webp"
    "$circles" -r cpu -s 161x121 --format webp hypnosis "$T/named"
    ok 'webp: an image without --frames' cmp "$T/still.webp" "$T/named"
    ok 'webp: it is no animation' not grep -q ANIM "$T/still.webp"
    ok 'webp: the film of a puzzle is an animation' grep -q ANIM "$T/puzzle.webp"
fi
"$circles" -r cpu -s 161x121 --frames 0:29 bouncingballs "$T/w.ppm"
if [ "$python" ] && [ -f "$T/a.webp" ]; then
    is 'webp: Pillow reads the same pixels, half a second of them, again and again' "$("$python" -c 'import sys
from PIL import Image
film, times = Image.open(sys.argv[1]), []
for i in range(film.n_frames):
    film.seek(i)
    same = film.convert("RGB").tobytes() == Image.open("%s-%04d.ppm" % (sys.argv[2], i)).tobytes()
    times.append(film.info["duration"] if same else -1)
print(len(times), min(times), max(times), sum(times), film.info["loop"])' "$T/a.webp" "$T/w")" '30 16 17 500 0'
    # clear TOOL OPTIONS...: whether Pillow finds in a film what numbered images have, but for colors
    # of pixels that are clear, and how many pixels are clear, opaque and between.
    clear() {
        for extension in webp png; do
            "$@" -q -r cpu -s 64x48 --background none --frames 1:9 "$T/clear.$extension" || return
        done
        "$python" -c 'import sys
from PIL import Image
film, same, alphas = Image.open(sys.argv[1] + ".webp"), True, []
def seen(image):
    bytes = image.convert("RGBA").tobytes()
    return [bytes[i : i + 4] if bytes[i + 3] else 0 for i in range(0, len(bytes), 4)]
for i in range(film.n_frames):
    film.seek(i)
    wanted = Image.open("%s-%04d.png" % (sys.argv[1], i + 1))
    same = same and seen(film) == seen(wanted)
    alphas += wanted.getchannel("A").tobytes()
counts = alphas.count(0), alphas.count(255), sum(0 < alpha < 255 for alpha in alphas)
print(film.n_frames, same, *("some" if count > 1000 else count for count in counts))' "$T/clear"
    }
    is 'webp: bezier with alpha' "$(clear "$BUILD/bezier" --antialias 4 --animate turn scenes/samples/kettle.bv)" '9 True some some some'
    is 'webp: circles with alpha' "$(clear "$circles" --antialias 4 bouncingballs)" '9 True some 0 some'
else
    skip 'webp: the same pixels' 'no Pillow or libwebp here'
fi

# gif_frames FILM FRAMES FIRST: what Pillow reads: how many frames, their times, how often they are
# repeated (0: always), how far the worst pixel is from the first of 60 frames a second in each 25th
# of one, whether the mean square of each frame is below that of Pillow's own 255 colors, but for an
# eighth of a step, and whether all stands still that should.
gif_frames() {
    "$python" -c 'import sys
from PIL import Image, ImageChops, ImageStat
def differ(a, b):
    stat = ImageStat.Stat(ImageChops.difference(a, b))
    return max(high for low, high in stat.extrema), sum(stat.sum2) / stat.count[0] / 3
def moved(a, b):
    red, green, blue = ImageChops.difference(a, b).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda step: step and 255)
film, times, worst, good, still, before = Image.open(sys.argv[1]), set(), 0, True, True, None
for i in range(film.n_frames):
    film.seek(i)
    times.add(film.info["duration"])
    shown = film.convert("RGB")
    wanted = Image.open("%s-%04d.ppm" % (sys.argv[2], int(sys.argv[3]) + -(-i * 60 // 25)))
    far, mean = differ(shown, wanted)
    worst = max(worst, far)
    good = good and mean <= differ(wanted.quantize(255).convert("RGB"), wanted)[1] + 1 / 8
    if before:
        still = still and not ImageChops.subtract(moved(shown, before[0]), moved(wanted, before[1])).getbbox()
    before = shown, wanted
print(film.n_frames, *times, film.info["loop"], worst, good, still)' "$@"
}
if [ "$python" ] && [ -f "$T/a.gif" ]; then
    is 'gif: 13 frames at 25 a second instead of 30 at 60, again and again, whose few colors are exact' \
        "$(gif_frames "$T/a.gif" "$T/w" 0)" '13 40 0 0 True True'
    for extension in gif ppm; do
        "$circles" -q -r cpu -s 160x120 --frames 30:59 newyear "$T/y.$extension"
    done
    ok 'gif: many colors' matches "$(gif_frames "$T/y.gif" "$T/y" 30)" '^13 40 0 [1-3]?[0-9] True True$'
    is 'gif: 7 seconds of a puzzle' "$("$python" -c 'import sys
from PIL import Image
print(Image.open(sys.argv[1]).n_frames, Image.open(sys.argv[1]).size)' "$T/puzzle.gif")" '175 (90, 90)'
else
    skip 'gif: the frames' 'no Pillow or giflib here'
fi
if [ -f "$T/a.gif" ] && command -v ffmpeg >/dev/null; then
    ffmpeg -v error -i "$T/a.gif" -f rawvideo -pix_fmt rgb24 "$T/a.rgb"
    for i in 0000 0003 0005 0008 0010 0012 0015 0017 0020 0022 0024 0027 0029; do
        tail -c $((3 * 161 * 121)) "$T/w-$i.ppm"
    done >"$T/w.rgb"
    ok 'gif: ffmpeg reads the same pixels' cmp "$T/a.rgb" "$T/w.rgb"
    is 'gif: at 25 a second' "$(field "$T/a.gif" codec_name,r_frame_rate,nb_read_frames)" 'gif 25/1 13'
else
    skip 'gif: ffmpeg reads the same pixels' 'no ffmpeg or giflib here'
fi

plan
