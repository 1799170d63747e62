#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_floor.sh BUILD: builds Tern for the oldest systems of docs/platforms.md and runs the tests that
# way: for glibc 2.28, then the same once more with the system calls of Linux 4.18. For arm64, and for
# glibc 2.34, it only builds. That no file needs a later glibc is seen from the symbols of each.
set -eu

build=$1 zig=$(scripts/zig.sh) top=$PWD

# Those that can run: the programs that zig compiles, and scripts around them. Not these:
#   abi, lang      take the compiler for one of users and want C++ of it: the same on any glibc
#   examples, install, style, tools and tsan  try compilers, debuggers and sanitizers of this machine
#   fortran        gfortran's objects would get zig's run-time library, which is wrong for REAL*16
suites='unit boot launch litmus system core network'
without='abi fortran install more'
# zig 0.11 brings a stat() of its own for older versions of glibc, which leaves errno as it was; the
# other test wants short lines, and zig's name is long.
never='launch/programs not found|unit/info'

configure() # FOLDER TARGET OPTIONS OF MESON...
{
    folder=$1 target=$2
    shift 2
    CC="$top/scripts/zig_cc.sh $zig $target" AR="$zig ar" scripts/configure.sh "$build/$folder" "$@"
}

# Headers of libfabric alone: those of this machine's C library are beside them.
libfabric()
{
    mkdir -p "$build/include"
    ln -sfn "$(pkg-config --variable=includedir libfabric)/rdma" "$build/include/rdma"
}

list() # FOLDER: the names of the tests
{
    set --
    for suite in $suites; do
        set -- "$@" --suite "$suite"
    done
    for suite in $without; do
        set -- "$@" --no-suite "$suite"
    done
    meson test -C "$build/glibc-2.28" --list "$@" 2>/dev/null | sed -n 's|^[^/]* / ||p' | grep -vxE "$never"
}

run() # LOG COMMAND...
{
    log=$1
    shift
    list | xargs -d '\n' -x -s 1000000 "$@" meson test -C "$build/glibc-2.28" --no-rebuild \
        --print-errorlogs --num-processes "$(($(nproc) * 2))" --logbase "$log"
}

symbols() # FOLDER VERSION
{
    find "$build/$1/src" -name '*.p' -prune -o -type f \( -name '*.so*' -o -perm -100 \) -print |
        xargs python3 scripts/floor_symbols.py "$2"
}

mkdir -p "$build"
libfabric
configure glibc-2.28 x86_64-linux-gnu.2.28 -Dfortran=disabled "-Dc_args=-isystem$top/$build/include" \
    -Dc_link_args=-Wl,--allow-shlib-undefined # libfabric itself was built for this machine's glibc
ninja -C "$build/glibc-2.28" --quiet
symbols glibc-2.28 2.28

status=0
echo "Tests for glibc 2.28:"
run glibc-2.28 env || status=1
echo "Tests for glibc 2.28 with the system calls of Linux 4.18:"
run linux-4.18 "$build/glibc-2.28/tests/older_kernel" || status=1

configure glibc-2.34 x86_64-linux-gnu.2.34 -Dfortran=disabled -Dlibfabric=disabled
ninja -C "$build/glibc-2.34" --quiet installed
symbols glibc-2.34 2.34

cat >"$build/arm64.ini" <<END
[binaries]
c = ['$top/scripts/zig_cc.sh', '$zig', 'aarch64-linux-gnu.2.28']
ar = ['$zig', 'ar']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
scripts/configure.sh "$build/arm64" --cross-file "$build/arm64.ini" -Dtests=false -Dlibfabric=disabled
ninja -C "$build/arm64" --quiet installed
symbols arm64 2.28

# A C library that is refused.
if configure musl x86_64-linux-musl 2>"$build/musl.log"; then
    echo "check_floor.sh: a build for musl was not refused" >&2
    exit 1
fi
grep -q 'ERROR: .*Tern needs the GNU C library (glibc)' "$build/musl.log"
exit $status
