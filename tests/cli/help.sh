#!/usr/bin/env bash
# --help and the like, and that the manual pages and the completions know every option.
. "$(dirname "$0")/tap.lib"
. tests/cli/stages.lib

# The options of --help, of a manual page in mdoc, and of the completions: one a line, sorted.
help_options() { # -g and --grid
    "$1" --help | grep -oE -- '^  (-[a-z], |    )--[a-z-]+' | grep -oE -- '-[a-z-]+' | sort -u
}
manual_options() { # ".Fl g" is -g; ".Fl -grid" and ".Fl Fl grid" are --grid
    sed 's/\\-/-/g; s/\\&//g' "$1" | grep '^\.' | grep -oE '\bFl( Fl)? -?[A-Za-z][A-Za-z-]*' |
        sed -E 's/^Fl (Fl )?(-?)/\1\2-/; s/^Fl -/--/; s/^--?-/--/' | sort -u
}

for tool in unscramble scramble circles bezier; do
    program=$BUILD/$tool
    operands='INPUT\.\.\. OUTPUT' first=load own='-g 2x2'
    if [ $tool = scramble ]; then
        first=cut
    elif [ $tool = circles ]; then
        operands='\[SCENE \[OUTPUT\]\]' first=scene own='-s 64'
    elif [ $tool = bezier ]; then
        operands='INPUT \[OUTPUT\]' first=patches own='-n 3 --shading flat'
    fi
    for option in --help -h --version --list-stages --list-devices --completion --completion=zsh --completion=fish; do
        "$program" $option >"$T/stdout" 2>"$T/stderr"
        is "$tool $option: exit status" $? 0
        ok "$tool $option: prints something" test -s "$T/stdout"
        is "$tool $option: nothing on standard error" "$(cat "$T/stderr")" ''
    done
    ok "$tool --help: usage" matches "$("$program" --help | head -n 1)" "^usage: $tool \[OPTIONS\] $operands$"
    is "$tool -h is --help" "$("$program" -h)" "$("$program" --help)"
    ok "$tool --help: lines of at most 80 letters" not grep -E '.{81}' <("$program" --help)
    is "$tool --help: groups" "$("$program" --help | grep -E '^[A-Z].*:$' | tr '\n' ' ')" \
        'Input and output: What to do: How it looks: Computation: Reports and times: Other things to do: '
    is "$tool --help: no option twice" "$("$program" --help | grep -oE -- '^  (-[a-z], |    )--[a-z-]+' | sort | uniq -d)" ''
    ok "$tool --version: name and number" matches "$("$program" --version | head -n 1)" "^$tool \(Tessera\) [0-9]+\.[0-9]+\.[0-9]+$"
    ok "$tool --version: libraries" matches "$("$program" --version | sed -n 2p)" \
        '^with: cpu, .*libpng [0-9.]+, libdeflate [0-9.]+, libjpeg-turbo [0-9.]+, libtiff [0-9.]+'
    ok "$tool --list-stages: $first first" grep -qE "^$first +[a-z]" <("$program" --list-stages | head -n 1)
    ok "$tool --list-stages: save last" grep -qE '^save +[a-z]' <("$program" --list-stages | tail -n 1)
    ok "$tool --list-devices: a processor first" grep -qE '^cpu:0 ' <("$program" --list-devices | head -n 1)
    ok "$tool --help works among other options" "$program" $own --help nothing.png

    options=$(help_options "$program")
    ok "$tool --help lists options" [ "$(wc -l <<<"$options")" -gt 15 ]
    manual=$BUILD/man/$tool.1
    if [ -e $manual ]; then
        is "$tool.1 has every option of --help, and no other" "$(manual_options $manual)" "$options"
    else
        ok "$tool.1 is there" false
    fi

    completion=$T/$tool.completion
    "$program" --completion >"$completion"
    ok "$tool --completion is bash" bash -n "$completion"
    completed() { # WORDS...: what the last one is completed to
        bash -c '. "$1" && shift && COMP_LINE=$* && COMP_POINT=${#COMP_LINE} && "_tessera_$1" "$1" && printf "%s\n" "${COMPREPLY[@]}"' \
            - "$completion" "$tool" "$@"
    }
    is "$tool completes every long option" "$(completed -- | sort -u)" "$(grep -e '^--' <<<"$options")"
    is "$tool completes the start of an option" "$(completed --list-d)" --list-devices
    is "$tool completes devices" "$(completed -r c | tr '\n' ' ')" 'cpu cuda '
    is "$tool completes --progress" "$(completed --progress a | tr '\n' ' ')" 'auto always '
    is "$tool --completion=bash is the default" "$("$program" --completion=bash)" "$(<"$completion")"
    is "$tool: the completion is registered" "$(bash -c ". '$completion' && complete -p $tool" | grep -c "_tessera_$tool $tool\$")" 1
done

# Every word that an option takes, every device and every format is in the manual page.
words() { # TEXT: the words of a message's list, "a, b or c"
    sed -E 's/ (or|and) /,/g; s/ //g' <<<"$1" | tr ',' '\n'
}
# The words that a page has in one macro of mdoc, one a line; where an option is named, only those of
# its item.
mdoc_words() { # PAGE MACRO [OPTION]
    perl -ne '
        BEGIN { ($macro, $option) = splice @ARGV, 1 }
        s/\\-/-/g;
        s/\\&//g;
        $is_in = /Fl (Fl |-)\Q$option\E( |$)/ if /^\.It Fl|^\.S[hs]/;
        print map { "$_\n" } split " ", $1 if ($is_in || !defined $option) && /^\.(?:It )?$macro (.*)/' "$@"
}
has_words() { # WORDS WORD...: each is a line of WORDS
    local word
    for word in "${@:2}"; do
        grep -qxF -e "$word" <<<"$1" || { echo "# '$word' is missing"; return 1; }
    done
}
for tool in unscramble scramble circles bezier; do
    completion=$T/$tool.completion
    sed -nE "s/^ +--([a-z-]+)=.*compgen -W '([^']*)'.*/\1 \2/p" "$completion" >"$T/words"
    while read -r option list; do
        ok "$tool.1 has the words of --$option" has_words "$(mdoc_words "$BUILD/man/$tool.1" Cm $option)" $list
    done <"$T/words"
done
printf 'neither this nor that' >"$T/text.png"
list=$("$unscramble" "$T/text.png" "$T/x.png" 2>&1 | sed -n 's/.*(\(.*\) are known)$/\1/p')
read=$(tr '\n' ' ' <docs/man/unscramble.1 | grep -oE '[A-Z]+, [^.]* files are read\.' | tr a-z A-Z | grep -oE '[A-Z]+')
ok 'unscramble.1 has the formats that are read' has_words "$read" $(words "$list" | tr a-z A-Z)
list=$("$BUILD/circles" "$T/scene.xyz" "$T/x.png" 2>&1 | sed 's/.* ends in //')
ok 'circles.1 has the extensions of scenes' has_words "$(mdoc_words docs/man/circles.1 Pa)" $(words "$list")
list=$("$BUILD/bezier" "$T/patches.xyz" "$T/x.png" 2>&1 | sed 's/.* ends in //')
ok 'bezier.1 has the extensions of patches' has_words "$(mdoc_words docs/man/bezier.1 Pa)" $(words "$list")
list=$("$BUILD/bezier" "$T/patches.bv" "$T/x.xyz" 2>&1 | sed 's/.* no mesh (\([^)]*\)).*/\1/')
ok 'bezier.1 has the extensions of meshes' has_words "$(mdoc_words docs/man/bezier.1 Pa)" $(words "$list")

tool=circles completion=$T/circles.completion
is 'circles completes -m' "$(completed -m '' | tr '\n' ' ')" 'fast good bad reference '
is 'circles completes --block' "$(completed --block 1)" 16
tool=bezier completion=$T/bezier.completion
is 'bezier completes -m' "$(completed -m '' | tr '\n' ' ')" 'sep mle brf mat3 mat4 casteljau direct '
is 'bezier completes --animate' "$(completed --animate t)" turn
is 'bezier completes --curvature' "$(completed --curvature m | tr '\n' ' ')" 'mean max min '
ok "unscramble --help does not show --dissimilarity's old name" not grep -q metric <("$unscramble" --help)
ok 'nor do the completions' not grep -q metric <(for shell in bash zsh fish; do "$unscramble" --completion=$shell; done)
refuses '--completion of another shell' 2 "bad --completion 'fihs': use bash, zsh or fish; did you mean 'fish'" "$unscramble" --completion=fihs
for tool in unscramble scramble; do
    is "$tool --list-stages" "$("$BUILD/$tool" --list-stages | cut -d' ' -f1 | tr '\n' ' ')" \
        "$(sed -n "/const ${tool^^}_STAGES\[\]/,/NULL/p" stages/unscramble/pipeline.c stages/unscramble/scramble.c | grep -o '&[A-Z]*' | tr -d '&' | tr 'A-Z\n' 'a-z ')"
done
for kind in $("$unscramble" --completion | sed -nE "s/.*--device .*-W 'auto ([^']*)'.*/\1/p"); do
    if required $kind; then
        ok "$kind, which is required, is listed" grep -q "^$kind:0 " <("$unscramble" --list-devices)
    fi
done


# The verdict of a self-test that fails; self_test.lib has those that pass.
is '--self-test: its verdict' "$("$BUILD/circles" --self-test -r cuda:4096 | tail -n 1)" \
    "# 1 of 1 checks failed; the first: device 'cuda:4096' is present"

plan
