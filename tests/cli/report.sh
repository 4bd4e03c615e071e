#!/usr/bin/env bash
# unscramble --report: the data of the page, and the page in headless Chromium (tests/report_page.py),
# where tiles are moved by hand; the order that it exports goes through --apply.
. "$(dirname "$0")/tap.lib"

for python in python3 /usr/bin/python3 ''; do
    [ "$python" ] && "$python" -c '' 2>/dev/null && break
done
for browser in chromium chromium-browser google-chrome ''; do
    [ "$browser" ] && command -v $browser >/dev/null && break
done
export CHROMIUM=$browser PYTHONDONTWRITEBYTECODE=1

# solve NAME PUZZLE OPTIONS...: makes the page and all that it is compared with.
solve() {
    local name=$1 puzzle=$2
    shift 2
    rm -f "$T/page.html"
    ok "$name: solved" "$unscramble" -q --once "$@" --report "$T/page.html" --json "$T/page.json" \
        --permutation "$T/page.txt" "$puzzle" "$T/solved.ppm"
    if [ "$python" ]; then
        ok "$name: the data is that of --json" $python tests/report_page.py "$T/page.html" "$T/page.json"
    else
        skip "$name: the data is that of --json" 'no Python here'
    fi
}

# browse NAME PUZZLE SHOWN OPTIONS...: moves tiles on the page and applies the order, with the options;
# SHOWN is the image that the page has to show then.
browse() {
    local name=$1 puzzle=$2 shown=$3
    shift 3
    if [ ! "$python" ] || [ ! "$browser" ]; then
        skip "$name: in the browser" 'no Python or no Chromium here'
        return
    fi
    rm -rf "$T/moved"
    mkdir "$T/moved"
    ok "$name: in the browser" timeout 300 $python tests/report_page.py "$T/page.html" "$T/page.json" \
        "$T/page.txt" "$T/moved"
    "$unscramble" -q "$@" --apply "$T/moved/order.txt" "$puzzle" "$T/applied.ppm"
    "$unscramble" -q "$@" --apply "$T/moved/expected.txt" "$puzzle" "$T/expected.ppm"
    for image in "$T"/applied*.ppm; do
        ok "$name: ${image##*/} is as expected" cmp "$image" "${image/applied/expected}"
    done
    [ -z "$shown" ] || ok "$name: and as the page shows it" cmp "$T/moved/shown.ppm" "$T/$shown"
    rm -f "$T"/applied*.ppm "$T"/expected*.ppm
}

"$BUILD/circles" -s 400x320 rand10k "$T/small.ppm"
"$scramble" --tile 20x16 --noise 30 "$T/small.ppm" "$T/puzzle.ppm"
solve '400 tiles' "$T/puzzle.ppm" --tile 20x16
browse '400 tiles' "$T/puzzle.ppm" applied.ppm
"$BUILD/circles" -s 1200 rand10k "$T/large.ppm"
"$scramble" --tile 12x12 "$T/large.ppm" "$T/puzzle.ppm"
solve '10,000 tiles' "$T/puzzle.ppm" --tile 12x12 --dissimilarity blend --effort 1
browse '10,000 tiles' "$T/puzzle.ppm" applied.ppm
"$scramble" --tile 20x16 --drop 30 "$T/small.ppm" "$T/puzzle.ppm"
solve 'absent tiles' "$T/puzzle.ppm" --tile 20x16 --missing
browse 'absent tiles' "$T/puzzle.ppm" ''
"$BUILD/circles" -s 200 rgb "$T/other.ppm"
"$scramble" --tile 20x20 "$T/small.ppm" "$T/other.ppm" "$T/puzzle.ppm"
solve 'two images' "$T/puzzle.ppm" --tile 20x20 --mixed 2
browse 'two images' "$T/puzzle.ppm" ''

# Names that would end the script, and the string that they stand in.
mkdir "$T/a \"b\"<"
"$scramble" -g 3x3 "$T/small.ppm" "$T/a \"b\"</script><!--'\$(.ppm"
solve 'a strange name' "$T/a \"b\"</script><!--'\$(.ppm"
is 'a strange name: one end for each script' "$(grep -c '</script>' "$T/page.html")" 2
browse 'a strange name' "$T/a \"b\"</script><!--'\$(.ppm" '' -g 3x3

# The page is written as other outputs are.
"$scramble" -g 3x3 "$T/small.ppm" "$T/puzzle.ppm"
ok 'a page to standard output' "$unscramble" -q -g 3x3 --report - "$T/puzzle.ppm" "$T/x.ppm"
is 'and nothing else' "$(head -n 1 "$top/output") $(tail -n 1 "$top/output")" '<!doctype html> </script>'
refuses 'two outputs to standard output' 2 'two outputs cannot both go to standard output' \
    "$unscramble" -g 3x3 --report - --json - "$T/puzzle.ppm" "$T/x.ppm"
refuses 'an image' 2 "cannot write '$T/x.png': the report is a page; name a file that ends in .html" \
    "$unscramble" -g 3x3 --report "$T/x.png" "$T/puzzle.ppm" "$T/y.ppm"
refuses '-b' 2 'a benchmark gives no answer; leave out --report' "$unscramble" -b -g 3x3 --report "$T/x.html" "$T/puzzle.ppm"
refuses 'no such folder' 1 "cannot write '.*x.html': folder '.*none'.*make it first" \
    "$unscramble" -g 3x3 --report "$T/none/x.html" "$T/puzzle.ppm" "$T/x.ppm"
perl -e 'print "P5\n20000 1\n255\n", "ab" x 10000' >"$T/long.pgm"
refuses 'more columns than browsers draw' 1 'the page shows at most 16384 columns and rows of tiles; leave it out' \
    "$unscramble" --tile 1x1 --report "$T/x.html" "$T/long.pgm" "$T/x.pgm"
plan
