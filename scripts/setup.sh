#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# setup.sh PURPOSE...: installs the Debian packages that are missing for build, check, cluster, arm64,
# floor, docs, deb, rpm, format, oshmem or ci; for floor, zig as well. Silent when there are none.
set -eu

missing=
need() # PACKAGES COMMAND...: the packages are missing unless the command succeeds
{
    packages=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $packages"
}
tool() # COMMAND [PACKAGE]
{
    need "${2:-$1}" command -v "$1"
}
daemon() # COMMAND [PACKAGE], of an administrator
{
    need "${2:-$1}" env PATH="$PATH:/usr/sbin:/sbin" sh -c "command -v $1"
}
compiles() # COMPILER HEADER LANGUAGE
{
    echo "#include <$2>" | "$1" -E -x "$3" -
}

for purpose do
    case $purpose in
    build)
        need 'gcc libc6-dev' compiles "${CC:-cc}" stdio.h c
        tool meson
        tool ninja ninja-build
        tool python3
        ;;
    check)
        need g++ compiles "${CXX:-c++}" cstdio c++
        tool "${FC:-gfortran}" gfortran
        tool pkg-config
        tool cmake
        need libfabric-dev compiles "${CC:-cc}" rdma/fabric.h c
        ;;
    cluster)
        need libfabric-dev compiles "${CC:-cc}" rdma/fabric.h c
        tool mpiexec.hydra mpich
        tool mpicc.mpich libmpich-dev
        tool mpirun.openmpi openmpi-bin
        tool mpicc.openmpi libopenmpi-dev
        daemon munged munge
        daemon slurmctld
        daemon slurmd
        tool srun slurm-client
        daemon ip iproute2
        tool unshare util-linux
        tool hostname
        ;;
    arm64)
        need 'gcc-aarch64-linux-gnu libc6-dev-arm64-cross' \
            compiles aarch64-linux-gnu-gcc stdio.h c
        tool qemu-aarch64 qemu-user
        ;;
    fuzz)
        tool clang
        need libclang-rt-14-dev sh -c 'echo "int LLVMFuzzerTestOneInput(void) { return 0; }" |
            clang -fsanitize=fuzzer -x c -o /dev/null -'
        ;;
    floor)
        tool npm
        tool nm binutils
        tool pkg-config
        need libfabric-dev compiles "${CC:-cc}" rdma/fabric.h c
        ;;
    oshmem) # what `make bench` compares with
        need openmpi-bin test -x /usr/bin/oshrun
        need libopenmpi-dev test -x /usr/bin/oshcc
        ;;
    deb)
        tool dpkg-buildpackage dpkg-dev
        tool dh debhelper
        tool lintian
        need sphinx-common command -v dh_sphinxdoc
        tool g++
        tool gfortran
        tool pkg-config
        need libfabric-dev compiles "${CC:-cc}" rdma/fabric.h c
        ;;
    rpm)
        tool rpmbuild rpm
        tool gfortran
        need libfabric-dev compiles "${CC:-cc}" rdma/fabric.h c
        ;;
    docs)
        need python3-sphinx /usr/bin/python3 -c 'import sphinx'
        need python3-myst-parser /usr/bin/python3 -c 'import myst_parser'
        need furo /usr/bin/python3 -c 'import furo'
        tool mandoc
        ;;
    format)
        tool git
        tool clang-format
        ;;
    ci) # what tests of `make check` use if it is there
        tool clang
        tool mandoc
        tool mandb man-db
        tool gdb
        tool valgrind
        need environment-modules test -e /usr/lib/modulecmd.tcl -o -e /usr/bin/modulecmd -o -d /usr/share/lmod
        tool ld.lld lld
        need python3-numpy /usr/bin/python3 -c 'import numpy'
        ;;
    *)
        echo "setup.sh: '$purpose' is none of build, check, cluster, arm64, floor, docs, deb, rpm, format, oshmem, ci" >&2
        exit 2
        ;;
    esac
done

install_missing()
{
    root=
    if [ "$(id -u)" != 0 ]; then
        root='sudo -n'
    fi
    command="apt-get install --yes --no-install-recommends$missing"
    if ! command -v apt-get >/dev/null || ! $root true 2>/dev/null; then
        echo "Some packages are missing. On Debian this installs them:" >&2
        echo "    sudo $command" >&2
        exit 1
    fi

    echo "Installing with apt-get:$missing"
    log=$(mktemp)
    { $root apt-get update && $root env DEBIAN_FRONTEND=noninteractive $command; } >"$log" 2>&1 || {
        cat "$log" >&2
        rm -f "$log"
        echo "setup.sh: apt-get failed" >&2
        exit 1
    }
    rm -f "$log"
}

[ -z "$missing" ] || install_missing
case " $* " in
*' floor '*) "${0%/*}/zig.sh" >/dev/null ;;
esac
