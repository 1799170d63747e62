#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure.sh BUILD [OPTIONS OF MESON]: sets a build directory up where needed, without a word unless
# it fails.
set -eu

build=$1
shift
if [ ! -f "$build/build.ninja" ]; then
    again=
elif [ /var/lib/dpkg/status -nt "$build/build.ninja" ]; then
    again=--reconfigure # newly installed packages may have brought tools that were missing
else
    exit 0
fi
output=$(meson setup $again "$@" "$build" 2>&1) || {
    printf '%s\n' "$output" >&2
    exit 1
}
