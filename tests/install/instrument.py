# SPDX-License-Identifier: BSD-3-Clause
"""Programs that are compiled with --tern-instrument, in the ways in which people compile.

    instrument.py FOLDER_OF_WRAPPERS OSHRUN

Each program has a race between a put and a load, which the check finds only if it sees the load. No
program needs libtsan, and each runs as well without a tool.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

SECONDS = 100
FOUND = 66
INSTRUMENT = "--tern-instrument"

PROGRAM = """#include <shmem.h>
#include <string.h>
#include "sum.h"
static long data[16];
int main(void)
{
    long own[16] = {1};
    shmem_init();
    shmem_long_put(data, own, 16, (shmem_my_pe() + 1) % shmem_n_pes());
    memcpy(own, data, 8 * sizeof *own);
    own[0] = sum(data + 8, 8);
    shmem_finalize();
    return own[0] == 77;
}
"""
SUM = """#include "sum.h"
long sum(const long *values, int n)
{
    long all = 0;
    for (int i = 0; i < n; i++)
        all += values[i];
    return all;
}
"""
MAKEFILE = """program: program.o sum.o
\t$(CC) -o $@ $^
%.o: %.c sum.h
\t$(CC) $(CFLAGS) -c $<
"""
CMAKE = """cmake_minimum_required(VERSION 3.13)
project(program C)
add_executable(program program.c sum.c)
"""
# Each access by which compilers call a function of its own.
ALL = """#include <stdatomic.h>
#include <string.h>
struct row { char name[40]; } one, two;
volatile char v1; volatile short v2; volatile int v4; volatile long v8;
atomic_char a1; atomic_short a2; atomic_int a4; atomic_long a8;
struct __attribute__((packed)) odd { char c; short s; int i; long l; } odds[3];
__int128 wide;
long plain;
#define EACH(a) \\
    atomic_store(&a, 1); atomic_exchange(&a, 2); atomic_fetch_add(&a, 1); atomic_fetch_sub(&a, 1); \\
    atomic_fetch_and(&a, 7); atomic_fetch_or(&a, 8); atomic_fetch_xor(&a, 1); \\
    (void)atomic_compare_exchange_strong(&a, &expected_##a, 5)
int main(int argc, char **argv)
{
    char expected_a1 = 11, text[64];
    short expected_a2 = 11;
    int expected_a4 = 11;
    long expected_a8 = 11;
    EACH(a1); EACH(a2); EACH(a4); EACH(a8);
    __sync_val_compare_and_swap(&plain, 0, 5);
    v1++; v2++; v4++; v8++;
    one = two;
    wide += argc;
    odds[argc].s = 3; odds[argc].i += odds[0].i; odds[argc].l++;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    memset(&one, argc, sizeof one);
    memmove(one.name, two.name, sizeof one);
    strcpy(text, argv[0]); strcat(text, "x"); strncpy(one.name, text, 8);
    return strlen(text) != strlen(argv[0]) + 1 || strcmp(text, argv[0]) <= 0 ||
           memcmp(one.name, text, 4) != 0 || a8 != 5 || plain != 5 || odds[1].s != 3;
}
"""


def run(*command, good=(0,), **variables):
    print("$", shlex.join(map(str, command)), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=SECONDS, env={**os.environ, "SHMEM_NODES": "1", **variables})
    if done.returncode not in good:
        sys.exit(f"FAILED: status {done.returncode}\n{done.stdout}")
    return done.stdout


def is_found(oshrun, line, program="program"):
    """It runs, and the check finds the race with the load in this line, and nothing else."""
    run(oshrun, "-n", "2", "./" + program)
    output = run(oshrun, "-n", "2", "--check=races", "./" + program, good=(FOUND,))
    for expected in (": data race", line, "are not checked"):
        if (expected in output) != (expected != "are not checked"):
            sys.exit(f"FAILED: {expected}\n{output}")
    if "libtsan" in run("ldd", program):
        sys.exit("FAILED: libtsan is needed")
    os.unlink(program)


def main(wrappers, oshrun):
    os.environ["PATH"] = f"{wrappers}:{os.environ['PATH']}"
    command = ["oshcc", INSTRUMENT]
    for name, text in {"program.c": PROGRAM, "sum.c": SUM, "sum.h": "long sum(const long *, int);\n",
                       "all.c": ALL, "Makefile": MAKEFILE, "CMakeLists.txt": CMAKE}.items():
        pathlib.Path(name).write_text(text)
    compilers = ["cc"] + [name for name in ("clang",) if shutil.which(name)]
    for compiler in compilers:
        for level in "-O0", "-O2":
            run(*command, level, "-o", "program", "program.c", "sum.c", TERN_CC=compiler)
            is_found(oshrun, "at program.c:10")
            run(*command, level, "-o", "all", "all.c", TERN_CC=compiler)
            run("./all")
    run("make", f"CC={shlex.join(command)}", "CFLAGS=-O1")
    is_found(oshrun, "at sum.c:6")
    if shutil.which("cmake"):
        run("cmake", "-S", ".", "-B", "cmake", CC=shlex.join(command))
        run("cmake", "--build", "cmake")
        shutil.copy("cmake/program", "program")
        is_found(oshrun, "at program.c:10")
    # A library of the program; and one that can't be reached by a tool.
    run(*command, "-fPIC", "-shared", "-o", "libsum.so", "sum.c")
    run("oshcc", "-o", "program", "program.c", "-L.", "-lsum", "-Wl,-rpath,$ORIGIN")
    is_found(oshrun, "at sum.c:6")
    run(*command, "-static", "-o", "static", "program.c", "sum.c")
    run(oshrun, "-n", "2", "./static")


paths = [pathlib.Path(argument).resolve() for argument in sys.argv[1:]]
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main(*paths)
