#!/usr/bin/env bash
# tessera-convert: STEP and IGES files that Open CASCADE itself writes come through bezier exactly.
. "$(dirname "$0")/tap.lib"
convert=$BUILD/tessera-convert bezier=$BUILD/bezier
if [ ! -x "$convert" ]; then
    skip 'tessera-convert' 'it is not built without Open CASCADE'
    plan
    exit
fi
"$BUILD/tests/occt_files" "$T" || exit 1

# exact FILE SIZE FORMULA WARNING: the points of the file's mesh have |FORMULA| below 1e-12 SIZE, the formula being one
# of perl in $x, $y and $z; and tessera-convert warns of that.
exact() {
    local file=$1 size=$2 formula=$3 warning=${4:+tessera-convert: "'$T/$1': $4"}
    "$convert" "$T/$file" "$T/a.bv" 2>"$T/stderr"
    is "$file: what is said" "$(cat "$T/stderr")" "$warning"
    "$bezier" -r cpu -n 9 --precision double "$T/a.bv" "$T/a.obj"
    ok "$file: exact" perl -MList::Util=min,max -e '
        my ($size, $formula) = splice @ARGV, 0, 2;
        my $error = eval "sub { my (\$x, \$y, \$z) = \@_; abs($formula) }" or die $@;
        my ($points, $most) = (0, 0);
        while (<>) {
            my ($word, @p) = split;
            next if $word ne "v";
            $points++;
            $most = max($most, $error->(@p));
        }
        print "$points points, $most away\n";
        exit !($points > 99 && $most < 1e-12 * $size)' "$size" "$formula" "$T/a.obj"
}
box='min(abs(abs($x) - 3), abs(abs($y) - 4), abs(abs($z) - 5))'
# Nearest to the part: sides of the box; edges, around the lines 1 away from two sides; corners, around the points.
rounded='(sub { my @d = (abs($x) - 2, abs($y) - 3, abs($z) - 4); sqrt(max(0, $d[0])**2 + max(0, $d[1])**2 + max(0, $d[2])**2) - 1 })->()'
for kind in step igs; do
    exact sphere.$kind 10 'sqrt(($x - 1)**2 + ($y - 2)**2 + ($z - 3)**2) - 10'
    exact torus.$kind 25 'sqrt((sqrt($x * $x + $y * $y) - 20)**2 + $z * $z) - 5'
    exact rounded.$kind 5 "$rounded"
    exact drilled.$kind 5 "min($box, abs(sqrt(\$x * \$x + \$y * \$y) - 2))" \
        'faces that are trimmed: 2 of 7; their surfaces are written whole'
    exact saddle.$kind 27 '$z - $x * $x - $x * $y'
    exact revolved.$kind 100 'sqrt(($x - 100)**2 + $y * $y) - 2 - $z * $z / 9'
    for name in sphere torus rounded; do
        "$convert" "$T/$name.$kind" "$T/a.bv"
        "$bezier" -r cpu -v "$T/a.bv" "$T/a.stl" 2>"$T/stderr"
        ok "$name.$kind: closed" grep -q 'boundary edges: 0$' "$T/stderr"
    done
done
# The file has 12 digits of the angle.
angle=$(grep -oE "CONICAL_SURFACE.*" "$T/cone.step" | grep -oE '[0-9.]+\);$' | tr -d ');')
exact cone.step 10 "min(abs(\$z), abs(\$z - 8), abs(sqrt(\$x * \$x + \$y * \$y) - 6 + \$z * sin($angle) / cos($angle)))" \
    'faces that are trimmed: 2 of 3; their surfaces are written whole'

"$convert" "$T/saddle.step" "$T/a.bv"
"$bezier" --info "$T/a.bv" >"$T/info"
ok 'a surface is bounded by its face' grep -q '^box: 0.5 -0.75 .* to 3 4.5 ' "$T/info"
ok 'faces of no solid are a group' grep -qx "group 'Open CASCADE [^']*', color 0: 6" "$T/info"
"$convert" "$T/saddle.igs" "$T/a.bv"
ok 'a part without a name' grep -qx 'group 0 faces' "$T/a.bv"
"$convert" "$T/rounded.step" - | "$bezier" -v -n 5 - "$T/a.stl" 2>"$T/stderr"
ok 'standard output' grep -q 'patches: 26, control points: 168' "$T/stderr"

offset='faces whose surface is not equal to a B-spline: 1; they are left out'
is 'an offset is left out' "$("$convert" "$T/mixed.step" "$T/mixed.bv" 2>&1)" "tessera-convert: '$T/mixed.step': $offset"
is '--quiet' "$("$convert" -q "$T/mixed.step" "$T/mixed.bv" 2>&1)" ''
is 'a group for each solid' "$("$bezier" --info "$T/mixed.bv" | tail -n 2 | sed "s/'.*'/''/")" "group '', color 0: 6
group '', color 1: 9"
"$convert" "$T/assembly.step" "$T/a.bv"
is 'names of parts' "$(grep -a group "$T/a.bv")" 'group 0 bolt M8
group 1 bolt M8-2
group 2 Kügel'
ok 'parts where they stand' grep -q '^box: -8 -6.9[0-9]* -4 to 31 6.9[0-9]* 23$' <("$bezier" --info "$T/a.bv")
# With a, b, c = 4, 6, 8 between the roundings: a b c + 2 (a b + b c + c a) + pi (a + b + c) + 4 pi / 3.
"$convert" "$T/rounded.step" "$T/a.bv"
"$bezier" -r cpu -n 33 "$T/a.bv" "$T/a.obj"
ok 'normals point out of solids, which triangles enclose' awk '
    { gsub("//[0-9]*", "") }
    $1 == "v" { n++; x[n] = $2; y[n] = $3; z[n] = $4 }
    $1 == "f" {
        a = $2; b = $3; c = $4
        volume += x[a] * (y[b] * z[c] - z[b] * y[c]) / 6
        volume += y[a] * (z[b] * x[c] - x[b] * z[c]) / 6
        volume += z[a] * (x[b] * y[c] - y[b] * x[c]) / 6
    }
    END { pi = 3.14159265; wanted = 400 + 18 * pi + 4 * pi / 3; print volume, wanted
        exit volume < .999 * wanted || volume > 1.001 * wanted }' "$T/a.obj"

# Every option stands in the manual page.
options=$("$convert" --help | grep -oE -- '--[a-z]+' | sort)
is 'the manual page has the options' "$(grep -oE '^.It .*Fl Fl [a-z]+' "$BUILD/man/tessera-convert.1" | sed 's/.*Fl Fl /--/' | sort -u)" "$options"
ok '-h is --help' same "$("$convert" -h)" "$("$convert" --help)"
ok '--help: lines of at most 80 letters' not grep -E '.{81}' <("$convert" --help)
ok '--version' matches "$("$convert" --version)" '^tessera-convert \(Tessera\) [0-9.]+$'
for shell in bash zsh fish; do
    "$convert" --completion=$shell >"$T/completion.$shell"
    is "--completion=$shell has the options" "$(for option in $options; do grep -qE -e "(--|-l )${option#--}" "$T/completion.$shell" || echo $option; done)" ''
    if command -v $shell >/dev/null; then
        ok "--completion=$shell is a script" $shell -n "$T/completion.$shell"
    else
        skip "--completion=$shell is a script" "no $shell here"
    fi
done
is '--completion is for bash' "$("$convert" --completion)" "$(<"$T/completion.bash")"
is 'bash completes an option' "$(bash -c '. "$0"; _tessera_convert tessera-convert --v; echo "${COMPREPLY[*]}"' "$T/completion.bash")" --version
is 'bash leaves files to its own way' "$(bash -c '. "$0"; _tessera_convert tessera-convert pa; echo "${COMPREPLY[*]}"' "$T/completion.bash")" ''
refuses '--completion, another shell' 2 "bad --completion 'csh': use bash, zsh or fish$" "$convert" --completion=csh
if command -v script >/dev/null; then
    told() { script -qec "'$convert' $1" /dev/null </dev/null | tr -d '\r' | sed 's/[0-9]*\.[0-9][0-9] s$/TIME/'; }
    is 'a terminal: the last line' "$(told "'$T/torus.step' '$T/t.bv'")" \
        "tessera-convert: wrote $T/t.bv ($(perl -e 'printf "%.3g kB", (-s $ARGV[0]) / 1000' "$T/t.bv")) in TIME"
    is 'a terminal, --quiet' "$(told "-q '$T/torus.step' '$T/t.bv'")" ''
    ok 'a terminal, standard output' grep -q '^tessera-convert: wrote to standard output in TIME$' <(told "'$T/torus.step' -")
else
    skip 'a terminal: the last line' 'no script here'
fi
refuses '--version, a full disk' 1 'cannot write to standard output: No space left on device' \
    bash -c '"$0" --version >/dev/full' "$convert"

echo precious >"$T/old.bv"
head -c 1000 "$T/torus.step" >"$T/cut.step"
cp "$T/torus.step" "$T/torus.igs2"
cp "$T/torus.step" "$T/wrong.igs"
cp "$T/torus.step" "$T/in.bv"
ln "$T/in.bv" "$T/in.step"
: >"$T/empty.step"
refuses 'no file' 1 "cannot open '.*/none.step': No such file or directory$" "$convert" "$T/none.step" "$T/old.bv"
refuses 'a folder' 1 "cannot read '.*': it is no file$" "$convert" "$T" "$T/old.bv"
refuses 'an empty file' 1 "cannot read '.*/empty.step': it is damaged" "$convert" "$T/empty.step" "$T/old.bv"
refuses 'a file that is cut short' 1 "cannot read '.*/cut.step': " "$convert" "$T/cut.step" "$T/old.bv"
refuses 'STEP under the name of IGES' 1 "cannot read '.*/wrong.igs': " "$convert" "$T/wrong.igs" "$T/old.bv"
refuses 'standard input' 1 "cannot read standard input: name a file that ends in .step, .stp, .iges or .igs$" "$convert" - "$T/old.bv"
refuses 'another extension' 1 "cannot read '.*/torus.igs2': name a file that ends in .step, .stp, .iges or .igs$" "$convert" "$T/torus.igs2" "$T/old.bv"
refuses 'no faces' 1 "cannot convert '.*/edge.step': it has no faces$" "$convert" "$T/edge.step" "$T/old.bv"
refuses 'offsets only' 1 "cannot convert '.*/offset.step': none of its surfaces is a B-spline or equal to one$" "$convert" "$T/offset.step" "$T/old.bv"
refuses 'an output that is no .bv' 2 "cannot write '.*/a.obj': name a file that ends in .bv$" "$convert" "$T/torus.step" "$T/a.obj"
refuses 'an output in no folder' 1 "cannot write '.*/none/a.bv': folder '.*/none': No such file or directory" "$convert" "$T/torus.step" "$T/none/a.bv"
refuses 'an output that is the input' 2 "cannot write '.*/in.bv': it is the file that is read; name another$" "$convert" "$T/in.step" "$T/in.bv"
refuses 'a full disk' 1 "No space left on device$" bash -c '"$0" "$1" - >/dev/full' "$convert" "$T/torus.step"
refuses 'one name' 2 'takes an input and an output; --help lists the options$' "$convert" "$T/torus.step"
refuses 'an unknown option' 2 "unknown option '--nothing'; --help lists the options$" "$convert" --nothing a.step b.bv
refuses 'an option that is misspelled' 2 "unknown option '--qiet'; --help lists the options; did you mean '--quiet'\?$" "$convert" --qiet a.step b.bv
refuses 'a letter that is no option' 2 "unknown option '-x'; --help lists the options$" "$convert" -x a.step b.bv
ok 'no temporary file is left' not grep -q tessera- <(ls -AR "$T")
plan
