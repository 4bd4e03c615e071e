#!/usr/bin/env bash
# What comes out, and where: the numbers of --json, outputs and inputs that meet in one file, names of
# every kind, terminals, full and closed standard outputs, signals.
. "$(dirname "$0")/tap.lib"

sample=images/samples/papyrus.png
perl -e 'srand 5; print "P6\n40 30\n255\n", map { $x = $_ / 3 % 40; $y = int($_ / 120);
    chr((3 * $x + 4 * $y + 20 * ($_ % 3) + rand 9) & 255) } 0 .. 3599' >"$T/small.ppm"
"$scramble" -r cpu -g 1x1 "$T/small.ppm" "$T/in.png"
in=$T/in.png

# Numbers. The confidence is how many times worse the next best is, each counted from 1.
field() { # FILE NAME: as JSON
    perl -MJSON::PP -e 'local $/; open F, "<", shift; print JSON::PP->new->allow_nonref->encode(decode_json(<F>)->{+shift})' "$@"
}
# solve NAME IMAGE GRID: finds $T/NAME.json and $T/NAME.order of the image, shuffled.
solve() {
    "$scramble" -r cpu -g "$3" --seed 3 "$2" "$T/$1.ppm" &&
        "$unscramble" -r cpu -g "$3" --permutation "$T/$1.order" --json "$T/$1.json" "$T/$1.ppm" "$T/$1.png"
}
has_margin() {
    perl -MJSON::PP -e 'local $/; open F, "<", shift; $r = decode_json <F>;
        $wanted = ($r->{runner_up_cost} + 1) / ($r->{cost} + 1);
        print "got: $r->{margin}, wanted: $wanted\n";
        exit !($r->{runner_up_cost} >= $r->{cost} && abs($r->{margin} - $wanted) <= 1e-5 * $wanted)' "$1"
}
solve photo $sample 3x3
solve small "$T/small.ppm" 2x2
solve whole "$T/small.ppm" 1x1
for name in photo small; do
    ok "$name: the margin" has_margin "$T/$name.json"
    "$unscramble" -r cpu --apply "$T/$name.order" --json "$T/applied.json" "$T/$name.ppm" "$T/applied.png"
    ok "$name: --apply gives the same image" cmp "$T/applied.png" "$T/$name.png"
    is "$name: --apply gives the cost that was found" "$(field "$T/applied.json" cost)" "$(field "$T/$name.json" cost)"
done
is 'one tile has no margin' "$(field "$T/whole.json" margin)" null
is 'one tile has no runner-up' "$(field "$T/whole.json" runner_up_cost)" null
is 'one tile has a cost' "$(field "$T/whole.json" cost)" 0
rm "$T"/*.order "$T"/*.json

# Two outputs in one file. x.png is missing; old.png is there, and has a hard and a symbolic link.
x=$T/x.png old=$T/old.png
printf 'precious' >"$old"
ln "$old" "$T/hard.png"
ln -s old.png "$T/symbolic.png"
ln -s x.png "$T/dangling.png"
ln -s . "$T/folder"
one_file() { # NAME PATH OTHER-PATH
    refuses "$1: --json and OUTPUT" 2 'two outputs' "$unscramble" --json "$2" "$in" "$3"
    refuses "$1: OUTPUT and --permutation" 2 'two outputs' "$unscramble" --permutation "$3" "$in" "$2"
    refuses "$1: --json and --permutation" 2 'two outputs' "$unscramble" --json "$3" --permutation "$2" "$in" "$T/other.png"
    refuses "$1: scramble's OUTPUT and --permutation" 2 'two outputs' "$scramble" --permutation "$2" "$in" "$3"
}
one_file 'a new file' "$x" "$x"
one_file 'a new file by two paths' "$x" "$T/./x.png"
one_file 'a new file through ..' "$x" "$T/../files/x.png"
one_file 'a new file through a linked folder' "$x" "$T/folder/x.png"
refuses 'a new file and a symbolic link to it' '[12]' 'dangling.png' "$unscramble" --json "$x" "$in" "$T/dangling.png"
one_file 'an old file' "$old" "$old"
one_file 'an old file by two paths' "$old" "$T//./old.png"
one_file 'a hard link' "$old" "$T/hard.png"
one_file 'a symbolic link' "$old" "$T/symbolic.png"
one_file 'two links' "$T/hard.png" "$T/symbolic.png"
here=(env -C "$T" "$(realpath "$unscramble")")
refuses 'x.png and ./x.png' 2 'two outputs' "${here[@]}" --json x.png in.png ./x.png
refuses 'x.png and its whole path' 2 'two outputs' "${here[@]}" --json x.png in.png "$x"
rm "$T/hard.png" "$T/symbolic.png" "$T/dangling.png" "$T/folder"

# Inputs and commands that exclude each other.
refuses 'two standard inputs' 2 'standard input' "$unscramble" --apply - - "$x"
refuses '--benchmark with --apply' 2 '--apply' "$unscramble" -b --apply "$T/none" "$in"
printf '0 1\n2 3\n' >"$T/order"
refuses '--benchmark with --apply and OUTPUT' 2 '--apply' "$unscramble" -b --apply "$T/order" "$in" "$x"

# A terminal gets no image, whatever it is called.
if command -v script >/dev/null; then
    for name in - /dev/stdout /dev/tty; do
        before=$(snapshot)
        printed=$(script -qec "$unscramble -r cpu --format png $in $name" /dev/null </dev/null)
        is "a terminal, $name: exit status" $? 1
        ok "a terminal, $name: one line" matches "$(tr -d '\r' <<<"$printed" | tr '\n' '|')" \
            "^unscramble: cannot write '$name': [^|]*terminal[^|]*\|$"
        is "a terminal, $name: no file is changed" "$(snapshot)" "$before"
    done
    script -qec "$unscramble -r cpu -g 3x3 --json /dev/stdout $in $T/terminal.png" /dev/null </dev/null >"$top/terminal"
    is 'a terminal gets text: exit status' $? 0
    ok 'a terminal gets text' grep -q '"cost"' "$top/terminal"
    "$scramble" -r cpu -g 3x3 "$sample" "$T/sure.png"
    printed=$(script -qec "$unscramble -r cpu --progress never -g 3x3 $T/sure.png $T/terminal.png" /dev/null </dev/null | tr -d '\r')
    shown_size() { # FILE...: as it is told
        cat "$@" | wc -c | awk '{ print $1 < 1000 ? $1 " bytes" : $1 < 999500 ? sprintf("%.3g kB", $1 / 1e3) : sprintf("%.3g MB", $1 / 1e6) }'
    }
    ok 'a terminal is told what was written, and how sure it is' matches "$printed" \
        "^unscramble: wrote $T/terminal\.png \($(shown_size "$T/terminal.png")\) in [0-9]+\.[0-9]{2} s; right with probability 0\.[5-9][0-9]$"
    is 'in one line' "$(wc -l <<<"$printed")" 1
    is 'unless --quiet' "$(script -qec "$unscramble -q -r cpu -g 3x3 $T/sure.png $T/terminal.png" /dev/null </dev/null)" ''
    is 'nor without the terminal' "$("$unscramble" -r cpu -g 3x3 "$T/sure.png" "$T/terminal.png" 2>&1)" ''
    mkdir "$T/told"
    told() { # COMMAND: its last line on a terminal, without the time
        script -qec "cd $T/told && $1" /dev/null </dev/null | tr -d '\r' | tail -n 1 | sed -E 's/ in [0-9.]+ s/ in TIME/'
    }
    tool() { echo "$(realpath "$BUILD/$1") --progress never"; }
    is 'of frames it is told how many' "$(told "$(tool circles) -s 9 --format ppm --frames 3:7 hypnosis f.ppm")" \
        "circles: wrote 5 frames from f-0003.ppm ($(shown_size "$T"/told/f-*.ppm)) in TIME"
    line=$(told "$(tool circles) -s 30 rgb z.dzi")
    is 'of a DeepZoom image all bytes' "$line" \
        "circles: wrote z.dzi ($(shown_size "$T/told/z.dzi" $(find "$T/told/z_files" -type f))) in TIME"
    ok 'standard output' matches "$(told "$(tool bezier) -n 3 $PWD/scenes/samples/wave.bv - >mesh.obj")" \
        '^bezier: wrote to standard output in TIME$'
    line=$(told "$(tool bezier) -n 3 $PWD/scenes/samples/wave.bv m.obj")
    is 'of a mesh its materials too' "$line" \
        "bezier: wrote m.obj ($(shown_size "$T/told/m.obj")), m.mtl ($(shown_size "$T/told/m.mtl")) in TIME"
    line=$(told "$(tool scramble) -g 3x3 --permutation o.txt --json o.json $T/sure.png /dev/null --format png")
    is 'scramble, of several files' "$line" \
        "scramble: wrote o.txt ($(shown_size "$T/told/o.txt")), o.json ($(shown_size "$T/told/o.json")) in TIME"
    line=$(told "$(tool scramble) -g 3x3 --loose tiles $T/sure.png")
    is 'of loose tiles how many, and the folder' "$line" "scramble: wrote 9 tiles to tiles ($(shown_size "$T"/told/tiles/*)) in TIME"
    line=$(told "$(tool scramble) -g 3x3 --loose deep --format dzi $T/sure.png")
    is 'of loose tiles as DeepZoom images, too' "$line" "scramble: wrote 9 tiles to deep ($(shown_size $(find "$T/told/deep" -type f))) in TIME"
    line=$(told "$(tool scramble) -g 3x3 --permutation o.txt --json - $T/sure.png /dev/null --format png >/dev/null")
    is 'of standard output, what goes there' "$line" "scramble: wrote o.txt ($(shown_size "$T/told/o.txt")), JSON to standard output in TIME"
    line=$(told "$(tool circles) -s 9 --trace - rgb c.png >/dev/null")
    is 'the trace' "$line" "circles: wrote c.png ($(shown_size "$T/told/c.png")), the trace to standard output in TIME"
    line=$(told "$(tool scramble) -g 3x3 --permutation - $T/sure.png c.png >/dev/null")
    is 'another text' "$line" "scramble: wrote c.png ($(shown_size "$T/told/c.png")), another to standard output in TIME"
    line=$(told "$(tool unscramble) -b -r cpu -g 3x3 --permutation o.txt --json t.json $T/sure.png")
    is 'not what was there before' "$line" "unscramble: wrote t.json ($(shown_size "$T/told/t.json")) in TIME"
    rm -r "$T/told"
else
    skip 'a terminal' 'script(1) is not here'
fi

# Names. works NAME COMMAND...: it succeeds, and the file is there and its folder has no other new one.
works() {
    local name=$1 before
    shift
    before=$(files)
    "$@" && [ -s "$name" ] && [ $(($(files) - before)) = 1 ]
}
files() { find "$T" -printf x | wc -c; }
letters() { printf "%0$1d" 0; }
long=$T/$(letters 251).png
ok 'OUTPUT of 255 bytes' works "$long" "$unscramble" -r cpu -g 3x3 "$in" "$long"
ok 'OUTPUT of 255 bytes again' "$unscramble" -r cpu -g 3x3 "$in" "$long"
ok 'INPUT of 255 bytes' "$unscramble" -r cpu -g 3x3 "$long" "$T/again.png"
for option in json permutation; do
    long=$T/$(letters 250).$option
    long=${long:0:$((${#T} + 256))}
    ok "--$option of 255 bytes" works "$long" "$unscramble" -r cpu -g 3x3 --$option "$long" "$in" "$T/again.png"
done

# spoken COMMAND...: standard error is lines "TOOL: ..." without control characters.
spoken() {
    "$@" </dev/null >"$top/stdout" 2>"$top/stderr"
    status=$?
    cat -v "$top/stderr"
    not grep -qva '^unscramble: ' "$top/stderr" && not grep -qa '[[:cntrl:]]' "$top/stderr"
}
one_line() { # STATUS COMMAND...: the same, in one line, and it exits with the status
    spoken "${@:2}" && [ $status = "$1" ] && [ "$(wc -l <"$top/stderr")" = 1 ]
}
strange=("two words" "100%s%n%d" $'new\nline' $'\e[31mred\e[0m' $'tab\tand\rreturn' $'\x7fdelete' "-" "--" "quote's" 'a"b\c')
for name in "${strange[@]}"; do
    shown=$(printf %q "$name")
    file=$T/$name.png
    ok "$shown: works" works "$file" "$unscramble" -r cpu -g 3x3 -v "$in" "$file"
    ok "$shown: what -v says" spoken "$unscramble" -r cpu -g 3x3 -v --json "$file.json" --save-stages "$file.stages" "$file" "$file"
    ok "$shown: missing input" one_line 1 "$unscramble" "$T/no $name.png" "$x"
    ok "$shown: missing folder" one_line 1 "$unscramble" "$in" "$T/no $name/x.png"
    ok "$shown: missing order" one_line 1 "$unscramble" --apply "$T/no $name" "$in" "$x"
    ok "$shown: no image" one_line 1 "$unscramble" - "$file"
    ok "$shown: unknown extension" one_line 1 "$unscramble" "$in" "$T/x.$name"
    ok "$shown: unknown device" one_line 2 "$unscramble" -r "$name" -g 3x3 "$in" "$x"
    ok "$shown: bad grid" one_line 2 "$unscramble" -g "$name" "$in" "$x"
    ok "$shown: unknown option" one_line 2 "$unscramble" "--no-$name" "$in" "$x"
    rm -rf "$file" "$file.json" "$file.stages"
done
ok 'an operand that looks like an option' works "$T/-v.png" "${here[@]}" -r cpu -g 3x3 -- in.png -v.png

deep=$T
while [ ${#deep} -lt 2980 ]; do
    deep+=/$(letters 200)
done
deep+=/x.png
reason=': No such file or directory(; [^:;]*)?$'
refuses 'OUTPUT of 3000 bytes' 1 "cannot write .*$reason" "$unscramble" "$in" "$deep"
refuses 'INPUT of 3000 bytes' 1 "cannot open .*$reason" "$unscramble" "$deep" "$x"
refuses '--json of 3000 bytes' 1 "cannot write .*$reason" "$unscramble" --json "$deep" "$in" "$x"
refuses '--permutation of 3000 bytes' 1 "cannot write .*$reason" "$scramble" --permutation "$deep" "$in" "$x"
refuses '--apply of 3000 bytes' 1 "cannot open .*$reason" "$unscramble" --apply "$deep" "$in" "$x"
refuses '--save-stages of 3000 bytes' 1 "$reason" "$unscramble" --save-stages "$deep" "$in" "$x"

# Options are blamed by what is wrong with them.
for tool in "$unscramble" "$scramble"; do
    name=${tool##*/}
    for word in -xv -vx -qxv; do
        refuses "$name $word" 2 "unknown option '-x'" "$tool" $word "$in" "$x"
    done
    for word in --timings=5 --quiet=1 --verbose= --version=2; do
        refuses "$name $word" 2 "option '.*' takes no value" "$tool" $word "$in" "$x"
    done
    refuses "$name --s" 2 '--s' "$tool" --s "$in" "$x"
    refuses "$name --s=x" 2 '--s' "$tool" --s=x "$in" "$x"
    refuses "$name -j without a value" 2 "option '-j' needs a value" "$tool" "$in" "$x" -j
done

# A standard output that takes nothing.
to_full() { "$@" >/dev/full; }
to_nothing() { "$@" >&-; }
for words in "-b -r cpu -g 3x3 $in" '--self-test -r cpu:0' --help --version --list-devices --list-stages --completion; do
    refuses "disk full: ${words%% *}" 1 'No space left on device' to_full "$unscramble" $words
    refuses "closed standard output: ${words%% *}" 1 'Bad file descriptor' to_nothing "$unscramble" $words
done
"$unscramble" --self-test -r cpu:0 2>"$top/stderr" | head -n 1 >"$top/stdout"
status=${PIPESTATUS[0]}
ok "--self-test into a pipe that closes (status $status)" [ "$status" = 1 -o "$status" = 141 ]
ok '--self-test: its first line' grep -q '^ok 1 ' "$top/stdout"

# Signals. with_signal SIGNAL HANDLER WHEN COMMAND...: starts the command with that handler for the
# signal, sends it once what the command says matches WHEN, and prints how it ended.
cat >"$top/with_signal.pl" <<'PERL'
use POSIX 'WNOHANG';
my ($signal, $handler, $when, $output, @command) = @ARGV;
unlink $output; # the last one's
my $pid = fork;
if (!$pid) {
    $SIG{$_} = 'DEFAULT' for 'INT', 'HUP', 'TERM';
    $SIG{$signal} = $handler;
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', $output;
    open STDERR, '>&', \*STDOUT;
    exec @command or exit 127;
}
my $ended;
sub wait_until {
    for (1 .. 6000) {
        $ended ||= waitpid($pid, WNOHANG) == $pid;
        return 1 if $ended || $_[0]->();
        select undef, undef, undef, 0.02;
    }
}
wait_until(sub { open my $file, '<', $output or return; local $/; (<$file> // '') =~ $when });
print $ended ? 'too late, ' : '';
kill $signal, $pid if !$ended;
wait_until(sub { 0 }) or kill 'KILL', $pid and waitpid $pid, 0 and print 'killed, ';
print $? & 127 ? 'signal ' . ($? & 127) : 'exit ' . ($? >> 8), "\n";
PERL
with_signal() {
    perl "$top/with_signal.pl" "$1" "$2" "$3" "$top/said" "${@:4}"
}
search=("$unscramble" --progress always --search exhaustive -j 1 -r cpu)
before=$(snapshot)
is 'SIGHUP: death by it' "$(with_signal HUP DEFAULT '%.*: search' "${search[@]}" -g 12x1 $sample "$x")" 'signal 1'
is 'SIGHUP: no output, no stray file' "$(snapshot)" "$before"
is 'SIGINT during --self-test: death by it' \
    "$(with_signal INT DEFAULT '^ok 1 ' "$unscramble" --self-test -r cpu:0)" 'signal 2'
for signal in INT HUP; do
    is "an ignored SIG$signal is ignored" \
        "$(with_signal $signal IGNORE '%.*: search' "${search[@]}" -g 11x1 $sample "$x")" 'exit 0'
    ok "an ignored SIG$signal: the image is there" [ -s "$x" ]
    rm -f "$x"
done

# A limit on the size of files. The images are larger, what is said is smaller.
limited() { (ulimit -f 8 && exec "$@"); }
for extension in png jpg bmp tga ppm; do
    refuses "a limit on files: $extension" 1 "cannot write '.*': File too large" limited "$unscramble" -r cpu -g 3x3 images/samples/papyrus-shuffled.png "$T/x.$extension"
done
refuses 'a limit on files: scramble' 1 "cannot write '.*': File too large" limited "$scramble" -r cpu $sample "$old"

# Endless input ends: what the first bytes do not tell to be an image is not read on, and what follows a
# whole image neither. There is no memory for more.
little() { (ulimit -v $memory && exec "$@"); }
memory=6000000
little "$scramble" --version >"$top/stdout" 2>&1 || memory=unlimited # address sanitizers need more
for tool in "$unscramble" "$scramble"; do
    refuses "${tool##*/}: an endless file" 1 'not of any known type' little "$tool" /dev/zero "$x"
    from_zero() { little "$@" </dev/zero; }
    refuses "${tool##*/}: an endless standard input" 1 'not of any known type' from_zero "$tool" - "$x"
done
# The lengths of its parts tell how long the PSD of a pixel can be: 20 MB are too many.
endless_psd() { { perl -e 'print "8BPS", pack("n x6 n N N n n N N N n", 1, 3, 1, 1, 8, 3, 0, 0, 0, 0)'; head -c 20M /dev/zero; } | "$@"; }
refuses 'an endless PSD' 1 'longer than its image can be' endless_psd "$scramble" - "$x"
refuses 'an endless order' 1 'longer than' "$unscramble" --apply /dev/zero "$in" "$x"
refuses 'endless circles' 1 'this is no text' from_zero "$BUILD/circles" - "$x"
refuses 'endless patches' 1 'this is no text' from_zero "$BUILD/bezier" - "$x"
for name in in.png small.ppm in.jpg in.bmp; do
    [ -e "$T/$name" ] || "$scramble" -r cpu -g 1x1 "$T/small.ppm" "$T/$name"
    "$scramble" -r cpu -g 1x1 "$T/$name" "$T/alone.ppm"
    little "$scramble" -r cpu -g 1x1 - "$T/followed.ppm" < <(cat "$T/$name" /dev/zero 2>/dev/null)
    is "$name and endless bytes behind it" "$? $(cmp "$T/alone.ppm" "$T/followed.ppm" 2>&1)" '0 '
done
rm -f "$T/alone.ppm" "$T/followed.ppm"

refuses 'two orders from standard input' 2 'standard input is one file' from_zero "$unscramble" --truth - --apply - "$in" "$x"

# Files with more than their image: further frames of a GIF may be longer than the image asks for.
perl -e 'binmode STDOUT; print "GIF89a", pack("vvCCC", 2, 2, 0x80, 0, 0), "\0\0\0\xff\0\0";
    $frame = "," . pack("vvvvC", 0, 0, 2, 2, 0) . "\2\3\x44\x02\x05\0";
    print $frame, "!\xfe", ("\xff" . "x" x 255) x 75000, "\0", $frame, ";"' >"$T/long.gif"
ok 'a GIF with 19 MB behind its first frame' "$scramble" -r cpu -g 2x2 "$T/long.gif" "$T/gif.png"
rm "$T/long.gif" "$T/gif.png"

# A truth of another puzzle is refused before the search, not after it.
"$scramble" -r cpu -g 4x3 --permutation "$T/other" $sample "$T/twelve.png"
refuses 'a truth of another puzzle' 1 "truth '.*other' is of a puzzle of 4 x 3 tiles, not of 3 x 4" \
    "$unscramble" -g 3x4 --truth "$T/other" "$T/twelve.png" "$x"
truth_refused() { # WHAT WORDS TRUTH OPTIONS...
    refuses "$1" 1 "^unscramble: truth '$T/$3' $2, or name the truth of this puzzle$" \
        "$unscramble" -r cpu --truth "$T/$3" "${@:4}" "$T/nine.png" "$x"
}
seq -s ' ' 0 8 | sed 's/ /\n/3;s/ /\n/5' >"$T/plain"
"$scramble" -r cpu -g 3x3 $sample "$T/nine.png"
sed 's/4/4@180/' "$T/plain" >"$T/half"
echo '0 1@90 2' >"$T/quarter"
sed 's/4/-/' "$T/plain" >"$T/less"
(echo puzzle 3x3 && tr '\n' ' ' <"$T/plain") >"$T/line"
(echo puzzle 3x3 && echo picture && sed 2apicture "$T/plain") >"$T/two"
truth_refused 'a truth of turned tiles' 'turns tile 4 by 180 degrees; allow turned tiles' half --once -g 3x3
refuses 'a truth that turns what is not square by 90 degrees' 1 \
    "truth '$T/quarter' turns tile 1 by 90 degrees; tiles that are not square turn by 180, so name" \
    "$unscramble" -r cpu --rotate -g 3x1 --truth "$T/quarter" "$T/nine.png" "$x"
truth_refused 'a truth with absent tiles' "has 8 of the puzzle's 9 tiles; allow absent ones" less --once -g 3x3
truth_refused 'a truth of two pictures' 'is of 2 images, not of 1; ask for 2' two -g 3x3
truth_refused 'a truth of one picture' 'is of 1 image, not of 3; ask for 1' plain -g 3x3 --mixed 3
truth_refused 'a truth of another shape' 'is an image of 9 x 1 tiles, which do not fit 3 x 3; allow a grid of 9 x 1' line -g 3x3
for fits in 'half --rotate' 'less --missing' 'two --mixed 2' 'two --mixed auto' 'line --frame 9x1'; do
    ok "a truth that fits: $fits" matches "$("$unscramble" -q -r cpu -g 3x3 --truth "$T/${fits%% *}" ${fits#* } "$T/nine.png" "$T/out.png" 2>&1)" ^direct
done

# What an option cannot do is said.
exhaustive_refused() { # WHY OPTIONS...
    refuses "--search exhaustive ${*:2}" 2 "^unscramble: the exhaustive search tries every order of up to 12 tiles; $1, so choose another search$" \
        "$unscramble" -r cpu --search exhaustive "${@:2}" "$x"
}
exhaustive_refused 'there are more' -g 13x1 "$T/twelve.png"
exhaustive_refused 'there are more' -g 4x4 --rotate "$T/twelve.png"
exhaustive_refused 'there are more' --tile 60x60 $sample
exhaustive_refused 'here the order is given' --apply "$T/other" "$T/twelve.png"
exhaustive_refused 'here the order is given' --rotate --apply "$T/other" "$T/twelve.png"
exhaustive_refused 'turned tiles make more of them' -g 3x3 --rotate "$T/nine.png"
for option in --missing --mixed=2 --mixed=auto --solution-grid=9x1 --effort=3 --time=3; do
    exhaustive_refused 'other options ask for the search of large puzzles' -g 3x3 $option "$T/nine.png"
done
for option in --once --method=classic --confidence="$T/sure.png" --dissimilarity=mgc; do
    ok "--search exhaustive with $option" "$unscramble" -r cpu -q --search exhaustive -g 3x3 $option "$T/nine.png" "$T/out.png"
done
"$unscramble" -r cpu --solution-grid 100000x1 -g 3x3 "$T/in.png" "$T/long.ppm"
"$unscramble" -r cpu --solution-grid 9x1 -g 3x3 "$T/in.png" "$T/short.ppm"
ok 'a frame longer than all tiles is as one as long' cmp "$T/long.ppm" "$T/short.ppm"
printf '\xef\xbb\xbf' | cat - "$T/other" >"$T/marked"
ok 'an order with a byte order mark' "$unscramble" -r cpu --apply "$T/marked" "$T/twelve.png" "$T/applied.ppm"

# Standard streams that are closed: nothing that is said or shown gets into another file.
for tool in "$BUILD/circles -v -s 40 rgb" "$unscramble -v -r cpu -g 3x3 $in" "$scramble -v -r cpu $in" "$BUILD/bezier -v -n 5 -s 40 scenes/samples/wave.bv"; do
    name=${tool%% *}
    $tool "$T/open.png" </dev/null >"$top/stdout" 2>"$top/stderr"
    for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '>&- 2>&-' '<&- >&- 2>&-'; do
        eval "$tool '$T/closed.png' $closed" >"$top/stdout" 2>"$top/stderr"
        is "${name##*/}: $closed" "$? $(cmp "$T/open.png" "$T/closed.png" 2>&1)" '0 '
    done
done
"$BUILD/circles" -s 40 -v --frames 0:3 hypnosis "$T/open.y4m" 2>/dev/null
"$BUILD/circles" -s 40 -v --frames 0:3 hypnosis "$T/closed.y4m" 2>&-
ok 'a video with standard error closed' cmp "$T/open.y4m" "$T/closed.y4m"
"$BUILD/circles" -s 40 rgb - >&- 2>"$top/stderr"
is 'an image to a standard output that is closed' "$? $(cat "$top/stderr")" "1 circles: cannot write '-': standard output is closed; name a file"
"$BUILD/circles" - "$x" <&- 2>"$top/stderr"
is 'a standard input that is closed' "$? $(cat "$top/stderr")" "1 circles: cannot read '-': Bad file descriptor"
rm -f "$T"/open.* "$T"/closed.*

# A link in a folder that cannot be written, to a file that can.
mkdir "$T/locked" "$T/free"
printf 'old' >"$T/free/real.ppm"
ln -s "$T/free/real.ppm" "$T/locked/link.ppm"
chmod 777 "$T/free"
chmod 666 "$T/free/real.ppm"
chmod 555 "$T/locked"
cp "$BUILD/circles" "$BUILD"/libtessera.*[0-9]* "$T" # where any user can run it
ok 'a link out of a locked folder' as_user "$T/circles" -j 1 -s 8 rgb "$T/locked/link.ppm"
ok 'a link out of a locked folder: the file it leads to' grep -aq '^P6' "$T/free/real.ppm"
ok 'a link out of a locked folder: it is one still' [ -L "$T/locked/link.ppm" ]
refuses 'a new file in a locked folder' 1 "folder '.*locked': Permission denied" as_user "$T/circles" -j 1 -s 8 rgb "$T/locked/new.ppm"
chmod 755 "$T/locked"
chmod 555 "$T/free"
refuses 'a link into a locked folder' 1 "folder '.*free': Permission denied" as_user "$T/circles" -j 1 -s 8 rgb "$T/locked/link.ppm"
chmod 755 "$T/free"
rm -r "$T/locked" "$T/free"
mkdir "$T/unlisted"
chmod 333 "$T/unlisted"
refuses 'frames in a folder that cannot be listed' 1 "folder '.*unlisted': Permission denied" \
    as_user "$T/circles" -j 1 -s 8 --frames 0:1 rgb "$T/unlisted/a.png"
rm -r "$T/unlisted"

# Frames of which nobody could check the names one by one.
mkdir "$T/frames"
refuses 'numbered frames of a device' 2 "cannot write '/dev/null': it is no file, and numbered files cannot be named after it; name a file" \
    "$BUILD/circles" -s 8 --frames 0:1 --format png hypnosis /dev/null
mkfifo "$T/frames/pipe.png"
refuses 'numbered frames of a pipe' 2 "cannot write '.*pipe.png': it is no file" \
    "$BUILD/bezier" -s 8 --frames 0:1 --animate turn scenes/samples/goblet.bv "$T/frames/pipe.png"
printf 'precious' >"$T/frames/a-77777777.png"
refuses 'one of 100 million frames is --json' 2 'two outputs cannot both go to .*a-77777777.png' \
    "$BUILD/circles" -s 8 --frames 0:99999999 --json "$T/frames/./a-77777777.png" hypnosis "$T/frames/a.png"
refuses 'one of 100 million frames, which is not there yet, is --json' 2 'two outputs cannot both go to .*a-0012.png' \
    "$BUILD/circles" -s 8 --frames 0:99999999 --json "$T/frames/a-0012.png" hypnosis "$T/frames/a.png"
chmod 444 "$T/frames/a-77777777.png"
refuses 'one of 100 million frames is read-only' 1 "a-77777777.png': the file is read-only" \
    "$BUILD/circles" -s 8 --frames 0:99999999 hypnosis "$T/frames/a.png"
ok 'a frame that lies far off' "$BUILD/circles" -j 1 -s 8 --frames 99999999:99999999 fireworks "$T/frames/b.png"
rm -rf "$T/frames"

# Lists as JSON.
ids() { perl -MJSON::PP -e 'local $/; print join " ", map $_->{$ARGV[1]}, @{decode_json do { open F, "<", $ARGV[0]; <F> }}' "$@"; }
"$unscramble" --list-devices --json "$T/list.json" >"$top/stdout"
is '--list-devices --json' "$(ids "$T/list.json" id) $(wc -c <"$top/stdout")" "$(devices | paste -sd' ') 0"
"$unscramble" --list-stages --json - >"$T/list.json"
is '--list-stages --json -' "$(ids "$T/list.json" name)" "$("$unscramble" --list-stages | cut -d' ' -f1 | paste -sd' ')"
for tool in unscramble scramble circles bezier; do
    refuses "$tool: --self-test --json" 2 '--json is for results and lists; leave it out' "$BUILD/$tool" --self-test --json "$T/x.json"
    refuses "$tool: --list-devices --trace" 2 "--trace is for the tool's own work; leave it out" "$BUILD/$tool" --list-devices --trace "$T/x.json"
done
refuses '--list-scenes --trace' 2 'goes alone; leave out SCENE, OUTPUT and --trace' "$BUILD/circles" --list-scenes --trace "$T/x.json"
rm "$T/list.json"

# What a run that was killed has left is named, with how to remove it; what a living one writes is not.
dead=$(sh -c 'echo $$')
: >"$T/.tessera-$dead-0"
: >"$T/.tessera-$$-0"
"$unscramble" -r cpu -g 1x1 "$in" "$x" 2>"$top/stderr"
is 'a temporary file was left' "$? $(cat "$top/stderr")" \
    "0 unscramble: '$T/.tessera-$dead-0' was left by a run that was killed; to remove it: rm '$T/.tessera-$dead-0'"
rm "$T/.tessera-$dead-0"
mkdir "$T/.tessera-$dead-0"
"$unscramble" -r cpu -g 1x1 "$in" "$x" 2>"$top/stderr"
is 'a temporary folder was left' "$? $(cat "$top/stderr")" \
    "0 unscramble: '$T/.tessera-$dead-0' was left by a run that was killed; to remove it: rm -r '$T/.tessera-$dead-0'"
is 'a temporary file was left: -q' "$("$unscramble" -q -r cpu -g 3x3 "$in" "$x" 2>&1)" ''
rm -r "$T"/.tessera-* "$x"
mkdir "$T/it's" "$T/links"
: >"$T/it's/.tessera-$dead-0"
: >"$T/it's/.tessera-$dead-notes"
ln -s "../it's/x.png" "$T/links/x.png"
: >"$T/it's/x.png"
"$unscramble" -r cpu -g 1x1 "$in" "$T/links/x.png" 2>"$top/stderr"
eval "$(sed 's/.*to remove it: //' "$top/stderr")"
is 'a temporary file was left where a link leads, and is removed as it is said' \
    "$(wc -l <"$top/stderr") $(ls -A "$T/it's" | tr '\n' ' ')" "1 .tessera-$dead-notes x.png "
rm -r "$T/it's" "$T/links"
"$BUILD/circles" -s 8 --json - rgb "$x" >&- 2>"$top/stderr"
is 'JSON to a standard output that is closed: nothing is done' "$? $(ls "$x" 2>&1 | grep -c 'No such') $(cat "$top/stderr")" \
    "1 1 circles: cannot write '-': standard output is closed; name a file"

# One processor is one unit, however many the machine has.
if command -v taskset >/dev/null; then
    first=$(taskset -cp $$ | sed 's/.*: *//; s/[^0-9].*//')
    ok 'one processor: 1 unit' grep -Eq '^cpu:0 .*, 1 unit,' <(taskset -c "$first" "$unscramble" --list-devices)
else
    skip 'one processor: 1 unit' 'taskset(1) is not here'
fi

plan
