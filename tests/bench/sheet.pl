#!/usr/bin/env perl
# A sheet of photographs, as one large image in PPM:
#
#   sheet.pl COLUMNSxROWS IMAGE... >SHEET.ppm
#
# of so many tiles of 28 x 28 pixels. The images stand side by side, row below row, as they come;
# what the last of each row, and the last row, have more than the sheet is cut off. A row is as high
# as its first image. $BUILD has scramble, which reads them.
use strict;
use warnings;

my $scramble = ($ENV{BUILD} // 'build') . '/scramble';
my $usage = "usage: sheet.pl COLUMNSxROWS IMAGE... >SHEET.ppm\n";
my ($columns, $rows) = (shift // "") =~ /^(\d+)x(\d+)$/ or die $usage;
my ($width, $height) = (28 * $columns, 28 * $rows);

# pixels FILE: the width, the height and the bytes of an image, in color.
sub pixels {
    my ($file) = @_;
    open my $in, '-|', $scramble, qw(-q -r cpu -g 1x1 --format pnm), $file, '-'
        or die "sheet.pl: $scramble: $!\n";
    binmode $in;
    local $/;
    my ($kind, $w, $h, $bytes) = <$in> =~ /^P([56])\s(\d+)\s(\d+)\s255\s(.*)$/s
        or die "sheet.pl: cannot read $file\n";
    return ($w, $h, $kind == 6 ? $bytes : join '', map { $_ x 3 } split //, $bytes);
}

binmode STDOUT;
print "P6\n$width $height\n255\n";
for (my $y = 0; $y < $height;) {
    my ($across, $down, @images) = (0, 0);
    while ($across < $width) {
        die 'sheet.pl: the images end at row ' . $y / 28 . "\n" unless @ARGV;
        my ($w, $h, $bytes) = pixels(shift);
        $down ||= $h;
        die "sheet.pl: an image is less high than the first of its row\n" if $h < $down;
        push @images, [3 * $w, $bytes];
        $across += $w;
    }
    for (my $line = 0; $line < $down && $y < $height; $line++, $y++) {
        print substr join('', map { substr $_->[1], $line * $_->[0], $_->[0] } @images),
            0, 3 * $width;
    }
}
