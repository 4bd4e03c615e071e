#!/usr/bin/env bash
# Photographs that Debian's packages bring, as sets of puzzles: photographs.sh FOLDER. Every other one goes
# to FOLDER/learn-432 and learn-2360, on which the solver's variants were chosen; the others, on which
# nothing was, to FOLDER/check-540, 805, 2360 and 3300. The numbers are the tiles of 28 x 28 pixels that they
# are scaled to, where they are large enough. FOLDER/whole has all with at least 1200 pixels a side as they
# are. Takes curl, dpkg-deb and ImageMagick.
set -euo pipefail
pool=http://deb.debian.org/debian/pool/main

# A package, its SHA-256, the folder in it, its photographs of things and places (no drawings, patterns or
# plain haze).
photographs() {
    cat <<'END'
g/gnome-backgrounds/gnome-backgrounds_3.38.0-1_all.deb 76d8a4c52e5f346d9cb08bc8a1f58ad443d2bae211721af8a7248457c7a520e8 backgrounds/gnome ColdWarm.jpg Icetwigs.jpg SeaSunset.jpg Road.jpg
b/budgie-backgrounds/budgie-backgrounds_3.0-1_all.deb b91c2d5209558bc11d8d3a161f22a608857e3f8c735980cfab0d6650b03014ca backgrounds/budgie perched-osprey.jpg singaporean-cityscape.jpg casa-mila.jpg roman-colosseum.jpg extreme-desert-hike.jpg blue-periwinkle.jpg tea-gardens.jpg oakland-zoo-otters.jpg canyon-wren.jpg lake-sherburne.jpg beacon-street-sunset.jpg
l/lomiri-wallpapers/lomiri-wallpapers-16.04_20.04.0-2_all.deb a99ff6a3bfe451e4cc0682ecb3cc82e71740626d59e4845ae34a0a0e45421eab backgrounds Picture_1A_by_freespace.jpg Wine_by_Jakkub_Mede.jpg greentock_by_Peter_Nerlich.jpg seeding_by_Clements_Engelhardt.jpg aitzgorri_by_Aitzol_Berasategi.jpg Dragonfly_by_Bolly.jpg friends_by_Aitzol_Berasategi.jpg sunset_by_Aitzol_Berasategi.jpg free_by_Peter_Nerlich.jpg picosdeeuropa_by_Aitzol_Berasategi.jpg Picture_0B_by_freespace.jpg life_by_Aitzol_Berasategi.jpg Bridge_by_Sander_Klootwijk.jpg
l/lomiri-wallpapers/lomiri-wallpapers-20.04_20.04.0-2_all.deb d44e89b8473aafe64a5b678f014862dc31335aaaf18665c544d985d854f1a709 backgrounds Kleiber_by_Lukas_Baubkus.jpg
m/mate-backgrounds/mate-backgrounds_1.26.0-1_all.deb 7bf4c2209f34b4f61ba6d24c8b58c28b361e82e4b943aae6d42c030169af9e04 backgrounds/mate/nature Garden.jpg Dune.jpg TwoWings.jpg Storm.jpg GreenMeadow.jpg RainDrops.jpg FreshFlower.jpg LadyBird.jpg YellowFlower.jpg
p/palapeli/palapeli-data_22.12.3-1_all.deb 69a15dce2ac25ed8708ac518cd0cee5f4eb0c70ed15da2fdb8899a19ac0ee058 palapeli/collection cincinnati-bridge.jpg european-honey-bee.jpg panther-chameleon-female.jpg castle-maintenon.jpg citrus-fruits.jpg
o/opencv/opencv-doc_4.6.0+dfsg-12_all.deb 4b12681df35878207ac7097dc66184b2ae552e4bf4ddd2af04a0f03ed0b8682a doc/opencv-doc/examples/data leuvenA.jpg aloeL.jpg graf1.png building.jpg
p/plasma-workspace-wallpapers/plasma-workspace-wallpapers_5.27.5-2_all.deb 32cd18b71c8c938a18b3b351f217c02ac590e323caa3cf322fbb875ce8892f8b wallpapers FallenLeaf/contents/images/2560x1600.jpg Path/contents/images/2560x1600.jpg EveningGlow/contents/images/2560x1600.jpg Kite/contents/images/2560x1600.jpg ColorfulCups/contents/images/2560x1600.jpg OneStandsOut/contents/images/2560x1600.jpg ColdRipple/contents/images/2560x1600.jpg BytheWater/contents/images/2560x1600.jpg
END
}

if [ $# != 1 ]; then
    echo "usage: photographs.sh FOLDER" >&2
    exit 2
fi
for program in curl dpkg-deb identify convert; do
    if ! command -v $program >/dev/null; then
        echo "photographs.sh: $program is missing; install curl, dpkg and imagemagick" >&2
        exit 1
    fi
done
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# scaled FILE NAME SET WIDTH HEIGHT: the middle of a photograph, if it has that many pixels
scaled() {
    local width height
    width=$(identify -format %w "$1") height=$(identify -format %h "$1")
    if [ "$width" -ge "$4" ] && [ "$height" -ge "$5" ]; then
        mkdir -p "$folder/$3"
        convert "$1" -resize "$4x$5^" -gravity center -extent "$4x$5" -strip "$folder/$3/$2.png"
    fi
}

# whole FILE NAME: a photograph as it is, if it is large
whole() {
    if [ "$(identify -format '%[fx:min(w,h)]' "$1")" -ge 1200 ]; then
        mkdir -p "$folder/whole"
        cp "$1" "$folder/whole/$2.${1##*.}"
    fi
}

count=0 number=0
while read -r package sum in files; do
    curl -sSf "$pool/$package" -o "$work/package.deb"
    echo "$sum  $work/package.deb" | sha256sum --check --quiet
    dpkg-deb -x "$work/package.deb" "$work/$count"
    for file in $files; do
        from=$work/$count/usr/share/$in/$file
        name=${file%%[./]*}
        whole "$from" "$name"
        if [ $((number++ % 2)) = 0 ]; then
            scaled "$from" "$name" learn-432 672 504
            scaled "$from" "$name" learn-2360 1652 1120
        else
            scaled "$from" "$name" check-540 756 560
            scaled "$from" "$name" check-805 980 644
            scaled "$from" "$name" check-2360 1652 1120
            scaled "$from" "$name" check-3300 1848 1400
        fi
    done
    count=$((count + 1))
done < <(photographs)
for set in "$folder"/*; do
    echo "$set: $(find "$set" -type f | wc -l) photographs"
done
