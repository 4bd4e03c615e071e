#!/usr/bin/perl
# Metadata of image files, byte by byte.
#
#   metadata.pl put ORDER ORIENTATION <IN.jpg >OUT.jpg   a photograph's, in the order II or MM
#   metadata.pl exif ORDER ORIENTATION <IN.png >OUT.png  an EXIF block alone, behind the pixels
#   metadata.pl iptc <IN.jpg >OUT.jpg                    IPTC, among resources that take two
#                                                          segments
#   metadata.pl iptc-sum                                 the sum of that
#   metadata.pl tiff ORDER TYPE                          a TIFF of a pixel with IPTC as values of a
#                                                          type, or with "turned" of LONGs whose
#                                                          order was changed, and names
#   metadata.pl colors TYPE=HEX ... <IN.png >OUT.png     such chunks, before all others but the
#                                                          first
#   metadata.pl chunks FILE.png                          its chunks before the pixels, in order
#   metadata.pl get FILE                                 what is in a JPEG, PNG, TIFF or WebP file
#   metadata.pl profile, metadata.pl xmp ORIENTATION     the sums of what `put` puts
#   metadata.pl turn ORIENTATION <IN.ppm >OUT.ppm        pixels as stored to pixels as seen
use strict;
use warnings;
use Compress::Zlib;
use Digest::MD5 'md5_hex';

binmode $_ for *STDIN, *STDOUT;
my $command = shift;

# A profile of three colors and a gamma, and a text so long that JPEG needs two segments for it.
sub profile {
    my $color = sub { pack 'a4 x4 N3', 'XYZ ', map { int 65536 * $_ + .5 } @_ };
    # The text hardly shrinks, as libjxl takes no profile that shrinks too far.
    my ($text, $state) = ('', 1);
    $text .= chr 65 + ($state = $state * 1103515245 + 12345 & 0x7fffffff) / 2**26 for 1 .. 70000;
    my $gamma = pack 'a4 x4 N n x2', 'curv', 1, 563;
    my @tags = (['wtpt', $color->(.9642, 1, .8249)], ['rXYZ', $color->(.5151, .2412, -0)],
        ['gXYZ', $color->(.292, .6922, .0419)], ['bXYZ', $color->(.1571, .0666, .7841)],
        map({ [$_, $gamma] } 'rTRC', 'gTRC', 'bTRC'),
        ['cprt', pack 'a4 x4 a*', 'text', "$text\0"]);
    my ($at, $table, $values) = (128 + 4 + 12 * @tags, '', '');
    for (@tags) {
        $table .= pack 'a4 N N', $_->[0], $at + length $values, length $_->[1];
        $values .= $_->[1];
    }
    my $all = pack('x4 a4 N a4 a4 a4 x12 a4 x28 N3 x48', 'none', 0x02400000, 'mntr', 'RGB ', 'XYZ ',
        'acsp', 63190, 65536, 54061) . pack('N', scalar @tags) . $table . $values;
    substr($all, 0, 4) = pack 'N', length $all;
    return $all;
}

my $XMP = '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    . '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    . '<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"'
    . ' tiff:Orientation="ORIENTATION"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';

# Three data sets, one of which has a size that is told in four bytes. Their length is odd.
my $IPTC = join '', map { pack 'C3 n a*', 0x1c, 2, $_->[0], length $_->[1], $_->[1] }
    [5, 'A title'], [25, 'word'];
$IPTC .= pack 'C3 n N a*', 0x1c, 2, 120, 0x8004, 40000, 'caption ' x 5000;

# Resources: one before it with a name, one behind.
sub resources {
    return join '', map {
        my ($id, $name, $bytes) = @$_;
        my $pascal = pack 'C/a*', $name;
        '8BIM' . pack('n', $id) . $pascal . ("\0" x (length($pascal) % 2))
            . pack('N', length $bytes) . $bytes . "\0" x (length($bytes) % 2)
    } [0x03ed, 'named', 'x' x 33333], [0x0404, '', $IPTC], [0x0425, '', 'a digest of it..'];
}

# A block: maker, orientation, resolution; time of exposure and size; a latitude; a small picture.
sub block {
    my ($order, $orientation) = @_;
    my ($n, $N) = $order eq 'II' ? ('v', 'V') : ('n', 'N');
    my ($data, $at) = ('', 8);
    my $directory = sub { # entries: tag, type, count, bytes; with the place of the next directory
        my ($next, @entries) = @_;
        my $end = $at + 2 + 12 * @entries + 4;
        my ($fields, $values) = (pack($n, scalar @entries), '');
        for (@entries) {
            my ($tag, $type, $count, $bytes) = @$_;
            if (length $bytes > 4) {
                $fields .= pack "$n$n$N$N", $tag, $type, $count, $end + length $values;
                $values .= $bytes . (length($bytes) % 2 ? "\0" : '');
            } else {
                $fields .= pack "$n$n${N}a4", $tag, $type, $count, $bytes;
            }
        }
        return $fields . pack($N, $next) . $values;
    };
    my @image = ([271, 2, 6, "Maker\0"], [274, 3, 1, pack $n, $orientation],
        [282, 5, 1, pack "$N$N", 300, 1], [283, 5, 1, pack "$N$N", 300, 1],
        [296, 3, 1, pack $n, 2], [34665, 4, 1, "\0" x 4], [34853, 4, 1, "\0" x 4]);
    my @photo = ([33434, 5, 1, pack "$N$N", 1, 125], [37500, 7, 9, 'makernote'],
        [40962, 4, 1, pack $N, 4000], [40963, 3, 1, pack $n, 3000]);
    my @place = ([1, 2, 2, "N\0"], [2, 5, 3, pack "$N*", 48, 1, 30, 1, 7, 2]);
    my @lengths = map { length $directory->(0, @$_) } \@image, \@photo, \@place;
    my ($photo, $place) = (8 + $lengths[0], 8 + $lengths[0] + $lengths[1]);
    my $small = $place + $lengths[2];
    $image[5][3] = pack $N, $photo;
    $image[6][3] = pack $N, $place;
    my $block = $order . pack("$n$N", 42, 8) . $directory->($small, @image);
    $at = $photo;
    $block .= $directory->(0, @photo);
    $at = $place;
    $block .= $directory->(0, @place);
    my $bytes = "\xff\xd8small picture\xff\xd9";
    $at = $small;
    return $block
        . $directory->(0, [513, 4, 1, pack $N, $small + 30], [514, 4, 1, pack $N, length $bytes])
        . $bytes;
}

# What a TIFF structure tells, of those entries that are looked for.
my %NAMES = (270 => 'description', 271 => 'maker', 274 => 'orientation', 282 => 'x', 283 => 'y',
    296 => 'unit', 269 => 'document', 285 => 'page', 33434 => 'exposure', 37500 => 'note',
    40962 => 'width', 40963 => 'height', '1g' => 'hemisphere', '2g' => 'latitude');
sub entries {
    my ($block, $found, $what) = @_;
    my ($n, $N) = substr($block, 0, 2) eq 'II' ? ('v', 'V') : ('n', 'N');
    my @directories = ([unpack($N, substr $block, 4, 4), '']);
    while (my $directory = shift @directories) {
        my ($at, $kind) = @$directory;
        my $count = unpack $n, substr $block, $at, 2;
        for my $i (0 .. $count - 1) {
            my ($tag, $type, $values) = unpack "$n$n$N", substr $block, $at + 2 + 12 * $i, 8;
            my $size = $values * (0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8)[$type];
            my $place = $at + 10 + 12 * $i;
            $place = unpack $N, substr $block, $place, 4 if $size > 4;
            my $bytes = substr $block, $place, $size;
            push @directories, [unpack($N, $bytes), $tag == 34853 ? 'g' : '']
                if $tag == 34665 || $tag == 34853;
            $found->{profile} = md5_hex $bytes if $tag == 34675;
            $found->{xmp} = md5_hex $bytes if $tag == 700;
            $found->{iptc} = md5_hex $bytes =~ s/\0+$//r if $tag == 33723;
            my $name = $NAMES{$tag . $kind} or next;
            $found->{"$what$name"} = $type == 3 ? unpack $n, $bytes : $type == 4 ? unpack $N, $bytes
                : $type == 5 ? join ' ', map { sprintf '%g', $_ } grep { defined } map {
                    my ($a, $b) = unpack "$N$N", substr $bytes, 8 * $_, 8;
                    $a / $b
                } 0 .. $values - 1
                : $bytes =~ s/\0$//r;
        }
        $found->{small} = 1
            if $kind eq '' && $what eq '' && unpack $N, substr $block, $at + 2 + 12 * $count, 4;
    }
}

sub get {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "$file: $!\n";
    local $/;
    my $bytes = <$in>;
    my (%found, @profile);
    if ($bytes =~ /^\xff\xd8/) {
        my $at = 2;
        while (ord(substr $bytes, $at + 1, 1) != 0xda) {
            my ($marker, $size) = unpack 'x C n', substr $bytes, $at, 4;
            my $part = substr $bytes, $at + 4, $size - 2;
            my ($unit, $x, $y) = unpack 'x7 C n n', $part;
            @found{'X', 'Y', 'UNIT'} = ($x, $y, $unit == 1 ? 'inch' : 'cm')
                if $marker == 0xe0 && $unit;
            entries(substr($part, 6), \%found, '') if $marker == 0xe1 && $part =~ /^Exif\0\0/;
            $found{xmp} = md5_hex substr $part, 29
                if $marker == 0xe1 && $part =~ m{^http://ns.adobe.com/xap/1.0/\0};
            $profile[ord substr $part, 12, 1] = substr $part, 14
                if $marker == 0xe2 && $part =~ /^ICC_PROFILE\0/;
            $found{comment} .= $part if $marker == 0xfe;
            $found{iptc} = md5_hex substr $1, 4, unpack 'N', $1
                if $marker == 0xed && $part =~ /^Photoshop 3\.0\x00.*?8BIM\x04\x04\x00\x00(.*)/s;
            $at += 2 + $size;
        }
        $found{profile} = md5_hex join '', @profile[1 .. $#profile] if @profile;
    } elsif ($bytes =~ /^\x89PNG/) {
        for (my $at = 8; $at < length $bytes;) {
            my ($size, $type) = unpack 'N a4', substr $bytes, $at, 8;
            my $part = substr $bytes, $at + 8, $size;
            die "$type: bad checksum\n"
                if crc32($type . $part) != unpack 'N', substr $bytes, $at + 8 + $size, 4;
            entries($part, \%found, '') if $type eq 'eXIf';
            $found{profile} = md5_hex uncompress substr $part, index($part, "\0") + 2
                if $type eq 'iCCP';
            my ($x, $y, $unit) = unpack 'N N C', $part;
            @found{'X', 'Y', 'UNIT'} = (map({ int $_ * .0254 + .5 } $x, $y), 'inch')
                if $type eq 'pHYs' && $unit;
            $found{xmp} = md5_hex $1
                if $type eq 'iTXt' && $part =~ /^XML:com.adobe.xmp\0\0\0\0\0(.*)/s;
            $found{comment} .= $1 if $type =~ /^[ti]...$/ && $part =~ /^Comment\0+(.*)/s;
            $at += 12 + $size;
        }
    } elsif ($bytes =~ /^RIFF....WEBP/s) {
        for (my $at = 12; $at < length $bytes;) {
            my ($type, $size) = unpack 'a4 V', substr $bytes, $at, 8;
            my $part = substr $bytes, $at + 8, $size;
            entries($part, \%found, '') if $type eq 'EXIF';
            $found{profile} = md5_hex $part if $type eq 'ICCP';
            $found{xmp} = md5_hex $part if $type eq 'XMP ';
            $at += 8 + $size + $size % 2;
        }
        @found{'X', 'Y', 'UNIT'} = (@found{'x', 'y'}, $found{unit} == 2 ? 'inch' : 'cm')
            if $found{x};
    } elsif ($bytes =~ /^\xff\x0a/) { # JPEG XL of pixels alone
    } elsif ($bytes =~ /^\0\0\0\14JXL /) {
        for (my $at = 0; $at < length $bytes;) {
            my ($size, $type) = unpack 'N a4', substr $bytes, $at, 8;
            my $part = substr $bytes, $at + 8, $size ? $size - 8 : length $bytes;
            entries(substr($part, 4), \%found, '') if $type eq 'Exif';
            $found{xmp} = md5_hex $part if $type eq 'xml ';
            $at += $size || length $bytes;
        }
        @found{'X', 'Y', 'UNIT'} = (@found{'x', 'y'}, $found{unit} == 2 ? 'inch' : 'cm')
            if $found{x};
    } else {
        entries($bytes, \%found, 'tiff ');
        $found{$_ =~ s/^tiff //r} = delete $found{$_} for grep { /^tiff / } keys %found;
        @found{'X', 'Y', 'UNIT'} = (@found{'x', 'y'}, $found{unit} == 2 ? 'inch' : 'cm')
            if $found{x};
        delete $found{small};
    }
    delete @found{'x', 'y', 'unit'};
    print "$_: $found{$_}\n" for sort keys %found;
}

if ($command eq 'put') {
    my ($order, $orientation) = @ARGV;
    local $/;
    my $jpeg = <STDIN>;
    my $segment = sub { pack('C C n', 0xff, $_[0], 2 + length $_[1]) . $_[1] };
    my $profile = profile();
    my @parts = unpack '(a60000)*', $profile;
    my $number = 0;
    print substr($jpeg, 0, 2), $segment->(0xe1, "Exif\0\0" . block($order, $orientation)),
        $segment->(0xe1, "http://ns.adobe.com/xap/1.0/\0" . $XMP =~ s/ORIENTATION/$orientation/r),
        map({
            $segment->(0xe2, "ICC_PROFILE\0" . pack('C C', ++$number, scalar @parts) . $_)
        } @parts),
        $segment->(0xfe, 'made by hand'), substr $jpeg, 20; # without JFIF's
} elsif ($command eq 'exif') {
    my $block = block(@ARGV);
    local $/;
    my $png = <STDIN>;
    print substr($png, 0, -12), pack('N', length $block), "eXIf$block",
        pack('N', crc32("eXIf$block")), substr $png, -12;
} elsif ($command eq 'iptc') {
    local $/;
    my $jpeg = <STDIN>;
    print substr($jpeg, 0, 2), map({
        pack('C C n a*', 0xff, 0xed, 2 + length "Photoshop 3.0\0$_", "Photoshop 3.0\0$_")
    } unpack '(a60000)*', resources()), substr $jpeg, 2;
} elsif ($command eq 'iptc-sum') {
    print md5_hex($IPTC), "\n";
} elsif ($command eq 'tiff') {
    my ($order, $type) = @ARGV;
    my ($n, $N) = $order eq 'II' ? ('v', 'V') : ('n', 'N');
    my $iptc = $IPTC . "\0" x (-length($IPTC) % 4);
    $iptc = pack 'V*', unpack 'N*', $iptc if $type eq 'turned';
    my ($number, $size) =
        @{{byte => [1, 1], long => [4, 4], undefined => [7, 1], turned => [4, 4]}->{$type}};
    my @values = ("A document\0\0", "A page\0\0", $iptc);
    my @at = (8 + 4, 8 + 4 + 12, 8 + 4 + 12 + 8);
    print $order, pack("$n$N", 42, $at[2] + length $iptc), "\x55\0\0\0", @values, pack($n, 11),
        map {
            my ($tag, $type, $count, $value) = @$_;
            pack("$n$n$N", $tag, $type, $count)
                . ($type == 3 ? pack "${n}x2", $value : pack $N, $value)
        } [256, 4, 1, 1], [257, 4, 1, 1], [258, 3, 1, 8], [259, 3, 1, 1], [262, 3, 1, 1],
            [269, 2, 11, $at[0]], [273, 4, 1, 8], [278, 4, 1, 1], [279, 4, 1, 1],
            [285, 2, 7, $at[1]], [33723, $number, length($iptc) / $size, $at[2]];
    print "\0" x 4;
} elsif ($command eq 'colors') {
    local $/;
    my $png = <STDIN>;
    my $chunks = '';
    for (@ARGV) {
        my ($type, $bytes) = /(.*)=(.*)/;
        $bytes = pack 'H*', $bytes;
        $chunks .= pack('N', length $bytes) . $type . $bytes . pack 'N', crc32($type . $bytes);
    }
    print substr($png, 0, 33), $chunks, substr $png, 33;
} elsif ($command eq 'chunks') {
    local $/;
    open my $in, '<:raw', $ARGV[0] or die "$ARGV[0]: $!\n";
    my $png = <$in>;
    my @chunks;
    for (my ($at, $size) = (33, 0); substr($png, $at + 4, 4) ne 'IDAT'; $at += 12 + $size) {
        $size = unpack 'N', substr $png, $at, 4;
        push @chunks, substr($png, $at + 4, 4)
            . ($size > 32 ? '' : '=' . unpack 'H*', substr $png, $at + 8, $size);
    }
    print "@chunks\n";
} elsif ($command eq 'xmp') {
    print md5_hex($XMP =~ s/ORIENTATION/$ARGV[0]/r), "\n";
} elsif ($command eq 'profile') {
    print md5_hex(profile()), "\n";
} elsif ($command eq 'turn') {
    local $/;
    my ($w, $h, $pixels) = <STDIN> =~ /^P6\s(\d+) (\d+)\s255\s(.*)/s;
    my $o = $ARGV[0];
    my ($width, $height) = $o > 4 ? ($h, $w) : ($w, $h);
    # Row 0 and column 0 of what is stored are seen at: top left, top right, bottom right, bottom
    # left, left top, right top, right bottom, left bottom (Exif 2.32).
    my @seen;
    for my $v (0 .. $h - 1) {
        for my $u (0 .. $w - 1) {
            my ($x, $y) = @{(
                [$u, $v], [$w - 1 - $u, $v], [$w - 1 - $u, $h - 1 - $v], [$u, $h - 1 - $v],
                [$v, $u], [$h - 1 - $v, $u], [$h - 1 - $v, $w - 1 - $u], [$v, $w - 1 - $u]
            )[$o - 1]};
            $seen[$y * $width + $x] = substr $pixels, 3 * ($v * $w + $u), 3;
        }
    }
    print "P6\n$width $height\n255\n", @seen;
} else {
    get(@ARGV);
}
