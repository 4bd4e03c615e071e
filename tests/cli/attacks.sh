#!/usr/bin/env bash
# A little of the attack of tests/fuzz/attack.sh, so that it stays in order.
. "$(dirname "$0")/tap.lib"

export PARSED=3000 SCENES=100 FILES=60 KEEP=$top/failures
for part in parsers scenes files; do
    ok "attack: $part" tests/fuzz/attack.sh $part
done

ok 'scene_attack of a device that is absent fails' not "$BUILD/scene_attack" -n 1 cpu:0 abacus

plan
