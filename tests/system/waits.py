# SPDX-License-Identifier: BSD-3-Clause
"""A long wait costs next to nothing, and ends soon after a store that rings no bell."""
from system import check, equal, fine, main, program, run

WAITS = program("waits")


def figures(n, mode, **more):
    job = run("-n", n, *more.pop("wrapper", ()), WAITS, mode, **more)
    fine(job)
    return {name: float(value) for name, value in map(str.split, job.out.splitlines())}


def check_store(n, most, **more):
    seen = figures(n, "store", **more)
    equal(set(seen), {"static", "heap"})
    check(max(seen.values()) < most, f"milliseconds: {seen}")


def test_plain_store():
    check_store(2, 10)


def test_plain_store_among_many():
    check_store(16, 20)


def test_plain_store_to_one_that_sleeps_at_once():
    check_store(2, 10, env={"SHMEM_WAIT_AWAKE_US": "0"})


def test_plain_store_without_membarrier():
    check_store(2, 10, wrapper=(program("refuse"), "EPERM", "membarrier"))


def test_processor_time():
    for n in (2, 5):
        seen = figures(n, "cpu")
        check(len(seen) >= 4, seen)
        check(max(seen.values()) < 50, f"milliseconds: {seen}")


main(globals())
