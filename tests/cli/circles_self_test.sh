#!/usr/bin/env bash
# Every method of circles on every device against the sequential reference.
. "$(dirname "$0")/self_test.lib" circles
