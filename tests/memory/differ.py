# SPDX-License-Identifier: BSD-3-Clause
"""PEs that ask for different memory are found out on whichever nodes they are."""
import os
import re
import subprocess
import sys

OSHRUN, PROGRAM, N = sys.argv[1], sys.argv[2], 6
MESSAGE = re.compile(r"shmem_malloc: size is (200|300) here but (200|300) on PE \d: all PEs must pass the same")
failures = 0


def expect(nodes, cyclic, first, end):
    """All the same if first is end; else the job ends with the message, whoever differs."""
    global failures
    environment = {**os.environ, "SHMEM_NODES": str(nodes), "SHMEM_NODES_CYCLIC": cyclic}
    job = subprocess.run([OSHRUN, "-n", str(N), "--timeout", "25", PROGRAM, str(first), str(end)], env=environment,
                         capture_output=True, text=True, timeout=40)
    same = job.returncode == 0 and job.stdout.count("went on") == N
    found = job.returncode == 1 and MESSAGE.search(job.stderr)
    if not (same if first == end else found):
        failures += 1
        print(f"{nodes} nodes, cyclic {cyclic}, PEs {first} to {end} differ: {job.returncode}, {job.stdout}"
              f"{job.stderr}", file=sys.stderr)


expect(3, "off", 0, 0)
expect(2, "off", 0, 3)  # a whole node
expect(3, "off", 2, 4)
expect(3, "off", 5, 6)
expect(2, "on", 1, 2)
sys.exit(1 if failures else 0)
