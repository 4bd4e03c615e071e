#!/usr/bin/env perl
# Draws pages that hold a ruled table, some with digits in a share of its cells, to try turned tiles
# with, which rules must not tell: tables.pl FOLDER
use strict;
use warnings;

my $folder = shift // die "usage: tables.pl FOLDER\n";
my ($width, $height, $margin) = (2480, 3508, 200);
my $dot_size = 4; # pixels of a dot of a digit
# The digits in 5 x 7 dots, a byte a row.
my @digit = map { [map { hex } /../g] } qw(0e11191513110e 040c040404040e 0e11010204081f
    1f02040201110e 02060a121f0202 1f101e0101110e 0608101e11110e 1f010204080808 0e11110e11110e
    0e11110f01020c);
srand 1;
mkdir $folder;
for ([10, 20, 3], [40, 60, 3], [60, 80, 4], [5, 9, 2], [8, 30, 2], [3, 40, 3], [20, 12, 5]) {
    my ($columns, $rows, $rule) = @$_;
    my $cell_width = int(($width - 2 * $margin) / $columns);
    my $cell_height = int(($height - 2 * $margin) / $rows);
    my $bottom = $margin + $rows * $cell_height;
    my $across = "\0" x ($columns * $cell_width + $rule);
    for my $percent (0, 2, 10, 60) {
        my @row = map { "\xff" x $width } 1 .. $height;
        for my $y ($margin .. $bottom + $rule - 1) {
            if (($y - $margin) % $cell_height < $rule) {
                substr $row[$y], $margin, length $across, $across;
            } else {
                substr $row[$y], $margin + $_ * $cell_width, $rule, "\0" x $rule
                    for 0 .. $columns;
            }
        }
        for my $cell (0 .. $columns * $rows - 1) {
            next if rand 100 >= $percent;
            my $x = $margin + $cell % $columns * $cell_width + 12;
            my $y = $margin + int($cell / $columns) * $cell_height;
            $y += int(($cell_height - 7 * $dot_size) / 2);
            my @shown = map { int rand 10 } 0 .. rand 3;
            pop @shown while 12 + 6 * $dot_size * @shown > $cell_width;
            for my $i (0 .. $#shown) {
                for my $dot (grep { $digit[$shown[$i]][$_ / 5] >> 4 - $_ % 5 & 1 } 0 .. 34) {
                    my $top = $y + int($dot / 5) * $dot_size;
                    my $left = $x + (6 * $i + $dot % 5) * $dot_size;
                    substr $row[$top + $_], $left, $dot_size, "\0" x $dot_size
                        for 0 .. $dot_size - 1;
                }
            }
        }
        open my $file, '>:raw', "$folder/table-$columns-$rows-$percent.pgm" or die "$folder: $!\n";
        print $file "P5\n$width $height\n255\n", @row;
        close $file or die "$folder: $!\n";
    }
}
