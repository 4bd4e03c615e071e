#!/usr/bin/env bash
# Every method of circles on every device against the sequential reference.
cd "$(dirname "$0")/../.." || exit 1
exec "${BUILD:-build}/circles" --self-test
