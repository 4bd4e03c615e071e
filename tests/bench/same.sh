#!/usr/bin/env bash
# same.sh OLD NEW: runs the same commands with the programs of two build folders and compares all that
# comes out: files, standard output, messages and exit status. For changes of structure, which must not
# change a byte. Figures of time are left out of the comparison.
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
old=$(realpath "$1") new=$(realpath "$2")
samples=$PWD/scenes/samples images=$PWD/images/samples
top=$(mktemp -d) || exit 1
trap 'rm -rf "$top"' EXIT
mkdir "$top/in"
cp "$images"/*.png "$samples"/*.* "$top/in"
perl -e 'print "P6\n61 43\n255\n", map { chr(($_ * 37 ^ $_ / 60 * 11) & 255) } 0 .. 7868' >"$top/in/odd.ppm"
perl -e 'print "P5\n1 1\n65535\n\x12\x34"' >"$top/in/one.pgm"
"$old/scramble" -j 1 -g 8x8 --rotate --permutation "$top/in/turned.txt" "$images/papyrus.png" "$top/in/turned.png"
"$old/scramble" -j 1 -g 6x5 --drop 3 --permutation "$top/in/dropped.txt" "$images/papyrus.png" "$top/in/dropped.png"
"$old/scramble" -j 1 --tile 100x100 --seed 4 "$images/papyrus.png" "$samples/../../docs/pictures/circles-rand10k.png" "$top/in/mixed.png"

commands() {
    local device format method tool
    for device in cpu opencl; do
        echo "unscramble -r $device in/papyrus-shuffled.png out.png --permutation p.txt --json j.json"
        echo "unscramble -r $device -g 3x3 --save-stages stages in/papyrus-shuffled.png out.png"
        echo "unscramble -r $device -g 3x3 --search exhaustive --sampling point in/papyrus-shuffled.png out.ppm"
        echo "unscramble -r $device -g 8x8 --rotate --truth in/turned.txt --confidence c.png --effort 20 in/turned.png out.png"
        echo "unscramble -r $device -g 6x5 --missing --truth in/dropped.txt --save-stages stages in/dropped.png out.bmp"
        echo "unscramble -r $device --tile 100x100 --mixed 2 --effort 10 in/mixed.png out.png"
        echo "unscramble -r $device --apply in/turned.txt in/turned.png out.tga"
        echo "unscramble -r $device -g 4x4 --animate v.y4m in/odd.ppm out.png"
        echo "scramble -r $device -g 5x3 --rotate --seed 9 --noise 3 --erode 2 --permutation p.txt in/papyrus.png out.png"
        echo "scramble -r $device --tile 7x5 in/odd.ppm in/papyrus.png out.png"
        echo "scramble -r $device -g 1x1 in/one.pgm out.pgm"
        for method in fast good bad; do
            [ "$method$device" = badopencl ] || [ $method = bad ] || echo "circles -r $device -m $method -s 101x67 rand10k out.png"
        done
        for tool in rgb rgby seed10k biglittle littlebig pattern snow hypnosis bouncingballs fireworks; do
            echo "circles -r $device -s 97 --antialias 2 $tool out.ppm"
        done
        echo "circles -r $device -s 64 --save-stages stages biglittle out.png"
        echo "circles -r $device -s 300x200 --device-memory 300K rand10k out.ppm"
        echo "circles -r $device -s 33 --frames 3:6 --format y4m fireworks v.y4m"
        echo "circles -r $device -s 33 --frames 2:5 hypnosis out.png --json j.json"
        echo "circles -r $device in/tessera.svg out.png --save-scene s.json"
        echo "circles -r $device in/sunflower.csv out.jpg"
        echo "circles -r $device -s 120 in/bubbles.json out.bmp --save-scene s.json"
        for tool in goblet kinds sphere torus wave; do
            echo "bezier -r $device -n 9 -s 120x90 in/$tool.bv out.png"
            echo "bezier -r $device -n 5x7 in/$tool.bv out.ply"
            echo "bezier -r $device --precision double -n 6 in/$tool.bv out.obj"
        done
        for method in sep mle brf mat3 mat4 casteljau; do
            echo "bezier -r $device -m $method -n 8 in/torus.bv out.obj"
        done
        for method in flat highlight reflection curvature; do
            echo "bezier -r $device -n 12 -s 101x77 --shading $method in/goblet.bv out.png"
        done
        echo "bezier -r $device -n 5 -s 60x40 --animate wave --frames 0:5 in/wave.bv v.y4m"
        echo "bezier -r $device -n 5 --animate degree --frames 1:4 in/torus.bv out.stl"
        echo "bezier -r $device -n 5 --net --groups --lines -s 90x90 in/kinds.bv out.png"
    done
    echo "circles -m reference -s 50 rand10k out.png"
    echo "circles -m good --block 8 -s 90 rand10k out.png"
    for format in png jpeg bmp tga pgm pnm; do
        echo "scramble -j 1 -g 3x2 --format $format in/one.pgm -"
        echo "scramble -j 1 -g 1x1 --format $format in/one.pgm -"
    done
    for tool in unscramble scramble circles bezier; do
        echo "$tool --help"
        echo "$tool --list-stages"
        echo "$tool --completion"
        echo "$tool in/none.png out.png"
        echo "$tool --nonsense"
    done
    echo "circles --list-scenes"
    echo "bezier --info in/kinds.bv"
    echo "bezier --info --json - in/goblet.bv"
    echo "unscramble --truth in/turned.txt -g 3x3 in/papyrus-shuffled.png out.png"
    echo "unscramble -g 300x300 in/odd.ppm out.png"
    echo "circles -s 70000 rgb out.png"
    echo "bezier -n 1 in/wave.bv out.obj"
}

# run BUILD COMMAND...: in a folder of its own; times and names of folders are taken out.
run() {
    local build=$1
    rm -rf "$top/run"
    mkdir "$top/run"
    ln -s "$top/in" "$top/run/in"
    (cd "$top/run" && timeout 120 "$build/$2" "${@:3}" >stdout 2>stderr </dev/null; echo $? >status)
    find "$top/run" \( -name '*.json' -o -name stdout \) -exec perl -pi -e 's/"(wall|kernel|transfer)_s": [^,\n]*//' {} +
    (cd "$top/run" && find . -type f ! -path './in/*' -exec cksum {} + | sort)
}

count=0 different=0
while read -r line; do
    count=$((count + 1))
    wanted=$(run "$old" $line)
    got=$(run "$new" $line)
    [ "$wanted" = "$got" ] && continue
    different=$((different + 1))
    echo "differs: $line"
    diff <(echo "$wanted") <(echo "$got") | sed 's/^/    /'
done < <(commands)
echo "$count commands, $different differ"
[ $different = 0 ]
