# Turns the lines of circles.sh into tables: circles_table.pl FILE.tsv, the list of devices on
# standard input.
use strict;
use warnings;

# Milliseconds a frame, rendering only, of the best public implementation that could be built, on
# one H200 at 1024 x 1024; and the source's own figures, for blocks of 32 x 32 and 16 x 16 pixels on
# a GeForce MX150, and one thread of an i7-8550U.
my %public = (rgb => .021, rand10k => .43, rand100k => 1.41, pattern => .127, biglittle => 1.92,
    rand1M => 1.72, micro2M => 1.00);
my %source = (
    seed10k => {512 => [488, 8, 11], 1024 => [1827, 25, 40], 2048 => [7050, 78, 135]},
    seed100k => {512 => [4464, 112, 226], 1024 => [17812, 338, 872], 2048 => [69951, 1198, 3544]});

my ($file) = @ARGV;
my (%cell, %circles, @scenes, @devices, %seen);
open my $in, '<', $file or die "$file: $!\n";
while (<$in>) {
    next if /^#/;
    chomp;
    my ($scene, $circles, $size, $method, $device, $whole, $kernels) = split /\t/;
    $cell{$scene}{$size}{$device}{$method} = {whole => $whole, kernels => $kernels};
    $circles{$scene} = $circles;
    push @scenes, $scene unless $seen{scene}{$scene}++;
    push @devices, $device unless $seen{device}{$device}++;
}
@scenes = sort { $circles{$a} <=> $circles{$b} } @scenes;

sub plain
{
    my ($value) = @_;
    return !defined $value ? '' : sprintf($value >= 100 ? '%.0f' : '%.3g', $value);
}

sub ratio
{
    my ($a, $b) = @_;
    return defined $a && $b ? plain($a / $b) : '';
}

sub time_of
{
    my ($scene, $size, $device, $method, $what) = @_;
    return $cell{$scene}{$size}{$device}{$method}{$what};
}

# A device's four columns.
sub columns
{
    my ($scene, $size, $device) = @_;
    my ($whole, $fast, $good) = (time_of($scene, $size, $device, 'fast', 'whole'),
        time_of($scene, $size, $device, 'fast', 'kernels'),
        time_of($scene, $size, $device, 'good', 'kernels'));
    return join(' | ', plain($whole), plain($fast), plain($good), ratio($good, $fast));
}

my $heads = join '', map { " $_ whole | fast | good | times as fast |" } @devices;
my $rule = '---:|---:|---:|---:|' x @devices;
print "# The kernels of `circles`\n\n";
print "Written by `tests/bench/circles.sh`: milliseconds, medians of 5 (one run where it takes ",
    "more than a\nsecond). Fast and good are the kernels that paint by these methods, without ",
    "the one that packs circles;\nthe ratio is of these. With CUDA 20 runs of them, at most 5 of ",
    "good, begin when all are launched, so that no kernel\nwaits for the host. Whole is all of ",
    "fast from uploading the circles to downloading the image, in runs of\nits own, so that on a ",
    "CPU it may be less. Good has blocks of 32 x 32 pixels.\n\n";
my @machine = <STDIN>;
print "    $_" for @machine;
my %is_processor = map { /^(\S+)/ => 1 } grep { /^cpu:|Portable Computing/ } @machine;
print "\n## Scenes at 1024 x 1024\n\n| scene | circles |$heads\n|---|---:|$rule\n";
for my $scene (grep { !m{/} && $cell{$_}{1024} } @scenes) {
    print "| $scene | $circles{$scene} | ",
        join(' | ', map { columns($scene, 1024, $_) } @devices), " |\n";
}

print "\n## Sizes\n\n| scene | size |$heads\n|---|---:|$rule\n";
for my $scene (grep { keys %{$cell{$_}} > 1 } @scenes) {
    for my $size (sort { $a <=> $b } keys %{$cell{$scene}}) {
        print "| $scene | $size | ",
            join(' | ', map { columns($scene, $size, $_) } @devices), " |\n";
    }
}

print "\n## Beside the source\n\n";
print "The source is the published table of the program that this project began with: one ",
    "thread of an\ni7-8550U, and a GeForce MX150 with blocks of 32 x 32 and of 16 x 16 pixels, ",
    "for the same kind of scene.\nThey are other machines than those above, so the ratio, to the ",
    "better block or to the thread, tells\nlittle about the method.\n\n";
print '| scene | size | source, CPU | source, GPU |',
    (map { " $_ fast | times as fast |" } @devices), "\n";
print '|---|---:|---:|---:|', '---:|---:|' x @devices, "\n";
for my $scene (sort keys %source) {
    for my $size (sort { $a <=> $b } keys %{$source{$scene}}) {
        my ($cpu, @gpu) = @{$source{$scene}{$size}};
        next unless $cell{$scene}{$size};
        print "| $scene | $size | $cpu | $gpu[0], $gpu[1] |";
        for my $device (@devices) {
            my $fast = time_of($scene, $size, $device, 'fast', 'kernels');
            print ' ', plain($fast), ' | ',
                ratio($is_processor{$device} ? $cpu : $gpu[0], $fast), ' |';
        }
        print "\n";
    }
}

my @gpus = grep { !$is_processor{$_} } @devices;
if (@gpus) {
    print "\n## Beside the best public figures\n\n";
    print "Milliseconds a frame at 1024 x 1024, rendering only. \"Public\" is the best public ",
        "program that\ncould be built. It sorts pairs of tile and circle with Thrust, and was ",
        "measured on one H200. No more\nis known of it: its name and version were not written ",
        "down, so its column cannot be measured again.\n\n";
    print '| scene | public |', (map { " $_ fast | times as fast |" } @gpus), "\n";
    print '|---|---:|', '---:|---:|' x @gpus, "\n";
    my (%product, %count);
    for my $scene (grep { $public{$_} && $cell{$_}{1024} } @scenes) {
        print "| $scene | $public{$scene} |";
        for my $device (@gpus) {
            my $fast = time_of($scene, 1024, $device, 'fast', 'kernels');
            print ' ', plain($fast), ' | ', ratio($public{$scene}, $fast), ' |';
            next unless $fast;
            $product{$device} += log($public{$scene} / $fast);
            $count{$device}++;
        }
        print "\n";
    }
    print '| geometric mean | |', (map {
        ' | ' . ($count{$_} ? plain(exp($product{$_} / $count{$_})) : '') . ' |'
    } @gpus), "\n";
}

my @uniform = grep { m{/} } @scenes;
if (@uniform) {
    print "\n## Number of circles\n\n";
    print "Circles of one radius, evenly spread, alpha 0.5, at 1024 x 1024.\n\n";
    print "| circles | radius |$heads\n|---:|---:|$rule\n";
    for my $scene (@uniform) {
        my ($count, $radius) = split m{/}, $scene;
        print "| $count | $radius | ",
            join(' | ', map { columns($scene, 1024, $_) } @devices), " |\n";
    }
}
