#!/usr/bin/env bash
# Completions, as they come about on a terminal: bash and zsh get keys through script(1), fish tells by
# `complete -C`. A shell that is not there is a skip.
. "$(dirname "$0")/tap.lib"
export HOME=$T HISTFILE=/dev/null
PATH=$(cd "$BUILD" && pwd):$PATH

# candidates SHELL TOOL WORD...: what the last word can become, sorted, without the --option= before it
candidates() {
    local shell=$1 text="${*:2}" word=${!#} kept show=$'\x01printf "%s\\n" \x05 >'"'$T/words'"
    case $shell in
        bash) # ESC * inserts all that the word can become
            printf '%s\n' ". '$T/$2.bash'" "$text"$'\e*'"$show" exit |
                timeout 60 script -qec 'bash --norc --noprofile -i' /dev/null ;;
        zsh)
            printf '%s\n' "fpath=('$T/zsh' \$fpath); autoload -U compinit; compinit -u -D" \
                'zle -C all complete-word _generic; bindkey "\ea" all' \
                'zstyle ":completion:all::::" completer _all_matches _complete; zstyle ":completion:all:*" insert true' \
                "$text"$'\ea'"$show" exit |
                timeout 60 script -qec 'zsh -f -i' /dev/null ;;
        fish) fish --no-config -c "source '$T/$2.fish'; complete -C '$text'" | cut -f1 >"$T/words" ;;
    esac >"$T/screen" 2>&1
    [ $shell = fish ] || sed -i "1,$(($# - 2))d" "$T/words"
    kept=${word%"${word##*[:=]}"} # bash does not put this before the second word and those after it
    [ $shell = bash ] && sed -i "2,\$s/^/$kept/" "$T/words"
    sed -E 's/^--[a-z-]+=//; s/=?$//' "$T/words" | tr ' ' '\n' | grep . | sort -u
}
check() { # WORDS TOOL WORD...: in every shell
    local shell
    for shell in bash zsh fish; do
        if command -v $shell >/dev/null; then
            is "$shell: ${*:2}" "$(candidates $shell "${@:2}")" "$(tr ' ' '\n' <<<"$1" | grep . | sort -u)"
        else
            skip "$shell: ${*:2}" "$shell is not there"
        fi
    done
}

mkdir "$T/zsh"
for tool in unscramble scramble circles bezier; do
    "$tool" --completion >"$T/$tool.bash"
    "$tool" --completion=zsh >"$T/zsh/_$tool"
    "$tool" --completion=fish >"$T/$tool.fish"
    check 'Makefile' $tool Makef
    check "$("$tool" --help | grep -oE '^  (-[a-z], |    )--[a-z-]+' | grep -oE -e '--.*')" $tool --
done
ids=$(devices | tr '\n' ' ')
kinds=$(sed -nE "s/.*--device .*-W '([^']*)'.*/\1/p" "$T/circles.bash")
check --list-devices circles --list-d
check '--lines' bezier -r cpu --lin
check 'fast good bad reference' circles -m ''
check 'fast good bad reference' circles --method ''
check 'fast' circles --method=fa
check '16' circles --method=good --block=1
check "$kinds $ids" circles --device=
check "cpu $(grep -o 'cpu:[0-9]*' <<<"$ids" | tr '\n' ' ')" bezier -r cp
check "$(grep -o 'cpu:[0-9]*' <<<"$ids" | paste -sd' ')" unscramble --device=cpu:
check 'bash zsh fish' scramble --completion=
check 'mean max min' bezier --curvature m
check "$(circles --list-scenes | cut -d' ' -f1 | grep '^rand1' | paste -sd' ')" circles -s 9 rand1
check 'Makefile' unscramble -g 3x3 a.png Makef
check 'Makefile' circles --json=Makef
check 'random.h rand100k rand10k rand1M' circles rand
touch "$T/two words.png"
for shell in bash zsh; do # fish escapes what it tells
    if command -v $shell >/dev/null; then
        candidates $shell circles "$T/two\\ wo" >/dev/null
        is "$shell: a file whose name has a space" "$(<"$T/words")" "$T/two words.png"
    else
        skip "$shell: a file whose name has a space" "$shell is not there"
    fi
done

plan
