#!/usr/bin/env bash
# Pages as they are printed and scanned: pages.sh FOLDER [QUALITY]. Prints 12 pages into FOLDER/learn, on
# which the cost of pages was made, 24 into FOLDER/judge, to which the probabilities of pages are fitted with
# them, and 24 into FOLDER/check, on which nothing was made: A4 at 300 dots an inch, of texts that every
# Debian system has. Each is finished in one way: "plain" has two colors, "gray" smooth edges, "noise" a
# standard deviation of 8 on 255, "skew" a turn by half a degree, "jpeg" quality 90, "scan" the last three
# together. With QUALITY, that of the JPEG files, every page is finished as a scan, with noise of its own.
# Takes groff, ghostscript and ImageMagick.
set -euo pipefail
texts=/usr/share/common-licenses
if [ $# != 1 ] && [ $# != 2 ]; then
    echo "usage: pages.sh FOLDER [QUALITY]" >&2
    exit 2
fi
quality=${2:-90} seed=1
for program in groff gs convert; do
    if ! command -v $program >/dev/null; then
        echo "pages.sh: $program is missing; install groff, ghostscript and imagemagick" >&2
        exit 1
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# lines TEXT FIRST COUNT: lines of a text that groff takes as they are
lines() {
    sed -n "$2,$(($2 + $3 - 1))p" "$texts/$1" | sed "s/\\\\/\\\\e/g; s/^[.']/\\\\\\&&/"
}

# words TEXT FIRST COUNT: words, one a line
words() {
    lines "$1" "$2" 400 | tr -cs 'A-Za-z' '\n' | sed '/^.\{0,2\}$/d' | sed -n "1,$3p"
}

# start SIZE PITCH FONT: a page of that size and pitch of lines in points
start() {
    printf '.nr PS %s\n.nr VS %s\n.nr LL 16.5c\n.nr PO 2.2c\n.nr HM 2c\n.nr FM 2c\n.fam %s\n' "$1" "$2" "$3"
}

# page KIND TEXT FIRST SIZE FONT: the source of a page
page() {
    local pitch=$(($4 + 2)) text=$2 first=$3
    case $1 in
    typed) start "$4" $((pitch + ${6:-0})) C; echo .LP; echo .nf; lines "$text" "$first" 90 ;;
    prose) start "$4" $pitch "$5"; echo .PP; lines "$text" "$first" 160 | sed 's/^ *$/.PP/; s/^  *//' ;;
    columns) start "$4" $pitch "$5"; echo .2C; echo .PP; lines "$text" "$first" 250 | sed 's/^ *$/.PP/; s/^  *//' ;;
    table)
        start "$4" $pitch "$5"
        printf '.LP\n'; lines "$text" "$first" 8
        printf '.TS\nallbox center;\nl l r r.\n'
        words "$text" "$first" 90 | awk 'NR % 3 == 1 {a = $0} NR % 3 == 2 {b = $0} NR % 3 == 0 {
            print a "\t" b " " $0 "\t" NR * 7919 % 10007 "\t" NR * 104729 % 997 / 10}'
        echo .TE ;;
    letter)
        start "$4" $((pitch + 2)) "$5"
        printf '.LP\n.nf\n'; words "$text" "$first" 4
        printf '.sp 3\n.in 10c\n'; words "$text" $((first + 20)) 3
        printf '.in 0\n.sp 2\n.fi\n.PP\n'; lines "$text" "$first" 14
        printf '.PP\n'; lines "$text" $((first + 14)) 8
        printf '.sp 4\n.nf\n'; words "$text" $((first + 40)) 2 ;;
    form)
        start "$4" $pitch "$5"
        printf '.LP\n.ce\n.B "Form"\n.sp\n.TS\nbox tab(|);\nlw(4c) | lw(11c).\n'
        words "$text" "$first" 18 | while read -r word; do printf '%s:|\n\n_\n' "$word"; done
        printf '.TE\n.sp\n.nf\n'
        words "$text" $((first + 30)) 8 | while read -r word; do printf '[  ] %s\n' "$word"; done ;;
    drawing)
        start "$4" $pitch "$5"
        printf '.LP\n'; lines "$text" "$first" 6; printf '.PS\nscale = 2.54\ndown\n'
        words "$text" "$first" 24 | awk '{ printf "%s wid 3.4 ht 1 at (%g, %g) \"%s\"\n",
            NR % 2 ? "box" : "ellipse", NR % 4 * 4, -NR * 0.8, $0
            if (NR > 1) printf "arrow from last %s.s to last %s.n\n", NR % 2 ? "ellipse" : "box", NR % 2 ? "box" : "ellipse"
            if (NR % 5 == 0) printf "spline from (0, %g) to (%g, %g) to (12, %g)\n", -NR, NR % 7, -NR * 0.5, -NR * 0.7 }'
        printf '.PE\n'; lines "$text" $((first + 6)) 6 ;;
    manual)
        printf '.TH "%s" 1\n.SH NAME\n' "$text"; lines "$text" "$first" 70 | awk '
            /^ *$/ { if (n++ % 3 == 2) print ".SH", "PART " n; else print ".TP 8\n.B \\-" substr("abcdefghij", n % 10 + 1, 1); next } 1' ;;
    esac
}

# finish NAME HOW: from the printed page
finish() {
    local noise="-seed $seed -attenuate 0.4 +noise Gaussian"
    case $2 in
    plain) convert "$work/page.png" -threshold 60% "$1" ;;
    gray) convert "$work/page.png" "$1" ;;
    noise) convert "$work/page.png" +level 10%,92% $noise "$1" ;;
    skew) convert "$work/page.png" -background white -rotate 0.5 -gravity center -extent 2480x3508 +repage "$1" ;;
    jpeg) convert "$work/page.png" -quality 90 "$work/page.jpg" && convert "$work/page.jpg" "$1" ;;
    scan)
        convert "$work/page.png" -background white -rotate -0.4 -gravity center -extent 2480x3508 +repage \
            -blur 0x0.8 +level 12%,94% $noise -quality "$quality" "$work/page.jpg" && convert "$work/page.jpg" "$1" ;;
    esac
}

# print FOLDER FINISH KIND TEXT FIRST SIZE FONT
print() {
    local name=$1/$3-$4-$2.png macros=-ms
    mkdir -p "$1"
    [ "$3" = manual ] && macros=-man
    page "${@:3}" >"$work/page.ms"
    groff -t -p $macros -Tps -P-pa4 -dpaper=a4 "$work/page.ms" >"$work/page.ps" 2>/dev/null
    gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=pnggray -r300 -sPAPERSIZE=a4 -dTextAlphaBits=4 \
        -dGraphicsAlphaBits=4 -dFirstPage=1 -dLastPage=1 -sOutputFile="$work/page.png" "$work/page.ps"
    finish "$name" "$2"
}

while read -r set how kind rest; do
    if [ $# = 2 ]; then
        how=scan seed=$((seed + 1))
    fi
    # shellcheck disable=SC2086
    print "$1/$set" $how $kind $rest
done <<'END'
learn plain typed GPL-2 10 12 C
learn gray prose GPL-2 80 11 T
learn noise columns Apache-2.0 20 9 T
learn skew table GPL-2 60 10 H
learn jpeg letter GPL-1 10 12 P
learn scan prose GPL-1 60 10 H
learn plain form GPL-1 20 11 H
learn gray drawing GPL-2 20 10 T
learn plain manual GPL-2 15 10 T
learn scan typed GPL-1 30 10 C
learn plain columns GPL-2 120 10 N
learn noise table Apache-2.0 20 11 T
judge plain typed GPL-3 30 11 C
judge scan typed LGPL-2.1 60 12 C
judge noise typed GFDL-1.2 40 9 C
judge gray typed LGPL-2 80 10 C
judge plain prose GPL-3 140 10 T
judge noise prose LGPL-2.1 20 11 N
judge jpeg prose GFDL-1.2 90 12 H
judge scan prose LGPL-2 120 9 P
judge gray columns GPL-3 200 10 H
judge skew columns LGPL-2.1 150 9 N
judge plain columns GFDL-1.2 150 11 T
judge jpeg columns LGPL-2 10 10 P
judge plain table GPL-3 260 10 H
judge scan table LGPL-2.1 220 11 T
judge gray table GFDL-1.2 20 9 N
judge plain letter GPL-3 320 12 P
judge noise letter LGPL-2 200 11 T
judge jpeg form LGPL-2.1 280 10 T
judge plain form GFDL-1.2 220 12 C
judge gray drawing GPL-3 90 11 T
judge scan drawing LGPL-2 250 10 H
judge plain manual LGPL-2.1 100 10 T
judge jpeg manual GFDL-1.2 260 11 H
judge noise manual GPL-3 380 10 T
check plain typed MPL-2.0 10 10 C
check noise typed Artistic 10 12 C
check skew typed LGPL-3 20 11 C
check jpeg typed GFDL-1.3 120 9 C
check plain prose LGPL-3 5 12 P
check gray prose GFDL-1.3 30 10 N
check scan prose MPL-2.0 40 12 T
check skew prose CC0-1.0 10 11 H
check plain columns GFDL-1.3 10 9 T
check scan columns MPL-2.0 100 10 P
check gray columns MPL-1.1 30 8 H
check plain table CC0-1.0 20 9 T
check jpeg table GFDL-1.3 200 12 P
check scan table MPL-1.1 50 10 H
check plain letter CC0-1.0 40 11 T
check noise letter LGPL-3 30 12 H
check gray letter MPL-2.0 60 11 C
check plain form MPL-1.1 100 12 T
check scan form CC0-1.0 10 10 H
check plain drawing GFDL-1.3 60 11 H
check jpeg drawing MPL-2.0 80 9 T
check plain manual Artistic 5 11 T
check gray manual MPL-1.1 90 10 T
check noise manual GFDL-1.3 300 10 T
END
for set in "$1"/*; do
    echo "$set: $(find "$set" -name '*.png' | wc -l) pages"
done
