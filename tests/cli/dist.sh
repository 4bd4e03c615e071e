#!/usr/bin/env bash
# make dist, and the version of the Debian package.
. "$(dirname "$0")/tap.lib"

version=$(sed -n 's/^VERSION *:= *//p' Makefile)
is 'the Debian package has the version of the Makefile' \
    "$(sed -n '1s/^tessera (\(.*\)) .*/\1/p' debian/changelog)" "$version"

if ! [ -e .git ] || ! git rev-parse -q --verify HEAD >/dev/null; then
    skip 'make dist' 'the tree is not a clone'
    plan
    exit
fi
name=tessera-$version
dist() { (umask "$1" && make -s --no-print-directory BUILD="$2" dist); }
ok 'make dist' dist 022 "$T/one"
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=tar.umask GIT_CONFIG_VALUE_0=user
ok 'again, with another umask, which git is to keep' dist 077 "$T/two"
ok 'the bytes are the same' cmp "$T/one/$name.tar.gz" "$T/two/$name.tar.gz"
tar -xzf "$T/one/$name.tar.gz" -C "$T"
is 'all files of the commit are there' "$(cd "$T/$name" && find . -type f | sed 's|^\./||' | sort)" \
    "$(git -c core.quotePath=off ls-tree -r --name-only HEAD | sort)"
ok 'they say how to build, test and install without git' \
    make -n -s --no-print-directory -C "$T/$name" BUILD=build DESTDIR="$T/root" unit install
plan
