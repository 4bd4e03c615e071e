#!/usr/bin/perl
# What a GLB file holds, read by the specification of glTF 2.0 alone:
#     perl glb.pl FILE
# prints a line for each mesh, "vertices triangles mean-curvature name", as the nodes have them;
# then the volume of all and how many edges have no partner of the opposite direction, by the bits
# of their ends.
use strict;
use warnings;
use JSON::PP;

open my $file, '<:raw', shift or die;
my $bytes = do { local $/; <$file> };
my ($magic, $version, $size, $length) = unpack 'a4 V3', $bytes;
die 'no GLB' if $magic ne 'glTF' || $version != 2 || $size != length $bytes;
my $json = decode_json(substr $bytes, 20, $length);
my $arrays = substr $bytes, 28 + $length;

# The elements of an accessor, each as its bytes.
sub elements {
    my $accessor = $json->{accessors}[shift];
    my $view = $json->{bufferViews}[$accessor->{bufferView}];
    my $size = 4 * ($accessor->{type} eq 'VEC3' ? 3 : 1);
    my $stride = $view->{byteStride} // $size;
    my $start = ($view->{byteOffset} // 0) + ($accessor->{byteOffset} // 0);
    my $end = $start + $stride * ($accessor->{count} - 1) + $size;
    die 'out of its view'
        if $end > ($view->{byteOffset} // 0) + $view->{byteLength} || $end > length $arrays;
    return map { substr $arrays, $start + $stride * $_, $size } 0 .. $accessor->{count} - 1;
}

my ($volume, %edges) = (0);
sub visit {
    my $node = $json->{nodes}[shift];
    visit($_) for @{$node->{children} // []};
    return if !defined $node->{mesh};
    my $mesh = $json->{meshes}[$node->{mesh}];
    my ($primitive, @more) = @{$mesh->{primitives}};
    my $material = $json->{materials}[$primitive->{material}];
    die 'names differ'
        if @more || grep { ($_->{name} // '') ne ($node->{name} // '') } $mesh, $material;
    my @points = elements($primitive->{attributes}{POSITION});
    my @corners = map { unpack 'V', $_ } elements($primitive->{indices});
    my $mean = 0;
    $mean += unpack('f<', $_) / @points for elements($primitive->{attributes}{_MEAN_CURVATURE});
    for (my $i = 0; $i < @corners; $i += 3) {
        my @own = @points[@corners[$i .. $i + 2]];
        my @p = map { unpack 'f<3', $_ } @own;
        $volume += ($p[0] * ($p[4] * $p[8] - $p[5] * $p[7])
            + $p[1] * ($p[5] * $p[6] - $p[3] * $p[8])
            + $p[2] * ($p[3] * $p[7] - $p[4] * $p[6])) / 6;
        for my $k (0 .. 2) {
            my ($from, $to) = @own[$k, ($k + 1) % 3];
            $edges{$from . $to}++;
            $edges{$to . $from}--;
        }
    }
    my $name = JSON::PP->new->allow_nonref->ascii->encode($mesh->{name});
    printf "%d %d %.3f %s\n", scalar @points, @corners / 3, $mean, $name;
}
visit($_) for @{$json->{scenes}[$json->{scene}]{nodes}};
printf "volume %.5g, boundary edges %d\n", $volume, scalar grep { $_ > 0 } values %edges;
