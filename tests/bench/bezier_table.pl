#!/usr/bin/env perl
# The tables of bezier.sh in Markdown: bezier_table.pl FILE.tsv THREADS.
use strict;
use warnings;

my ($path, $threads) = @ARGV;
my %EPSILON = (float => 2**-23, double => 2**-52);
my @rows;

open(my $table, '<', $path) or die "cannot open $path: $!\n";
chomp(my $head = <$table>);
my @names = split /\t/, $head;
while (my $line = <$table>) {
    chomp $line;
    my %row;
    @row{@names} = split /\t/, $line, -1;
    push @rows, \%row;
}

# The milliseconds or another column of the case.
sub find {
    my ($column, %wanted) = @_;
    for my $row (@rows) {
        return $row->{$column} unless grep { $row->{$_} ne $wanted{$_} } keys %wanted;
    }
    return undef;
}

sub times_as_fast {
    my ($one, $other) = @_;
    return defined $one && defined $other ? sprintf('%.2f', $other / $one) : '';
}

sub line { print '| ', join(' | ', @_), " |\n" }
sub rule { print '|---' . '|---:' x ($_[0] - 1) . "|\n" }

sub unique {
    my %seen;
    return grep { !$seen{$_}++ } @_;
}

my @devices = unique(map { $_->{device} } @rows);
print "# The evaluation of Bézier patches\n\n";
print "Written by `tests/bench/bezier.sh`, on $threads processors",
    (grep { $_ ne 'cpu' } @devices) ? " beside the GPU.\n" : ".\n";
print "Times are of the kernel of level 1 alone; random control points between -0.5 and 0.5.\n";

my @methods = qw(sep mle brf casteljau mat3 mat4);
if (grep { $_->{section} eq 'errors' } @rows) {
    print "\n## Errors\n\nLargest error of the points of a 64 x 64 grid (33 x 33 above degree 20) ",
        "over the largest control\npoint, in epsilons of the precision, against the reference in ",
        "long double. Every device has the same\nbytes.\n\n";
    line('degree', map { my $p = $_; map { "$_, $p" } @methods } qw(float double));
    rule(1 + 2 * @methods);
    for my $controls (unique(map { $_->{controls} } grep { $_->{section} eq 'errors' } @rows)) {
        line($controls - 1, map {
            my $p = $_;
            map {
                my $e = find('error', section => 'errors', method => $_, precision => $p,
                    controls => $controls);
                defined $e ? sprintf('%.2g', $e / $EPSILON{$p}) : ''
            } @methods
        } qw(float double));
    }
}

# Ratios of the methods for one row of cases.
sub ratios {
    my %case = @_;
    my %ms = map { $_ => find('ms', %case, method => $_) } qw(brf mat3 mat4 mle sep);
    return ((map { sprintf('%.4g', $ms{$_}) } qw(brf mat3 mat4 mle sep)),
        map { times_as_fast(@ms{@$_}) }
            ['mle', 'mat3'], ['mle', 'mat4'], ['mle', 'brf'], ['sep', 'mle']);
}
my @RATIO_HEAD = ('brf ms', 'mat3 ms', 'mat4 ms', 'mle ms', 'sep ms',
    'mle over mat3', 'mle over mat4', 'mle over brf', 'sep over mle');

if (grep { $_->{section} eq 'threads' } @rows) {
    print "\n## CPU, threads\n\n4 x 4 control points, 256 x 256 points, as in the paper's figure ",
        "5 (a, b): there, with four cores, MLE\nis 2.4 to 3.1 times as fast as MAT and 19 to 25 ",
        "times as fast as BRF in double. \"Over\" is times as fast.\n\n";
    line('threads', 'precision', @RATIO_HEAD);
    rule(2 + @RATIO_HEAD);
    for my $count (unique(map { $_->{threads} } grep { $_->{section} eq 'threads' } @rows)) {
        line($count, $_, ratios(section => 'threads', threads => $count, precision => $_))
            for qw(float double);
    }
}

my %PAPER = (
    cpu => "Paper, figure 5 (c, d), double: MLE over MAT 2.2 to 3.2, over BRF 25 to 73.",
    gpu => "Paper, figures 6 to 8, double: MLE over MAT 1.3 to 5.4, over BRF 21 to 49; "
        . "float over double 2.8 to 11.8.",
);
for my $device (@devices) {
    my @of_device = grep { $_->{section} eq 'grids' && $_->{device} eq $device } @rows;
    next unless @of_device;
    print "\n## ", ($device eq 'cpu' ? 'CPU' : $device), ", one patch\n\n",
        $PAPER{$device eq 'cpu' ? 'cpu' : 'gpu'}, "\n\n";
    line('control points', 'points', 'precision', @RATIO_HEAD,
        'mle: float over double', 'sep: float over double');
    rule(5 + @RATIO_HEAD);
    for my $controls (unique(map { $_->{controls} } @of_device)) {
        for my $points (unique(map { $_->{resolution} } @of_device)) {
            for my $p (qw(float double)) {
                my %case = (section => 'grids', device => $device, controls => $controls,
                    resolution => $points);
                my @gain = map {
                    my $m = $_;
                    $p eq 'double' ? times_as_fast(map {
                        find('ms', %case, method => $m, precision => $_)
                    } qw(float double)) : ''
                } qw(mle sep);
                line("$controls x $controls", "$points x $points", $p,
                    ratios(%case, precision => $p), @gain);
            }
        }
    }
}

my @many = grep { $_->{section} eq 'many' } @rows;
if (@many) {
    my $fill = find('gbs', section => 'fill');
    print "\n## Many patches\n\nBytes that `sep` writes a second, in buffers of 1.6 GB and more",
        defined $fill ? sprintf(", against those of a plain fill in the\nsame run "
            . "(`tests/bench/fill.cu`, the faster of the driver's and a kernel's): %.0f GB/s.\n\n",
            $fill) : ".\n\n";
    line('control points', 'points', 'patches', 'precision', 'ms', 'GB/s', 'percent of the fill');
    rule(7);
    for my $row (@many) {
        line("$row->{controls} x $row->{controls}", "$row->{resolution} x $row->{resolution}",
            $row->{patches}, $row->{precision}, sprintf('%.4g', $row->{ms}), $row->{gbs},
            defined $fill ? sprintf('%.0f', 100 * $row->{gbs} / $fill) : '');
    }
}

my @shares = grep { $_->{section} eq 'share' } @rows;
if (@shares) {
    print "\n## CPU and GPU together\n\n`bezier --share sweep` in float: wall time of level 1 ",
        "with its copies, a fixed share of the blocks to the\nCPU (SDC, 0 to 100 percent in steps ",
        "of 5) or one list for both (DDC). The paper, on processors with a GPU\nof their own: ",
        "best at 10 to 15 percent, 1.07 to 1.22 times as fast as the GPU alone; DDC 1.03 to ",
        "2.09.\n\n";
    line('method', 'control points', 'points', 'CPU threads', 'GPU alone ms', 'CPU alone ms',
        'best share', 'ms', 'over the GPU alone', 'one list ms', 'over the GPU alone');
    rule(11);
    my @key = qw(device method controls resolution threads);
    for my $case (unique(map { join ' ', @$_{@key} } @shares)) {
        my ($device, $method, $controls, $points, $count) = split / /, $case;
        my %ms = map { $_->{patches} => $_->{ms} } grep { join(' ', @$_{@key}) eq $case } @shares;
        my $list = delete $ms{list};
        my ($best) = sort { $ms{$a} <=> $ms{$b} } keys %ms;
        line($method, "$controls x $controls", "$points x $points", $count,
            (map { sprintf('%.4g', $_) } @ms{0, 100}),
            "$best %", sprintf('%.4g', $ms{$best}), times_as_fast($ms{$best}, $ms{0}),
            sprintf('%.4g', $list), times_as_fast($list, $ms{0}));
    }
}

my @frames = grep { $_->{section} eq 'frames' } @rows;
if (@frames) {
    print "\nAs the paper's table 3: a patch of 8 x 8 control points, 400 x 400 points, by mle, ",
        "while its control points\nmove; means of 51 frames, milliseconds. Level 2 is made once ",
        "for all of them. The time of all of level 1\nholds the kernel, copies in and out, and ",
        "the sides. The first frame starts the device.\n\n";
    line('cooperation', 'level 2, once', 'level 1, kernel', 'copies', 'all of level 1');
    rule(5);
    # The columns of these rows are used anew: see frames in bezier.sh.
    line($_->{threads}, map { sprintf('%.4g', $_) } @$_{qw(method precision controls resolution)})
        for @frames;
}
