#!/usr/bin/env bash
# circles: its options, scenes, images, frames and numbers, and what it refuses.
. "$(dirname "$0")/tap.lib"

circles=$(realpath "$BUILD/circles")
samples=$PWD/scenes/samples
image() { perl tests/cli/image.pl "$@"; }
no_alpha='of videos only webp has alpha; give an opaque --background, or name a .webp file'
"$circles" --version | grep -q '^with: .*libwebp' ||
    no_alpha='of videos only those that this build lacks have alpha; give an opaque --background, or name .png files'

draw() { "$circles" -r cpu "$@" </dev/null; }
# draws_as NAME FILE OPTIONS...: the options give the image in FILE.
draws_as() {
    ok "$1" draws_same "${@:2}"
}
draws_same() {
    rm -f "$T/again.png"
    draw "${@:2}" "$T/again.png" && cmp "$1" "$T/again.png"
}
differs() { # NAME FILE OPTIONS...
    ok "$1" draws_other "${@:2}"
}
draws_other() {
    rm -f "$T/again.png"
    draw "${@:2}" "$T/again.png" && ! cmp -s "$1" "$T/again.png"
}
# field FILE EXPRESSION: of the JSON in $_.
field() {
    perl -MJSON::PP -e '($file, $e) = @ARGV; open F, "<", $file; local $/; $_ = decode_json <F>;
        $r = eval $e; die $@ if $@; print ref $r ? JSON::PP->new->canonical->encode($r) : $r' "$@"
}

# Without a scene: the scene rand10k, into rand10k.png.
mkdir "$T/empty"
is 'no operands: nothing is said' "$(cd "$T/empty" && "$circles" -s 64 2>&1 </dev/null)" ''
is 'no operands: what there is' "$(ls -A "$T/empty")" rand10k.png
is 'no operands: an image' "$(image show "$T/empty/rand10k.png" | head -n 1)" '64 64 3 8'
draws_as 'the same by its name' "$T/empty/rand10k.png" -s 64 rand10k
(cd "$T/empty" && draw rgb)
is 'without --size 1024 x 1024 pixels' "$(image show "$T/empty/rgb.png" | head -n 1)" '1024 1024 3 8'
cp "$samples/sunflower.csv" "$T/a.b.csv"
(cd "$T/empty" && rm ./* && draw -s 8 rgb && draw -s 8 ../a.b.csv && draw -s 8 --frames 3:4 hypnosis &&
    "$circles" -r cpu -s 8 - <../a.b.csv)
is 'OUTPUT is named by the scene' "$(cd "$T/empty" && echo *)" 'a.b.png circles.png hypnosis-0003.png hypnosis-0004.png rgb.png'
rm -r "$T/empty"

# The benchmark.
"$circles" -s 64 -b >"$T/table" 2>"$T/stderr" </dev/null
is '-b: exit status' $? 0
is '-b: nothing on standard error' "$(cat "$T/stderr")" ''
ok '-b: what is compared' grep -Eq '^rand10k, 10000 circles, 64 x 64 pixels on [a-z]+:[0-9]+ \(.+\); 5 runs$' "$T/table"
ok '-b: a row of the method' grep -Eq '^fast +the reference( +[0-9.]+){3}$' "$T/table"
ok '-b: the images' grep -q '; the two images are equal byte for byte$' "$T/table"
is '-b: no file' "$(ls rand10k.png 2>/dev/null)" ''
for how in 'good --block 8' 'fast --antialias 2' 'fast --device-memory 200K'; do
    "$circles" -r cpu -s 32x48 -b -m $how --json "$T/b.json" seed10k </dev/null >"$T/table"
    is "-b -m $how: equal, and what JSON says" "$(field "$T/b.json" 'join " ", $$_{scene}, $$_{method}, $$_{circles}, $$_{width},
        $$_{height}, $$_{different_pixels}, scalar @{$$_{benchmark}}')" "seed10k ${how%% *} 10000 32 48 0 1"
    is "-b --json: no table" "$(cat "$T/table")" ''
done
printf 'x,y,z,r,red,green,blue,alpha\n.5,.5,0,.2,1,0,0,.5\n' >"$T/one.csv"
refuses '--seed of a file' 2 "--seed is for a scene known by name, and '$T/one.csv' is none; leave it out" \
    "$circles" --seed 7 -s 9 "$T/one.csv" "$T/x.png"
refuses '-b with --frames' 2 'leave out --frames' "$circles" -b --frames 0:1 hypnosis
refuses '-b with OUTPUT' 2 'leave out .*OUTPUT' "$circles" -r cpu -s 9 -b rgb "$T/x.png"
refuses '-b with --format' 2 'leave out .*--format' "$circles" -r cpu -s 9 -b --format png rgb
refuses '-b of the reference' 2 'choose another --method' "$circles" -r cpu -s 9 -b -m reference rgb

# Devices and methods give the same bytes.
draw -s 50x70 -m reference seed10k "$T/seed.png"
for device in $(devices); do
    for how in fast good 'good --block 8' 'good --block 16' 'good --block 32'; do
        "$circles" -r "$device" -s 50x70 -m $how seed10k "$T/again.png" </dev/null
        ok "$device, $how: as the reference" cmp "$T/seed.png" "$T/again.png"
    done
done
for threads in 1 3; do
    draws_as "$threads threads: the same" "$T/seed.png" -j $threads -s 50x70 seed10k
done
for memory in 100K 1M 99G; do
    draws_as "--device-memory $memory: the same" "$T/seed.png" --device-memory $memory -s 50x70 seed10k
done
"$circles" -r cpu -s 50x70 --device-memory 100K -v --trace "$T/trace" seed10k "$T/again.png" 2>"$T/stderr"
ok '-v: as many parts as are shaded' perl -ne 'BEGIN { $/ = undef } $parts = $1 * $2 if /bands of the image: (\d+), chunks of the scene: (\d+)/;
    $shaded += () = /"name": *"shade"/g; END { print "$parts parts, $shaded shaded\n"; exit !($parts > 1 && $parts == $shaded) }' "$T/stderr" "$T/trace"
# Circles around a disc that they leave free, of which the nearest fit the memory, but not all; found by a
# bit matrix and, where they are more, by lists.
around_disc() { # COUNT RADIUS
    perl -e 'srand 5; my ($count, $radius) = @ARGV; print "x,y,z,r,red,green,blue,alpha\n";
        while ($count) {
            my ($x, $y, $r) = (rand, rand, $radius * (.5 + rand));
            next if ($x - .6) ** 2 + ($y - .4) ** 2 < (.15 + $r) ** 2;
            printf "%.5f,%.5f,%.6f,%.5f,%.4f,%.4f,%.4f,.5\n", $x, $y, rand, $r, rand, rand, rand;
            $count--;
        }' "$@"
}
around_disc 12000 .1 >"$T/disc.csv"
around_disc 130000 .022 >"$T/lists.csv"
draw -s 64 -m reference --antialias 1 "$T/disc.csv" "$T/disc.png"
for memory in 700K 1M 99G; do
    draws_as "a free disc, --device-memory $memory: as the reference" "$T/disc.png" --device-memory $memory -s 64 \
        --antialias 1 "$T/disc.csv"
done
draw -s 256 -m reference --antialias 1 "$T/lists.csv" "$T/lists.png"
for memory in 18M 22M 24M 26M 32M; do
    draws_as "a free disc and lists, --device-memory $memory: as the reference" "$T/lists.png" --device-memory $memory \
        -s 256 --antialias 1 "$T/lists.csv"
done
"$circles" -r cpu -s 64 --antialias 1 --device-memory 1100K -v --trace "$T/trace" "$T/disc.csv" "$T/again.png" 2>"$T/stderr"
ok 'a free disc: the nearest circles, then chunks of all' perl -0ne '$notices += () = /need more than the nearest circles/g;
    $uploads += () = /"name": *"upload"/g; END { exit !($notices == 1 && $uploads > 2) }' "$T/stderr" "$T/trace"
"$circles" -s 50x70 seed10k "$T/again.png" </dev/null
ok 'auto: the same' cmp "$T/seed.png" "$T/again.png"
draw -s 20x30 -m reference --antialias 3 seed10k "$T/mean.png"
draws_as '--antialias 3: as the reference' "$T/mean.png" -s 20x30 --antialias 3 seed10k
differs '--antialias 3: not as without' "$T/mean.png" -s 20x30 seed10k
"$circles" -r cpu -m bad -s 40 rgb "$T/again.png" 2>"$T/stderr" </dev/null
ok 'bad on the CPU: an image' [ -s "$T/again.png" ]
ok 'bad on the CPU: says that the race does not show' grep -q '^circles: on cpu:.*race' "$T/stderr"
is 'bad --quiet: says nothing' "$(draw -q -m bad -s 40 rgb "$T/again.png" 2>&1)" ''
refuses 'bad in chunks' 1 'method bad needs all circles' "$circles" -r cpu -m bad --device-memory 100K -s 32 seed10k "$T/x.png"

# Options that change the image.
draws_as '--seed 0 is the default' "$T/seed.png" -s 50x70 --seed 0 seed10k
differs '--seed 1' "$T/seed.png" -s 50x70 --seed 1 seed10k
draws_as '--seed 18446744073709551615 again' <(draw -s 9 --seed 18446744073709551615 seed10k -) -s 9 --seed 18446744073709551615 seed10k
pixel() { draw -s 1 "$@" --format ppm - | tail -c 3 | od -An -tu1 | tr -s ' '; }
printf 'x,y,r,red,green,blue,alpha\n.5,.5,1,1,0,.5,.25\n' >"$T/one.csv"
is 'one circle' "$(pixel "$T/one.csv")" ' 255 191 223'
is '--alpha' "$(pixel --alpha .5 "$T/one.csv")" ' 255 127 191'
is '--alpha 0' "$(pixel --alpha 0 "$T/one.csv")" ' 255 255 255'
is '--alpha 1' "$(pixel --alpha 1 "$T/one.csv")" ' 255 0 127'
is '--background' "$(pixel --background 0,1,.5 --alpha .5 "$T/one.csv")" ' 127 127 127'
is '--background of a gradient is even' \
    "$(draw -s 1x3 --background 1,0,0 --alpha 0 --format ppm snow - | tail -c 9 | od -An -tx1)" ' ff 00 00 ff 00 00 ff 00 00'
is '--background as CSS writes it' "$(for color in '#0f8' '#00ff88' lime 'rgb(100% 0 20%)' 'HSL(240, 100%, 50%)'; do
    pixel --background "$color" --alpha 0 "$T/one.csv"; done | tr -d '\n')" ' 0 255 136 0 255 136 0 255 0 255 0 51 0 0 255'
shown() { draw -s 1 "$@" "$T/s.png" && echo $(image show "$T/s.png"); }
is '--background none: color and alpha' "$(shown --background none "$T/one.csv")" '1 1 4 8 255 0 125 63'
is '--background none, no circle' "$(shown --background transparent --alpha 0 "$T/one.csv")" '1 1 4 8 0 0 0 0'
is '--background of half alpha' "$(shown --background '#00ff0080' --alpha 0 "$T/one.csv")" '1 1 4 8 0 255 0 128'
is '--background that hides all' "$(shown --background '#00ff00ff' --alpha 0 "$T/one.csv")" '1 1 3 8 0 255 0'
draw -s 50x70 -m reference --background none seed10k "$T/clear.png"
for device in $(devices); do
    ok "$device, --background none: as the reference" \
        eval "'$circles' -q -r $device -s 50x70 --background none seed10k '$T/again.png' </dev/null && cmp '$T/clear.png' '$T/again.png'"
done
draws_as '--background none, good' "$T/clear.png" -s 50x70 --background none -m good seed10k
draws_as '--background none in chunks' "$T/clear.png" -s 50x70 --background none --device-memory 100K seed10k
draw -s 100x700 --background none seed10k "$T/clear.png"
draws_as '--background none, some rows at a time' "$T/clear.png" -s 100x700 --memory 500K --background none seed10k
for file in x.jpg x.ppm; do
    refuses "alpha in ${file#x.}" 1 'cannot hold (100 x 9 pixels of )?8-bit color with alpha; use one of png' "$circles" -s 100x9 --background none rgb "$T/$file"
done
refuses 'alpha in a video' 2 "$no_alpha" "$circles" -s 9 --background none --frames 0:1 hypnosis "$T/x.y4m"
draw -s 9 --background none --save-scene "$T/clear.json" rgb "$T/clear.png"
draws_as 'none in JSON' "$T/clear.png" -s 9 --antialias 1 "$T/clear.json"
refuses 'alpha in a video, of a file' 2 "${no_alpha%%;*}" "$circles" -s 9 "$T/clear.json" "$T/x.y4m"
refuses 'none in CSV' 2 'CSV holds no background' "$circles" -s 9 --background none --save-scene "$T/x.csv" rgb "$T/x.png"
is '--size WxH' "$(draw -s 7x5 --format ppm rgb - | sed -n 2p)" '7 5'
is '--size 65535x1' "$(draw -s 65535x1 --format ppm rgb - | sed -n 2p)" '65535 1'

# refuses_option OPTION REGEX VALUES...: each is a usage error with the value in quotes.
refuses_option() {
    ok "$1: refuses ${*:3}" refuses_values "$@"
}
refuses_values() {
    for value in "${@:3}"; do
        refused 2 "bad $1 '$value': $2" "$circles" "$1" "$value" rgb "$T/x.png" || return 1
    done
}
printf 'precious' >"$T/old.png"
refuses_option --size 'write one number or two, as in 1024 or 1920x1080, from 1 to 4194304' 0 4194305 4194304x4194305 0x5 10x x10 -1 10x10x 10x0 '' 1e3 9999999 5.5 ' 5'
refuses_option --method 'use fast, good, bad or reference' quick '' FAST
refuses_option --alpha 'write a number from 0 to 1' 1.5 -0.1 x '' nan inf 0.5x 0,5
refuses_option --background "write a color as CSS does, as in '#fff', navy or 'rgb\(0 0 80\)', none, or three numbers from 0 to 1" 1 1,1 1,1,1,1 a,b,c fff '#ff' nil currentColor 1,1,2 -1,0,0 ,, 1,1,nan '1;1;1' ''
refuses_option --antialias 'write a whole number from 1 to 64' 0 65 -1 x 2.5 ''
refuses_option --seed 'write a whole number from 0 to 18446744073709551615' x -1 18446744073709551616 1.5 ''
refuses_option --device-memory 'write bytes, as in 268435456 or 256M' x 0 -1 K 1k 1KM 1T 1.5G 99999999999999999999 ''
refuses_option --frames 'write first:last, as in 0:59, from 0 to 99999999, the first not after the last' 0:100000000 1 1: :1 2:1 a:b 0:1: 0-1 -1:1 ''
refuses '--frames that are negative' 2 "bad --frames '-2:-1'" timeout -s KILL 1 "$circles" -r cpu -s 8 --frames -2:-1 hypnosis "$T/x.png"
refuses '--size 5x+5' 2 "bad --size '5x\\+5'" "$circles" -r cpu --size 5x+5 rgb "$T/x.png"
for block in 7 0 64 x; do
    refuses "--block $block" 2 "bad --block '$block': use 8, 16 or 32" "$circles" -m good --block $block rgb "$T/x.png"
done
refuses '--block without good' 2 '--block is for --method good' "$circles" --block 16 rgb "$T/x.png"
refuses '--frames of what does not move' 2 "nothing moves in scene 'rgb'; choose one that moves, or ask for no frames" "$circles" --frames 0:1 rgb "$T/x.png"
refuses '--antialias of a large image' 2 'at most 4194304 samples a side; take fewer' "$circles" -s 65537 --antialias 64 rgb "$T/x.png"
refuses 'the reference on another device' 2 'runs on the CPU' "$circles" -m reference -r opencl rgb "$T/x.png"
for id in cpu:77 cpu:7/foo cpus nosuch; do
    refuses "the reference on $id" '[12]' "device|runs on the CPU" "$circles" -m reference -s 9 -r $id rgb "$T/x.png"
done
refuses '--list-scenes with a scene' 2 'leave out SCENE' "$circles" --list-scenes rgb
"$circles" --list-scenes --json "$T/scenes.json" >"$T/scenes.txt"
is '--list-scenes --json: nothing but JSON' "$(wc -c <"$T/scenes.txt")" 0
is '--list-scenes --json: the names of the list' \
    "$(perl -MJSON::PP -e 'local $/; print join " ", map $_->{name}, @{decode_json <>}' "$T/scenes.json")" \
    "$("$circles" --list-scenes | cut -d' ' -f1 | paste -sd' ')"
rm "$T/scenes.json" "$T/scenes.txt"
refuses '--list-scenes into a full disk' 1 'No space left on device' sh -c '"$@" >/dev/full' - "$circles" --list-scenes
refuses 'three operands' 2 'name a SCENE and an OUTPUT' "$circles" rgb "$T/x.png" "$T/y.png"
refuses 'an unknown option' 2 "unknown option '--sise'" "$circles" --sise 5 rgb "$T/x.png"
refuses 'a device that is not there' '[12]' 'nosuch' "$circles" -r nosuch rgb "$T/x.png"
for memory in 1 10K; do
    refuses "--device-memory $memory is too little" 1 "need [0-9]+ bytes of device memory, and it has [0-9]+; give more, or make the image smaller" \
        "$circles" -r cpu -s 1024 --device-memory $memory rgb "$T/x.png"
done

# Lists.
is '--list-scenes' "$("$circles" --list-scenes | cut -d' ' -f1 | tr '\n' ' ')" \
    'rgb rgby seed10k seed100k rand10k rand100k rand1M micro2M biglittle littlebig pattern snow bouncingballs hypnosis fireworks tenmillion newyear snowfall '
is '--list-scenes: which move' "$("$circles" --list-scenes | grep '; animated$' | cut -d' ' -f1 | tr '\n' ' ')" 'bouncingballs hypnosis fireworks newyear snowfall '
stages() { "$circles" "$@" --list-stages | cut -d' ' -f1 | tr '\n' ' '; }
for method in fast good bad reference; do
    ok "--list-stages of $method: from scene to save" matches "$(stages -m $method)" '^scene .*save $'
done
is '--list-stages is of fast' "$(stages)" "$(stages -m fast)"
ok 'every method has its own stages' [ "$(for m in fast good bad reference; do stages -m $m; echo; done | sort -u | wc -l)" = 4 ]

# What comes out besides the image.
draw -s 24 --json "$T/a.json" --save-stages "$T/stages" --timings rand10k "$T/a.png" 2>"$T/timings"
is '--json: what was drawn' "$(field "$T/a.json" 'join " ", map { $$_{$_} } 0')$(field "$T/a.json" 'join " ", @{$_}{qw(scene method circles width height samples)}')" 'rand10k fast 10000 24 24 1'
is '--json: the stages' "$(field "$T/a.json" 'join(" ", map $$_{stage}, @{$$_{stages}}) . " "')" "$(stages)"
ok '--json: the device' matches "$(field "$T/a.json" '$$_{device}')" '^cpu:0$'
is '--timings: the stages' "$(tail -n +2 "$T/timings" | cut -d' ' -f1 | tr '\n' ' ')" "$(stages)"
is '--timings: each stage has a bar' "$(tail -n +2 "$T/timings" | grep -c '  [.#]\{40\}$')" "$(stages | wc -w)"
draw -s 24 --trace "$T/trace.json" rand10k "$T/b.png"
is '--trace: the device and the stages' "$(field "$T/trace.json" 'join " ", sort map $$_{name}, @{$$_{traceEvents}}')" "$(echo device $(stages) | tr ' ' '\n' | sort | tr '\n' ' ' | sed 's/ $//')"
ok '--trace: each begins and lasts' [ "$(field "$T/trace.json" 'scalar grep $$_{ts} >= 0 && $$_{dur} >= 0 && $$_{ph} eq "X", @{$$_{traceEvents}}')" = "$(($(stages | wc -w) + 1))" ]
ok '--save-stages: images' [ "$(ls "$T/stages" | wc -l)" -ge 2 ]
for file in "$T/stages"/*; do
    ok "--save-stages: ${file##*/}" matches "$(image show "$file" | head -n 1)" '^[0-9]+ [0-9]+ 3 8$'
done
is '--save-stages of a method without' "$(draw -m good --save-stages "$T/none" -s 9 rgb "$T/j.png" 2>&1)" \
    "circles: no stage that ran draws a snapshot; '$T/none' has got none"
draws_as '--save-stages changes nothing' "$T/a.png" -s 24 rand10k
rm -r "$T/stages"
is '--json to standard output' "$(draw -s 5x4 -m good --antialias 2 --json - rgb "$T/a.png" >"$T/a.json"; field "$T/a.json" 'join " ", @{$_}{qw(scene method circles width height samples)}')" 'rgb good 3 5 4 2'
draw -s 40 rgb - | cat >"$T/piped.png"
draws_as '- is a PNG' "$T/piped.png" -s 40 rgb
is '-v tells what is drawn' "$(draw -v -s 5 rgb "$T/a.png" 2>&1 | head -n 1)" "circles: scene 'rgb', circles: 3, pixels: 5 x 5"

# Scenes in files.
for scene in rgby seed10k pattern hypnosis; do
    for extension in csv json svg; do
        draw -s 33 --save-scene "$T/scene.$extension" --seed 3 $scene "$T/a.png"
        draws_as "$scene as $extension: the same image" "$T/a.png" -s 33 --antialias 1 "$T/scene.$extension"
    done
done
draw -s 33 --save-scene "$T/scene.json" snow "$T/a.png"
draws_as 'snow as json: the same image' "$T/a.png" -s 33 --antialias 1 "$T/scene.json"
draw -s 33 --alpha .1 --background 0,0,1 --save-scene "$T/scene.json" rgb "$T/a.png"
draws_as 'as json with what options changed' "$T/a.png" -s 33 --antialias 1 "$T/scene.json"
draw -s 33 --save-scene - rgb "$T/a.png" >"$T/scene.csv"
draws_as 'csv through standard output' "$T/a.png" -s 33 --antialias 1 "$T/scene.csv"
is 'csv from standard input' "$("$circles" -r cpu -s 33 --antialias 1 - - <"$T/scene.csv" | cksum)" "$(cksum <"$T/a.png")"
draw --save-scene "$T/again.json" "$T/scene.json" "$T/b.png" -s 33
ok 'what was saved, saved again' cmp "$T/scene.json" "$T/again.json"
draw -s 21x40 --background '#0f06' --save-scene "$T/scene.svg" rgb "$T/a.png"
draws_as 'SVG has the size and the background' "$T/a.png" --antialias 1 "$T/scene.svg"
draw --antialias 1 --save-scene "$T/again.svg" "$T/scene.svg" "$T/b.png"
ok 'SVG, saved again' cmp "$T/scene.svg" "$T/again.svg"
draw -s 12x9 --save-scene "$T/scene.json" rgb "$T/a.png"
draws_as 'JSON has the size' "$T/a.png" --antialias 1 "$T/scene.json"
refuses 'SVG cannot hold colors above 1' 2 'SVG holds no colors below 0 or above 1.*use .json' "$circles" -r cpu -s 9 --save-scene "$T/x.svg" snowfall "$T/x.png"
draw -s 33 --save-scene "$T/scene.svg" snow "$T/a.png"
draws_as 'snow as SVG: the same image' "$T/a.png" --antialias 1 "$T/scene.svg"
# Soft circles on a background that rises: the most by which a byte differs, and whether they do on
# the whole.
cat >"$T/soft.json" <<'JSON'
{"background": [0.1, 0.2, 0.05], "rise": [0.3, -0.1, 0.9], "soft": true, "size": [200, 150], "circles": [
{"x": 0.3, "y": 0.5, "r": 0.25, "red": 1, "green": 0.3, "blue": 0.1, "alpha": 0.9},
{"x": 0.55, "y": 0.55, "r": 0.2, "red": 0.1, "green": 1, "blue": 0.2, "alpha": 1},
{"x": 0.85, "y": 0.4, "r": 0.3, "red": 1, "green": 1, "blue": 1, "alpha": 0.6}]}
JSON
draw --save-scene "$T/soft.svg" "$T/soft.json" "$T/a.png"
draws_as 'SVG has soft circles and a background that rises' "$T/a.png" "$T/soft.svg"
is 'SVG: its own style sheet is read without a warning' "$("$circles" -r cpu --save-scene "$T/again.json" "$T/soft.svg" "$T/b.png" 2>&1)" ''
printf 'x,y,r,red,green,blue\n100,200,30,255,0,0\n' >"$T/pixels.csv"
is 'circles in pixels: a warning' "$("$circles" -r cpu -s 40 "$T/pixels.csv" "$T/b.png" 2>&1)" \
    'circles: the image shows nothing: all circles lie outside of it; x and y go from 0 to 1 in it, of SVG over the viewBox'
is 'circles in pixels: none with -q' "$("$circles" -q -r cpu -s 40 "$T/pixels.csv" "$T/b.png" 2>&1)" ''
printf 'x,y,r,red,green,blue\n0.5,0.9,0.1,1,0,0\n' >"$T/above.csv"
is 'a circle above a wide image: a warning' "$("$circles" -r cpu -s 40x20 "$T/above.csv" "$T/b.png" 2>&1 | cut -d: -f2)" ' the image shows nothing'
is 'a circle that a square image shows: none' "$("$circles" -r cpu -s 40 "$T/above.csv" "$T/b.png" 2>&1)" ''
is 'SVG: the same scene' "$(tail -n +4 "$T/again.json")" "$("$circles" -r cpu --save-scene "$T/b.json" "$T/soft.json" "$T/b.png" && tail -n +4 "$T/b.json")"
differences() { # A.png B.png
    "$scramble" -g 1x1 "$1" "$T/a.ppm" && "$scramble" -g 1x1 "$2" "$T/b.ppm" && perl -0777 -e '
        my ($a, $b) = map { open F, "<:raw", $_; <F> } @ARGV;
        my ($most, $sum) = (0, 0);
        for (map { abs(vec($a, $_, 8) - vec($b, $_, 8)) } 15 .. length($a) - 1) { $sum += $_; $most = $_ if $_ > $most }
        print length($a) == length($b) && $most <= 4 && $sum < length $a ? "few" : "most $most, sum $sum";' "$T/a.ppm" "$T/b.ppm"
}
if command -v rsvg-convert >/dev/null; then
    rsvg-convert "$T/soft.svg" -o "$T/theirs.png"
    is 'SVG: librsvg draws soft circles as circles does' "$(differences "$T/a.png" "$T/theirs.png")" few
    # Circles of radius 0, each on a sample of a pixel, and colors beyond their range: all
    # pixels are the same but for a step.
    left=0
    {
        echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 1"><rect width="100%" height="100%" fill="#fff"/>'
        for look in 'r="0" fill="red"' 'r="0" fill="none" stroke="red" stroke-width="9"' 'fill="red"' 'r="9" style="r:0" fill="red"' \
            'r="9" fill="rgb(300,-20,128)"' 'r="9" fill="rgb(120%,-20%,50%)"' 'r="9" fill="rgb(300 -20 128 / 150%)"' \
            'r="9" fill="rgba(10,20,30,-1)"' 'r="9" fill="hsl(30,150%,40%)"' 'r="9" fill="hsl(-120,100%,150%)"' \
            'r="9" fill="rgb(1e400,0,51)"' 'r="9" fill="teal" fill-opacity="1.5"'; do
            echo "<circle cx='$left.125' cy='0.125' $look/>"
            left=$((left + 10))
        done
        echo '</svg>'
    } >"$T/beyond.svg"
    draw --background white "$T/beyond.svg" "$T/a.png"
    rsvg-convert "$T/beyond.svg" -o "$T/theirs.png"
    beyond() {
        "$scramble" -g 1x1 "$T/a.png" "$T/a.ppm" && "$scramble" -g 1x1 "$T/theirs.png" "$T/b.ppm" && perl -0777 -e '
            my ($a, $b) = map { open F, "<:raw", $_; [unpack "C*", substr <F>, -384] } @ARGV;
            print join " | ", map { my $i = 30 * $_; my @p = @$a[$i .. $i + 2]; my @q = @$b[$i .. $i + 2];
                (grep { abs($p[$_] - $q[$_]) > 1 } 0 .. 2) ? "@p, not @q" : $p[0] + $p[1] + $p[2] == 765 ? "white" : "painted" } 0 .. 11' \
            "$T/a.ppm" "$T/b.ppm"
    }
    is 'SVG: librsvg reads a radius of 0 and colors beyond their range as circles does' "$(beyond)" \
        'white | white | white | white | painted | painted | painted | white | painted | white | painted | painted'
else
    skip 'SVG: what librsvg draws' 'rsvg-convert is missing'
fi
draw -s 33 --save-scene "$T/scene.csv" rgb "$T/a.png"
draw -s 33 --antialias 4 rgb "$T/smooth.png"
draws_as 'a file is smooth' "$T/smooth.png" -s 33 "$T/scene.csv"
is 'so is standard input' "$("$circles" -r cpu -s 33 - - <"$T/scene.csv" | cksum)" "$(cksum <"$T/smooth.png")"
# samples FILE OPTIONS...: what --json says of them.
samples_of() {
    draw --format ppm --json "$T/s.json" "$@" /dev/null && field "$T/s.json" '$$_{samples}'
}
for size in 16384x1:4 1x16385:3 32768x1:2 65536x1:1 65537x1:1; do
    is "samples of a file of ${size%:*} pixels" "$(samples_of -s "${size%:*}" "$T/scene.csv")" "${size#*:}"
done
is 'samples that are asked for' "$(samples_of -s 32768x1 --antialias 5 "$T/scene.csv")" 5
is 'samples of a named scene' "$(samples_of -s 9 rgb)" 1
"$circles" -r cpu -s 9 -b --json "$T/s.json" "$T/scene.csv" </dev/null
is 'samples of a benchmark' "$(field "$T/s.json" '$$_{samples}')" 1
for file in "$samples"/*.csv "$samples"/*.json "$samples"/*.svg; do
    ok "the sample ${file##*/}" draw "$file" "$T/b.png"
done
cat >"$T/a.svg" <<'SVG'
<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10">
<rect width="5" height="5"/><circle cx="5" cy="5" r="3" fill="red" fill-opacity="1"/></svg>
SVG
draw "$T/a.svg" "$T/b.png" 2>"$T/stderr"
is 'SVG: its own size' "$(image show "$T/b.png" | head -n 1)" '20 10 3 8'
is 'SVG: its middle' "$(draw --format ppm -q "$T/a.svg" - | tail -c +$((13 + 3 * 20 * 4 + 13)) | head -c 9 | od -An -tx1)" ' ff 00 00 ff 00 00 ff 00 00'
is 'SVG: what is left out is told' "$(cat "$T/stderr")" "circles: '$T/a.svg': line 2: here begin the elements that are no circles and are left out, 1 in all"
draw -q --save-scene "$T/a.json" "$T/a.svg" "$T/b.png"
draw "$T/a.json" "$T/c.png"
ok 'SVG as JSON: its own size too' cmp "$T/b.png" "$T/c.png"
is 'SVG: another size' "$(draw -s 8x9 --format ppm -q "$T/a.svg" - | sed -n 2p)" '8 9'
rm -f "$T/x.png"
refuses 'csv cannot hold a background' 2 'CSV holds no background.*use .json' "$circles" -r cpu -s 9 --save-scene "$T/x.csv" snow "$T/x.png"
refuses 'a scene as text, before it is read' 2 'name a file that ends in .csv, .json or .svg' "$circles" -r cpu -s 9 --save-scene "$T/x.txt" "$T/none.csv" "$T/x.png"
refuses 'a scene into a folder that is missing' 1 "folder '.*no': No such file" "$circles" -r cpu -s 9 --save-scene "$T/no/x.csv" rgb "$T/x.png"
for other in "$T/x.png" "$T/./x.png"; do
    refuses "the scene and OUTPUT in one file" 2 'two outputs cannot both go to' "$circles" --save-scene "$T/x.png" rgb "$other"
done
cp "$T/one.csv" "$T/own.csv"
ln -s own.csv "$T/link.csv"
for own in "$T/own.csv" "$T/./own.csv" "$T/link.csv"; do
    refuses "OUTPUT is the scene: ${own##*/}" 2 "cannot write '$own': it is the file that is read; name another" \
        "$circles" -r cpu -s 9 --format png "$T/own.csv" "$own"
    for option in --json --save-scene; do
        refuses "$option is the scene: ${own##*/}" 2 "cannot write '$own': it is the file that is read" \
            "$circles" -r cpu -s 9 $option "$own" "$T/own.csv" "$T/x.png"
    done
done
ok 'from standard input to standard output' not cmp /dev/null <("$circles" -r cpu -s 9 - - <"$T/own.csv")
refuses 'a scene and an image to standard output' 2 'two outputs cannot both go to standard output' "$circles" --save-scene - rgb -
refuses 'an unknown scene' 1 "there is no scene 'nosuch'; use one of rgb, .*, or a file whose name ends in .csv" "$circles" nosuch "$T/x.png"
refuses 'an unknown scene with a dash' 1 "there is no scene 'no-such'; use one of rgb, " "$circles" no-such "$T/x.png"
refuses 'a scene file that is missing' 1 "cannot open '.*nosuch.csv': No such file or directory" "$circles" "$T/nosuch.csv" "$T/x.png"

# bad_scene NAME.EXTENSION TEXT REGEX: a line with the file, what follows, and nothing else.
bad_scene() {
    printf "$2" >"$T/bad.${1##*.}"
    refuses "bad scene: $1" 1 "^circles: cannot read scene '$T/bad.${1##*.}': $3" "$circles" -r cpu "$T/bad.${1##*.}" "$T/old.png"
}
header='x,y,z,r,red,green,blue,alpha'
for field in x y r red green blue; do
    columns=$(sed "s/\b$field,//" <<<"$header")
    bad_scene "no $field.csv" "$columns\n" "line 1: column '$field' is missing\$"
    bad_scene "no $field.json" "{\"circles\": [\n$(sed "s/\"$field\": 0,//" <<<'{"x": 0,"y": 0,"r": 0,"red": 0,"green": 0,"blue": 0,"z": 0}')\n]}" "line [0-9]+: $field is missing\$"
done
bad_scene 'no number.csv' "$header\n0,0,0,1,0,0,0,1\n0,zero,0,1,0,0,0,1\n" 'line 3: y is not a finite number$'
bad_scene 'nan.csv' "$header\nnan,0,0,1,0,0,0,1\n" 'line 2: x is not a finite number$'
bad_scene 'infinite.csv' "$header\n0,0,0,1e39,0,0,0,1\n" 'line 2: r is not a finite number$'
bad_scene 'empty field.csv' "$header\n0,0,,1,0,0,0,1\n" 'line 2: z is not a finite number$'
bad_scene 'radius.csv' "$header\n\n# radius\n0,0,0,-1,0,0,0,1\n" 'line 4: radius -1 is negative$'
bad_scene 'alpha 1.5.csv' "$header\n0,0,0,1,0,0,0,1.5\n" 'line 2: alpha 1.5 is not from 0 to 1$'
bad_scene 'alpha -1.csv' "$header\n0,0,0,1,0,0,0,-1\n" 'line 2: alpha -1 is not from 0 to 1$'
bad_scene 'color.csv' "$header\n0,0,0,1,0,2e6,0,1\n" 'line 2: green 2e\+06 is not from'
bad_scene 'few fields.csv' "$header\n0,0,0,1,0,0,0\n" 'line 2: 7 fields where the first line has 8$'
bad_scene 'many fields.csv' "$header\n0,0,0,1,0,0,0,1,1\n" 'line 2: 9 fields where the first line has 8$'
bad_scene 'unknown column.csv' "$header,size\n" "line 1: unknown column 'size'; the columns are"
bad_scene 'column twice.csv' "x,$header\n" "line 1: column 'x' occurs twice\$"
bad_scene 'no circles.csv' "$header\n" 'it has no circles$'
bad_scene 'empty.csv' '' 'it has no circles$'
bad_scene 'zero byte.csv' "$header\n\\0\n" 'line 2: a zero byte'
bad_scene 'letters of a terminal.csv' "\\033[31mx\n" "line 1: unknown column '\\?\\[31mx'"
bad_scene 'no circles.json' '{"circles": []}' 'it has no circles$'
bad_scene 'empty.json' '' 'line'
bad_scene 'cut short.json' '{"circles": [\n{"x": 1,' 'line 2: '
bad_scene 'a member too many.json' '{"circles": [], "name": 5}' "line 1: a scene has no 'name'"
for size in 5 '[5]' '[5, 5, 5]' '[0, 5]' '[5, 4194305]' '[5, 5.5]' '[5, "5"]' '"55"'; do
    bad_scene "size $size.json" "{\"size\":\n$size}" 'line 2: size is not a list of two whole numbers from 1 to 4194304$'
done
bad_scene 'radius.json' '{"circles": [\n\n{"x": 0,"y": 0,"r": -2,"red": 0,"green": 0,"blue": 0}]}' 'line 3: radius -2 is negative$'
bad_scene 'alpha.json' '{"circles": [{"x": 0,"y": 0,"r": 2,"red": 0,"green": 0,"blue": 0,\n"alpha": 2}]}' 'line [12]: alpha 2 is not from 0 to 1$'
bad_scene 'text.json' '{"circles": [{"x": "a","y": 0,"r": 2,"red": 0,"green": 0,"blue": 0}]}' 'line 1: x is not a number$'
bad_scene 'no circles.svg' '<svg width="5" height="5"><rect/></svg>' 'it has no circles$'
printf '<svg width="5" height="5">\n<circle cx="1" cy="1" r="1" fill="none" stroke="red"/></svg>' >"$T/outline.svg"
is 'no circles but an outline' "$("$circles" -r cpu "$T/outline.svg" "$T/new.png" 2>&1)" \
    "circles: '$T/outline.svg': line 2: stroke 'red' is left out: circles have no outline
circles: cannot read scene '$T/outline.svg': it has no circles"
bad_scene 'cut short.svg' '<svg width="5" height="5">\n<circle cx="1" cy="1" r="1"/>\n' 'line 3: '
bad_scene 'radius.svg' '<svg width="5" height="5">\n<circle cx="1" cy="1" r="-1"/></svg>' 'line 2: .*negative'
bad_scene 'no text.svg' '\\001' 'line 1: '
bad_scene 'an image.png' 'P5' 'name a file that ends in .csv, .json(, | or ).svg'
(echo $header; head -c 4096 /dev/zero | tr '\0' 0; echo) >"$T/bad.csv"
refuses 'a line of 4096 letters' 1 "'$T/bad.csv': line 2: longer than 4095 characters\$" "$circles" "$T/bad.csv" "$T/old.png"
endless() { head -c 3G /dev/zero | tr '\0' 0 | "$circles" -r cpu - "$T/old.png"; }
is 'a line of 3 GB is not read to its end' "$(endless 2>&1)" "circles: cannot read scene '-': line 1: longer than 4095 characters"
refuses 'a folder as a scene' 1 "cannot read scene" "$circles" "$T/" "$T/old.png"
mkdir "$T/folder.csv"
refuses 'a folder as CSV' 1 "cannot read '.*': it is a folder" "$circles" "$T/folder.csv" "$T/old.png"
refuses 'a folder as OUTPUT' 1 'it is a folder' "$circles" --format png rgb "$T/folder.csv"
rmdir "$T/folder.csv"

# Outputs that cannot be.
refuses 'the folder of OUTPUT is missing' 1 "cannot write '.*': folder '.*no': No such file or directory" "$circles" rgb "$T/no/x.png"
refuses 'the folder of a video is missing' 1 "cannot write '.*': folder '.*no': No such file or directory" "$circles" -r cpu -s 9 --frames 0:1 hypnosis "$T/no/x.y4m"
refuses 'the folder of frames is missing' 1 "cannot write '.*': folder '.*no': No such file or directory" "$circles" --frames 0:1 hypnosis "$T/no/x.png"
refuses 'the folder of --json is missing' 1 "cannot write '.*': folder '.*no': No such file or directory" "$circles" --json "$T/no/x.json" rgb "$T/x.png"
refuses 'no image format' 1 "x.xyz': no format of images or videos has such an extension; use one of png, .*, y4m, .*, webm" "$circles" rgb "$T/x.xyz"
refuses 'the formats that are named hold circles' 1 'use one of png, jpeg, bmp, tga, ppm, pnm(, [a-z0-9]+)*$' "$circles" rgb "$T/x.xyz"
refuses 'gray circles' 1 'pgm cannot hold 8-bit color; use one of png, jpeg, bmp, tga, ppm, pnm(, [a-z0-9]+)*$' "$circles" rgb "$T/x.pgm"
refuses 'an unknown --format' 2 "unknown format 'xyz'; use one of png, .*, y4m, .*, webm" "$circles" --format xyz rgb "$T/x.png"
refuses 'an unknown --format of frames' 2 "unknown format 'pm4'; use one of png, .*, y4m, .*, webm.*; did you mean 'mp4'\?$" "$circles" --format pm4 --frames 0:1 hypnosis "$T/x.y4m"
refuses 'images one after the other' 2 "standard output takes frames as y4m, not as 'png'; leave out --format" \
    "$circles" -r cpu -s 9 --format png --frames 0:1 hypnosis -
refuses 'an image too large for JPEG' 1 'jpeg cannot hold 65501 x 1 pixels' "$circles" -r cpu -s 65501x1 rgb "$T/x.jpg"
mkdir "$T/locked"
chmod 555 "$T/locked"
cp "$circles" "$BUILD"/libtessera.*[0-9]* "$T" # where any user can run it
refuses 'a folder that is locked' 1 "cannot write '.*': .*Permission denied" as_user "$T/circles" -r cpu -s 9 rgb "$T/locked/x.png"
refuses 'a full device' 1 'No space left on device' "$circles" -r cpu -s 500 --format ppm rgb /dev/full
refuses 'a full device for a video' 1 'No space left on device' sh -c '"$@" >/dev/full' - "$circles" -r cpu -s 50 --frames 0:3 hypnosis -
refuses 'a closed standard output' 1 "cannot write '-': standard output is closed" sh -c '"$@" >&-' - "$circles" -r cpu -s 5 rgb -
is 'what was there before all of these' "$(cat "$T/old.png")" precious

# Frames.
draw -s 20x12 --frames 5:7 hypnosis "$T/f.png"
is 'numbered files' "$(cd "$T" && echo f-*)" 'f-0005.png f-0006.png f-0007.png'
for frame in 5 6 7; do
    draw -m reference -s 20x12 --frames $frame:$frame hypnosis "$T/r.png"
    ok "frame $frame: as the reference" cmp "$T/f-000$frame.png" "$T/r-000$frame.png"
done
ok 'frames differ' not cmp -s "$T/f-0005.png" "$T/f-0006.png"
draw -s 20x12 --frames 0:0 hypnosis "$T/f.png"
draws_as 'frame 0 is the scene' "$T/f-0000.png" -s 20x12 hypnosis
for scene in bouncingballs fireworks newyear snowfall; do
    draw -m reference -s 40 --frames 20:20 $scene "$T/r.png"
    draw -s 40 --frames 18:20 --antialias 1 $scene "$T/f.png"
    ok "$scene: frame 20" cmp "$T/f-0020.png" "$T/r-0020.png"
done
for option in --json --save-scene; do
    refuses "$option is a frame's file" 2 "two outputs cannot both go to $T/c-0003.png" \
        "$circles" -r cpu -s 9 --frames 2:4 $option "$T/./c-0003.png" hypnosis "$T/c.png"
    draw -s 9 --frames 4:5 $option "$T/c.json" hypnosis "$T/c.png"
    ok "$option has the name without a number" [ -s "$T/c.json" -a -s "$T/c-0005.png" ]
done
mkdir "$T/d.png" "$T/e-0001.png"
refuses 'frames into a folder' 1 "cannot write '$T/d.png/': it names no file" "$circles" -r cpu -s 9 --format png --frames 0:1 hypnosis "$T/d.png/"
refuses "a folder with a frame's name" 1 "cannot write '$T/e-0001.png': it is a folder" "$circles" -r cpu -s 9 --frames 0:1 hypnosis "$T/e.png"
draw -s 9 --frames 0:1 hypnosis "$T/d.png"
ok 'a folder with the name without a number' [ -s "$T/d-0000.png" -a -s "$T/d-0001.png" ]
draw -s 20x12 --save-scene "$T/six.json" --frames 6:7 hypnosis "$T/g.png"
draws_as '--save-scene is of the first frame' "$T/f-0006.png" -s 20x12 --antialias 1 "$T/six.json"
# video FILE: the header, then a line for each frame: its size.
video() {
    perl -e 'open F, "<:raw", shift; $_ = <F>; print; ($w, $h) = /W(\d+) H(\d+)/;
        while (defined($_ = <F>)) { print; $n = read F, $b, 3 * $w * $h; print "$n\n" } ' "$1"
}
draw -s 20x12 --frames 0:2 hypnosis - | cat >"$T/v.y4m"
is 'a video on standard output' "$(video "$T/v.y4m")" "$(printf 'YUV4MPEG2 W20 H12 F60:1 Ip A1:1 C444\n'; for i in 0 1 2; do printf 'FRAME\n720\n'; done)"
draw -s 20x12 --frames 0:2 hypnosis "$T/w.y4m"
ok 'a video in a file' cmp "$T/v.y4m" "$T/w.y4m"
for name in V.Y4M video; do
    draw -s 20x12 --frames 0:2 $([ $name = video ] && echo --format y4m) hypnosis "$T/$name"
    ok "a video in $name" cmp "$T/v.y4m" "$T/$name"
done
draw -s 20x12 --frames 0:2 --format png hypnosis "$T/image.y4m"
is '--format prevails over the extension' "$(image show "$T/image-0002.y4m" | head -n 1)" '20 12 3 8'
draw -s 20x12 hypnosis "$T/one.y4m"
ok 'without --frames a video of one frame' cmp "$T/one.y4m" <(head -c $(($(stat -c %s "$T/v.y4m") - 2 * 726)) "$T/v.y4m")
# Circles so faint that the two ends of what lies behind never give one byte: all are painted.
perl -e 'print "x,y,z,r,red,green,blue,alpha\n", ".5,.5,.5,3,.2,.4,.6,.01\n" x 40000' >"$T/faint.csv"
timeout -s KILL 60 "$circles" -r cpu -s 20 --antialias 1 "$T/faint.csv" "$T/faint.ppm"
"$circles" -r cpu -s 20 --antialias 1 --method reference "$T/faint.csv" "$T/faint-reference.ppm"
ok 'many faint circles, all of which count' cmp "$T/faint.ppm" "$T/faint-reference.ppm"

luma() { # PPM: BT.601, in whole numbers
    tail -c 720 "$1" | perl -e 'local $/; @b = unpack "C*", <STDIN>; print pack "C*", map { 16 + int((66 * $b[3 * $_] + 129 * $b[3 * $_ + 1] + 25 * $b[3 * $_ + 2] + 128) / 256) } 0 .. 239'
}
draw -s 20x12 --frames 2:2 hypnosis "$T/f.ppm"
is 'the last frame of the video is that image' "$(luma "$T/f-0002.ppm" | cksum)" "$(tail -c 720 "$T/v.y4m" | head -c 240 | cksum)"
printf 'precious' >"$T/old.y4m"
refuses 'a video that fails' 1 'bytes of device memory, and it has 1024;' "$circles" -r cpu -s 99 --device-memory 1K --frames 0:1 hypnosis "$T/old.y4m"

# Less memory than the image has: rows by rows, the same files.
for extension in png ppm jpg tif; do
    "$circles" -r cpu -s 900x1300 rand10k "$T/whole.$extension"
    "$circles" -r cpu -s 900x1300 --memory 4M rand10k "$T/rows.$extension"
    ok "--memory: the same $extension" cmp "$T/whole.$extension" "$T/rows.$extension"
done
"$circles" -r cpu -s 900x1300 rand10k "$T/whole.dzi"
"$circles" -r cpu -s 900x1300 --memory 4M rand10k "$T/rows.dzi"
ok '--memory: the same tiles' diff -r "$T/whole_files" "$T/rows_files"
"$circles" -q -r cpu -s 300x200 --viewer rgb "$T/seen.dzi"
ok '--viewer: a page beside the image' grep -q seen_files "$T/seen.html"
ok '--viewer: the page again' "$circles" -q -r cpu -s 300x200 --viewer rgb "$T/seen.dzi"
echo precious >"$T/map.html"
refuses '--viewer: a page of somebody else' 1 "map.html': there is such a file that is no page of --viewer; choose another OUTPUT" "$circles" -r cpu -s 9 --viewer rgb "$T/map.dzi"
is '--viewer: it is as it was' "$(cat "$T/map.html")" precious
refuses '--viewer: for DeepZoom' 2 'ends in .dzi' "$circles" -r cpu -s 9 --viewer rgb "$T/seen.png"
refuses '--viewer: without --format' 2 'without --format' "$circles" -r cpu -s 9 --viewer --format png rgb "$T/seen.dzi"
refuses '--viewer: two outputs' 2 'two outputs cannot both go to' "$circles" -r cpu -s 9 --viewer --json "$T/seen.html" rgb "$T/seen.dzi"
ok '--memory: too little for a row of tiles' "$circles" -q -r cpu -s 3x200000 --memory 4M rgb "$T/thin.png"
refuses '--viewer: for one image' 2 'one image' "$circles" -r cpu -s 9 --viewer --frames 0:1 hypnosis "$T/a.dzi"
# What cannot be saved is refused before anything is made: the device has too little memory to paint.
unsaved() { # NAME REGEX OUTPUT SCENE [OPTIONS]
    refuses "$1" '[12]' "^circles: cannot write '$T/$3': $2" \
        "$circles" -r cpu --device-memory 1K --save-scene "$T/unsaved.json" "${@:5}" "$4" "$T/$3"
}
unsaved '--memory: a format that needs all' 'bmp takes an image only as a whole, not as one larger than memory; use one of' \
    rows.bmp rand10k -s 900x1300 --memory 4M
whole='takes more memory than is allowed, and videos need whole frames; make it smaller, or allow more memory$'
unsaved '--memory: a video' "a frame of 900 x 1300 pixels $whole" rows.y4m hypnosis -s 900x1300 --memory 4M
unsaved 'a video of large frames' "a frame of 20000 x 20000 pixels $whole" rows.y4m hypnosis -s 20000 --memory 1G --frames 0:9
circle='{"x": 0.5, "y": 0.5, "z": 1, "r": 0.5, "red": 1, "green": 0, "blue": 0, "alpha": 1}'
echo '{"size": [20000, 300], "circles": ['"$circle"']}' >"$T/wide.json"
echo '{"background": [1, 0, 0, 0.5], "circles": ['"$circle"']}' >"$T/clear.json"
unsaved 'a video of a size that the scene says' "(a video in gif has at most 16254 pixels a side, not 20000 x 300|this build lacks giflib)" rows.gif "$T/wide.json"
unsaved 'an image of a size that the scene says' "tga cannot hold 20000 x 300 pixels of 8-bit color; use one of" rows.tga "$T/wide.json"
unsaved 'a video of a scene that is not opaque' "$no_alpha" rows.y4m "$T/clear.json"
unsaved 'an image of a scene that is not opaque' 'jpeg cannot hold 1024 x 1024 pixels of 8-bit color with alpha' rows.jpg "$T/clear.json"
rm "$T/wide.json" "$T/clear.json"
refuses_option --memory 'write bytes, as in 268435456 or 256M' x 0 -1 1.5G 18446744073709551616 17179869184G
for memory in 137438953472 128G 17179869183G; do
    ok "--memory $memory" "$circles" -q -r cpu -s 9 --memory $memory rgb "$T/roomy.png"
done
peak=$(python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$circles" -r cpu -s 8192 --memory 64M rgb "$T/large.ppm")
ok '--memory 64M: an image of 256 MiB takes less than half of it' [ "${peak:-999999}" -lt 131072 ]
rm "$T/large.ppm"

# Progress, and Ctrl-C. Half a minute of the reference, unless it is stopped.
long=(-r cpu -m reference -s 2048 seed100k)
before=$(snapshot)
for name in old new; do # a file that is there, and one that is not
    is "SIGINT: death by it" "$(stopped INT '/reference +[1-9]\d* %/' "$circles" --progress always "${long[@]}" "$T/$name.png")" 'signal 2'
    is 'SIGINT: the line is cleared and then said' "$(tail -n 1 "$top/errors" | tr '\r' '^' | sed 's/.*%[^^]*^ *//')" '^circles: stopped'
    is 'SIGINT: no output, no stray file' "$(snapshot)" "$before"
done
before=$(snapshot)
for output in old.y4m new.y4m; do
    is "SIGTERM: death by it, $output" "$(stopped TERM '/%/' "$circles" --progress always -r cpu -s 64 --frames 0:99999 fireworks "$T/$output")" 'signal 15'
    is "SIGTERM: no video, no stray file" "$(snapshot)" "$before"
    rm -f "$T"/.tessera-*
done
is 'short work draws nothing' "$(draw --progress always -s 9 rgb "$T/a.png" 2>&1)" ''

plan
