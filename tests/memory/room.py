# SPDX-License-Identifier: BSD-3-Clause
"""An allocation that finds no room: one line a job, with what was asked for and what is left, or with
the factors of a product that overflows."""
import os
import re
import subprocess
import sys

OSHRUN, PROGRAM, NETWORK = sys.argv[1], sys.argv[2], sys.argv[3:] == ["network"]
MIB = 1 << 20
LINE = re.compile(r"tern: PE 0 of (\d+): warning: (\w+): no room for (\d+) bytes: (\d+) bytes of the symmetric heap "
                  r"are free, at most (\d+) of them in one piece: set SHMEM_SYMMETRIC_SIZE to more than (\d+)"
                  r'(, its default)?; see tern-messages\(7\), "The symmetric heap"\n')
failures = 0


def run(n, routine, asked, heap, settings):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("SHMEM_", "SMA_"))}
    environment.update(settings, **({"SHMEM_SYMMETRIC_SIZE": str(heap)} if heap else {}))
    return subprocess.run([OSHRUN, "-n", str(n), "--timeout", "30", PROGRAM, routine, str(asked)], env=environment,
                          capture_output=True, text=True, timeout=40)


def expect_overflow(n, factor):
    """The square of the factor is no number of bytes."""
    global failures
    job = run(n, "product", factor, 64 * MIB, {})
    line = (f"tern: PE 0 of {n}: warning: shmem_calloc: count is {factor} and size is {factor}: their product "
            f"exceeds the largest number of bytes, {(1 << 64) - 1}: NULL is returned\n")
    if job.returncode or job.stdout != "0 0 1\n" or job.stderr != line:
        failures += 1
        print(f"{n} PEs, {factor} times {factor}: {job.returncode}, {job.stdout}{job.stderr}", file=sys.stderr)


def expect(n, routine, asked=64 * MIB, heap=64 * MIB, **settings):
    """One line in a job whose heap has that size; None: it is the default."""
    global failures
    job = run(n, routine, asked, heap, settings)
    line = LINE.fullmatch(job.stderr)
    ok = line and (line[1], line[2], int(line[3])) == (str(n), routine, asked) and bool(line[7]) == (heap is None)
    if ok:
        free, piece, in_force = int(line[4]), int(line[5]), int(line[6])
        ok = in_force - 2 * MIB < piece <= free < in_force == (heap or in_force)
    if job.returncode or job.stdout != "0 0 1\n" or not ok:
        failures += 1
        print(f"{n} PEs, {routine}, {asked}, {heap}, {settings}: {job.returncode}, {job.stdout}{job.stderr}", file=sys.stderr)


if NETWORK:
    expect(3, "shmem_malloc", SHMEM_NODES="3")
else:
    for name in ("shmem_malloc", "shmem_calloc", "shmem_align", "shmem_malloc_with_hints", "shmem_realloc",
                 "shmalloc"):
        expect(3, name)
    expect_overflow(2, 1 << 33)
    expect(1, "shmem_malloc")
    expect(2, "shmem_malloc", asked=1 << 43, heap=None)
sys.exit(1 if failures else 0)
