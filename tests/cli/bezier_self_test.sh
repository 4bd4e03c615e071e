#!/usr/bin/env bash
# Every method of bezier on every device against the reference in long double.
. "$(dirname "$0")/self_test.lib" bezier
