# SPDX-License-Identifier: BSD-3-Clause
"""PEs that live several times, and PEs that leave without a word."""
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


def test_implicit():
    for n in (1, 3):
        job = run("-n", n, LIFE, "implicit")
        fine(job, "")
        check(job.seconds > 0.1, "the others wait for PE 0 at their end")


main(globals())
