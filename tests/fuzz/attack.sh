#!/usr/bin/env bash
# attack.sh [PART...]: the attack on the programs in $BUILD, which `make attack` builds under the
# sanitizers. Parts: parsers scenes files signals disk streams overwrites; all unless some are named.
# Every failure is told with the command that repeats it, and the attack goes on, but that a crash ends
# parsers and scenes, which are one process each; a table is the end, and the status 1 where something
# failed. What a failure needs is kept in $KEEP.
cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
. tests/cli/stages.lib
BUILD=$(realpath "${BUILD:-build/sanitize}")
SEED=${SEED:-1}           # of all that is random
PARSED=${PARSED:-100000}  # files through the parsers in one process
SCENES=${SCENES:-2000}    # scenes; see CONTRIBUTING.md for more, on other devices
FILES=${FILES:-5000}      # files through the command line
SIGNALS=${SIGNALS:-300}   # signals that arrive while the program runs
JOBS=${JOBS:-$(nproc)}     # that try files at a time
KEEP=${KEEP:-$BUILD/failures}
PARTS=(parsers scenes files signals disk streams overwrites)

export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=print_stacktrace=1:exitcode=99
export LSAN_OPTIONS=exitcode=99:print_suppressions=0:suppressions=$PWD/tests/lsan.supp
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$BUILD/pocl}
unscramble=$BUILD/unscramble scramble=$BUILD/scramble circles=$BUILD/circles bezier=$BUILD/bezier
seeds=$PWD/tests/fuzz/seeds samples=$PWD/scenes/samples papyrus=$PWD/images/samples/papyrus.png
shopt -s nullglob dotglob extglob

top=$(mktemp -d) || exit 1
trap 'umount "$top/disk" 2>/dev/null; rm -rf "$top"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$top/tried" "$KEEP"

# An image of 64 x 64 pixels: slopes and a little noise.
perl -e 'for (0 .. 12287) { $x = $_ / 3 % 64; $y = int($_ / 192);
    $bytes .= chr((3 * $x + 4 * $y + 20 * ($_ % 3) + $_ * 7919 % 9) & 255) } print "P6\n64 64\n255\n$bytes"' >"$top/tiles.ppm"

make_tiles() {
    "$scramble" -r cpu -g 4x4 "$top/tiles.ppm" "$top/tiles.png" --permutation "$top/order.txt"
}

part= job=0
tried() { printf . >>"$top/tried/$part"; }
tried_many() { head -c "${1:-0}" /dev/zero >>"$top/tried/$part"; } # COUNT: none where it crashed
fail() { # REASON COMMAND...
    local reason=$1
    shift
    printf '%s: %s: %s\n' "$part" "$reason" "${*//"$BUILD"\//}" | tr '\n' ' ' | cut -c 1-400 | tee -a "$top/failed"
}

# run COMMAND...: in folder $D, with standard input $stdin; leaves status, standard output and error
# in files, and fails where the time is up, a signal came or a sanitizer spoke. Time is that of the
# processor, which other programs do not change; ten times as much on the clock is up for one that waits.
stdin=/dev/null limit=20
run() {
    tried
    (cd "$D" && ulimit -c 0 -t "$limit" && exec timeout -s KILL $((10 * limit)) "$@") <"$stdin" >"$top/stdout.$job" 2>"$top/stderr.$job"
    status=$?
    # Libraries of JPEG XL and AVIF may print lines of their own, as those of Debian 12 do.
    mapfile -t said < <(grep -avE '^$|^\./lib/jxl/|^Error parsing |^Unknown .*OBU |^\[.*libaom|^libaom|^OBU ' "$top/stderr.$job")
    case $status in
        0 | 1 | 2) ;;
        137 | 152) fail "not done in $limit s" "$@" ;;
        99) fail "a sanitizer: $(grep -m 1 -aE 'ERROR: |runtime error' "$top/stderr.$job")" "$@" ;;
        *) fail "exit status $status" "$@" ;;
    esac
}

# What was said is lines "TOOL: ...": after a failure exactly one; NAME, if any, must be in it, or that
# of the image that the file is for.
check_said() { # TOOL NAME COMMAND...
    local tool=${1##*/} name=$2 line
    shift 2
    [ $status -le 2 ] || return
    for line in "${said[@]}"; do
        [[ $line == "$tool: "* ]] || { fail "it says '$line'" "$@"; return; }
    done
    [ $status = 0 ] && return
    [ ${#said[@]} = 1 ] || { fail "it says ${#said[@]} lines" "$@"; return; }
    [[ ${said[0]} == *"$name"* || ${said[0]} == *good.png* ]] || fail "it does not name '$name' but says '${said[0]}'" "$@"
}

no_strays() { # COMMAND...
    local strays=("$D"/.tessera-*)
    [ ${#strays[@]} = 0 ] && return
    fail "left behind: ${strays[*]##*/}" "$@"
    rm -f "${strays[@]}"
}

# Whether a file is all that it says it is, by the sizes and counts in it. A permutation has rows of one
# length, and where it is of the only image of a puzzle, every tile.
cat >"$top/whole.pl" <<'PERL'
my ($path) = @ARGV;
open F, '<:raw', $path or exit 1;
my $size = -s F;
local $/;
$_ = <F>;
my ($extension) = $path =~ /\.(\w+)$/;
my %bytes = (char => 1, uchar => 1, short => 2, ushort => 2, int => 4, uint => 4, float => 4, double => 8);
my %is_whole = (
    glb => sub {
        my ($magic, $version, $length, $json) = unpack 'a4 V3', $_;
        my $bin = 20 + $json < $size ? unpack 'V', substr $_, 20 + $json, 4 : -1;
        $magic eq 'glTF' && $length == $size && $size == 28 + $json + $bin;
    },
    stl => sub { $size >= 84 && $size == 84 + 50 * unpack 'V', substr $_, 80, 4 },
    ply => sub {
        s/^(ply\n.*?end_header\n)//s or return 0;
        my $header = $1;
        my ($vertices, $faces) = map { $header =~ /^element $_ (\d+)$/m } 'vertex', 'face';
        my $record = 0;
        $record += $bytes{$_} for $header =~ /^property (?!list)(\w+) /mg;
        length == $vertices * $record + 13 * $faces; # triangles: a byte and three numbers
    },
    csv => sub {
        my ($names, @lines) = split /\n/;
        my $fields = $names =~ tr/,//;
        /\n\z/ && @lines && !grep { tr/,// != $fields || /,$/ } @lines;
    },
    txt => sub {
        my ($length, %seen);
        my $is_part = /^puzzle /m;
        /\n\z/ or return 0;
        for (grep { !/^#|^puzzle/ } split /\n/) {
            if (/^picture/) { undef $length; next }
            my @row = split;
            $length //= @row;
            return 0 if @row != $length || grep { $_ ne '-' && $seen{int $_}++ } @row;
        }
        %seen && ($is_part || !grep { !$seen{$_} } 0 .. keys(%seen) - 1);
    },
    y4m => sub {
        s/^YUV4MPEG2 W(\d+) H(\d+) .*\n// or return 0;
        my $frame = 6 + 3 * $1 * $2;
        for (my $at = 0; $at < length; $at += $frame) { return 0 if substr($_, $at, 6) ne "FRAME\n" }
        length && length() % $frame == 0;
    },
);
exit !$is_whole{$extension}->();
PERL

# Whether a file can be read back.
is_whole() { # FILE
    case $1 in
        *.obj) [ -z "$(tail -c 1 "$1")" ] && "$bezier" -r cpu --info "$1" >/dev/null 2>&1 ;;
        *.mtl) [ -z "$(tail -c 1 "$1")" ] && grep -q '^newmtl ' "$1" ;;
        *.json) perl -MJSON::PP -e 'local $/; decode_json(<>)' "$1" 2>/dev/null ;;
        *.ply | *.stl | *.glb | *.csv | *.txt | *.y4m) perl "$top/whole.pl" "$1" ;;
        *) "$scramble" -r cpu -j 1 -g 1x1 "$1" - >/dev/null 2>&1 ;;
    esac
}

# The same bytes; of JSON, the same but for times.
are_same() { # FILE FILE
    cmp -s "$1" "$2" && return
    [ "$(head -c 1 "$1" 2>/dev/null)" = '{' ] && perl -MJSON::PP -e '
        sub timeless {
            my ($value) = @_;
            ref $value eq "ARRAY" ? [map { timeless($_) } @$value]
                : ref $value eq "HASH" ? {map { $_ => timeless($value->{$_}) } grep { !/_s$|speedup$|^(min|max)$/ } keys %$value}
                : $value;
        }
        sub text { local (@ARGV, $/) = @_; JSON::PP->new->canonical->encode(timeless(decode_json(<>))) }
        exit(text($ARGV[0]) ne text($ARGV[1]))' "$1" "$2" 2>/dev/null
}

#--- Bad files through the parsers, and random scenes, in one process each.

part_parsers() {
    "$BUILD/attack" -n "$PARSED" -s "$SEED" >"$top/stdout" || fail "a crash, or a hang of 2 s" attack -n "$PARSED" -s "$SEED"
    cat "$top/stdout"
    tried_many "$(sed -nE 's/^([0-9]+) files from .*/\1/p' "$top/stdout")"
}

part_scenes() {
    "$BUILD/scene_attack" -n "$SCENES" -s "$SEED" -o "$KEEP" cpu:0 >"$top/stdout" ||
        fail "bytes that differ, or a crash" scene_attack -n "$SCENES" -s "$SEED" cpu:0
    cat "$top/stdout"
    tried_many "$(sed -nE 's/^scenes: ([0-9]+),.*/\1/p' "$top/stdout")"
}

#--- Bad files through the command line.

# file_command FILE NUMBER: sets command and, where there is one, its output, by the kind of file.
file_command() {
    local path=$1 variant=$2 image=$top/good.png
    output=out.png
    case $path in
        *.csv | *.json | *.svg)
            local -a ways=("-m fast" "-m good --block 8" "-m reference" "--antialias 2 --save-scene saved.json" "--device-memory 1M")
            command=("$circles" -r cpu -j 1 -s 24x18 ${ways[variant % 5]} "$path" $output) ;;
        *.bv | *.bpt | *.obj)
            local -a ways=("-s 32x24 out.png" "out.obj" "out.ply" "out.stl" "out.glb" "--info")
            output=${ways[variant % 6]##* }
            [ "$output" != --info ] || output=
            command=("$bezier" -r cpu -j 1 "$path" ${ways[variant % 6]}) ;;
        *.txt)
            local -a ways=("--apply" "-g 5x4 --truth")
            command=("$unscramble" -r cpu -j 1 ${ways[variant % 2]} "$path" "$image" $output) ;;
        *)
            local -a ways=("$scramble -g 1x1" "$scramble --rotate -g 3x3 --seed 1" "$unscramble -g 2x2" "$unscramble")
            command=(${ways[variant % 4]} -r cpu -j 1 "$path" $output)
            [ $((variant % 8)) != 1 ] || command=("$scramble" -r cpu -j 1 --tile 1x1 "$image" "$path" $output) ;;
    esac
}

try_file() { # FILE NUMBER
    local name=${1##*/} command output
    file_command "$@"
    rm -f "$D"/out* "$D"/saved*
    run "${command[@]}"
    check_said "${command[0]}" "$name" "${command[@]}"
    [ $status -le 2 ] || cp "$1" "$KEEP"
    local made=("$D"/out* "$D"/saved*) file
    [ $status != 0 ] || [ -z "$output" ] || [ ${#made[@]} -gt 0 ] || fail 'done, without an output' "${command[@]}"
    for file in "${made[@]}"; do
        if [ $status != 0 ] && [ "${file##*/}" != saved.json ]; then
            fail "failed, and left ${file##*/}" "${command[@]}"
        elif ! is_whole "$file"; then
            fail "${file##*/} is not whole" "${command[@]}"
        fi
    done
    no_strays "${command[@]}"
}

file_job() { # JOB: every JOBS-th batch
    local batch=100 first file count job=$1
    local D=$top/files.$job
    mkdir -p "$D/bad"
    for ((first = job * batch; first < FILES; first += JOBS * batch)); do
        rm -f "$D"/bad/*
        count=$((FILES - first < batch ? FILES - first : batch))
        "$BUILD/attack" -w "$D/bad" -f $first -n $count -s "$SEED" >/dev/null
        cksum "$D"/bad/* >"$D/before"
        for file in "$D"/bad/*; do
            try_file "$file" $((10#$(basename "$file" | cut -c 1-6) / 7))
        done
        cksum "$D"/bad/* 2>/dev/null | cmp -s - "$D/before" ||
            fail 'a file that was read has changed' "attack -w DIR -f $first -n $count -s $SEED"
    done
}

part_files() {
    local job
    measure_limit
    perl -e 'print "P6\n20 16\n255\n", map { chr(($_ * 37 ^ $_ / 60 * 11) & 255) } 0 .. 959' >"$top/good.ppm"
    "$scramble" -r cpu -g 1x1 "$top/good.ppm" "$top/good.png"
    for ((job = 0; job < JOBS; job++)); do
        file_job $job &
    done
    wait
    echo "each within $limit s; to repeat: attack -w DIR -f NUMBER -n 1 -s $SEED"
}

# 2 s are for programs without sanitizers on a machine of its own: 20 times a valid run come on top.
measure_limit() {
    local start=${EPOCHREALTIME/./}
    "$scramble" -r cpu -j 1 -g 1x1 "$seeds/rgb8.png" "$top/valid.png"
    limit=$(((${EPOCHREALTIME/./} - start) * 20 / 1000000 + 2))
}

#--- Signals.

# after MOMENT LIMIT SIGNAL RESULT COMMAND...: runs the command, sends the signal after so many seconds,
# and writes how it ended and how many seconds after the signal.
cat >"$top/after.pl" <<'PERL'
use POSIX 'WNOHANG';
use Time::HiRes qw(sleep time);
my ($moment, $limit, $signal, $result, @command) = @ARGV;
$SIG{$_} = 'DEFAULT' for 'INT', 'HUP', 'TERM'; # which nohup and the background jobs of a shell ignore
my $pid = fork;
if (!$pid) {
    exec @command or exit 127;
}
my ($ended, $start) = (0, time);
sub wait_until { while (time < $_[0]) { return $ended = 1 if waitpid($pid, WNOHANG) == $pid; sleep 0.004 } 0 }
my $late = wait_until($start + $moment);
my $sent = time;
kill $signal, $pid if !$late;
my $stuck = !$late && !wait_until($sent + $limit);
kill 'KILL', $pid and waitpid $pid, 0 if $stuck;
my $status = $?;
open F, '>', $result;
printf F "%s %d %.3f\n", $late ? 'late' : $stuck ? 'stuck' : $status & 127 ? 'signal' : 'exit',
    $status & 127 || $status >> 8, $late ? $sent - $start : time - $sent;
PERL

# What is stopped: a line each. OUT is a folder with what was there before; "<FILE" in front reads
# the file from a slow pipe, "|" writes to a pipe.
signal_commands() {
    cat <<END
$unscramble -r cpu -j 1 --search exhaustive -g 9x1 $top/strips.ppm OUT/a.png --json OUT/a.json
$unscramble -r cpu -j 2 -g 24x16 --rotate --effort 60 $top/turned.png OUT/a.png --permutation OUT/a.txt --confidence OUT/b.png
$unscramble -r cpu -j 2 -g 8x8 --animate OUT/v.y4m $top/large.png OUT/a.png
$unscramble -b -r cpu -j 1 -g 3x3 $papyrus --json OUT/a.json
$unscramble --self-test -r cpu:0
<$papyrus $unscramble -r cpu -g 3x3 - OUT/a.png
<$samples/sunflower.csv $circles -r cpu -s 20 - OUT/a.png
<$samples/goblet.bv $bezier -r cpu -s 20 - OUT/a.png
<$top/order.txt $unscramble -r cpu --apply - $top/tiles.png OUT/a.png
$scramble -r cpu --tile 30x30 --rotate --noise 3 --erode 1 --seed 2 $papyrus $papyrus OUT/a.png --permutation OUT/a.txt
$circles -r cpu -j 1 -s 400 rand10k OUT/a.png --json OUT/a.json --save-scene OUT/a.csv
$circles -r cpu -j 1 -s 200 -m reference rand10k OUT/a.tga
$circles -r cpu -j 1 -s 120 --frames 0:40 bouncingballs OUT/f.png
$circles -r cpu -j 1 -s 120 --frames 0:60 fireworks OUT/v.y4m
|$circles -r cpu -j 1 -s 120 --frames 0:40 --format y4m bouncingballs -
$circles -b -r cpu -j 1 -s 100 rand10k
$bezier --self-test -r cpu:0
$bezier -r cpu -j 1 -n 49 -s 500x400 $samples/goblet.bv OUT/a.png
$bezier -r cpu -j 1 -n 49 $samples/goblet.bv OUT/a.obj
$bezier -r cpu -j 1 -n 65 $samples/goblet.bv OUT/a.glb
$bezier -r cpu -j 1 -n 9 -s 200x150 --frames 0:20 --animate turn $samples/torus.bv OUT/f.png
|$bezier -r cpu -j 1 -n 9 -s 200x150 --frames 0:20 --animate wave --format y4m $samples/torus.bv -
$bezier -b -r cpu -j 1 -n 17 $samples/torus.bv --json OUT/a.json
END
}

# What precious files are there before: of the names that commands write, every other time.
prepare() { # FOLDER IS-OLD
    rm -rf "$1"
    mkdir "$1"
    [ "$2" = 0 ] || for name in a.png a.json a.txt b.png v.y4m a.csv a.tga a.obj a.glb f-0003.png; do
        echo precious >"$1/$name"
    done
}

# The first bytes of a file, and 4 s later the others.
slow_pipe() {
    local path=${1#<} half
    half=$(($(wc -c <"$path") / 7))
    head -c $half "$path"
    sleep 4
    tail -c +$((half + 1)) "$path" 2>/dev/null
}

# signal_run LINE MOMENT SIGNAL: the command, its outputs in $D.
signal_run() {
    local line=${1//OUT/$D} way=${1:0:1}
    case $way in
        '<') slow_pipe "${line%% *}" | perl "$top/after.pl" "$2" "$stop_limit" "$3" "$top/result" ${line#* } >/dev/null 2>"$top/stderr" ;;
        '|') perl "$top/after.pl" "$2" "$stop_limit" "$3" "$top/result" ${line:1} 2>"$top/stderr" </dev/null | cat >"$top/video" ;;
        *) perl "$top/after.pl" "$2" "$stop_limit" "$3" "$top/result" $line >/dev/null 2>"$top/stderr" </dev/null ;;
    esac
    read -r how number seconds <"$top/result"
}

# Each file is what was there before or what the whole run makes; but a search that is stopped may write
# its best answer so far, which is whole.
check_left() { # LINE WHOLE MOMENT SIGNAL
    local file name is_best=0
    ! grep -q 'stopped; this is the best answer so far' "$top/stderr" || is_best=1
    for file in "$D"/*; do
        name=${file##*/}
        case $name in
            .tessera-*) [ "$4" = KILL ] || fail "SIG$4 after $3 s left $name" "$1" ;;
            *) cmp -s "$file" "$top/precious" || are_same "$file" "$2/$name" ||
                { [ $is_best = 1 ] && is_whole "$file"; } ||
                fail "SIG$4 after $3 s left half of $name" "$1" ;;
        esac
    done
}

# Whether all is there that the whole run makes.
is_done() { # WHOLE
    local file
    for file in "$1"/*; do
        are_same "$file" "$D/${file##*/}" || return 1
    done
}

# Commands that take long are stopped less often.
part_signals() {
    local lines=() line i how number seconds moments=(0 0 0 0 0 0 0 0 0 0) sent=0 late=0
    local done=0 signals=(INT TERM HUP INT TERM KILL) signal numbers=([1]=HUP [2]=INT [9]=KILL [15]=TERM) stop_limit=60
    "$scramble" -r cpu -g 9x1 "$papyrus" "$top/strips.ppm"
    "$scramble" -r cpu -g 24x16 --rotate "$papyrus" "$top/turned.png"
    "$scramble" -r cpu -g 8x8 "$papyrus" "$top/large.png"
    make_tiles
    cksum "$papyrus" "$samples"/* "$top"/{strips.ppm,turned.png,large.png} >"$top/inputs"
    echo precious >"$top/precious"
    mapfile -t lines < <(signal_commands)
    local durations=()
    for i in "${!lines[@]}"; do # how long each takes, and what it makes
        D=$top/whole.$i
        prepare "$D" 0
        signal_run "${lines[i]}" 1000 KILL
        durations[i]=$seconds
        [ "$how $number" = 'late 0' ] || fail "$how $number without a signal" "${lines[i]}"
    done
    D=$top/left stop_limit=2
    RANDOM=$SEED
    for ((i = 0; sent < SIGNALS; i++)); do
        local k=$((i % ${#lines[@]})) share_of=$(((RANDOM << 15 | RANDOM) % 1000)) moment
        line=${lines[k]} signal=${signals[RANDOM % 6]}
        [ $((RANDOM % 1000)) -lt "$(awk "BEGIN { print int(2000 / ${durations[k]}) }")" ] || continue
        moment=$(awk "BEGIN { print ${durations[k]} * $share_of / 1000 }")
        prepare "$D" $((RANDOM % 2))
        signal_run "$line" "$moment" "$signal"
        if [ "$how" = late ]; then
            late=$((late + 1))
        else
            tried
            sent=$((sent + 1))
            moments[share_of / 100]=$((moments[share_of / 100] + 1))
            if [ "$how $number" = 'exit 0' ] && is_done "$top/whole.$k"; then
                done=$((done + 1)) # the work was at its end
            elif [ "$how ${numbers[number]:-$number}" != "signal $signal" ]; then
                fail "SIG$signal after $moment s: $how $number in $seconds s" "$line"
            fi
            grep -qaE 'ERROR: .*Sanitizer|runtime error' "$top/stderr" && fail "SIG$signal after $moment s: a sanitizer" "$line"
        fi
        check_left "$line" "$top/whole.$k" "$moment" "$signal"
    done
    cksum "$papyrus" "$samples"/* "$top"/{strips.ppm,turned.png,large.png} | cmp -s - "$top/inputs" || fail 'an input has changed' signals
    echo "$sent signals to ${#lines[@]} commands of ${durations[*]} s; $late came too late, $done at the very end"
    echo "in each tenth of the whole run: ${moments[*]}"
}

#--- A full disk.

# The commands that write, OUT the output that cannot be written: a line each.
disk_commands() {
    local extension option
    for extension in png jpg bmp tga ppm; do
        echo "$unscramble -r cpu -g 3x3 $papyrus OUT.$extension"
        echo "$scramble -r cpu -g 3x3 $papyrus OUT.$extension"
        echo "$circles -r cpu -s 200 rgb OUT.$extension"
        echo "$bezier -r cpu -s 200 $samples/torus.bv OUT.$extension"
    done
    for extension in obj ply stl glb; do
        echo "$bezier -r cpu $samples/torus.bv OUT.$extension"
    done
    for option in --json=OUT.json --permutation=OUT.txt --confidence=OUT.png --animate=OUT.y4m --animate=OUT.png; do
        echo "$unscramble -r cpu -g 4x4 $option $top/tiles.ppm /dev/null --format ppm"
    done
    echo "$unscramble -b -r cpu -g 3x3 --json=OUT.json $top/tiles.ppm"
    echo "$scramble -r cpu --json=OUT.json $papyrus /dev/null --format ppm"
    echo "$scramble -r cpu --permutation=OUT.txt $papyrus /dev/null --format ppm"
    for option in --json=OUT.json --save-scene=OUT.csv --save-scene=OUT.json; do
        echo "$circles -r cpu -s 20 $option rgb /dev/null --format ppm"
    done
    echo "$circles -r cpu -s 200 --frames 0:3 bouncingballs OUT.png"
    echo "$circles -r cpu -s 200 --frames 0:3 bouncingballs OUT.y4m"
    echo "$bezier -r cpu -s 20 --json=OUT.json $samples/torus.bv /dev/null --format ppm"
    echo "$bezier -r cpu --info --json=OUT.json $samples/torus.bv"
    echo "$bezier -r cpu -s 200 --frames 0:3 --animate turn $samples/torus.bv OUT.png"
    echo "$bezier -r cpu -s 200 --frames 0:3 --animate turn $samples/torus.bv OUT.y4m"
    echo "$unscramble -r cpu -g 3x3 --save-stages=OUT $papyrus /dev/null --format ppm"
    echo "$scramble -r cpu -g 3x3 --save-stages=OUT $papyrus /dev/null --format ppm"
    echo "$circles -r cpu -s 200 --save-stages=OUT rand10k /dev/null --format ppm"
}

# try_disk HOW LINE: exit status 1, one line, and all in $D as before. The line comes through a pipe,
# since a limit on files is one on standard error's too.
try_disk() {
    local how=$1 line=${2//OUT/$D\/out} before
    before=$(cksum "$D"/* 2>&1)
    tried
    if [ "$how" = limit ]; then
        mapfile -t said < <((ulimit -f 0; exec timeout -s KILL 30 $line) 2>&1 >/dev/null </dev/null; echo $?)
    else
        mapfile -t said < <(timeout -s KILL 30 $line 2>&1 >/dev/null </dev/null; echo $?)
    fi
    status=${said[-1]}
    unset 'said[-1]'
    [ "$status" = 1 ] || fail "$how: exit status $status, not 1" "$line"
    [ "$status" != 1 ] || check_said "${line%% *}" '' "$how:" "$line"
    [ "$(cksum "$D"/* 2>&1)" = "$before" ] || fail "$how: files have changed: $(echo "$D"/*)" "$line"
    no_strays "$line"
}

part_disk() {
    local lines=() line target
    mapfile -t lines < <(disk_commands)
    D=$top/limited
    mkdir -p "$D/out"
    for target in "$D"/out.{png,jpg,bmp,tga,ppm,obj,ply,stl,glb,json,txt,csv,y4m}; do
        echo precious >"$target"
    done
    for line in "${lines[@]}"; do
        try_disk limit "$line"
    done
    for line in "${lines[@]}"; do # in place, where the name needs no number and the format is clear
        case $line in
            *--frames*OUT.png | *--animate=OUT.png | *--save-stages* | *--save-scene* | *--confidence* | *--animate=*) continue ;;
            *OUT.json* | *OUT.txt*) try_disk full "${line//OUT.*([a-z0-9])/\/dev\/full}" ;;
            *"$bezier"*OUT.@(obj|ply|stl|glb)) continue ;;
            *) try_disk full "${line//OUT.*([a-z0-9])/\/dev\/full} --format $(sed 's/.*OUT\.//; s/ .*//; s/jpg/jpeg/' <<<"$line")" ;;
        esac
    done
    mkdir -p "$top/disk"
    if ! mount -t tmpfs -o size=64k tmpfs "$top/disk" 2>/dev/null; then
        echo 'no tmpfs of 64 KiB: not allowed to mount'
        return
    fi
    mkdir "$top/disk/out"
    cp "$D"/out.{png,json,txt} "$top/disk"
    D=$top/disk
    head -c 100000 /dev/zero >"$D/filler" 2>/dev/null
    for line in "${lines[@]}"; do
        try_disk tmpfs "$line"
    done
    umount "$top/disk"
}

#--- Closed streams.

# OUT is a folder; what goes to standard output is caught. A line with a ! in front fails in any case.
stream_commands() {
    cat <<END
$unscramble -v --timings -r cpu -g 4x4 $top/tiles.ppm OUT/a.png
$unscramble -v --timings -r cpu -g 4x4 --format ppm $top/tiles.ppm -
$unscramble -v --timings -r cpu -g 4x4 --json - $top/tiles.ppm OUT/a.ppm
$unscramble -v --timings -r cpu -g 4x4 --permutation OUT/a.txt --confidence OUT/c.png --animate OUT/v.y4m $top/tiles.ppm OUT/a.png
!$unscramble -v -r cpu -g 4x4 - OUT/a.png
!$unscramble -v $top/missing.png OUT/a.png
$scramble -v --timings -r cpu $papyrus OUT/a.ppm
$scramble -v --timings -r cpu --format bmp $papyrus -
$scramble -v --timings -r cpu --json - --permutation OUT/a.txt $papyrus OUT/a.tga
!$scramble -v -r cpu - OUT/a.png
$circles -v --timings -r cpu -s 40 rgb OUT/a.png
$circles -v --timings -r cpu -s 40 rgb - --format ppm
$circles -v --timings -r cpu -s 40 --json - --save-scene OUT/s.csv rgb OUT/a.png
$circles -v --timings -r cpu -s 40 --frames 0:5 bouncingballs OUT/v.y4m
$circles -v --timings -r cpu -s 40 --frames 0:5 bouncingballs -
$circles -v --timings -r cpu -s 40 --frames 0:3 bouncingballs OUT/f.png
!$circles -v -r cpu -s 40 - OUT/a.png
$circles --list-scenes
$bezier -v --timings -r cpu -s 40 $samples/torus.bv OUT/a.png
$bezier -v --timings -r cpu $samples/torus.bv OUT/a.obj
$bezier -v --timings -r cpu -s 40 $samples/torus.bv -
$bezier -v --timings -r cpu -s 40 --json - $samples/torus.bv OUT/a.png
$bezier -v --timings -r cpu -s 40 --frames 0:5 --animate turn $samples/torus.bv OUT/v.y4m
$bezier -v --timings -r cpu -s 40 --frames 0:5 --animate turn $samples/torus.bv -
$bezier -v --info $samples/torus.bv
!$bezier -v -r cpu -s 40 - OUT/a.png
END
}

# try_streams LINE CLOSED WHOLE: CLOSED has the numbers of the streams that are. The command is done,
# unless it has to write to standard output, and that is closed.
try_streams() {
    local line=${1//OUT/$D} closed=$2 whole=$3 file shown wanted=0
    [[ $line != !* && ($closed != *1* || ! -s $top/whole.stdout) ]] || wanted=1
    line=${line#!}
    shown="$1 $(sed 's/0/<\&- /; s/1/>\&- /; s/2/2>\&-/' <<<"$closed")"
    rm -rf "$D"
    mkdir "$D"
    tried
    (
        exec </dev/null >"$top/stdout" 2>"$top/stderr"
        [[ $closed != *0* ]] || exec <&-
        [[ $closed != *1* ]] || exec >&-
        [[ $closed != *2* ]] || exec 2>&-
        exec timeout -s KILL 30 $line
    )
    status=$?
    [ $status = $wanted ] || fail "exit status $status, not $wanted" "$shown"
    [[ $status = 0 || $closed == *2* || -s $top/stderr ]] || fail 'failed, and does not say why' "$shown"
    for file in "$D"/*; do
        cmp -s "$file" "$whole/${file##*/}" || fail "${file##*/} is not what it is with open streams" "$shown"
    done
    if [ $status = 0 ]; then
        for file in "$whole"/*; do
            [ -e "$D/${file##*/}" ] || [ "${file##*/}" = stdout ] || fail "done, without ${file##*/}" "$shown"
        done
        are_same "$top/stdout" "$top/whole.stdout" ||
            fail 'standard output is not what it is with open streams' "$shown"
    fi
    ! grep -qaE '^(unscramble|scramble|circles|bezier): ' "$top/stdout" || fail 'a message in standard output' "$shown"
}

part_streams() {
    local lines=() line whole_line closed whole=$top/streams.whole
    D=$top/streams
    mapfile -t lines < <(stream_commands)
    for line in "${lines[@]}"; do
        rm -rf "$D" "$whole"
        mkdir "$D"
        whole_line=${line//OUT/$D} # the same paths, since JSON names them
        ${whole_line#!} >"$top/whole.stdout" 2>/dev/null </dev/null
        mv "$D" "$whole"
        for closed in '' 0 1 2 01 02 12 012; do
            try_streams "$line" "$closed" "$whole"
        done
    done
}

#--- Outputs over what is read.

# READ is the file that is read, WRITE the other path to it, NUMBERED that without its number, FOLDER the
# folder that it is in: a line each, with the name of the file in front, and a + where OUTPUT may take
# the place of INPUT.
overwrite_commands() {
    local option
    echo "+tiles.png $unscramble -r cpu -g 4x4 READ WRITE"
    echo "+tiles.png $scramble -r cpu -g 4x4 READ WRITE"
    echo "+tiles.png $scramble -r cpu --tile 16x16 READ tiles.png WRITE"
    for option in --json= --permutation= --confidence=; do
        echo "tiles.png $unscramble -r cpu -g 4x4 READ out.png $option""WRITE"
    done
    for option in --json= --permutation= "--format=png "; do
        echo "order.png $unscramble -r cpu --apply READ tiles.png out.png $option""WRITE"
    done | sed 's/out.png --format=png /--format=png /'
    for option in --json= --permutation= --confidence= "--format=png "; do
        echo "order.png $unscramble -r cpu -g 4x4 --truth READ tiles.png out.png $option""WRITE"
    done | sed 's/out.png --format=png /--format=png /'
    echo "tiles.y4m $unscramble -r cpu -g 4x4 READ out.png --animate=WRITE"
    echo "order.y4m $unscramble -r cpu -g 4x4 --truth READ tiles.png out.png --animate=WRITE"
    echo "tiles-0001.png $unscramble -r cpu -g 4x4 READ out.png --animate=NUMBERED"
    echo "order-0001.png $unscramble -r cpu -g 4x4 --truth READ tiles.png out.png --animate=NUMBERED"
    echo "tiles-1.png $unscramble -r cpu -g 4x4 --mixed 2 READ NUMBERED"
    echo "order-1.png $unscramble -r cpu -g 4x4 --mixed 2 --truth READ tiles.png NUMBERED"
    echo "$(snapshots "$classic" grayscale) $unscramble -r cpu -g 3x3 READ out.png --save-stages=FOLDER"
    echo "tiles.png $unscramble -b -r cpu -g 3x3 READ --json=WRITE"
    for option in --json= --permutation=; do
        echo "tiles.png $scramble -r cpu READ out.png $option""WRITE"
        echo "tiles.png $scramble -r cpu --tile 16x16 small.png READ out.png $option""WRITE"
    done
    echo "$(snapshots "$scramble_stages" assemble) $scramble -r cpu READ out.png --save-stages=FOLDER"
    for option in --json= --save-scene= "--format=png "; do
        echo "scene.csv $circles -r cpu -s 20 READ out.png $option""WRITE"
        echo "scene.json $circles -r cpu -s 20 READ out.png $option""WRITE"
    done | sed 's/out.png --format=png /--format=png /'
    echo "scene.csv $circles -b -r cpu -s 20 READ --json=WRITE"
    for option in --json= "--format=png " "--format=y4m "; do
        echo "model.bv $bezier -r cpu -s 20 READ out.png $option""WRITE"
    done | sed -E 's/out.png (--format=[a-z0-9]+) /\1 /'
    echo "model.obj $bezier -r cpu -s 20 READ out.png --json=WRITE"
    echo "model.obj $bezier -r cpu READ WRITE"
    echo "model.bv $bezier -r cpu --info READ --json=WRITE"
    echo "model.bv $bezier -b -n 3 -r cpu READ --json=WRITE"
    echo "model-0000.bv $bezier -r cpu -s 20 --frames 0:1 --animate turn READ --format=png NUMBERED"
    echo "model-0000.obj $bezier -r cpu --frames 0:1 --animate turn READ NUMBERED"
}

# The files that commands of that part read, in $D.
fill() {
    rm -rf "$D"
    mkdir "$D"
    cp "$top/tiles.png" "$D/$1"
    cp "$top/tiles.png" "$D/tiles.png"
    cp "$top/small.png" "$D/small.png"
    case $1 in
        order*) cp "$top/order.txt" "$D/$1" ;;
        scene.csv) cp "$samples/sunflower.csv" "$D/$1" ;;
        scene.json) cp "$samples/bubbles.json" "$D/$1" ;;
        *.bv) cp "$samples/torus.bv" "$D/$1" ;;
        *.obj) tail -c +2 "$seeds/patches.obj" >"$D/$1" ;;
    esac
}

# try_pair NAME LINE HOW: by one way to name the file twice, which is done, or refused for that reason.
try_pair() {
    local name=${1#+} line=$2 read=${1#+} write=${1#+} folder=. input=/dev/null output=$top/stdout before
    fill "$name"
    case $3 in
        same) ;;
        dot) write=./$name ;;
        absolute) write=$D/$name folder=$D ;;
        symlink) write=link-$name && ln -s "$name" "$D/$write" ;;
        read-symlink) read=link-$name && ln -s "$name" "$D/$read" ;;
        hard-link) write=hard-$name && ln "$D/$name" "$D/$write" ;;
        folder) ln -s . "$D/linked" && write=linked/$name folder=linked ;;
        stdin) read=- input=$D/$name ;;
        stdout) write=- output=$D/$name ;;
    esac
    [[ $line == *" WRITE"* || $line == *"=WRITE"* ]] || case $3 in symlink | hard-link | stdout) return ;; esac
    line=${line/READ/$read} line=${line/WRITE/$write} line=${line/FOLDER/$folder}
    line=${line/NUMBERED/$(sed -E 's/-[0-9]+\././' <<<"$write")}
    before=$(cksum <"$D/$name")
    tried
    (cd "$D" && exec timeout -s KILL 60 $line) <"$input" 1<>"$output" 2>"$top/stderr"
    status=$?
    if [[ $1 == +* ]]; then
        [ $status = 0 ] || fail "exit status $status: $(head -n 1 "$top/stderr")" "$3:" "$line"
    elif [ $status != 2 ] || ! grep -qE 'the file that is read|two outputs|is read;' "$top/stderr"; then
        fail "exit status $status, not 2 for this reason: $(head -n 1 "$top/stderr")" "$3:" "$line"
    fi
    [ "$(cksum <"$D/$name")" = "$before" ] || [[ $1 == +* ]] || fail "$name, which is read, is overwritten" "$3:" "$line"
    [[ $1 != +* ]] || is_whole "$D/$name" || [ "$3" = stdout ] || fail "$name is not whole" "$3:" "$line"
    no_strays "$line"
}

part_overwrites() {
    local lines=() line how
    D=$top/pair
    make_tiles
    "$scramble" -r cpu -g 1x1 "$top/tiles.ppm" "$top/small.png"
    mapfile -t lines < <(overwrite_commands)
    for line in "${lines[@]}"; do
        for how in same dot absolute symlink read-symlink hard-link folder stdin stdout; do
            try_pair "${line%% *}" "${line#* }" $how
        done
    done
}

#--- All parts, and the table.

main() {
    local took=() i=0
    [ $# -gt 0 ] || set -- "${PARTS[@]}"
    : >"$top/failed"
    for part in "$@"; do
        [[ " ${PARTS[*]} " == *" $part "* ]] || { echo "attack.sh: no part '$part': ${PARTS[*]}" >&2; exit 2; }
    done
    for part in "$@"; do
        : >"$top/tried/$part"
        SECONDS=0
        part_"$part"
        took[${#took[@]}]=$SECONDS
    done
    printf '\n%-12s %8s %8s %8s\n' part tried failed seconds
    for part in "$@"; do
        printf '%-12s %8d %8d %8d\n' "$part" "$(wc -c <"$top/tried/$part")" "$(grep -c "^$part: " "$top/failed")" "${took[i++]}"
    done
    [ ! -s "$top/failed" ]
}

main "$@"
exit
