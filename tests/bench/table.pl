# Turns the lines of bench.sh into the tables of docs/bench: table.pl FILE.tsv [COPY_TB_PER_S], the
# list of devices on standard input.
use strict;
use warnings;

my ($file, $copy) = @ARGV;
my (%cell, @devices, @cases, @stages, %seen);
open my $in, '<', $file or die "$file: $!\n";
<$in>;
while (<$in>) {
    chomp;
    my ($case, $device, $stage, @times) = split /\t/;
    $cell{$case}{$stage}{$device} = {};
    @{$cell{$case}{$stage}{$device}}{qw(reference wall kernel copy)} = @times;
    push @devices, $device unless $seen{device}{$device}++;
    push @cases, $case unless $seen{case}{$case}++;
    push @stages, $stage unless $seen{stage}{$stage}++;
}

print "# `unscramble` with few tiles\n\n";
print "Written by `make bench`: medians of 5 runs after one, milliseconds. Wall is the whole ",
    "stage on\nthe device, kernel its kernels alone; the speedup is the whole stage's over the\n",
    "sequential reference, one thread of the same machine.\n\n";
print "    $_" while <STDIN>;
print "\n";
my %name = (upload => 'upload of the image');

for my $case (grep { /^\d+$/ } @cases) {
    print "## $case megapixels, 3 x 3 tiles\n\n";
    print "| stage | reference |", (map { " $_ wall | kernel | speedup |" } @devices), "\n";
    print "|---|---:|", ("---:|---:|---:|" x @devices), "\n";
    for my $stage (@stages) {
        my $row = $cell{$case}{$stage} or next;
        my $reference = $row->{$devices[0]}{reference};
        printf "| %s | %s |", $name{$stage} // $stage,
            $reference > 0 ? sprintf('%.4g', $reference) : '';
        for my $device (@devices) {
            my $t = $row->{$device};
            printf ' %.4g | %s | %s |', $t->{wall},
                map { $_ > 0 ? sprintf('%.3g', $_) : '' } $t->{kernel},
                $t->{wall} > 0 ? $t->{reference} / $t->{wall} : 0;
        }
        print "\n";
    }
    print "\n";
}

print "## Search on the bundled sample\n\n";
print "The reference goes through the permutations depth first and leaves out what begins as dear ",
    "as\nthe second best; its time depends on the image, that of the kernels does not.\n\n";
print "| search | reference |", (map { " $_ wall | kernel |" } @devices), "\n";
print "|---|---:|", ("---:|---:|" x @devices), "\n";
for my $case (grep { /tiles/ } @cases) {
    my $row = $cell{$case}{search};
    my ($any) = grep { defined } map { $row->{$_} } @devices;
    printf "| %s | %.4g |", $case, $any->{reference};
    printf ' %s | %s |',
        map { defined $_ ? sprintf('%.4g', $_) : '' } @{$row->{$_} // {}}{qw(wall kernel)}
        for @devices;
    print "\n";
}

if ($copy) {
    my $gray = $cell{100}{grayscale}{'cuda:0'}{kernel};
    my $floor = 400e6 / ($copy * 1e12) * 1e3;
    print "\n## Against the memory\n\n";
    printf "A plain copy on the GPU moves %.2f TB/s, bytes read and written. Reading 100 "
        . "megapixels of 4\nbytes once at that rate takes %.4f ms; grayscale takes %.4f ms, "
        . "%.2f times as long.\n",
        $copy, $floor, $gray, $gray / $floor;
}
