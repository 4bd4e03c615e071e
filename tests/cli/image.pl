#!/usr/bin/perl
# Images for tests, made and read without the project's own code.
#   image.pl make KIND WIDTH HEIGHT   a PNG on standard output; KIND: gray1 gray2 gray4 gray8 gray16
#                                       gray-alpha8 gray-alpha16 rgb8 rgb16 rgba8 rgba16 palette8
#                                       palette4-alpha; "-interlaced" may follow
#   image.pl expect KIND WIDTH HEIGHT what `show` should print of that image once it was rewritten
#   image.pl show FILE                "WIDTH HEIGHT CHANNELS DEPTH" of a PNG and its samples
use strict;
use warnings;
use Compress::Zlib qw(compress uncompress crc32);

my %TYPE = (gray => 0, rgb => 2, palette => 3, 'gray-alpha' => 4, rgba => 6);
my %CHANNELS = (0 => 1, 2 => 3, 3 => 1, 4 => 2, 6 => 4);

sub palette_color { my $i = shift; return ($i * 41 % 256, 255 - $i * 7 % 256, $i * $i % 256) }
sub palette_alpha { my $i = shift; return $i < 8 ? 30 * $i : 255 }

# Sample c of pixel (x, y); both bytes of 16 bits vary.
sub sample {
    my ($x, $y, $c, $depth) = @_;
    return ($x * 7919 + $y * 104729 + $c * 15485 + $x * $y * 31) % (2**$depth);
}

sub parse_kind {
    my $kind = shift;
    my $interlaced = $kind =~ s/-interlaced$//;
    my ($type, $depth, $transparent) = $kind =~ /^(.*?)(\d+)(-alpha)?$/ or die "bad kind $kind";
    return ($TYPE{$type}, $depth, !!$transparent, !!$interlaced);
}

sub chunk {
    my ($name, $data) = @_;
    return pack('N', length $data) . $name . $data . pack('N', crc32($name . $data));
}

sub make {
    my ($kind, $width, $height) = @_;
    my ($type, $depth, $transparent, $interlaced) = parse_kind($kind);
    my $raw = '';
    for my $pass ($interlaced ? ([0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4],
        [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]) : [0, 0, 1, 1]) {
        my ($x0, $y0, $dx, $dy) = @$pass;
        next if $x0 >= $width;
        for (my $y = $y0; $y < $height; $y += $dy) {
            my $bits = '';
            for (my $x = $x0; $x < $width; $x += $dx) {
                $bits .= sprintf '%0*b', $depth, sample($x, $y, $_, $depth)
                    for 0 .. $CHANNELS{$type} - 1;
            }
            $raw .= "\0" . pack 'B*', $bits;
        }
    }
    my $png = "\x89PNG\r\n\x1a\n"
        . chunk('IHDR', pack 'NNCCCCC', $width, $height, $depth, $type, 0, 0, $interlaced);
    if ($type == 3) {
        $png .= chunk('PLTE', pack 'C*', map { palette_color($_) } 0 .. 2**$depth - 1);
        $png .= chunk('tRNS', pack 'C*', map { palette_alpha($_) } 0 .. 7) if $transparent;
    }
    return $png . chunk('IDAT', compress($raw)) . chunk('IEND', '');
}

sub expect {
    my ($kind, $width, $height) = @_;
    my ($type, $depth, $transparent) = parse_kind($kind);
    my @samples;
    for my $y (0 .. $height - 1) {
        for my $x (0 .. $width - 1) {
            my @pixel = map { sample($x, $y, $_, $depth) } 0 .. $CHANNELS{$type} - 1;
            @pixel = (palette_color($pixel[0]), $transparent ? palette_alpha($pixel[0]) : ())
                if $type == 3;
            @pixel = map { $_ * 255 / (2**$depth - 1) } @pixel if $type == 0 && $depth < 8;
            push @samples, @pixel;
        }
    }
    my $channels = $type == 3 ? 3 + $transparent : $CHANNELS{$type};
    return join(' ', $width, $height, $channels, $depth == 16 ? 16 : 8) . "\n@samples\n";
}

sub show {
    open my $file, '<:raw', shift or die "cannot open: $!";
    my $png = do { local $/; <$file> };
    die "not a PNG" if substr($png, 0, 8) ne "\x89PNG\r\n\x1a\n";
    my ($at, $data, $width, $height, $depth, $type, $end) = (8, '');
    while (!$end) {
        my ($size, $name) = unpack 'Na4', substr $png, $at, 8;
        my $body = substr $png, $at + 8, $size;
        die "bad CRC" if unpack('N', substr $png, $at + 8 + $size, 4) != crc32($name . $body);
        ($width, $height, $depth, $type) = unpack 'NNCC', $body if $name eq 'IHDR';
        $data .= $body if $name eq 'IDAT';
        $end = $name eq 'IEND';
        $at += 12 + $size;
    }
    die "data after the end" if $at != length $png;
    my $channels = $CHANNELS{$type};
    my $step = $channels * $depth / 8;
    my $row = $width * $step;
    my @bytes = unpack 'C*', uncompress($data);
    die "wrong amount of data" if @bytes != ($row + 1) * $height;
    my @above = (0) x $row;
    my @all;
    for (1 .. $height) {
        my $filter = shift @bytes;
        my @line = splice @bytes, 0, $row;
        for my $i (0 .. $row - 1) {
            my ($left, $up, $corner) = ($i < $step ? 0 : $line[$i - $step], $above[$i],
                $i < $step ? 0 : $above[$i - $step]);
            my $guess = $left + $up - $corner;
            my ($a, $b, $c) = map { abs($guess - $_) } $left, $up, $corner;
            my $paeth = $a <= $b && $a <= $c ? $left : $b <= $c ? $up : $corner;
            $line[$i] += (0, $left, $up, int(($left + $up) / 2), $paeth)[$filter];
            $line[$i] %= 256;
        }
        push @all, @line;
        @above = @line;
    }
    my @samples = $depth == 16 ? unpack('n*', pack 'C*', @all) : @all;
    return "$width $height $channels $depth\n@samples\n";
}

my $command = shift // '';
binmode STDOUT;
print $command eq 'make' ? make(@ARGV)
    : $command eq 'expect' ? expect(@ARGV)
    : $command eq 'show' ? show(@ARGV)
    : die "usage: see the source\n";
