#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# zig_cc.sh ZIG TARGET ARGUMENT...: `zig cc` for a target such as x86_64-linux-gnu.2.28, as a compiler
# that Meson knows. It answers for its linker, LLD, which zig doesn't let answer itself, and leaves out
# options that zig doesn't pass on: -rpath-link, which LLD ignores, and -Bsymbolic-functions, without
# which the library's own calls may go through the table of functions. A sanitizer is off, as for other
# compilers.
set -eu

zig=$1 target=$2
shift 2
for argument do
    shift
    case $argument in
    -Wl,--version)
        echo 'LLD (compatible with GNU linkers)'
        exit
        ;;
    -Wl,-Bsymbolic-functions | -Wl,-rpath-link,*) ;;
    *) set -- "$@" "$argument" ;;
    esac
done
exec "$zig" cc -target "$target" -fno-sanitize=undefined "$@"
