# SPDX-License-Identifier: BSD-3-Clause
"""Compile a C++ program as Intel SHMEM's host library is written, and run it.

    backend_headers.py COMPILER LIBRARY SYMBOLS OPTION...

In a namespace of its own it declares the teams, and a pointer for each routine with the routine's name
and its type in the headers. It looks all of them up in LIBRARY.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
HEAD = """#include <dlfcn.h>
#include <shmem.h>
#include <shmemx.h>
#include <cstdio>

namespace runtime {
extern "C" {
extern shmem_team_t SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED, SHMEMX_TEAM_NODE;
}
"""
MAIN = """
template <typename Pointer> static void find(void *library, const char *name, Pointer &pointer)
{
    pointer = reinterpret_cast<Pointer>(dlsym(library, name));
    if (!pointer)
        std::printf("%s is missing\\n", name);
    found += pointer != nullptr;
}

int main(int, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW);
    shmem_team_t *team;

    if (!library)
        return 1;
"""


def program(names):
    teams = [name for name in names if not name.startswith("shmem")]
    routines = [name for name in names if name.startswith("shmem")]
    return (HEAD + "".join(f"static decltype(&::{name}) {name};\n" for name in routines) +
            "} /* namespace runtime */\n\nstatic int found;\n" + MAIN +
            "".join(f'    find(library, "{name}", team);\n' for name in teams) +
            "".join(f'    find(library, "{name}", runtime::{name});\n' for name in routines) +
            f'    std::printf("%d of {len(names)} symbols\\n", found);\n    return found != {len(names)};\n}}\n')


def main():
    compiler, library, symbols, *options = sys.argv[1:]
    if not shutil.which(compiler):
        print(f"no {compiler}")
        sys.exit(SKIPPED)
    lines = pathlib.Path(symbols).read_text().splitlines()
    names = [line.split()[0] for line in lines if line.strip() and not line.startswith("#")]
    if len(names) != 365 + 24:
        sys.exit(f"{symbols} has {len(names)} names")
    with tempfile.TemporaryDirectory() as directory:
        source, made = pathlib.Path(directory, "backend.cpp"), pathlib.Path(directory, "backend")
        source.write_text(program(names))
        subprocess.run([*compiler.split(), "-std=c++17", "-Wall", "-Wno-unused", "-Werror", source, "-o", made,
                        *options, "-ldl"], check=True)
        subprocess.run([made, library], check=True)


main()
