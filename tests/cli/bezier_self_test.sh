#!/usr/bin/env bash
# Every method of bezier on every device against the reference in long double.
cd "$(dirname "$0")/../.." || exit 1
exec "${BUILD:-build}/bezier" --self-test
