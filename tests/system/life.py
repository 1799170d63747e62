# SPDX-License-Identifier: BSD-3-Clause
"""PEs that live several times, and PEs that leave without a word."""
import re
import subprocess

from system import check, equal, fine, main, program, run

LIFE = program("life")


def test_cycles():
    for n in (1, 2, 5):
        fine(run("-n", n, LIFE, "cycles"), "fine\n")
    subprocess.run([LIFE, "cycles"], check=True, timeout=20, stdout=subprocess.DEVNULL)


def test_nested():
    for n in (1, 3):
        fine(run("-n", n, LIFE, "nested"), "fine\n")


def test_unfinished():
    """If all PEs exit with 0, nobody is missed."""
    for how in ("return", "exit", "_exit"):
        for n in (1, 4):
            fine(run("-n", n, LIFE, "unfinished", how), "")
    fine(run("-n", 3, LIFE, "unfinished", "exec"), 3 * "replaced\n")


def test_left():
    job = run("-n", 3, LIFE, "left")
    fine(job)
    equal(sorted(job.out.split()), ["0", "2"])


def ends_early(n, nodes):
    """PE 1 is gone before its time: the others give up, with the same line however nodes lie."""
    for how, why in (("finalize", "has called shmem_finalize and ended"),
                     ("exit", "has ended without shmem_finalize"),
                     ("_exit", "has ended without shmem_finalize")):
        for wait, routine in (("barrier", "shmem_barrier_all"), ("finalize", "shmem_finalize"),
                              ("wait", "shmem_int_wait_until")):
            job = run("-n", n, LIFE, "early", how, wait, env={"SHMEM_NODES": str(nodes)})
            equal((job.status, job.out), (1, ""), job.err)
            for line in job.err.splitlines():
                check(re.match(rf"tern: .*: {routine}: PE 1 {why}, so this call can't complete",
                               line), f"{how}, {wait}: {line}")
            check(job.err, f"{how}, {wait}: no line")


def test_early():
    ends_early(2, 1)


def test_early_between_nodes():
    ends_early(2, 2)


def test_implicit():
    for n in (1, 3):
        job = run("-n", n, LIFE, "implicit")
        fine(job, "")
        check(job.seconds > 0.1, "the others wait for PE 0 at their end")


main(globals())
