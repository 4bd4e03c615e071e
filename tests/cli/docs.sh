#!/usr/bin/env bash
# Every command line in the ```sh blocks of README.md and of the tools' pages in docs/ runs, in a copy
# of the tree, and every relative link there leads to a file. Not those of docs/bench/ and of
# docs/kernels.md, which time what takes hours or needs a GPU.
. "$(dirname "$0")/tap.lib"

pages='README.md docs/unscramble.md docs/circles.md docs/bezier.md docs/scale.md'

# Links of Markdown, ](TARGET), and of HTML, src="TARGET" and href="TARGET".
links() {
    grep -oE '\]\([^)]*\)|(src|href)="[^"]*"' "$1" | sed -E 's/^\]\(//; s/\)$//; s/^(src|href)="//; s/"$//; s/#.*//' |
        grep -vE '^$|^[a-z]+:' | sort -u
}

leads_somewhere() {
    local page=$1 target missing=0
    for target in $(links "$page"); do
        [ -e "${page%/*}/$target" ] || { echo "$target is not there"; missing=1; }
    done
    return $missing
}

# The commands of a page, one a line: without "$ ", comments and empty lines; a backslash at the end
# goes on.
commands() {
    awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1" |
        sed -E ':join; /\\$/ { N; s/\\\n */ /; b join }; s/^\$ //; s/^ *#.*//; s/ +# .*//; s/ +$//' | grep -v '^$'
}

# Why a command cannot run everywhere; nothing where it can.
lacking() {
    case $1 in
    make | make\ *) echo 'make builds, installs and tests' ;;
    sudo\ *) echo 'it asks for a password' ;;
    *--self-test*) echo 'a test of its own' ;;
    mpirun\ *) compgen -G "$BUILD/libtessera_mpi.so.*" >/dev/null || echo 'built without MPI' ;;
    cc\ *) [[ ${CFLAGS:-} != *-fsanitize* ]] || echo 'built with sanitizers' ;;
    build/try/solve) [ -x "$T/tree/build/try/solve" ] || echo 'not built here' ;;
    *ffmpeg* | *.mp4* | *.webm*) command -v ffmpeg >/dev/null || echo 'no ffmpeg here' ;;
    *ffplay*) echo 'ffplay needs a screen' ;;
    *-r\ cuda* | *--device=cuda*) devices | grep -q '^cuda' || echo 'no CUDA here' ;;
    *-r\ opencl* | *--device=opencl*) devices | grep -q '^opencl' || echo 'no OpenCL here' ;;
    esac
}

# A tree of links, in which build/ is a folder of its own.
mkdir -p "$T/tree/build"
for entry in *; do
    [ "$entry" = "${BUILD%%/*}" ] || [ "$entry" = build ] || ln -s "$PWD/$entry" "$T/tree/$entry"
done
for file in "$BUILD"/{unscramble,scramble,circles,bezier} "$BUILD"/libtessera*.*; do
    ln -s "$(realpath "$file")" "$T/tree/build/${file##*/}"
done
for python in python3 /usr/bin/python3 ''; do
    [ "$python" ] && "$python" -c 'import numpy' 2>/dev/null && break
done

run() {
    (cd "$T/tree" && timeout 300 bash -o pipefail -c "$1")
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

before=$(git status --porcelain 2>/dev/null)
for page in $pages; do
    ok "$page: links lead to files" leads_somewhere "./$page"
    commands "$page" >"$T/commands"
    ok "$page: there are commands" [ -s "$T/commands" ]
    rm -rf "$T/tree/build/try" # what a page needs it makes itself
    while IFS= read -r -u 3 line; do
        reason=$(lacking "$line")
        if [ -n "$reason" ]; then
            skip "$page: $line" "$reason"
        else
            ok "$page: $line" run "$line"
        fi
    done 3<"$T/commands"
done

# The Python of README.md, from the tree as it says.
awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$T/readme.py"
if [ ! "$python" ]; then
    skip 'README.md: Python' 'no Python with NumPy here'
elif [[ ${CFLAGS:-} == *-fsanitize* ]]; then
    skip 'README.md: Python' 'built with sanitizers'
else
    ok 'README.md: Python' env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=stages TESSERA_LIBRARY="$(echo "$BUILD"/libtessera.*[0-9]*)" \
        "$python" "$T/readme.py"
fi
is 'the tree is as it was' "$(git status --porcelain 2>/dev/null)" "$before"

plan
