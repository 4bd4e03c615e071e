#!/usr/bin/env bash
# bezier: its options, files, images, meshes, animations and numbers, and what it refuses.
. "$(dirname "$0")/tap.lib"
. tests/cli/stages.lib

bezier=$(realpath "$BUILD/bezier")
samples=$PWD/scenes/samples
torus=$samples/torus.bv
shared=../shared/patches # foreign files, where they are
image() { perl tests/cli/image.pl "$@"; }
make_cpu() { "$bezier" -r cpu "$@" </dev/null; }
json() { # FILE EXPRESSION: of the JSON in $_
    perl -MJSON::PP -e '($file, $e) = @ARGV; open F, "<", $file; local $/; $_ = decode_json <F>;
        $r = eval $e; die $@ if $@; print ref $r ? JSON::PP->new->canonical->encode($r) : $r' "$@"
}
# look FILE.obj: vertices, triangles, and numbers that are not finite, normals not of length 1 and
# corners that are no vertices.
look() {
    perl -e 'open F, "<", shift or die; while (<F>) {
        if (/^v (.*)/) { $v++; $bad += grep !/^-?\d+(\.\d+)?(e[-+]\d+)?$/, split " ", $1 }
        elsif (/^vn (.*)/) { $n++; $s = 0; $s += $_ * $_ for split " ", $1; $bad++ unless abs($s - 1) < 1e-5 }
        elsif (/^f (.*)/) { $f++; for (split " ", $1) { m(^(\d+)//(\d+)$) && $1 == $2 && $1 <= $v or $bad++ } } }
        $bad++ if $v != $n; print "$v $f ", $bad + 0, "\n"' "$1"
}
# gap FILE FILE EXPRESSION LINES: whether the vertices (v) or normals (vn) of the first, changed by the
# expression of $x, $y, $z, are those of the second.
gap() {
    perl -e '($one, $other, $e, $what) = @ARGV; open A, "<", $one; open B, "<", $other;
        @a = grep /^$what /, <A>; @b = grep /^$what /, <B>;
        print("# ", @a + 0, " against ", @b + 0, "\n"), exit 1 if !@a || @a != @b;
        for (0 .. $#a) { (undef, $x, $y, $z) = split " ", $a[$_]; @to = split " ", $b[$_]; eval $e;
            $d = abs($x - $to[1]) + abs($y - $to[2]) + abs($z - $to[3]); $most = $d if $d > $most }
        for $n (map { split } @b) { $size = abs $n if abs $n > $size }
        print "largest difference: $most\n"; exit !($most <= 1e-5 * $size)' "$@"
}
alike() { cmp <(grep -av ^mtllib "$1") <(grep -av ^mtllib "$2"); } # but for the name of an OBJ's materials
told() { grep -o 'vertices:.*' "$T/stderr"; } # by -v

# What a file holds.
is '--info' "$(make_cpu --info "$samples/kinds.bv")" "patches: 8, control points: 103
box: -0.7 -4 -0.75 to 10.3109 1 4
1 of kind 1, polyhedron
1 of kind 3, triangle, degree 4
1 of kind 4, tensor product of one degree, degree 3 x 3
1 of kind 5, tensor product, degree 2 x 4
1 of kind 8, rational tensor product, degree 2 x 2
1 of kind 9, PN triangle, degree 3
1 of kind 10, PN tensor product, degree 2 x 2
1 of kind 11, rational triangle, degree 2
$(i=0; for name in polyhedron triangle 'tensor product of one degree' 'tensor product' 'rational tensor product' \
    'PN triangle' 'PN tensor product' 'rational triangle'; do
    echo "group '$name', color $i: 1"; i=$((i + 1)); done)"
make_cpu --info --json "$T/info.json" "$samples/goblet.bv" >"$T/stdout"
is '--info --json: no text' "$(cat "$T/stdout")" ''
is '--info --json: numbers' "$(json "$T/info.json" 'join " ", @$_{"patches", "control_points"}, map { map { sprintf "%.4g", $_ } @$_ } @$_{"low", "high"}')" \
    '36 576 -0.84 -0.84 0 0.84 0.84 2.35'
is '--info --json: kinds' "$(json "$T/info.json" '$_->{kinds}')" '[{"count":36,"degree_u":3,"degree_v":3,"kind":4,"name":"tensor product of one degree"}]'
is '--info --json: groups' "$(json "$T/info.json" 'join " ", map { "$_->{name} $_->{color} $_->{count}" } @{$_->{groups}}')" 'foot 0 12 stem 1 8 bowl 2 16'
is '--info of standard input' "$("$bezier" --info - <"$samples/wave.bv" | head -n 1)" 'patches: 1, control points: 144'
printf 'group 3 \xffb\n4 1 0 0 0 1 0 0 0 1 0 1 1 1\n' >"$T/"$'\xff.bv'
make_cpu --info --json "$T/info.json" "$T/"$'\xff.bv'
is 'names that are no UTF-8' "$(json "$T/info.json" 'substr($_->{input}, -4) . " $_->{groups}[0]{name}"')" '?.bv ?b'
perl -e 'print "group 0 g$_\n4 1 0 0 0 1 0 0 0 1 0 1 1 $_\n" for 1 .. 100000' >"$T/many.bv"
is '100000 groups' "$(timeout 20 "$bezier" --info "$T/many.bv" | wc -l)" 100003
printf '2\n1 1\n0 0 0 1 0 0 0 1 0 1 1 0\n3 3\n%s\n' "$(seq -s' ' 48)" >"$T/two.bpt"
is 'a .bpt file' "$(make_cpu --info "$T/two.bpt" | tail -n +3)" "1 of kind 5, tensor product, degree 1 x 1
1 of kind 5, tensor product, degree 3 x 3
group '', color 0: 2"
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng lid\nf 1 2 3 4\n' >"$T/face.obj"
is 'an .obj file' "$(make_cpu --info "$T/face.obj" | tail -n 2)" "1 of kind 1, polyhedron
group 'lid', color 1: 1"

# NURBS: a circle, across and upward, turned about the z axis, by the control points of its quarters. All points
# of the mesh must lie on the tube of radius 1 around the ring; of half a circle and no ring that is a sphere.
nurbs() { # RING QUARTERS
    awk -v ring="$1" -v quarters="$2" 'BEGIN {
        split("0 1 1 1 0 -1 -1 -1 0", x); split("-1 -1 0 1 1 1 0 -1 -1", z)
        for (j = 1; j <= 9; j++)
            for (i = 1; i <= 2 * quarters + 1; i++)
                printf "v %.17g %.17g %d %.17g\n", (ring + x[i]) * x[j], (ring + x[i]) * z[j], z[i],
                    (i % 2 ? 1 : sqrt(1 / 2)) * (j % 2 ? 1 : sqrt(1 / 2))
        printf "cstype rat bspline\ndeg 2 2\nsurf 0 %d 0 4", quarters
        for (i = 1; i <= 9 * (2 * quarters + 1); i++) printf " %d", i
        printf "\nparm u 0 0 0"
        for (i = 1; i < quarters; i++) printf " %d %d", i, i
        printf " %d %d %d\nparm v 0 0 0 1 1 2 2 3 3 4 4 4\nend\n", quarters, quarters, quarters
    }'
}
for shape in 'sphere 0 2' 'torus 3 4'; do
    read -r name ring quarters <<<"$shape"
    nurbs "$ring" "$quarters" >"$T/$name.obj"
    make_cpu -v --precision double "$T/$name.obj" "$T/mesh.obj" 2>"$T/stderr"
    ok "a NURBS $name is closed" grep -q 'boundary edges: 0$' "$T/stderr"
    ok "a NURBS $name: exact" awk -v ring="$ring" '
        $1 == "v" { e = sqrt((sqrt($2 * $2 + $3 * $3) - ring) ^ 2 + $4 * $4) - 1; n++ }
        $1 == "v" && (e > 1e-14 || e < -1e-14) { bad++ }
        END { exit bad > 0 || n < 1000 }' "$T/mesh.obj"
done
sed 's/^end/trim 0 1 1\n&/' "$T/sphere.obj" >"$T/trimmed.obj"
make_cpu --precision double "$T/trimmed.obj" "$T/whole.obj" 2>"$T/stderr"
is 'a trimmed surface: a warning' "$(head -n 1 "$T/stderr")" \
    "bezier: '$T/trimmed.obj': surfaces that are trimmed: 1; they are taken whole"
make_cpu --precision double "$T/sphere.obj" "$T/mesh.obj" 2>/dev/null
ok 'a trimmed surface is taken whole' alike "$T/whole.obj" "$T/mesh.obj"

# Meshes.
printf '5 1 1\n0 0 0  0 1 0\n1 0 0  1 1 0\n' >"$T/square.bv"
make_cpu -n 2 "$T/square.bv" "$T/square.obj"
is 'the mesh of a square' "$(cat "$T/square.obj")" "$(printf '%s\n' 'mtllib square.mtl' 'v 0 0 0' 'v 0 1 0' 'v 1 0 0' 'v 1 1 0' 'vn 0 0 1' 'vn 0 0 1' 'vn 0 0 1' 'vn 0 0 1' 'g default' 'usemtl default' 'f 1//1 3//3 4//4' 'f 1//1 4//4 2//2')"
for size in '3 9 8' '3x5 15 16' '2x7 14 12' '17 289 512' '300x2 600 598'; do
    set -- $size
    make_cpu -n "$1" "$T/square.bv" "$T/a.obj"
    is "--resolution $1" "$(look "$T/a.obj")" "$2 $3 0"
done
for triangle in '2 3 1' '5 15 16' '17 153 256'; do
    set -- $triangle
    printf '3 2\n0 0 0 0 1 1 0 2 0 1 0 1 1 1 1 2 0 0\n' >"$T/triangle.bv"
    make_cpu -n "$1x9" "$T/triangle.bv" "$T/a.obj"
    is "--resolution $1x9 of a triangle" "$(look "$T/a.obj")" "$2 $3 0"
done
for file in "$samples"/*.bv; do
    name=${file##*/}
    make_cpu -v "$file" "$T/a.obj" 2>"$T/stderr"
    ok "$name: numbers, normals and corners" matches "$(look "$T/a.obj")" '^[1-9][0-9]* [1-9][0-9]* 0$'
    make_cpu "$file" "$T/again.obj"
    ok "$name: the same without -v" alike "$T/a.obj" "$T/again.obj"
    is "$name: what -v tells" "$(look "$T/a.obj")" "$(told | sed 's/^vertices: //; s/, triangles://; s/,.*/ 0/')"
done
for name in torus sphere goblet kettle; do
    for how in '-n 17' '-n 6' '-n 2' '-n 5x8' '-n 9x4' '-n 9 -m mle' '-n 9 -m casteljau' '-n 7 -m brf'; do
        for precision in float double; do
            make_cpu -v $how --precision $precision "$samples/$name.bv" "$T/a.stl" 2>"$T/stderr"
            ok "$name $how $precision: closed" grep -q 'boundary edges: 0$' "$T/stderr"
        done
    done
done
# What a mesh encloses, and which side is out. enclosed FILE.stl: as perl finds it; volume: as -v told.
enclosed() {
    perl -e 'local $/; open F, "<:raw", shift; $_ = <F>; for $t (0 .. unpack("V", substr $_, 80, 4) - 1) {
        @p = unpack "f<9", substr $_, 96 + 50 * $t, 36;
        $sum += $p[0] * ($p[4] * $p[8] - $p[5] * $p[7]) + $p[1] * ($p[5] * $p[6] - $p[3] * $p[8])
            + $p[2] * ($p[3] * $p[7] - $p[4] * $p[6]) } print $sum / 6' "$1"
}
volume() { sed -n 's/^bezier: volume: //p' "$T/stderr"; }
near() { perl -e 'exit !(abs($ARGV[0] - $ARGV[1]) <= $ARGV[2] * abs $ARGV[1])' -- "$@"; } # GOT WANTED SHARE
inside_out='the model is inside out: normals point inward, and its volume is -[0-9.]+; '
for name in torus sphere goblet kettle; do
    make_cpu -v --json "$T/a.json" "$samples/$name.bv" "$T/a.stl" 2>"$T/stderr"
    ok "$name: its volume" near "$(volume)" "$(enclosed "$T/a.stl")" 1e-5
    ok "$name: the same in JSON" near "$(json "$T/a.json" '$_->{volume}')" "$(volume)" 1e-5
    ok "$name: its right side is out" not grep -q 'inside out' "$T/stderr"
    make_cpu -v --flip --json "$T/a.json" "$samples/$name.bv" "$T/flipped.stl" 2>"$T/stderr"
    ok "$name --flip: the volume of the file" near "$(enclosed "$T/flipped.stl")" "-$(enclosed "$T/a.stl")" 1e-9
    ok "$name --flip: a warning" grep -Eq "^bezier: ${inside_out}leave out --flip\$" "$T/stderr"
    is "$name --flip: as closed as before" "$(told)" "$(make_cpu -v "$samples/$name.bv" "$T/a.stl" 2>&1 | grep -o 'vertices:.*')"
done
make_cpu -v -n 65 "$samples/sphere.bv" "$T/a.stl" 2>"$T/stderr"
ok 'the volume of a ball' near "$(volume)" 4.18879 .002
make_cpu -v --json "$T/a.json" "$samples/wave.bv" "$T/a.stl" 2>"$T/stderr"
is 'what is open has no volume' "$(volume) $(json "$T/a.json" 'exists $_->{volume} && !defined $_->{volume}')" ' 1'
perl -pe 's/(-?[\d.]+(e-?\d+)?) (?=\S+ \S+ \S+$)/-$1 /; s/--//' "$samples/sphere.bv" >"$T/mirrored.bv"
for output in a.obj a.glb; do
    ok "a mirrored sphere is inside out: $output" matches "$(make_cpu "$T/mirrored.bv" "$T/$output" 2>&1)" "^bezier: $inside_out--flip turns it$"
    is "--flip turns it: $output" "$(make_cpu --flip "$T/mirrored.bv" "$T/$output" 2>&1)" ''
done
is '-q: no word of it' "$(make_cpu -q "$T/mirrored.bv" "$T/a.stl" 2>&1)" ''
is 'of images those show it that have the signs of curvature' \
    "$(for which in gaussian mean max min; do make_cpu -s 9 --curvature $which "$T/mirrored.bv" "$T/a.ppm" 2>&1; done | cut -c 1-33)" \
    "$(yes 'bezier: the model is inside out: ' | head -n 3)"
is 'of frames it is told once' "$(make_cpu --frames 0:2 --animate turn "$T/mirrored.bv" "$T/a.stl" 2>&1 | wc -l)" 1
make_cpu --flip -n 2 "$T/square.bv" "$T/flipped.obj"
is 'the mesh of a square, flipped' "$(grep '^vn\|^f' "$T/flipped.obj")" "$(printf '%s\n' 'vn 0 0 -1' 'vn 0 0 -1' 'vn 0 0 -1' 'vn 0 0 -1' 'f 1//1 4//4 3//3' 'f 1//1 2//2 4//4')"
# means FILE.ply: the means of the four curvatures.
means() {
    perl -e 'local $/; open F, "<:raw", shift; ($head, $_) = split /(?<=end_header\n)/, <F>, 2;
        ($n) = $head =~ /vertex (\d+)/; for $v (0 .. $n - 1) { @c = unpack "f<4", substr $_, 43 * $v + 27, 16;
            $sum[$_] += $c[$_] / $n for 0 .. 3 } printf "%.3f %.3f %.3f %.3f", @sum' "$1"
}
make_cpu "$samples/sphere.bv" "$T/a.ply"
make_cpu -q --flip "$samples/sphere.bv" "$T/flipped.ply"
is 'the curvatures of a sphere, and flipped' "$(means "$T/a.ply") $(means "$T/flipped.ply")" '1.000 -1.000 -1.000 -1.000 1.000 1.000 1.000 1.000'
make_cpu "$torus" "$T/a.ply"
make_cpu -q --flip "$torus" "$T/flipped.ply"
is 'the largest and smallest curvature change places' "$(means "$T/flipped.ply")" \
    "$(means "$T/a.ply" | awk '{ printf "%.3f %.3f %.3f %.3f", $1, -$2, -$4, -$3 }')"
two='5 1 1 0 0 0 0 1 0 1 0 0 1 1 0 5 1 1 1 1 0 2 1 0 1 0 0 2 0 0' # v of the one along u of the other
boundary_edges() { "$bezier" -v -n "$1" - "$T/a.obj" 2>&1 <<<"$two" | grep -o 'boundary edges: .*'; }
is 'neighbors with the same points share a side' "$(boundary_edges 4)" 'boundary edges: 18'
is 'neighbors with other points do not' "$(boundary_edges 3x4)" 'boundary edges: 20'

# Groups: a mesh of its own with a name and a material in GLB, a material in OBJ.
glb() { perl tests/cli/glb.pl "$@"; }
make_cpu -v "$samples/goblet.bv" "$T/a.glb" 2>"$T/stderr"
is 'GLB: a mesh for each group' "$(glb "$T/a.glb" | awk '{ print $4 }' | head -n 3 | tr '\n' ' ')" '"foot" "stem" "bowl" '
is 'GLB: which together are closed and enclose what is told' "$(glb "$T/a.glb" | tail -n 1)" \
    "volume $(printf '%.5g' "$(volume)"), boundary edges 0"
is 'GLB: all triangles' "$(glb "$T/a.glb" | awk '!/^volume/ { n += $2 } END { print "triangles: " n }')" "$(told | grep -o 'triangles: [0-9]*')"
make_cpu "$samples/sphere.bv" "$T/a.glb"
is 'GLB: curvatures' "$(glb "$T/a.glb" | head -n 1)" '1986 3968 -1.000 "sphere"'
printf 'group 1 a "b\\\n4 1 0 0 0 1 0 0 0 1 0 1 1 1\ngroup 2 \tcaf\xc3\xa9\x01\n4 1 0 0 0 1 0 0 0 1 0 1 1 1\ngroup 5 \xff\n4 1 0 0 0 1 0 0 0 1 0 1 1 1\n' >"$T/odd.bv"
make_cpu "$T/odd.bv" "$T/odd.glb"
make_cpu "$T/odd.bv" "$T/odd.obj"
is 'GLB: odd names' "$(glb "$T/odd.glb" | head -n 3 | cut -d' ' -f4-)" "$(printf '%s\n' '"a \"b\\"' '"caf\u00e9\u0001"' null)"
is 'MTL: odd names' "$(grep -a ^newmtl "$T/odd.mtl")" "$(printf 'newmtl a_"b_\nnewmtl caf\xc3\xa9_\nnewmtl \xff')"
is 'OBJ: the same names' "$(grep -a ^usemtl "$T/odd.obj" | cut -c 8-)" "$(grep -a ^newmtl "$T/odd.mtl" | cut -c 8-)"
is 'MTL: colors' "$(make_cpu "$samples/goblet.bv" "$T/a.obj"; grep "^[^n#]" "$T/a.mtl")" "$(printf '%s\n' 'Kd 0.2667 0.4667 0.6667' 'Kd 0.9333 0.4000 0.4667' 'Kd 0.1333 0.5333 0.2000')"

# The materials are an output like the mesh.
ln -s "$T/elsewhere.obj" "$T/link.obj"
: >"$T/elsewhere.obj"
make_cpu --json "$T/a.json" "$T/odd.bv" "$T/link.obj"
is '--json names both files' "$(json "$T/a.json" '"$_->{output} $_->{materials}"')" "$T/link.obj $T/link.mtl"
ok 'materials lie beside the name of the mesh' [ -s "$T/link.mtl" -a ! -e "$T/elsewhere.mtl" -a -s "$T/elsewhere.obj" ]
is 'and the mesh names them' "$(head -n 1 "$T/elsewhere.obj")" 'mtllib link.mtl'
make_cpu --json "$T/a.json" "$T/odd.bv" "$T/a.glb"
is '--json of other formats names one' "$(json "$T/a.json" '$_->{output} . exists $_->{materials}')" "$T/a.glb"
mkdir "$T/pipes"
mkfifo "$T/pipes/p.obj"
make_cpu --json "$T/a.json" "$T/odd.bv" "$T/pipes/p.obj" &
is 'a pipe gets no materials' "$(grep -ac '^mtllib\|^usemtl' <"$T/pipes/p.obj")" 0
wait
is 'nor is there a file of them' "$(ls "$T/pipes") $(json "$T/a.json" 'exists $_->{materials}')" 'p.obj '
rm -r "$T/pipes" "$T"/link.* "$T/elsewhere.obj"
make_cpu --frames 3:4 --animate turn "$samples/goblet.bv" "$T/m.obj"
is 'materials of frames' "$(cd "$T" && head -qn 1 m-*.obj && cmp m-0003.mtl m-0004.mtl && echo m-*.mtl)" \
    "$(printf '%s\n' 'mtllib m-0003.mtl' 'mtllib m-0004.mtl' 'm-0003.mtl m-0004.mtl')"
rm "$T"/m-*
echo '# materials of the mesh beside this file, written with it' >"$T/old.mtl"
refuses 'materials and --json' 2 "two outputs cannot both go to $T/old.mtl" "$bezier" --json "$T/old.mtl" "$T/odd.bv" "$T/old.obj"
printf 'precious' | tee "$T/foreign.mtl" >"$T/frame-0004.mtl"
refuses 'materials of somebody else' 1 "there is such a file that was not written with a mesh; choose another name" \
    "$bezier" "$T/odd.bv" "$T/foreign.obj"
refuses 'materials of somebody else for a frame' 1 "frame-0004.mtl': there is such a file" \
    "$bezier" --frames 3:5 --animate turn "$T/odd.bv" "$T/frame.obj"
is 'they stay' "$(cat "$T/foreign.mtl" "$T/frame-0004.mtl")" preciousprecious
rm "$T/foreign.mtl" "$T/frame-0004.mtl"
mkdir "$T/folder.mtl"
refuses 'materials that are a folder' 1 "folder.mtl': it is a folder" "$bezier" "$T/odd.bv" "$T/folder.obj"
mkdir "$T/frame-0007.mtl"
refuses 'materials of a frame that are a folder' 1 "frame-0007.mtl': it is a folder" \
    "$bezier" --frames 0:9 --animate turn "$T/odd.bv" "$T/frame.obj"
rmdir "$T/folder.mtl" "$T/frame-0007.mtl"
ln "$T/odd.bv" "$T/read.mtl"
refuses 'materials that are read' 2 "read.mtl': it is the file that is read" "$bezier" "$T/odd.bv" "$T/read.obj"
ln "$T/odd.bv" "$T/frame-0003.mtl"
refuses 'materials of a frame that are read' 2 "frame-0003.mtl': it is the file that is read" \
    "$bezier" --frames 0:9 --animate turn "$T/odd.bv" "$T/frame.obj"
rm "$T/read.mtl" "$T/frame-0003.mtl"
: >"$T/frame-0005.obj"
ln "$T/frame-0005.obj" "$T/frame-0002.mtl"
refuses 'materials of a frame that are the mesh of another' 2 "two outputs cannot both go to $T/frame-000" \
    "$bezier" --frames 0:9 --animate turn "$T/odd.bv" "$T/frame.obj"
refuses 'the same, alone' 2 "two outputs cannot both go to $T/frame-000" "$bezier" "$T/odd.bv" "$T/frame-0005.obj" \
    --json "$T/frame-0002.mtl"
rm "$T"/frame-*

# Formats, read by another program.
if command -v assimp >/dev/null; then
    for name in torus sphere; do
        for extension in obj ply glb PLY; do
            for precision in float double; do
                make_cpu -v -n 7 --precision $precision "$samples/$name.bv" "$T/b.$extension" 2>"$T/stderr"
                is "$name.$extension, $precision: as assimp reads it" \
                    "$(assimp info "$T/b.$extension" | awk '/^Vertices:/ { v = $2 } /^Faces:/ { print "vertices: " v ", triangles: " $2 }')" \
                    "$(told | sed 's/, boundary.*//')"
            done
        done
        make_cpu -v -n 7 "$samples/$name.bv" "$T/b.stl" 2>"$T/stderr"
        is "$name.stl: as assimp reads it" "$(assimp info "$T/b.stl" | awk '/^Faces:/ { print "triangles: " $2 }')" "$(told | grep -o 'triangles: [0-9]*')"
    done
else
    skip 'meshes that are read back' 'assimp is not here'
fi
ok 'PLY: doubles with --precision double' grep -aq '^property double x$' <(head -n 5 "$T/b.PLY")
make_cpu --format png -s 31x17 "$samples/wave.bv" "$T/image"
is 'an image: --format png' "$(image show "$T/image" | head -n 1)" '31 17 3 8'
for extension in png jpg bmp tga ppm; do
    make_cpu -s 31x17 "$samples/wave.bv" "$T/a.$extension"
    "$scramble" -g 1x1 "$T/a.$extension" "$T/again.png"
    is "an image: $extension" "$(image show "$T/again.png" | head -n 1)" '31 17 3 8'
done
is 'without --size 1024 x 768 pixels' "$(make_cpu --format ppm "$samples/wave.bv" - | sed -n 2p)" '1024 768'
is '-s 16384x1' "$(make_cpu -s 16384x1 --format ppm "$samples/wave.bv" - | sed -n 2p)" '16384 1'
make_cpu -s 64 "$samples/torus.bv" "$T/a.png"
is 'from standard input to standard output' "$("$bezier" -r cpu -s 64 - - <"$samples/torus.bv" | cksum)" "$(cksum <"$T/a.png")"

# Views. draws_other NAME OPTIONS...: the image is not that of the torus alone.
draws_other() {
    ok "$1 changes the image" draws_one "${@:2}"
}
draws_one() {
    rm -f "$T/again.png"
    make_cpu -s 64 "$@" "$T/again.png" && ! cmp -s "$T/a.png" "$T/again.png"
}
draws_same() { # NAME OPTIONS...
    make_cpu -s 64 "${@:2}" "$T/again.png"
    ok "$1: the same image" cmp "$T/a.png" "$T/again.png"
}
for how in '--shading flat' '--shading curvature' '--shading highlight' '--shading reflection' '--shading none' \
    --lines --net --groups '--curvature mean' '--curvature max' '--curvature min' '--curvature gaussian' \
    '--yaw 60' '--pitch -30' '--zoom 2' '--zoom .01' '--zoom 1000' --orthographic '--antialias 1' '--antialias 16' \
    '--background 0,0,0' '--background none' '--up 0,1,0' '--up 0,0,-1' '--look-at 1,0,0' '--pan .1,0' '--pan 0,-.1' \
    '--shading curvature --clamp=-1:1' '-n 3'; do
    draws_other "$how" $how $torus
done
draws_same 'defaults' -m sep --precision float --shading smooth --yaw 30 --pitch 25 --zoom 1 --antialias 2 --background 1,1,1 $torus
draws_same 'no other view' --up 0,0,3 --pan 0,0 $torus
draws_same 'a background as CSS writes it' --background white $torus
draws_same '-v' -v $torus
draws_same 'a full turn' --yaw 390 $torus
make_cpu -s 64 --shading curvature $torus "$T/a.png"
draws_same '--curvature gaussian is --shading curvature' --curvature gaussian $torus
draws_same '--curvature after --shading curvature' --shading curvature --curvature gaussian $torus
draws_other '--clamp' --curvature gaussian --clamp -9:9 $torus
draws_same '--flip of Gaussian curvature' --curvature gaussian --flip $torus
make_cpu -s 64 --curvature mean $torus "$T/a.png"
draws_other '--flip of mean curvature' -q --curvature mean --flip $torus
make_cpu -s 64 --curvature mean --clamp 1:1.0001 $torus "$T/a.png"
draws_other 'a narrow --clamp' --curvature mean --clamp .5:1.5 $torus
is 'nothing to draw: the background' "$(make_cpu --shading none -s 3x1 --background 1,0,0 --format ppm "$T/square.bv" - 2>/dev/null | tail -c 9 | od -An -tx1)" ' ff 00 00 ff 00 00 ff 00 00'

# What is upward: a saddle that lies on its back, seen with its own direction upward, is the saddle.
printf '4 1\n0 0 0  0 4 1\n3 0 1  3 4 0\n' >"$T/saddle.bv"
printf '4 1\n0 0 0  0 1 -4\n3 1 0  3 0 -4\n' >"$T/back.bv"
make_cpu -s 64 "$T/saddle.bv" "$T/a.png"
draws_same '--up of a saddle on its back' --up 0,1,0 "$T/back.bv"
# What is looked at is in the middle, however near: the middle of the saddle fills the image.
make_cpu -s 16 --look-at 1.5,2,.5 --zoom 500 --background none "$T/saddle.bv" "$T/a.png"
is '--look-at a point of the surface: no pixel is clear' "$(image show "$T/a.png" | tail -n 1 | tr ' ' '\n' | grep -c '^0$')" 0
# How far an image is moved.

shift_of() { # OPTIONS...: columns that two images of one row differ by, or none
    make_cpu -s 64x48 --antialias 1 "$@" --format ppm "$T/saddle.bv" - | tail -c 9216 >"$T/one.rgb"
    make_cpu -s 64x48 --antialias 1 --pan .25,-.125 "$@" --format ppm "$T/saddle.bv" - | tail -c 9216 >"$T/other.rgb"
    perl -e 'local $/; open A, "<", shift; open B, "<", shift; ($a, $b) = (<A>, <B>); $wrong = 0;
        for $y (0 .. 41) { $wrong += substr($a, 3 * 64 * $y, 144) ne substr($b, 3 * (64 * ($y + 6) + 16), 144) } print $wrong' \
        "$T/one.rgb" "$T/other.rgb"
}
is '--pan .25,-.125: 16 columns to the right, 6 rows down' "$(shift_of)" 0
is '--pan with --zoom' "$(shift_of --zoom 3)" 0
# A transparent background: the colors are those on any other, the rest is clear, lines of the image too.
make_cpu -s 64x48 --antialias 1 --background 1,0,1 "$T/saddle.bv" "$T/a.png"
make_cpu -s 64x48 --antialias 1 --background none "$T/saddle.bv" "$T/b.png"
over() { # whether the second image over magenta is the first; how many of its pixels are clear
    { image show "$T/a.png" && image show "$T/b.png"; } | perl -e '$size = <>; $a = <>; $also = <>; $b = <>;
        @a = split " ", $a; @b = split " ", $b; print "$size$also" if $also !~ /^64 48 4 8$/ || $size !~ /^64 48 3 8$/;
        for (0 .. 64 * 48 - 1) { @p = @b[4 * $_ .. 4 * $_ + 3]; @p = (255, 0, 255), $clear++ if $p[3] == 0;
            $wrong++ if "@p[0 .. 2]" ne "@a[3 * $_ .. 3 * $_ + 2]" || @p > 3 && $p[3] != 255 }
        print $wrong + 0, " wrong, ", $clear > 500 && $clear < 2500 ? "some clear" : "$clear clear"'
}
is '--background none: clear, and the colors as ever' "$(over)" '0 wrong, some clear'
make_cpu -s 1 --antialias 16 --zoom .6 --background none --shading flat "$T/saddle.bv" "$T/b.png"
ok '--background none: half opaque pixels at outlines' matches "$(image show "$T/b.png" | tail -n 1)" ' ([1-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9])$'
make_cpu -s 320x240 --antialias 1 --curvature mean --background none "$T/saddle.bv" "$T/b.png"
is '--background none: the text beside the bar covers its pixels in part, in one color' "$(image show "$T/b.png" | perl -e '<>; @b = split " ", <>;
    for (0 .. $#b / 4) { @p = @b[4 * $_ .. 4 * $_ + 3]; $partly++, $other += abs($p[0] - 25) > 2 if $p[3] > 0 && $p[3] < 255 } print $partly > 100, " ", $other + 0')" '1 0'
refuses '--background none in a JPEG' 1 'jpeg cannot hold .* with alpha; use one of png' "$bezier" --background none "$torus" "$T/x.jpg"
refuses '--background none in a video' 2 'of videos only .* ha(s|ve) alpha; give an opaque --background, or name ' "$bezier" --background none --frames 0:1 --animate turn "$torus" "$T/x.y4m"

# Images in which nothing is seen say so, once, and why. shows_nothing NAME REGEX OPTIONS...
shows_nothing() {
    rm -f "$T/a.ppm" "$T/a-0001.ppm"
    make_cpu -s 40 "${@:3}" "$T/a.ppm" 2>"$T/stderr"
    is "$1: status" $? 0
    ok "$1: an image" [ -s "$T/a.ppm" -o -s "$T/a-0001.ppm" ]
    is "$1: one line" "$(wc -l <"$T/stderr")" 1
    ok "$1: why" matches "$(cat "$T/stderr")" "^bezier: $2"
}
shows_nothing 'no surface and no lines' 'the image shows nothing: without shading no surface is painted; add lines or the net$' --shading none $torus
shows_nothing 'frames without lines' 'frame 0 shows nothing: without shading' --shading none --frames 0:3 --animate turn $torus
shows_nothing 'the hole of a torus' 'the image shows nothing: what there is lies beyond its borders; lower the zoom' --zoom 100 --pitch 90 --background .2,.3,.4 $torus
shows_nothing 'the side of a square' 'the image shows nothing: the surfaces are seen from their side' --pitch 0 "$T/square.bv"
shows_nothing 'the side of a square, with the bar' 'the image shows nothing: the surfaces are seen from their side' --pitch 0 --curvature mean "$T/square.bv"
shows_nothing 'smaller than a sample' 'the image shows nothing: .* raise the zoom or the size' --zoom .01 --antialias 1 -s 3 $torus
shows_nothing 'a view of what is far off' 'the image shows nothing: all there is lies within a pixel; look at a place nearer to it, or raise the zoom or the size$' \
    --look-at 0,0,1e5 $torus
shows_nothing 'an image moved away' 'the image shows nothing: what there is lies beyond its borders' --pan 5,0 $torus
is 'one with lines says nothing' "$(make_cpu -s 40 --pitch 0 --lines "$T/square.bv" "$T/a.ppm" 2>&1)" ''
is 'one with the net alone says nothing' "$(make_cpu -s 40 -n 1 --net "$T/square.bv" "$T/a.ppm" 2>&1)" ''
is '-q: no word' "$(make_cpu -q -s 40 --shading none $torus "$T/a.ppm" 2>&1)" ''

# Grids by what is seen. points_of OPTIONS...: of a side, the most.
points_of() {
    make_cpu --json - "$@" "$T/a.png" | grep -Eo '"points_[uv]": [0-9]+' | cut -d' ' -f2 | tr '\n' ' '
}
small=$(points_of -s 64 $torus) large=$(points_of -s 1024 $torus)
ok "a grid by what is seen: $small, of a larger image $large" [ "${small%% *}" -lt "${large%% *}" ]
is 'a flat patch has one cell' "$(points_of -s 1024 "$T/square.bv")" '2 2 '
is 'what lies beyond the image has one cell' "$(points_of -q -s 1024 --pan 3,0 $torus)" '2 2 '
is '-n: the grid that is given' "$(points_of -n 9x5 $torus)" '9 5 '
is '--lines: the default' "$(points_of --lines $torus)" '17 17 '
# The view is the same whatever the grid: a coarse ball, whose corners are on the fine one, is in it.
for grid in 3 65; do
    make_cpu -s 128 -n $grid --antialias 1 --format ppm "$samples/sphere.bv" "$T/ball$grid.ppm"
done
is '-n: images with other grids lie on each other' "$(perl -0777 -e 'my ($coarse, $fine) = map { open F, "<:raw", $_; [unpack "(a3)*", substr <F>, 15] } @ARGV;
    my $white = "\xff" x 3;
    print scalar grep { $coarse->[$_] ne $white && $fine->[$_] eq $white } 0 .. $#$fine' "$T/ball3.ppm" "$T/ball65.ppm")" 0
perl -e 'srand 7; print "3 20\n"; for $i (0 .. 20) { printf "%g %g %g\n", $i, $_, 300 * rand for 0 .. 20 - $i }' >"$T/rough.bv"
make_cpu -s 1024 "$T/rough.bv" "$T/a.png" 2>"$T/stderr"
ok 'a grid beyond the limits: told, and drawn' matches "$(cat "$T/stderr")" '^bezier: the view asks for a finer grid than can be drawn; patches have at most [0-9]+ cells a side'

# What has no triangle is refused, as an image and as a mesh; floats that are too coarse are told.
place() { # OFFSET SIZE: a square
    perl -e '($o, $s) = @ARGV; printf "5 1 1\n%.17g 0 0  %.17g %.17g 0\n%.17g 0 0  %.17g %.17g 0\n", $o, $o, $s, $o + $s, $o + $s, $s' "$@"
}
printf 'precious' >"$T/old.png"
printf 'precious' >"$T/old.obj"
no_triangle() { # NAME REGEX OPTIONS...
    for output in "$T/old.obj" "$T/old.png"; do
        refuses "$1: ${output##*.}" 1 "$2" "$bezier" -r cpu "${@:3}" "$output"
    done
}
printf '5 1 1 3 2 1 3 2 1 3 2 1 3 2 1\n' >"$T/point.bv"
place 1e8 1 >"$T/far.bv"
place 0 1e-46 >"$T/tiny.bv"
perl -e 'print "4 30\n"; for $i (0 .. 30) { print $i % 2 ? "-1e30" : "1e30", " $i $_\n" for 0 .. 30 }' >"$T/powers.bv"
no_triangle 'one point a side' 'a grid of 1 x 1 points has no triangle; take a resolution of 2 or more$' -n 1 "$T/square.bv"
no_triangle 'one line of points' 'a grid of 1 x 5 points has no triangle; take a resolution of 2 or more$' -n 1x5 "$T/square.bv"
no_triangle 'a point' "^bezier: '$T/point.bv': no triangle is left: the patches have no area; check the control points$" "$T/point.bv"
no_triangle 'far off' "^bezier: '$T/far.bv': no triangle is left: float holds only 0.12 steps across the model; take double precision$" "$T/far.bv"
no_triangle 'tiny' 'float holds only 0.071 steps across the model; take double precision$' "$T/tiny.bv"
no_triangle 'powers beyond a float' "^bezier: '$T/powers.bv': a vertex at .*, out of the range of float; take double precision$" -q -m mat3 "$T/powers.bv"
steps() { # NAME STEPS OFFSET SIZE OPTIONS...
    place "$3" "$4" >"$T/step.bv"
    is "$1" "$(make_cpu -s 40 "${@:5}" "$T/step.bv" "$T/a.ppm" 2>&1)" \
        "${2:+bezier: float holds only $2 steps across the model, which shows; take double precision}"
}
for offset in 0 1024; do
    place $offset 1 >"$T/at.bv"
    make_cpu -q -s 40 -n 1 --net --frames 0:0 --animate turn "$T/at.bv" "$T/at$offset.ppm"
done
ok 'a net alone is in the middle of its frames' cmp "$T/at0-0000.ppm" "$T/at1024-0000.ppm"
steps 'a thousand wide at 1e8' 125 1e8 1000
steps 'a thousand wide at 1e8, in frames: once' 125 1e8 1000 --frames 0:2 --animate turn
steps 'a thousand wide at 1e8, in double' '' 1e8 1000 --precision double
steps '4095 wide at 2^23' 4095 8388608 4095
steps '4096 wide at 2^23' '' 8388608 4096
steps 'eight steps of the smallest float' 7.1 0 1e-44
steps 'the smallest float in double' '' 0 1e-44 --precision double

# Devices, methods and sharing give the same bytes.
for what in 'kinds obj -n 9' 'torus ply -n 33x18 --precision double' 'wave obj -n 70 -m mle' 'goblet glb' \
    'kinds png -s 99 --shading reflection --lines --net' 'torus png -s 80x60 --curvature mean --orthographic'; do
    set -- $what
    make_cpu "${@:3}" "$samples/$1.bv" "$T/first.$2"
    for device in $(devices); do
        rm -f "$T/again.$2"
        "$bezier" -r "$device" "${@:3}" "$samples/$1.bv" "$T/again.$2" </dev/null
        ok "$device: $what" alike "$T/first.$2" "$T/again.$2"
    done
    make_cpu -j 1 "${@:3}" "$samples/$1.bv" "$T/again.$2"
    ok "1 thread: $what" alike "$T/first.$2" "$T/again.$2"
    "$bezier" "${@:3}" "$samples/$1.bv" "$T/again.$2" </dev/null
    ok "auto: $what" alike "$T/first.$2" "$T/again.$2"
done
for how in '-m mle' '-m brf' '-m casteljau' '-m mat3' '-m mat4'; do
    make_cpu -n 5 --precision double "$samples/wave.bv" "$T/first.obj"
    make_cpu -n 5 --precision double $how "$samples/wave.bv" "$T/again.obj"
    ok "$how: the same surface" gap "$T/first.obj" "$T/again.obj" '' v
done
for how in sep direct; do
    make_cpu -n 5 -m $how "$samples/goblet.bv" "$T/$how.obj"
done
ok '-m direct: the same surface' gap "$T/sep.obj" "$T/direct.obj" '' v
if devices | grep -q '^opencl'; then
    for name in kinds torus wave; do
        for how in '-m sep' '-m mle --precision double'; do
            "$bezier" -r opencl -n 65x40 $how "$samples/$name.bv" "$T/first.ply" </dev/null
            for share in 0 50 100 dynamic; do
                "$bezier" -r opencl -n 65x40 $how --share $share "$samples/$name.bv" "$T/again.ply" </dev/null
                ok "$name $how --share $share: the same bytes" cmp "$T/first.ply" "$T/again.ply"
            done
        done
    done
    for name in torus sphere goblet; do
        for how in --precision=float --precision=double '--share 50' '--share dynamic'; do
            "$bezier" -v -n 9 -r opencl $how "$samples/$name.bv" "$T/a.ply" </dev/null 2>"$T/stderr"
            ok "$name $how on opencl: closed" grep -q 'boundary edges: 0$' "$T/stderr"
        done
    done
    "$bezier" -r opencl --share sweep "$samples/wave.bv" >"$T/table" </dev/null
    is '--share sweep: 0 to 100 in steps of 5, and dynamic' "$(awk '$2 + 0 > 0 && $1 != "best:" { printf "%s ", $1 }' "$T/table")" "$(seq -s' ' 0 5 100) dynamic "
    ok '--share sweep: the best' grep -Eq '^best: [0-9]+ %, [0-9.]+ times$' "$T/table"
    "$bezier" -r opencl --share sweep --json "$T/sweep.json" "$samples/wave.bv" </dev/null
    is '--share sweep --json' "$(json "$T/sweep.json" 'join " ", (map $_->{cpu_percent}, @{$_->{sweep}}), 0 + grep($_->{seconds} > 0, @{$_->{sweep}}), $_->{dynamic_seconds} > 0')" "$(seq -s' ' 0 5 100) 21 1"
else
    skip '--share' 'opencl is not here'
fi

# Accuracy, and what methods cannot.
for how in 'sep float' 'sep double' 'mle float' 'brf float' 'casteljau double'; do
    set -- $how
    make_cpu -b -n 9 -m "$1" --precision "$2" --json "$T/b.json" "$samples/wave.bv"
    is "-b -m $1 --precision $2: what JSON says" "$(json "$T/b.json" 'join " ", @$_{qw(method precision patches points_u points_v points)}, scalar @{$_->{benchmark}}')" "$1 $2 1 9 9 81 1"
    ok "-b -m $1 --precision $2: error" [ "$(json "$T/b.json" '$_->{largest_error_epsilons} > 0 && $_->{largest_error_epsilons} < 26')" = 1 ]
done
make_cpu -b -m mat4 "$samples/wave.bv" >"$T/table" 2>"$T/stderr"
ok '-b: a table' grep -Eq '^evaluate +the reference( +[0-9.]+){3}$' "$T/table"
is '-b: one warning' "$(cat "$T/stderr")" 'bezier: the matrix methods are not accurate above degree 5; this one is 11'
is 'one warning for all frames, whichever is the first' \
    "$(make_cpu -m mat4 -s 9 --frames 5:7 --animate degree "$samples/goblet.bv" "$T/a.ppm" 2>&1)" \
    'bezier: the matrix methods are not accurate above degree 5; this one is 8'
is '-q: no warning' "$(make_cpu -q -m mat3 -s 9 "$samples/wave.bv" "$T/a.png" 2>&1)" ''
is 'mat4 in double: no warning' "$(make_cpu -m mat4 --precision double -s 9 "$samples/wave.bv" "$T/a.png" 2>&1)" ''
perl -e 'for (4, 35, 40) { open F, ">", "$ARGV[0]/degree$_.bv"; print F "4 $_\n"; for $i (0 .. $_) { print F "$i ", $_ / 3, " 1\n" for 0 .. $_ } }' "$T"
printf 'precious' >"$T/old.obj"
refuses 'direct above degree 3' 1 'method direct takes bicubic patches, there is one of degree 4 x 4' "$bezier" -m direct "$T/degree4.bv" "$T/old.obj"
refuses 'brf in float above degree 34' 1 'method brf: 35! is out of a float' "$bezier" -m brf "$T/degree35.bv" "$T/old.obj"
ok 'brf in double at degree 35' "$bezier" -m brf --precision double -n 3 "$T/degree35.bv" "$T/a.ply"
for method in mat3 mat4; do
    refuses "$method above degree 31" 1 'the matrix methods lose all digits above degree 31' "$bezier" -m $method "$T/degree40.bv" "$T/old.obj"
done

# Animations.
for file in wave torus kinds; do
    make_cpu -n 5 --frames 0:3 --animate degree "$samples/$file.bv" "$T/d.obj"
    make_cpu -n 5 "$samples/$file.bv" "$T/a.obj"
    ok "--animate degree, $file: frame 0 is the file" alike "$T/a.obj" "$T/d-0000.obj"
    ok "--animate degree, $file: the surface stays" gap "$T/a.obj" "$T/d-0003.obj" '' v
    ok "--animate degree, $file: its normals stay" gap "$T/a.obj" "$T/d-0003.obj" '' vn
    make_cpu -n 5 --frames 3:3 --animate degree "$samples/$file.bv" "$T/e.obj"
    ok "--animate degree, $file: frame 3 alone" alike "$T/d-0003.obj" "$T/e-0003.obj"
done
for file in goblet kinds; do
    make_cpu --frames 0:30 --animate turn "$samples/$file.bv" "$T/t.obj"
    make_cpu --json "$T/info.json" --info "$samples/$file.bv"
    center=$(json "$T/info.json" 'sprintf "(%.9g, %.9g)", map { ($_->{low}[0] + $_->{high}[0]) / 2, ($_->{low}[1] + $_->{high}[1]) / 2 } $_')
    ok "--animate turn, $file: 90 degrees in 30 frames" gap "$T/t-0000.obj" "$T/t-0030.obj" \
        "(\$a, \$b) = $center; (\$x, \$y) = (\$a - (\$y - \$b), \$b + \$x - \$a)" v
    ok "--animate turn, $file: normals too" gap "$T/t-0000.obj" "$T/t-0030.obj" '($x, $y) = (-$y, $x)' vn
    is "--animate turn, $file: numbers" "$(look "$T/t-0017.obj" | cut -d' ' -f3)" 0
    rm "$T"/t-*.obj
done
make_cpu -n 5 --frames 0:60 --animate wave "$samples/wave.bv" "$T/w.obj"
make_cpu -n 5 "$samples/wave.bv" "$T/a.obj"
ok '--animate wave: it comes again after 60 frames' gap "$T/w-0000.obj" "$T/w-0060.obj" '' v
ok '--animate wave: x and y stay' gap "$T/a.obj" "$T/w-0010.obj" '$z = $to[3]' v
ok '--animate wave: z changes' not gap "$T/a.obj" "$T/w-0010.obj" '' v
ok '--animate wave: by at most a tenth of the extent' gap "$T/a.obj" "$T/w-0010.obj" '$z = $to[3] if abs($z - $to[3]) < .1001' v
is '--animate wave of every kind: numbers' "$(make_cpu --frames 7:7 --animate wave "$samples/kinds.bv" "$T/k.obj"; look "$T/k-0007.obj" | cut -d' ' -f3)" 0
make_cpu -n 3x4 --frames 0:2 --animate resolution "$T/square.bv" "$T/r.obj"
is '--animate resolution: points' "$(for i in 0 1 2; do look "$T/r-000$i.obj"; done)" "$(printf '%s\n' '12 12 0' '20 24 0' '30 40 0')"
make_cpu -n 5x6 "$T/square.bv" "$T/a.obj"
ok '--animate resolution: the last as without' alike "$T/a.obj" "$T/r-0002.obj"
make_cpu -s 20x12 --frames 1:3 --animate turn "$samples/kinds.bv" "$T/f.png"
is 'numbered images' "$(cd "$T" && echo f-*)" 'f-0001.png f-0002.png f-0003.png'
ok 'images differ' not cmp -s "$T/f-0001.png" "$T/f-0003.png"
make_cpu -s 20x12 --frames 1:3 --animate turn "$samples/kinds.bv" - | cat >"$T/v.y4m"
is 'a video on standard output: its header' "$(head -n 1 "$T/v.y4m")" 'YUV4MPEG2 W20 H12 F60:1 Ip A1:1 C444'
is 'a video on standard output: three frames' "$(stat -c %s "$T/v.y4m")" $((37 + 3 * 726))
make_cpu -s 20x12 --frames 1:3 --animate turn "$samples/kinds.bv" "$T/w.y4m"
ok 'a video in a file' cmp "$T/v.y4m" "$T/w.y4m"
for what in turn wave resolution degree; do
    for device in $(devices | grep -v cpu:0); do
        make_cpu -n 6 --frames 2:4 --animate $what "$samples/kinds.bv" "$T/c.ply"
        "$bezier" -r "$device" -n 6 --frames 2:4 --animate $what "$samples/kinds.bv" "$T/o.ply" </dev/null
        ok "--animate $what on $device" cmp "$T/c-0004.ply" "$T/o-0004.ply"
    done
done

# What comes out besides the image.
make_cpu -s 24 --json "$T/a.json" --timings -n 17 --frames 0:1 --animate turn "$samples/sphere.bv" "$T/j.png" 2>"$T/timings"
stages=$("$bezier" --list-stages | cut -d' ' -f1 | tr '\n' ' ')
ok '--list-stages' in_order 'patches move binomials bases evaluate view normals mesh draw save' "$stages"
is '--json: the stages' "$(json "$T/a.json" 'join("", map "$_->{stage} ", @{$_->{stages}})')" "$stages"
ok '--json: times' [ "$(json "$T/a.json" '0 + grep $_->{wall_s} > 0 && $_->{kernel_s} >= 0, @{$_->{stages}}')" = 10 ]
is '--json: the rest' "$(json "$T/a.json" 'join " ", @$_{qw(method precision patches points_u points_v points triangles device)}')" 'sep float 8 17 17 2312 3968 cpu:0'
is '--timings: the stages' "$(tail -n +2 "$T/timings" | cut -d' ' -f1 | tr '\n' ' ')" "$stages"
make_cpu --json - -n 5 "$samples/sphere.bv" "$T/a.obj" >"$T/a.json"
is '--json - of a mesh' "$(json "$T/a.json" '$_->{triangles}')" 224
ok '--json - of a mesh: the stages' in_order 'patches move binomials bases evaluate normals mesh save' "$(stages_of "$T/a.json")"
refuses 'no stage draws a snapshot' 2 "unknown option '--save-stages'; --help lists the options$" \
    "$bezier" --save-stages "$T/stages" -s 24 "$samples/sphere.bv" "$T/j.png"

# refuses_option OPTION REGEX VALUES...: each is a usage error with the value in quotes.
refuses_option() {
    ok "$1: refuses ${*:3}" refuses_values "$@"
}
refuses_values() {
    for value in "${@:3}"; do
        refused 2 "bad $1 '$value': $2" "$bezier" "$1=$value" "$samples/wave.bv" "$T/x.png" || return 1
    done
}
refuses_option --resolution 'write one number or two, as in 1024 or 1920x1080, from 1 to 65535' 0 65536 1x65536 0x5 10x x10 -1 1x1x1 '' 1e3 5.5 ' 5'
refuses_option --size 'write one number or two, .* from 1 to 16384' 0 16385 1x16385 x '' 1e3
refuses_option --method 'use sep, mle, brf, mat3, mat4, casteljau or direct' quick '' SEP
refuses_option --precision 'use float or double' half '' 32
refuses_option --share 'write percent from 0 to 100, or dynamic, or sweep' 101 -1 x '' 5.5 50%
refuses_option --animate 'use nothing, turn, wave, resolution or degree' x '' spin
refuses_option --shading 'use smooth, flat, curvature, highlight, reflection or none' x ''
refuses_option --curvature 'use gaussian, mean, max or min' x '' principal
refuses_option --clamp 'write two numbers from -1e\+100 to 1e\+100, as in -1:1, the first below the second' 1 1: :1 2:1 1:1 a:b nan:1 0:inf 0:1: 0,1 -1e101:0 ''
refuses_option --yaw 'write a number from -3600 to 3600' x '' nan 3601 1x
refuses_option --pitch 'write a number from -3600 to 3600' x '' inf -3601
refuses_option --zoom 'write a number from 0.01 to 1000' x '' 0 0.009 1001 -1 nan
refuses_option --up 'write three numbers with commas between, from -1e\+100 to 1e\+100' 1 1,1 x,0,0 0,0,1,0 nan,0,0 ''
refuses_option --up 'that is no direction; one is not 0' 0,0,0 -0,0,0
refuses_option --look-at 'write three numbers with commas between, from -1e\+30 to 1e\+30' 1 1,1 2e30,0,0 '' 0,0,0x
refuses_option --pan 'write two numbers with a comma between, from -1000 to 1000' 1 1,1,1 1001,0 0,-1e9 x,0 ''
refuses_option --antialias 'write a whole number from 1 to 16' 0 17 -1 x 2.5 ''
refuses_option --background 'write a color as CSS does, .* or three numbers from 0 to 1 with commas between' 1 1,1 1,1,1,1 a,b,c 1,1,2 -1,0,0 ''
refuses_option --background 'write a color that is opaque, or none' '#0008'
refuses_option --frames 'write first:last, as in 0:59' 1 1: :1 2:1 a:b 0:1: -1:1 ''
w=$samples/wave.bv
refuses 'no operands' 2 'name an INPUT and an OUTPUT; --help explains' "$bezier"
refuses 'no OUTPUT' 2 'name an INPUT and an OUTPUT; --help explains' "$bezier" "$w"
refuses 'three operands' 2 'name an INPUT and an OUTPUT; --help explains' "$bezier" "$w" "$T/x.png" "$T/y.png"
for how in --info -b '--share sweep -r opencl'; do
    refuses "$how with OUTPUT" 2 'take an INPUT and write no OUTPUT' "$bezier" $how "$w" "$T/x.png"
    refuses "$how without INPUT" 2 'take an INPUT and write no OUTPUT' "$bezier" $how
    for more in '--frames 0:1 --animate turn' '--format png' '--yaw 3' --net '-s 9' --flip; do
        refuses "$how with $more" 2 'leave out --frames and options of images' "$bezier" $how $more "$w"
    done
done
refuses '--info with -b' 2 'go one at a time' "$bezier" --info -b "$w"
refuses '--frames without --animate' 2 '--frames needs --animate' "$bezier" --frames 0:1 "$w" "$T/x.png"
refuses '--frames with nothing' 2 '--frames needs --animate' "$bezier" --frames 0:1 --animate nothing "$w" "$T/x.png"
refuses '--animate without --frames' 2 '--animate needs --frames' "$bezier" --animate turn "$w" "$T/x.png"
for how in '-s 5' '--shading flat' --lines --net --groups '--curvature mean' '--yaw 3' '--pitch 3' '--zoom 2' \
    --orthographic '--antialias 3' '--background 0,0,0' '--background none' '--up 0,1,0' '--look-at 0,0,0' '--pan 0,0' \
    '--format png'; do
    refuses "a mesh with $how" 2 "'$T/x.obj' is a mesh; options of images do nothing there" "$bezier" $how "$w" "$T/x.obj"
done
refuses '--clamp without curvature' 2 'need --shading curvature' "$bezier" --clamp 0:1 "$w" "$T/x.png"
refuses '--curvature with another shading' 2 'need --shading curvature' "$bezier" --curvature mean --shading flat "$w" "$T/x.png"
for how in '--curvature mean' '--shading curvature' '--shading none --lines'; do
    refuses "--groups with $how" 2 '--groups does nothing with --shading (curvature|none); leave one out' "$bezier" --groups $how "$w" "$T/x.png"
done
for device in '' '-r cpu' '-r cpu:0' '-r auto'; do
    refuses "--share $device" 2 '--share needs a device beside the CPU' "$bezier" $device --share 50 "$w" "$T/x.png"
done
refuses '--share of brf' 2 '--share works with --method sep and mle' "$bezier" -r opencl -m brf --share 50 "$w" "$T/x.png"
refuses 'too many samples' 2 'lower --antialias or --size' "$bezier" -s 1x16384 --antialias 5 "$w" "$T/x.png"
refuses 'a device that is not there' '[12]' 'nosuch' "$bezier" -r nosuch "$w" "$T/x.png"
refuses 'an unknown option' 2 "unknown option '--sise'" "$bezier" --sise 5 "$w" "$T/x.png"
refuses 'too many points' 1 'are more than 1073741824 points; lower the resolution' "$bezier" -n 65535 "$w" "$T/old.obj"
small() { (ulimit -v 4000000 && exec "$@"); }
[[ -n $(nm "$bezier" 2>/dev/null | grep __asan_init) ]] ||
    refuses 'more points than memory' 1 'memory.*lower the resolution|take fewer points' small "$bezier" -r cpu -n 30000 "$w" "$T/old.obj"
# What no later frame can have is known when the file is read: nothing is written.
grows() { # NAME LAST REGEX OPTIONS...: of frames 0 to LAST
    for output in "$T/x.obj" "$T/x.ppm" "$T/x.y4m" "$T/old.y4m"; do
        refuses "$1: ${output##*/}" 1 "$3" "$bezier" -r cpu -n 2 --frames "0:$2" "${@:4}" "$output"
    done
}
printf 'precious' >"$T/old.y4m"
grows 'the degree cannot grow' 61 '^bezier: frames 0 to 60 can be made, but in frame 61 the degree cannot grow above 100$' --animate degree "$T/degree40.bv"
grows 'the degree cannot grow for ever' 999 '^bezier: frames 0 to 60 can be made, but in frame 61 the degree cannot grow above 100$' --animate degree "$T/degree40.bv"
grows 'the grid cannot grow' 66000 '^bezier: frames 0 to [0-9]+ can be made, but in frame [0-9]+ ' --animate resolution "$T/square.bv"
grows 'brf in float ends at degree 34' 40 '^bezier: frames 0 to 30 can be made, but in frame 31 method brf: 35! is out' -m brf --animate degree "$T/degree4.bv"
grows 'mat4 ends at degree 31' 40 '^bezier: frames 0 to 27 can be made, but in frame 28 the matrix methods lose' -m mat4 --animate degree "$T/degree4.bv"
grows 'direct ends at degree 3' 1 '^bezier: frames 0 to 0 can be made, but in frame 1 method direct takes' -m direct --animate degree "$samples/goblet.bv"
rm "$T/old.y4m"
refuses 'points grow in number' 1 '^bezier: frames 500 to [0-9]+ can be made, but in frame [0-9]+ .*lower the resolution$' "$bezier" --frames 500:60000 --animate resolution "$w" "$T/x.obj"
refuses 'the degree of the first frame' 1 '^bezier: frame 61: the degree cannot grow above 100$' "$bezier" --frames 61:62 --animate degree "$T/degree40.bv" "$T/x.obj"
refuses 'the grid of the first frame' 1 '^bezier: frame 1: the grid cannot grow above 65535 points a side$' "$bezier" -n 65535 --frames 1:1 --animate resolution "$w" "$T/x.obj"
make_cpu -n 2 --frames 59:60 --animate degree "$T/degree40.bv" "$T/g.obj"
is 'the last frame that the degree leaves' "$(cd "$T" && echo g-*.obj)" 'g-0059.obj g-0060.obj'

# bad_patch NAME TEXT REGEX: a line with the file, what follows, and nothing else.
bad_patch() {
    printf -- "$2" >"$T/bad.${4:-bv}"
    for output in "$T/old.obj" "$T/old.png"; do
        refuses "bad patch: $1" 1 "^bezier: cannot read patches '$T/bad.${4:-bv}': $3" "$bezier" "$T/bad.${4:-bv}" "$output"
    done
}
printf 'precious' >"$T/old.png"
square='0 0 0 1 0 0 0 1 0 1 1 0'
bad_patch 'empty' '' 'it has no patches$'
bad_patch 'a group alone' 'group 1 a\n' 'it has no patches$'
bad_patch 'cut short' "4 1\n0 0 0 1 0 0\n0 1 0 1 1\n" 'line 3: the file ends before surface 1 is complete$'
bad_patch 'a group in a patch' "4 1\n0 0 0\ngroup 0 a\n" 'line 3: a group starts before surface 1 is complete$'
bad_patch 'NaN' "4 1\n0 0 nan 1 0 0 0 1 0 1 1 0\n" "line 2: 'nan' is no number$"
bad_patch 'infinity' "4 1\n0 0 inf 1 0 0 0 1 0 1 1 0\n" "line 2: 'inf' is no number$"
bad_patch 'huge' "4 1\n0 0 1e31 1 0 0 0 1 0 1 1 0\n" 'line 2: 1e31 is not from -1e\+30 to 1e\+30$'
bad_patch 'letters' "4 1\n0 0 0 1 0 0 0 1 0 1 1 zero\n" "line 2: 'zero' is no number$"
bad_patch 'degree 1000' "4 1000\n" "line 1: degree '1000' is not a whole number from 1 to 100$"
bad_patch 'degree 0' "5 3 0\n" "line 1: degree '0' is not a whole number from 1 to 100$"
bad_patch 'degree 1.5' "3 1.5\n" "line 1: degree '1.5' is not a whole number"
bad_patch 'kind 12' "12 1\n" "line 1: kind '12' is none of 1 to 11$"
bad_patch 'zero bytes' '4 1\n\\0\n' 'line 2: '
bad_patch 'too many numbers' "4 1 $square 5 5\n" 'line 1: .*ends'
bad_patch 'zero weight' "8 1 1\n0 0 0 1 1 0 0 1\n0 1 0 0 1 1 0 1\n" 'line 3: weight 0 is not from'
bad_patch 'negative weight' "8 1 1\n0 0 0 1 1 0 0 1\n0 1 0 -1 1 1 0 1\n" 'line 3: weight -1 is not from'
bad_patch 'index out of range' "1 3 1\n0 0 0 1 0 0 0 1 0\n3 0 1 3\n" "line 3: vertex '3' is not a whole number from 0 to 2$"
bad_patch 'a face of two' "1 3 1\n0 0 0 1 0 0 0 1 0\n2 0 1\n" "line 3: number of a face's vertices '2'"
bad_patch 'two billion vertices' "1 2000000000 1\n0 0 0\n" 'line 2: the file ends before surface 1 is complete$'
bad_patch 'a color that is none' "group red a\n4 1 $square\n" "line 1: color of a group 'red'"
bad_patch 'patches that are missing' "2\n1 1\n$square\n" 'line 3: the file ends before surface 2 is complete$' bpt
bad_patch 'a billion patches' "1000000000\n" "line 1: number of patches '1000000000' is not" bpt
bad_patch 'more than it says' "1\n1 1\n$square\n5\n" "line 4: '5' after the last patch$" bpt
bad_patch 'a vertex that is missing' "v 0 0 0\nf 1 2 3\n" "line 2: vertex '2' is not a whole number from 1 to 1$" obj
bad_patch 'no surface' "v 0 0 0\n" 'it has no patches$' obj
for extension in step STP iges igs; do
    bad_patch "a file for tessera-convert: $extension" 'x' 'tessera-convert makes a .bv file of it; name that' $extension
done
bad_patch 'another extension' 'x' 'name a file that ends in .bv, .bpt(, | or ).obj' txt
refuses 'a missing file' 1 "cannot open '$T/none.bv': No such file or directory" "$bezier" "$T/none.bv" "$T/old.obj"
mkdir "$T/folder.bv"
# A point is none the less one where its numbers are rounded.
for point in '1 1 1' '0.1 0.3 0.7' '-3.3e5 0.7 12345.678'; do
    { echo '5 3 3'; for i in {1..16}; do echo "$point"; done; } >"$T/point.bv"
    refuses "a patch that is the point $point" 1 'no triangle is left' "$bezier" "$T/point.bv" "$T/x.png"
    refuses "a patch that is the point $point, as a mesh" 1 'no triangle is left' "$bezier" "$T/point.bv" "$T/x.obj"
done
# So is a line.
for way in '1 0 0' '0.1 0.3 0.7' '-33.1 1234.5 7.77'; do
    { echo '5 1 3'; perl -e 'for $i (0 .. 7) { print join(" ", map { .3 + $_ * $i ** 2 } @ARGV), "\n" }' -- $way; } >"$T/line.bv"
    for precision in float double; do
        refuses "a patch that is a line along $way, $precision" 1 'no triangle is left' "$bezier" --precision $precision "$T/line.bv" "$T/x.png"
        refuses "a patch that is a line along $way, $precision, as a mesh" 1 'no triangle is left' "$bezier" --precision $precision "$T/line.bv" "$T/x.obj"
    done
done
for value in 0x10 inf nan ' 1' 1e; do
    refuses "--yaw '$value'" 2 "bad --yaw '$value'" "$bezier" --yaw "$value" "$samples/wave.bv" "$T/x.png"
done
refuses '--clamp in hexadecimal' 2 "bad --clamp" "$bezier" --shading curvature --clamp 0x0:0x1 "$samples/wave.bv" "$T/x.png"
refuses '--background in hexadecimal' 2 "bad --background" "$bezier" --background 0x1,0,0 "$samples/wave.bv" "$T/x.png"
refuses 'an extension of no format names those of meshes too' 1 "no mesh \(.obj, .ply, .stl, .glb\), image" "$bezier" "$samples/wave.bv" "$T/x.gltf"
refuses 'a folder' 1 "cannot read '$T/folder.bv': it is a folder" "$bezier" "$T/folder.bv" "$T/old.obj"
cut_short() { # at every length
    for length in $(seq 1 "$2" $(($(stat -c %s "$1") - 3))); do
        head -c "$length" "$1" >"$T/cut.bv"
        "$bezier" --info "$T/cut.bv" >/dev/null 2>"$top/stderr" && continue # ends after a patch
        [ "$(wc -l <"$top/stderr")" = 1 ] && grep -q "^bezier: cannot read patches '$T/cut.bv': " "$top/stderr" || { echo "$length bytes"; return 1; }
    done
}
ok 'a file cut short, at every 41st length' cut_short "$samples/kinds.bv" 41

# Outputs that cannot be.
cp "$w" "$T/own.bv"
ln -s own.bv "$T/link.obj"
for own in "$T/own.bv" "$T/./own.bv"; do
    refuses "OUTPUT is INPUT: ${own##*/}" 2 "cannot write '$own': it is the file that is read" "$bezier" --format png "$T/own.bv" "$own"
    refuses "--json is INPUT: ${own##*/}" 2 "cannot write '$own': it is the file that is read" "$bezier" --json "$own" "$T/own.bv" "$T/x.obj"
done
refuses 'a mesh over INPUT by a link' 2 "cannot write '$T/link.obj': it is the file that is read" "$bezier" "$T/own.bv" "$T/link.obj"
cp "$T/face.obj" "$T/face2.obj"
refuses 'a mesh over the mesh that is read' 2 'it is the file that is read' "$bezier" "$T/face2.obj" "$T/face2.obj"
refuses 'a frame over the mesh that is read' 2 'it is the file that is read' "$bezier" --frames 0:2 --animate turn "$T/r-0001.obj" "$T/r.obj"
refuses '--json is a frame' 2 'two outputs cannot both go to' "$bezier" --json "$T/c-0003.obj" --frames 2:4 --animate turn "$w" "$T/c.obj"
refuses '--json and a mesh in one file' 2 'two outputs cannot both go to' "$bezier" --json "$T/x.obj" "$w" "$T/./x.obj"
refuses '--json and the image to standard output' 2 'two outputs cannot both go to standard output' "$bezier" --json - "$w" -
refuses 'frames as png to standard output' 2 'standard output takes frames as y4m' "$bezier" --format png --frames 0:1 --animate turn "$w" -
for extension in obj ply stl glb png y4m; do
    refuses "$extension: the folder is missing" 1 "cannot write '.*': folder '.*no': No such file" "$bezier" "$w" "$T/no/x.$extension"
    refuses "$extension: the folder of --json is missing" 1 "cannot write '.*': folder '.*no': No such file" "$bezier" --json "$T/no/x" "$w" "$T/x.$extension"
    mkdir "$T/folder.$extension"
    refuses "$extension: a folder" 1 'it is a folder' "$bezier" "$w" "$T/folder.$extension"
    rmdir "$T/folder.$extension"
    printf 'precious' >"$T/read-only.$extension" && chmod 444 "$T/read-only.$extension"
    refuses "$extension: a read-only file" 1 'the file is read-only' "$bezier" "$w" "$T/read-only.$extension"
done
limited() { (trap '' XFSZ && ulimit -f 8 && exec "$@"); }
for extension in obj ply stl glb ppm y4m; do
    refuses "$extension: a disk that gets full" 1 "cannot write '.*': File too large" limited "$bezier" -r cpu -n 40 "$w" "$T/new.$extension"
done
ln -s /dev/full "$T/full.ply"
refuses 'a full device' 1 'No space left on device' "$bezier" -r cpu "$w" "$T/full.ply"
refuses 'no image format' 1 "x.xyz': its extension is that of no mesh" "$bezier" "$w" "$T/x.xyz"
refuses 'disk full: --info' 1 'No space left on device' sh -c '"$@" >/dev/full' - "$bezier" --info "$w"
mkdir "$T/locked"
chmod 555 "$T/locked"
cp "$bezier" "$BUILD"/libtessera.*[0-9]* "$T" # where any user can run it
refuses 'a folder that is locked' 1 "cannot write '.*': .*Permission denied" as_user "$T/bezier" -r cpu "$T/square.bv" "$T/locked/x.obj"
is 'what was there before all of these' "$(cat "$T/old.obj" "$T/old.png")" preciousprecious

# Large and small. scaled FACTOR FILE: its coordinates times the factor; a fourth number of a line, a weight,
# stays.
scaled() {
    perl -e '($s, $f) = @ARGV; open F, "<", $f; while (<F>) { print(/^[-\d. e]+$/ && (@n = split) >= 3 ? join(" ", map({ sprintf "%.17g", $_ * $s } @n[0 .. 2]), @n[3 .. $#n]) . "\n" : $_) }' "$@"
}
for size in 1e20 1e-20; do
    scaled $size "$samples/wave.bv" >"$T/scaled.bv"
    make_cpu "$T/scaled.bv" "$T/a.obj"
    is "coordinates of $size: numbers and normals" "$(look "$T/a.obj")" '289 512 0'
    ok "coordinates of $size: an image" make_cpu -s 32 --curvature mean "$T/scaled.bv" "$T/a.png"
done
# Without the bar, whose numbers grow.
left() { perl -e 'open F, "<", shift; local $/; <F> =~ /\G(?:\S+\s){4}(.*)/s; print map { substr $1, 600 * $_, 400 } 0 .. 199' "$1"; }
make_cpu -s 200 --curvature gaussian "$samples/torus.bv" "$T/one.ppm"
for size in 2**-90 2**-42 2**33 2**90; do
    scaled "$(perl -e "printf '%.17g', $size")" "$samples/torus.bv" >"$T/scaled.bv"
    is "curvature at $size: no warning" "$(make_cpu -s 200 --curvature gaussian "$T/scaled.bv" "$T/scaled.ppm" 2>&1)" ''
    ok "curvature at $size: the same colors" cmp <(left "$T/one.ppm") <(left "$T/scaled.ppm")
    ok "curvature at $size: another bar" not cmp -s "$T/one.ppm" "$T/scaled.ppm"
done
for size in 1e25 1e-25; do
    scaled $size "$samples/torus.bv" >"$T/scaled.bv"
    is "curvatures at $size beyond floats: PLY says so, once" "$(make_cpu -n 5 --frames 0:1 --animate turn "$T/scaled.bv" "$T/a.ply" 2>&1 | cut -c 1-78)" \
        "bezier: patches so large or small have curvatures beyond a float's range, whic"
    is "curvatures at $size beyond floats: OBJ has none" "$(make_cpu -n 5 "$T/scaled.bv" "$T/a.obj" 2>&1)" ''
done

# Ctrl-C: of frames those that are whole stay, and nothing else.
for signal in INT TERM; do
    mkdir "$T/frames"
    is "SIG$signal: death by it" "$(stopped $signal '/frame +[3-9]/' "$bezier" --progress always -r cpu -n 60 --frames 0:99999 --animate turn "$samples/goblet.bv" "$T/frames/x.stl")" "signal $(kill -l $signal)"
    ok "SIG$signal: frames are whole" [ "$(cd "$T/frames" && stat -c %s x-0000.stl x-0001.stl | uniq | wc -l)" = 1 ]
    is "SIG$signal: no stray file" "$(ls -A "$T/frames" | grep -v '^x-[0-9]*\.stl$')" ''
    rm -r "$T/frames"
done
before=$(snapshot)
is 'SIGINT in a video: death by it' "$(stopped INT '/frame +[3-9]/' "$bezier" --progress always -r cpu -s 400 --frames 0:99999 --animate turn "$samples/goblet.bv" "$T/old.y4m")" 'signal 2'
is 'SIGINT in a video: no video, no stray file' "$(snapshot)" "$before"
for option in --lines '--curvature mean'; do
    is "SIGINT while a mesh of 4 million triangles is drawn, $option" \
        "$(stopped INT '/ draw +\d+ %/' "$bezier" --progress always -r cpu -n 180 $option "$samples/kettle.bv" "$T/old.png")" 'signal 2'
    is "SIGINT while it is drawn, $option: no image, no stray file" "$(snapshot)" "$before"
done
is 'SIGINT in a benchmark' "$(stopped INT '/reference/' "$bezier" --progress always -r cpu -n 900 -b "$samples/goblet.bv")" 'signal 2'

# Foreign files.
if [ -d $shared ]; then
    for file in $shared/*.bv; do
        name=${file##*/}
        ok "$name: --info" "$bezier" --info "$file"
        make_cpu "$file" "$T/a.obj"
        ok "$name: numbers, normals and corners" matches "$(look "$T/a.obj")" '^[1-9][0-9]* [1-9][0-9]* 0$'
        make_cpu -s 40 --lines "$file" "$T/a.png"
        is "$name: an image" "$(image show "$T/a.png" | head -n 1)" '40 40 3 8'
    done
    for how in '' '--precision double' '-m mle' '-m direct'; do
        make_cpu -v -n 17 $how $shared/newell_teapot.bv "$T/a.obj" 2>"$T/stderr"
        is "the teapot's rims are its only boundary $how" "$(told | grep -o 'boundary.*')" 'boundary edges: 256'
        ok "the teapot is inside out $how" grep -Eq "$inside_out--flip turns it" "$T/stderr"
    done
else
    skip 'foreign files' "$shared is not here"
fi
ok 'no temporary file is left' not grep -q tessera- <(ls -AR "$T")

plan
