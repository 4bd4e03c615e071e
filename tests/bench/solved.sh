#!/usr/bin/env bash
# How many pages come back: solved.sh 'GRID...' PAGE.... Each page is cut into each grid and shuffled once.
# "Every pixel": the answer is the page. "Writing": so it is where the tiles without a dark pixel are left
# out, which are alike; in one row or column of tiles these may also stand elsewhere between the others.
# SEED is that of the shuffle, VERBOSE=1 names what fails.
set -euo pipefail
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# blank PAGE COLUMNS ROWS: for each place, 1 where the tile has no dark pixel
blank() {
    local width height
    read -r width height < <(identify -format '%w %h\n' "$1")
    width=$((width / $2 * $2)) height=$((height / $3 * $3))
    convert "$1" -crop "${width}x$height+0+0" +repage -colorspace gray -threshold 50% \
        -morphology Erode "Rectangle:1x1" -scale "$2x$3!" -depth 16 pgm:- |
        perl -e 'binmode STDIN; local $/; <STDIN> =~ /^P5\s+\d+\s+\d+\s+(\d+)\s(.*)$/s;
            print join(" ", map { $_ == $1 ? 1 : 0 } unpack($1 > 255 ? "n*" : "C*", $2)), "\n"'
}

# writing TRUTH FOUND ROWS COLUMNS BLANK: whether the tiles with writing stand as they did
writing() {
    perl -e 'my ($truth, $found, $columns, $rows, @blank) = @ARGV;
        sub tiles { open my $f, "<", $_[0] or die; map { split } grep { !/^(#|puzzle|picture)/ } <$f> }
        my (@at, $place); $at[$_] = $place++ for tiles($truth);
        my @places = map { $at[$_] } tiles($found);
        if ($columns > 1 && $rows > 1) { $places[$_] == $_ || $blank[$places[$_]] && $blank[$_] || exit 1 for 0 .. $#places }
        else { my $last = -1; for (grep { !$blank[$_] } @places) { exit 1 if $_ < $last; $last = $_ } }' "$@"
}

# neighbors TRUTH FOUND PUZZLE COLUMNS ROWS BLANK: of all neighbors of the truth and of those with writing,
# how many there are, and how many are neighbors in the answer; equal tiles stand for each other. In a strip
# tiles with writing are neighbors over blank ones.
neighbors() {
    perl -MDigest::MD5=md5 -e 'my ($truth, $found, $puzzle, $columns, $rows, @blank) = @ARGV;
        sub tiles { open my $f, "<", $_[0] or die; map { split } grep { !/^(#|puzzle|picture)/ } <$f> }
        open my $f, "<:raw", $puzzle or die; local $/;
        <$f> =~ /^P([56])\s+(\d+)\s+(\d+)\s+\d+\s(.*)$/s or die;
        my ($bytes, $across, $height, $pixels) = ($1 == 6 ? 3 : 1, $2, int($3 / $rows), $4);
        my ($row, $width) = ($across * $bytes, int($across / $columns) * $bytes); $/ = "\n";
        my @class = map { my ($x, $y) = ($_ % $columns * $width, int($_ / $columns) * $height);
            md5(join "", map { substr $pixels, ($y + $_) * $row + $x, $width } 0 .. $height - 1) } 0 .. $columns * $rows - 1;
        my @true = tiles($truth); my %blank; @blank{@true} = @blank;
        sub pairs { my ($columns, @t) = @_; my @p;
            for (0 .. $#t) { push @p, "$class[$t[$_]]b$class[$t[$_ + 1]]" if ($_ + 1) % $columns && $_ < $#t;
                push @p, "$class[$t[$_]]u$class[$t[$_ + $columns]]" if $_ + $columns <= $#t }
            @p }
        sub count { my ($columns, $t, $o) = @_; my (%left, $right); $left{$_}++ for pairs($columns, @$o);
            my @p = pairs($columns, @$t); $right += $left{$_}-- > 0 for @p; scalar(@p), $right + 0 }
        my @answer = tiles($found); my @all = count($columns, \@true, \@answer);
        my @ink = $columns == 1 || $rows == 1 ? map { [grep { !$blank{$_} } @$_] } \@true, \@answer : (\@true, \@answer);
        my @some = count($columns == 1 ? 1 : $rows == 1 ? @{$ink[0]} + 1 : $columns, @ink);
        print "@all @some\n"' "$@"
}

echo '| grid | pages | every pixel | writing | neighbors, percent | neighbors with writing, percent | seconds, mean |'
echo '|---|---:|---:|---:|---:|---:|---:|'
grids=$1
shift
for grid in $grids; do
    pages=0 same=0 ordered=0 spent=0 pairs=0 right=0 written=0 kept=0
    for page in "$@"; do
        "$build/scramble" --quiet --grid "$grid" --seed "${SEED:-1}" --format pnm \
            --permutation "$work/truth" "$page" "$work/puzzle"
        begin=$(date +%s%N)
        "$build/unscramble" --quiet --grid "$grid" --format pnm --permutation "$work/order" \
            ${OPTIONS:-} --json "$work/json" "$work/puzzle" "$work/found"
        spent=$((spent + $(date +%s%N) - begin))
        "$build/unscramble" --quiet --apply "$work/truth" --format pnm "$work/puzzle" "$work/true"
        pages=$((pages + 1)) how= empty=$(blank "$page" "${grid%x*}" "${grid#*x}")
        # shellcheck disable=SC2086
        read -r a b c d < <(neighbors "$work/truth" "$work/order" "$work/puzzle" "${grid%x*}" "${grid#*x}" $empty)
        pairs=$((pairs + a)) right=$((right + b)) written=$((written + c)) kept=$((kept + d))
        if cmp -s "$work/found" "$work/true"; then
            same=$((same + 1)) ordered=$((ordered + 1))
        elif writing "$work/truth" "$work/order" "${grid%x*}" "${grid#*x}" $empty; then
            ordered=$((ordered + 1)) how="blank tiles elsewhere"
        else
            how=wrong
        fi
        [ -z "${VERBOSE:-}" ] || [ -z "$how" ] || echo "$grid $(basename "$page"): $how" >&2
    done
    echo "| $grid | $pages | $same | $ordered | $(perl -e "printf '%.1f | %.1f | %.2f', 100 * $right / $pairs,
        100 * $kept / $written, $spent / 1e9 / $pages") |"
done
