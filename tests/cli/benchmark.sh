#!/usr/bin/env bash
# What --benchmark prints and writes as JSON: that the numbers fit together, and the verdict.
. "$(dirname "$0")/tap.lib"

# Of the table on standard input: its heading, least times that are no larger than medians and these no larger
# than the largest, ratios of the medians as far as their digits tell, and a verdict that follows from them.
table_holds() { # STAGES DEVICE FINDING
    perl -e '
        my ($stages, $device, $finding) = @ARGV;
        my (@stages, %median, %sum);
        chomp(my @lines = <STDIN>);
        $lines[0] =~ /on \Q$device\E \(.*; 5 runs$|^\Q$device\E \(.*; 5 runs$/ or die "of what: $lines[0]\n";
        $lines[1] =~ /^stage +time of +min ms +median ms +max ms +times as fast$/ or die "heading: $lines[1]\n";
        sub fits { # RATIO A B: to half of the last digits of all three
            my ($ratio, $a, $b) = @_;
            return 1 if $b < 0.00006;
            return $ratio >= ($a - 0.00006) / ($b + 0.00006) - 0.0051
                && $ratio <= ($a + 0.00006) / ($b - 0.00006) + 0.0051;
        }
        for (@lines[2 .. $#lines - 1]) {
            my ($stage, $of, $min, $median, $max, $ratio) =
                /^(\w*) +(the reference|the device|its kernels|its copies) +([\d.]+) +([\d.]+) +([\d.]+)(?: +([\d.]+))?$/
                or die "a row: $_\n";
            push @stages, $stage if $stage;
            die "order: $_\n" if !($min <= $median && $median <= $max);
            $median{$of} = $median;
            $sum{$of} += $median;
            die "ratio: $_\n" if defined $ratio != ($of =~ /device|kernels/);
            die "ratio: $_\n" if defined $ratio && !fits($ratio, $median{"the reference"}, $median);
        }
        my $in_order = join " (?:.* )?", split / /, $stages;
        "@stages" =~ /^(?:.* )?$in_order(?: .*)?$/ or die "stages: @stages\n";
        my ($times, $how, $result) = $lines[-1] =~ /^\Q$device\E is ([\d.]+) times as (fast|slow) as the reference; (.*)$/
            or die "verdict: $lines[-1]\n";
        my ($a, $b) = @sum{"the reference", "the device"};
        ($a, $b) = ($b, $a) if $how eq "slow";
        abs($times - $a / $b) <= 0.06 + 0.02 * $times or die "verdict: $lines[-1], not ", $a / $b, "\n";
        $result =~ /^$finding$/ or die "finding: $result\n"' "$@"
}
# The same of JSON: the medians beside the least and the largest.
json_holds() {
    perl -MJSON::PP -e '
        for my $row (@{decode_json(do { local $/; <STDIN> })->{benchmark}}) {
            for (qw(reference_s device_s kernel_s transfer_s)) {
                die "$_\n" if !($row->{min}{$_} <= $row->{$_} && $row->{$_} <= $row->{max}{$_});
            }
            for ([speedup => "device_s"], [kernel_speedup => "kernel_s"]) {
                my ($name, $of) = @$_;
                die "$name\n" if abs($row->{$name} * $row->{$of} - $row->{reference_s}) > 0.001 * $row->{reference_s};
            }
        }'
}
holds() { # STAGES DEVICE FINDING COMMAND...
    "${@:4}" >"$T/table" 2>/dev/null && table_holds "$1" "$2" "$3" <"$T/table" &&
        "${@:4}" --json - 2>/dev/null | json_holds
}

. tests/cli/stages.lib
"$scramble" -g 3x2 images/samples/papyrus.png "$T/puzzle.ppm"
for device in $(devices); do
    ok "unscramble, $device" holds "$benchmark" $device 'what the stages made is equal byte for byte' \
        "$unscramble" -b -r $device -g 3x2 "$T/puzzle.ppm"
    ok "circles, $device" holds fast $device 'the two images are equal byte for byte' "$BUILD/circles" -b -r $device -s 97x61 seed10k
    ok "bezier, $device" holds evaluate $device "the points differ from long double by at most [0-9.]+ epsilon of the patch's size" \
        "$BUILD/bezier" -b -r $device -n 9 scenes/samples/goblet.bv
done
ok 'circles -m bad may differ' holds bad cpu:0 'the two images (are equal byte for byte|differ in [1-9][0-9]* pixels of 5917)' \
    "$BUILD/circles" -b -r cpu:0 -m bad -s 97x61 seed10k

plan
