# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes that a program survives: the job continues and prints at most one line."""
import re

from system import check, equal, main, program, run

LENIENT = program("lenient")


def survived(mistake, who=None, message=None, n=3, **settings):
    """All PEs make it several times; one of those that `who` matches prints the message."""
    job = run("-n", n, LENIENT, mistake, env=settings)
    case = f"{mistake}, {n} PEs, {settings}"
    equal((job.status, job.out), (0, "went on\n" * n), f"{case} ({job.err})")
    line = f"tern: PE {who} of {n}: warning: {message}\n" if message else ""
    check(re.fullmatch(line, job.err), f"{case}: {job.err}")


SHAPE = "it must be a power of two from 8 to 2097152"
ALIGN_ODD = ("align_odd", 0, f"shmem_align: alignment is 24: {SHAPE}: 32 is taken")
ALIGN_ZERO = ("align_zero", 0, f"shmem_align: alignment is 0: {SHAPE}: NULL is returned")
ALIGN_HUGE = ("align_huge", 0, f"shmem_align: alignment is {1 << 62}: {SHAPE}: NULL is returned")
SETS = ("sets", "[12]", "shmem_barrier: PE [12] is not in the active set of 1 PEs? from 0 with a stride of 1: the call "
        "does nothing; only the set's PEs may make it")
END = ("end", "[012]", "shmem_finalize: called after the last shmem_finalize: the call does nothing")
NOTHING = ("nothing",)


def test_alignments():
    for mistake in (ALIGN_ODD, ALIGN_ZERO, ALIGN_HUGE):
        survived(*mistake)
        survived(*mistake, n=1)


def test_active_sets():
    """PE 0 is in the set, the others are not."""
    survived(*SETS)
    survived("sets", n=1)


def test_second_finalize():
    survived(*END)
    survived(*END, n=1)


def test_nothing_to_move():
    survived(*NOTHING)
    survived(*NOTHING, n=1)


def test_several_nodes():
    for mistake in (ALIGN_ODD, ALIGN_ZERO, SETS, END, NOTHING):
        survived(*mistake, SHMEM_NODES="3")


main(globals())
