# SPDX-License-Identifier: BSD-3-Clause
"""Make mistakes and look at the line that the library prints.

    mistakes.py OSHRUN PROGRAM on-node|network
"""
import concurrent.futures
import os
import re
import subprocess
import sys

NO_OPERATION = (r"handle 0x[0-9a-f.]+ is not of an operation: pass what the routine has stored, not "
                r"its address")
NOT_PRIVATE = (r"base 0x[0-9a-f.]+: it is not private memory that this process can read and write: "
               r"a device's memory, say, or shared already")
MISTAKES = {
    "wait-random": ("shmem_wait_nb", NO_OPERATION),
    "wait-address": ("shmem_wait_nb", NO_OPERATION),
    "test-address": ("shmem_test_nb", NO_OPERATION),
    "put-outside": ("shmem_long_put_nb", r"PE 99 is outside 0\.\.1"),
    "heap-unaligned": ("shmemx_heap_create", r"base 0x[0-9a-f.]+ and size 131072 are not multiples of "
                                             r"a page, \d+ bytes: allocate it by mmap, or "
                                             r"aligned_alloc with that alignment"),
    "heap-odd-size": ("shmemx_heap_create", r"base 0x[0-9a-f.]+ and size 1000 are not multiples .*"),
    "heap-unmapped": ("shmemx_heap_create", NOT_PRIVATE),
    "heap-shared": ("shmemx_heap_create", NOT_PRIVATE),
    "heap-twice": ("shmemx_heap_create",
                   r"called twice: one piece of memory can become symmetric"),
    "heap-sizes": ("shmemx_heap_postinit", r"shmemx_heap_create was given \d+ bytes here but \d+ on "
                                           r"PE \d: all PEs must pass the same"),
    "heap-too-large": ("shmemx_heap_postinit",
                       r"68719476736 bytes of shmemx_heap_create do not fit into the symmetric heap "
                       r"of \d+: set SHMEM_SYMMETRIC_SIZE to more"),
    "heap-device": ("shmemx_heap_create",
                    r"device_type is 7: use SHMEMX_EXTERNAL_HEAP_ZE or _CUDA"),
    "heap-overrun": ("shmem_putmem", r"dest 0x[0-9a-f.]+ leaves the memory of shmemx_heap_create: 16 "
                                     r"bytes from there, but it ends after 8"),
    "get-stack": ("shmem_long_get_nb", r"source 0x[0-9a-f.]+ is not symmetric: .*"),
}
# On one node all handles are of operations that are complete, so there is nothing to confuse.
NETWORK = {
    "wait-foreign": ("shmem_wait_nb", r"handle 0x[0-9a-f.]+ is of another PE: only the PE that "
                                      r"started an operation can ask for it"),
}


def main():
    oshrun, program, route = sys.argv[1:]
    environment = dict(os.environ)
    expected = dict(MISTAKES)
    if route == "network":
        environment["SHMEM_NODES"] = "2"
        expected.update(NETWORK)
    failed = 0

    def make(mistake):
        return subprocess.run([oshrun, "-n", "2", "--timeout", "20", program, mistake],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)

    with concurrent.futures.ThreadPoolExecutor(3) as pool:  # until they make them, they mostly wait
        runs = [*pool.map(make, expected)]
    for (mistake, (routine, text)), run in zip(expected.items(), runs):
        line = rf"tern: PEs? [01-]+ of 2: {routine}: {text}"  # oshrun merges the same of both PEs
        if (run.returncode == 0 or not re.search(rf"^{line}$", run.stderr, flags=re.M)
                or "warning: " in run.stderr):
            failed += 1
            print(f"{mistake}: status {run.returncode}, expected {line} and no warning, got:\n"
                  f"{run.stderr}")
    run = make("globalexit")
    if run.returncode != 7:
        failed += 1
        print(f"globalexit: status {run.returncode}, expected 7:\n{run.stderr}")
    print(f"{len(expected)} mistakes, {failed} without the right message")
    sys.exit(1 if failed else 0)


main()
