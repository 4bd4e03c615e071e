# Puts the words of options into a manual page: perl words.pl COMPLETIONS <PAGE >RESULT. A line
#
#   .\" words of --format ;
#
# becomes what the completions have for that option, "png, jpeg or bmp;", in mdoc.
use strict;
use warnings;

my %words;
open my $completions, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
while (<$completions>) {
    $words{$1} = [split ' ', $2] if /^ +--([a-z-]+)=.*compgen -W '([^']*)'/;
}
while (<STDIN>) {
    if (/^\.\\" words of --([a-z-]+)(.*)/) {
        my ($option, $end) = ($1, $2);
        my @list = @{$words{$option} or die "there are no words of --$option\n"};
        my $last = pop @list;
        print '.Cm ', join(" ,\n.Cm ", @list), "\nor\n" if @list;
        print ".Cm $last$end\n";
    } else {
        print;
    }
}
