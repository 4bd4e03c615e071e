#!/usr/bin/env bash
# The log-odds of stages/unscramble/compatibility.c from photographs: learn.sh FOLDER, with the sets
# learn-432 and learn-2360 of photographs.sh. For pairs that are cheapest for none, one or both of their
# edges, by steps of cost: 100 ln(false / true), never falling with the cost, steps of fewer than 50 pairs
# joined with those before, the least of all set to 50. $BUILD has solve.
set -euo pipefail
if [ $# != 1 ]; then
    echo "usage: learn.sh FOLDER" >&2
    exit 2
fi
sets=$(realpath "$1")
cd "$(dirname "$0")/../.."
build=${BUILD:-build}

for turn in none any; do
    for tile in 28x28 20x20 14x14; do
        "$build/solve" --odds --metric blend --turn $turn --tile $tile "$sets"/learn-432/*.png
    done
    "$build/solve" --odds --metric blend --turn $turn --tile 28x28 "$sets"/learn-2360/*.png
done | perl -e '
    my (@pairs, @odds, $least);
    while (<STDIN>) {
        my ($cheapest, $step, @counts) = split;
        $pairs[$cheapest][$step][$_] += $counts[$_] for 0, 1;
    }
    sub odds { 100 * log(($_[0][1] + 0.5) / ($_[0][0] + 0.5)) }
    for my $steps (@pairs) {
        my @blocks;
        for my $step (@$steps) {
            push @blocks, [@$step, 1];
            while (@blocks > 1) {
                my ($before, $last) = @blocks[-2, -1];
                last if odds($before) <= odds($last) && $before->[0] + $before->[1] >= 50 && $last->[0] + $last->[1] >= 50;
                $before->[$_] += $last->[$_] for 0 .. 2;
                pop @blocks;
            }
        }
        push @odds, [map { (odds($_)) x $_->[2] } @blocks];
        $least = $odds[-1][0] if !defined $least || $odds[-1][0] < $least;
    }
    print join(", ", map { sprintf "%.0f", $_ - $least + 50 } @$_), "\n" for @odds;
'
