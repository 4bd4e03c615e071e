#!/usr/bin/env bash
# Every kernel on every device against its reference; REQUIRE_DEVICES names those that must be there.
cd "$(dirname "$0")/../.." || exit 1
exec "${BUILD:-build}/unscramble" --self-test
