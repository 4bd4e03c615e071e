#!/usr/bin/env bash
# Every kernel on every device against its reference; REQUIRE_DEVICES names those that must be there.
. "$(dirname "$0")/self_test.lib" unscramble
