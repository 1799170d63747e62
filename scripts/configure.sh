#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure.sh BUILD [OPTIONS OF MESON]: sets a build directory up where needed, without a word
# unless it fails. A directory that was set up with other options gets these as well, and is built
# anew; without any, it keeps those that it has.
set -eu

build=$1
shift
given=$build/configured-with
options=$*
if [ ! -f "$build/build.ninja" ]; then
    again=
    rm -f "$given"
elif [ -n "$options" ] && [ "$options" != "$(cat "$given" 2>/dev/null)" ]; then
    again=--wipe # --reconfigure of Debian 12's Meson leaves b_sanitize and the like as they were
elif [ /var/lib/dpkg/status -nt "$build/build.ninja" ]; then
    again=--reconfigure # newly installed packages may have brought tools that were missing
else
    exit 0
fi
output=$(meson setup $again "$@" "$build" 2>&1) || {
    printf '%s\n' "$output" >&2
    exit 1
}
[ -z "$options" ] || printf '%s\n' "$options" >"$given"
