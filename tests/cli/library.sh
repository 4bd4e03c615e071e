#!/usr/bin/env bash
# libtessera: what it exports, installing it, and programs and Python scripts that use it.
. "$(dirname "$0")/tap.lib"

prefix=$T/usr python_dir=$T/usr/lib/python3/site-packages
library=$(echo "$BUILD"/libtessera.*[0-9]*)

# Only names of its own, of the shared one and of the static one.
defined() { nm --defined-only "$@" | awk 'NF == 3 { print $3 }' | sort; }
declared=$(grep -oE '\btessera_[a-z_]+\(' stages/tessera.h | tr -d '(' | sort -u)
is 'the shared library exports what the header declares' "$(defined -D "$library")" "$declared"
is 'the static library too' "$(defined --extern-only "$BUILD/libtessera.a")" "$declared"
for function in $declared; do
    ok "tessera(3) names $function" grep -q "^\.Fn $function " docs/man/tessera.3
done

# Installed elsewhere, everything finds the library by itself; with LIBDIR, too. The programs are linked
# anew for that, and others may run them meanwhile.
: >"$T/linking"
while [ -e "$T/linking" ]; do [ -x "$BUILD/circles" ] || exit 1; done &
watcher=$!
install() {
    make -s --no-print-directory BUILD="$BUILD" PREFIX="$prefix" LIBDIR="$libdir" PYTHON_DIR="$python_dir" "$1"
}
for libdir in "$prefix/lib" "$prefix/lib/deep"; do
    ok "make install, ${libdir#$prefix/}" install install
    for tool in unscramble scramble circles bezier; do
        ok "$tool is linked to the library in ${libdir#$prefix/}" \
            [ "$(realpath "$(ldd "$prefix/bin/$tool" | awk '/libtessera/ { print $3 }')")" = "$(realpath "$libdir/${library##*/}")" ]
    done
    [ "$libdir" = "$prefix/lib" ] && ok 'make uninstall' install uninstall && is 'nothing is left' "$(find "$prefix" -not -type d)" ''
done
rm "$T/linking"
ok 'the programs can be run while they are linked anew' wait $watcher
ok 'an installed tool runs' "$prefix/bin/circles" -q -r cpu -s 20 rgb "$T/rgb.png"
ok 'it paints as the one that was built' cmp "$T/rgb.png" <("$BUILD/circles" -q -r cpu -s 20 --format png rgb -)

# The examples, linked to each of the two.
export PKG_CONFIG_PATH=$libdir/pkgconfig
if command -v pkg-config >/dev/null; then
    for example in solve paint evaluate; do
        for kind in shared static; do
            if [ $kind = shared ]; then
                libraries="$(pkg-config --libs tessera) -lm -Wl,-rpath,$libdir"
            else # the same but for the file that -ltessera stands for
                libraries=$(pkg-config --static --libs tessera | sed "s|-ltessera|$libdir/libtessera.a|")
            fi
            ok "$example.c is built, $kind" ${CC:-cc} ${CFLAGS:--O2} -std=c11 -Wall -Wextra -Werror \
                $(pkg-config --cflags tessera) "docs/examples/$example.c" -o "$T/$example.$kind" $libraries
            [ $kind = static ] && ok "$example, static, needs no library" not matches "$(ldd "$T/$example.static")" tessera
            ok "$example runs, $kind" sh -c "cd '$T' && './$example.$kind' >'$example.said' 2>/dev/null"
        done
        ok "$example.c has at most 60 lines" [ "$(wc -l <"docs/examples/$example.c")" -le 60 ]
    done
    ok 'solve says that the image is as it was' grep -q '^as it was on ' "$T/solve.said"
    ok 'paint writes an image' matches "$(head -c 15 "$T/paint.ppm")" '^P6'
    ok 'evaluate finds the curvature of a cylinder' grep -q 'mean curvature -\?0\.500$' "$T/evaluate.said"
else
    skip 'the examples' 'no pkg-config here'
fi

# The Python module; a library with sanitizers cannot be loaded by Python.
for python in python3 /usr/bin/python3 ''; do
    [ "$python" ] && "$python" -c 'import numpy' 2>/dev/null && break
done
if [ ! "$python" ]; then
    skip 'the Python module' 'no Python with NumPy here'
elif [[ ${CFLAGS:-} == *-fsanitize* ]]; then
    skip 'the Python module' 'built with sanitizers'
else
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$python_dir "$python" tests/python_module.py "$BUILD" "$T" >"$T/python.tap" 2>&1
    while read -r result number dash name; do
        case $result in
        ok) ok "Python: $name" true ;;
        not) ok "Python: ${name#- }" false ;;
        1..*) planned=${result#1..} ;;
        *) echo "# $result $number $dash $name" ;;
        esac
    done <"$T/python.tap"
    is 'the Python test runs to its end' "$(grep -cE '^(not )?ok' "$T/python.tap")" "${planned:-no plan}"
fi

ok 'make uninstall, LIBDIR' install uninstall
is 'nothing is left, LIBDIR' "$(find "$prefix" -not -type d)" ''
ok 'the programs are built again as they were' make -s --no-print-directory BUILD="$BUILD" all
plan
