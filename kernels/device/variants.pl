# Reads the tables of kernels, which kernels/kernels.h describes, and prints the names of all
# kernels. Writes FOLDER/NAME.cl for each, but leaves alone what is there already as it should be.
#
#   variants.pl FOLDER TABLE...
use strict;
use warnings;
use File::Basename;
use File::Path;

sub content {
    my ($path) = @_;
    open(my $file, '<', $path) or return '';
    local $/;
    return scalar <$file>;
}

# A value of several words is an expression.
sub define {
    my ($macro, $value) = @_;
    return "#define $macro " . ($value =~ /\s/ ? "($value)" : $value) . "\n";
}

sub source {
    my ($table, $name, $group, $file, @macros) = @_;
    die "$table: the row of '$name' has no file\n" unless $file;
    my $text = "/* Written by kernels/device/variants.pl from $table. */\n";
    $text .= define('KERNEL_NAME', $name) . define('GROUP', $group);
    for (@macros) {
        my ($macro, $value) = /^(\w+)\s*=\s*(\S.*)$/
            or die "$table: the row of '$name' has '$_' for a macro = value\n";
        $text .= define($macro, $value);
    }
    return $text . '#include "' . dirname($table) . "/$file.cl\"\n";
}

my $folder = shift @ARGV;
mkpath($folder);
for my $table (@ARGV) {
    my $rows = content($table) or die "cannot read $table\n";
    $rows =~ s{/\*.*?\*/|\\\n}{ }gs;
    while ($rows =~ /\bKERNEL\(([^()]*)\)/g) {
        my ($name, @row) = map { s/^\s+|\s+$//gr } split(/,/, $1);
        my $text = source($table, $name, @row);
        print "$name\n";
        next if content("$folder/$name.cl") eq $text;
        open(my $out, '>', "$folder/$name.cl") or die "cannot write $folder/$name.cl: $!\n";
        print $out $text;
        close($out) or die "cannot write $folder/$name.cl: $!\n";
    }
}
