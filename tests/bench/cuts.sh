#!/usr/bin/env bash
# Whether unscramble tells that a puzzle is not cut as it was told: cuts.sh FOLDER. Each image is shuffled in
# grids of 3 x 3, 6 x 4 and 12 x 9 tiles, then scaled, framed and so on, and restored with --grid; writes the
# table of docs/bench/grid.md. Takes ImageMagick.
set -euo pipefail
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# whole_tiles GRID: the part of puzzle.pnm that is tiles
whole_tiles() {
    identify -format '%w %h\n' "$work/puzzle.pnm" | awk -v c="${1%x*}" -v r="${1#*x}" '{ print int($1 / c) * c "x" int($2 / r) * r "+0+0" }'
}

# lay_out GRID OPTION ...: the tiles of puzzle.pnm side by side by montage with these options
lay_out() {
    local columns=${1%x*} rows=${1#*x} width height tile
    read -r width height < <(identify -format '%w %h\n' "$work/puzzle.pnm")
    rm -f "$work"/tile-*
    convert "$work/puzzle.pnm" -crop "$((width / columns * columns))x$((height / rows * rows))+0+0" +repage \
        -crop "$((width / columns))x$((height / rows))" +repage "$work/tile-%03d.png"
    if [ "$2" = round ]; then
        convert -size "$((width / columns))x$((height / rows))" xc:none -fill white -draw \
            "roundrectangle 0,0 $((width / columns - 1)),$((height / rows - 1)) 8,8" "$work/mask.png"
        for tile in "$work"/tile-*; do convert "$tile" "$work/mask.png" -compose DstIn -composite "$tile"; done
    fi
    montage "$work"/tile-* -background white "${@:3}" -tile "$1" "$work/told.pnm"
}

# lines_over GRID: puzzle.pnm with lines of 2 pixels drawn over the edges of its tiles
lines_over() {
    local columns=${1%x*} rows=${1#*x} width height i at draw=''
    read -r width height < <(identify -format '%w %h\n' "$work/puzzle.pnm")
    for ((i = 1; i < columns; i++)); do at=$((width / columns * i)) draw+="rectangle $((at - 1)),0 $at,$height "; done
    for ((i = 1; i < rows; i++)); do at=$((height / rows * i)) draw+="rectangle 0,$((at - 1)) $width,$at "; done
    convert "$work/puzzle.pnm" -fill black -draw "$draw" "$work/told.pnm"
}

# told NAME GRID [ORDER]: restores told.pnm so, and prints the name, whether the answer is doubtful, and
# whether its order is that in a file
told() {
    local status=0 order=(${3:+--truth "$3"})
    "$build/unscramble" -r cpu --strict --grid "$2" "${order[@]}" --format pnm "$work/told.pnm" "$work/answer" \
        >"$work/score" 2>"$work/message" || status=$?
    echo "$1;$status;$(grep -c 'perfect$' "$work/score" "$work/message" | awk -F: '{ n += $2 } END { print n }')"
}

shopt -s nullglob
for image in "$1"/*.png "$1"/*.jpg; do
    for grid in 3x3 6x4 12x9; do
        "$build/scramble" -q --grid $grid --seed 1 --permutation "$work/order" --format pnm "$image" \
            "$work/puzzle.pnm"
        cp "$work/puzzle.pnm" "$work/told.pnm"
        told "as it was cut" $grid "$work/order"
        [ $grid = 3x3 ] || told "columns and rows exchanged" "${grid#*x}x${grid%x*}"
        [ $grid = 3x3 ] || told "half as many columns and rows" "$((${grid%x*} / 2))x$((${grid#*x} / 2))"
        convert "$work/puzzle.pnm" -quality 80 "$work/told.jpg"
        convert "$work/told.jpg" "$work/told.pnm"
        told "as it was cut, JPEG 80" $grid "$work/order"
        convert "$work/puzzle.pnm" -crop "$(whole_tiles $grid)" +repage "$work/whole.pnm"
        for percent in 93 131; do
            convert "$work/puzzle.pnm" -resize $percent% "$work/told.pnm"
            told "scaled to $percent %" $grid "$work/order"
            convert "$work/whole.pnm" -resize $percent% "$work/told.pnm"
            told "scaled to $percent %, nothing left over" $grid "$work/order"
        done
        for how in "-blur 0x0.7" "-blur 0x1" "-unsharp 0x1"; do
            convert "$work/puzzle.pnm" $how "$work/told.pnm"
            told "$how" $grid "$work/order"
        done
        convert "$work/puzzle.pnm" -sample '1000x700!' "$work/told.pnm"
        told "to 1000 x 700, pixels repeated" $grid "$work/order"
        convert "$work/puzzle.pnm" -bordercolor white -border 7 "$work/told.pnm"
        told "a border of 7 pixels" $grid "$work/order"
        convert "$work/told.pnm" -quality 80 "$work/told.jpg"
        convert "$work/told.jpg" "$work/told.pnm"
        told "a border of 7 pixels, JPEG 80" $grid "$work/order"
        lay_out $grid plain -geometry +2+2
        cp "$work/told.pnm" "$work/lines.pnm"
        told "lines of 4 pixels between tiles" $grid "$work/order"
        convert "$work/lines.pnm" -quality 80 "$work/told.jpg"
        convert "$work/told.jpg" "$work/told.pnm"
        told "lines of 4 pixels between tiles, JPEG 80" $grid "$work/order"
        convert "$work/lines.pnm" -resize 93% "$work/told.pnm"
        told "lines of 4 pixels between tiles, scaled to 93 %" $grid "$work/order"
        lay_out $grid round -geometry +4+4
        told "tiles with round corners, 8 pixels apart" $grid "$work/order"
        lay_out $grid plain -shadow -geometry +6+6
        told "tiles with shadows" $grid "$work/order"
        lines_over $grid
        told "lines of 2 pixels over the edges of tiles" $grid "$work/order"
    done
done | awk -F';' '
    !($1 in puzzles) { names[++count] = $1 }
    { puzzles[$1]++; doubtful[$1] += $2 == 1; right[$1] += $3; trusted[$1] += !$3 && $2 == 0; failed += $2 > 1 }
    END {
        print "| puzzle | puzzles | doubtful | right order | wrong order, not doubtful |\n|---|---:|---:|---:|---:|"
        for (i = 1; i <= count; i++)
            printf "| %s | %d | %d | %d | %d |\n", names[i], puzzles[names[i]], doubtful[names[i]], right[names[i]],
                trusted[names[i]]
        exit failed > 0
    }'
