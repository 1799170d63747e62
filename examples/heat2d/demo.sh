#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh BUILD: compiles heat2d with the tools in a build directory, runs it on all cores, compares
# with the serial answer.
set -eu

build=$(cd "${1:?the build directory is missing}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
out=$build/demo
flags='-O3 -ffp-contract=off' # no fused operations, for results that are the same to the last bit

# In what is printed the tools go by their names, as they would once they are installed.
PATH=$build/src/cc:$build/src/launch:$PATH
say()
{
    echo
    echo "$1"
}
run()
{
    echo "  \$ $*"
    status=0
    "$@" >log 2>&1 || status=$?
    sed 's/^/  /' log
    [ "$status" = 0 ] || exit "$status"
}

mkdir -p "$out"
cp "$here"/*.c "$here"/*.h "$here/plate.txt" "$out"
cd "$out"
rm -f parallel.* serial.*

say "Heat spreads in a plate. An OpenSHMEM program computes it, on all cores:"
run oshcc $flags -o heat2d heat2d.c plate.c png.c -lm
run oshrun ./heat2d plate.txt parallel

say "The same in plain C, on one core:"
run ${CC:-cc} $flags -o heat2d_serial heat2d_serial.c plate.c png.c
run ./heat2d_serial plate.txt serial

if ! cmp parallel.field serial.field; then
    say "FAILED: the two results differ."
    exit 1
fi
say "Both agree in every bit. The picture is in $out/parallel.png;
change plate.txt beside it and run again: digits are held at that many ninths."
