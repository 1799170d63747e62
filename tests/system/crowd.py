# SPDX-License-Identifier: BSD-3-Clause
"""Many more PEs than cores."""
import os

from system import check, fine, main, program, run

CROWD, WORK = program("crowd"), program("work")
KINDS = {"barrier", "reduce", "alltoall", "broadcast", "lock"}


def check_crowd(n, most, **more):
    job = run("-n", n, CROWD, seconds=60, **more)
    fine(job)
    seen = {name: float(value) for name, value in map(str.split, job.out.splitlines())}
    check(set(seen) == KINDS, seen)
    check(max(seen.values()) < most, f"seconds: {seen}")


def test_64_pes():
    check_crowd(64, 6)
    fine(run("-n", 64, WORK, seconds=60), "work: fine\n")


def test_64_pes_on_two_cores():
    cores = sorted(os.sched_getaffinity(0))[:2]
    check_crowd(64, 8, preexec_fn=lambda: os.sched_setaffinity(0, cores))


def test_one_core():
    core = sorted(os.sched_getaffinity(0))[:1]
    check_crowd(9, 4, preexec_fn=lambda: os.sched_setaffinity(0, core))


def test_200_pes():
    fine(run("-n", 200, WORK, seconds=60), "work: fine\n")


main(globals())
