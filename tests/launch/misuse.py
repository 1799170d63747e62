# SPDX-License-Identifier: BSD-3-Clause
"""Misuse of the interface: one clear line, a status that is not 0, and no PE left running."""
import os
import resource

from launch import check, contains, main, run

PROGRAM = os.environ["MISUSE"]
SYMMETRIC = "is not symmetric: it must be static or global data of the program, or come from"


def mistake(name, *parts, everyone=False):
    """PE 2 of 3 makes the mistake while the others wait; it names itself, routine and argument."""
    job = run("-n", 3, PROGRAM, name)
    check(job.status == 1, f"status {job.status}, {job.err}")
    check("went on" not in job.out, job.out)
    lines = job.err.splitlines()
    check(len(lines) == 1 or everyone and len(lines) <= 3, job.err)
    if not everyone:
        check(lines[0].startswith("tern: PE 2 of 3: shmem_"), job.err)
    for line in lines:
        contains(line, *parts)
    check(job.seconds < 1.5, f"took {job.seconds} s")


def test_pe_too_large():
    mistake("pe_too_large", "shmem_long_p: PE 3 is outside 0..2")


def test_pe_negative():
    mistake("pe_negative", "shmem_long_g: PE -1 is outside 0..2")


def test_pe_of_amo():
    mistake("pe_of_amo", "shmem_long_atomic_add: PE 1000 is outside 0..2")


def test_pe_of_signal():
    mistake("pe_of_signal", "shmem_int_put_signal: PE 77 is outside 0..2")


def test_dest_on_the_stack():
    mistake("dest_on_the_stack", "shmem_long_put: dest 0x", SYMMETRIC)


def test_dest_of_malloc():
    mistake("dest_of_malloc", "shmem_long_p: dest 0x", SYMMETRIC)


def test_dest_null():
    mistake("dest_null", "shmem_int_put: dest is NULL: it must be a symmetric address")


def test_source_leaves_its_segment():
    mistake("source_leaves_its_segment", "shmem_getmem: source 0x", "leaves the static data")


def test_dest_leaves_the_heap():
    mistake("dest_leaves_the_heap", "shmem_putmem: dest 0x", "leaves the symmetric heap",
            everyone=True)


def test_wait_word_on_the_stack():
    mistake("wait_word_on_the_stack", "shmem_int_wait_until: ivar 0x", SYMMETRIC)


def test_wait_comparison():
    mistake("wait_comparison", "shmem_int_wait_until: cmp is 99: use one of SHMEM_CMP_EQ")


def test_context_invalid():
    mistake("context_invalid", "shmem_ctx_long_p: ctx is SHMEM_CTX_INVALID")


def test_context_garbage():
    mistake("context_garbage", "shmem_ctx_quiet: ctx is not a context")


def test_team_garbage():
    mistake("team_garbage", "shmem_team_sync: team is not a team")


def test_team_predefined():
    mistake("team_predefined", "shmem_team_destroy: a predefined team can't be destroyed")


def test_lock_that_is_free():
    mistake("lock_that_is_free", "shmem_clear_lock: lock 0x", "is not held")


def test_finalize_from_another_thread():
    mistake("finalize_from_another_thread", "shmem_finalize: called by another thread")


def test_after_finalize():
    mistake("after_finalize", "shmem_long_p: called after shmem_finalize", everyone=True)


def test_before_init():
    mistake("before_init", "shmem_long_p: called before shmem_init")


def test_barrier_before_init():
    mistake("barrier_before_init", "shmem_barrier_all: called before shmem_init")


def refused(size, *parts, **more):
    """The heap can't be had: each PE that gets that far says so, and nobody is left waiting."""
    job = run("-n", 2, os.environ["SHMEM_PE"], "init", env={"SHMEM_SYMMETRIC_SIZE": size}, **more)
    check(job.status != 0 and 1 <= job.err.count("\n") <= 2, f"{job.status}: {job.err}")
    contains(job.err, " of 2: error: ", "SHMEM_SYMMETRIC_SIZE", *parts)


def test_heap_size_malformed():
    refused("plenty", 'is "plenty": expected a number of bytes')


def test_heap_above_physical_memory():
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    refused(str(pages * 2), "exceeds the physical memory of")


def test_heap_above_address_space():
    def set_up():
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    refused("2G", "exceeds the limit of 3221225472 (ulimit -v)",
            preexec_fn=set_up)


main(globals())
