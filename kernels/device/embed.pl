# Prints a kernel with the headers that it includes inserted, each once, so that an OpenCL compiler
# needs no files and its messages name the right ones.
use strict;
use warnings;
use IO::Handle;

my %seen;

sub insert {
    my ($path) = @_;
    return if $seen{$path}++;
    open(my $file, '<', $path) or die "cannot open $path: $!\n";
    print "#line 1 \"$path\"\n";
    while (my $line = <$file>) {
        if ($line =~ /^#include "(.*)"/) {
            insert($1);
            print '#line ', $file->input_line_number + 1, " \"$path\"\n";
        } else {
            print $line;
        }
    }
}

insert($_) for @ARGV;
