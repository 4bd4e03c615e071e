# Writes a kernel with the files that it includes inserted, each once, so that an OpenCL compiler
# needs no files and its messages name the right ones. OUTPUT.d tells make what was inserted.
#
#   embed.pl KERNEL OUTPUT
use strict;
use warnings;
use IO::Handle;

my ($kernel, $output) = @ARGV;
my (%seen, @inserted);
open(my $out, '>', $output) or die "cannot write $output: $!\n";

sub insert {
    my ($path) = @_;
    return if $seen{$path}++;
    push @inserted, $path;
    open(my $file, '<', $path) or die "cannot open $path: $!\n";
    print $out "#line 1 \"$path\"\n";
    while (my $line = <$file>) {
        if ($line =~ /^#include "(.*)"/) {
            insert($1);
            print $out '#line ', $file->input_line_number + 1, " \"$path\"\n";
        } else {
            print $out $line;
        }
    }
}

insert($kernel);
close($out) or die "cannot write $output: $!\n";
open(my $rules, '>', "$output.d") or die "cannot write $output.d: $!\n";
print $rules "$output: @inserted\n", map { "$_:\n" } @inserted[1 .. $#inserted];
close($rules) or die "cannot write $output.d: $!\n";
