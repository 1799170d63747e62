# SPDX-License-Identifier: BSD-3-Clause
"""How jobs end: shmem_global_exit from one PE or all, and what a program does after finalize."""
import subprocess
import sys
import time

OSHRUN, PROGRAM = sys.argv[1:3]
failures = 0


def check(condition, name, what):
    global failures
    if not condition:
        failures += 1
        print(f"{name}: {what}", file=sys.stderr)


def run(n, *args):
    start = time.monotonic()
    command = [OSHRUN, "-n", str(n), PROGRAM, *args] if n else [PROGRAM, *args]
    job = subprocess.run(command, capture_output=True, text=True, timeout=20)
    job.case = f"{' '.join(args)}, {n} PEs"
    check(time.monotonic() - start < 2, "ends-soon", job.case)
    check("went on" not in job.stderr, "never-returns", f"{job.case}: {job.stderr}")
    return job


# 0 PEs stands for the program without a launcher.
for n in (0, 1, 2, 5):
    for status in (0, 1, 42):
        job = run(n, "one", str(status))
        check(job.returncode == status, "global-exit-status", f"{job.case}: {job.returncode}")
    job = run(n, "thread", "6")
    check(job.returncode == 6, "global-exit-from-thread", f"{job.case}: {job.returncode}")
    job = run(n, "nested", "7")
    check(job.returncode == 7, "global-exit-nested", f"{job.case}: {job.returncode}")
    job = run(n, "everyone", "20")
    check(20 <= job.returncode < 20 + max(n, 1), "global-exit-by-all",
          f"{job.case}: {job.returncode}")
    job = run(n, "flush", "3")
    check(job.returncode == 3, "global-exit-status", f"{job.case}: {job.returncode}")
    check("unfinished line, " in job.stdout, "global-exit-flushes", f"{job.case}: {job.stdout!r}")
    check("handler ran" in job.stdout, "global-exit-runs-handlers", f"{job.case}: {job.stdout!r}")
    job = run(n, "after", "0")
    check(job.returncode == 0, "goes-on-after-finalize", f"{job.case}: {job.stderr}")
    check(job.stdout.count("after finalize 0\n") == max(n, 1), "goes-on-after-finalize",
          f"{job.case}: {job.stdout!r}")
sys.exit(failures > 0)
