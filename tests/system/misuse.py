# SPDX-License-Identifier: BSD-3-Clause
"""Every mistake ends the job at once, with one line that names PE, routine and argument."""
import re

from system import check, equal, fine, main, program, run

MISUSE = program("misuse")

NOT_SYMMETRIC = ("{} 0x[0-9a-f]+ is not symmetric: it must be static or global data of the program, "
                 r'or come from shmem_malloc; see tern-messages\(7\), "Not symmetric"')
CONSTANT = ("{} 0x[0-9a-f]+ is a constant, in read-only data of the program: it can be the source of a get, "
            "and nothing else")
NULL = "{} is NULL: it must be a symmetric address"
TOO_MANY = "{} 0x[0-9a-f]+ is the start of more elements than any memory holds: check their number"
ODD = "{} 0x[0-9a-f]+ is not aligned: it must be a multiple of {}"
CMP = "cmp is {}: use one of SHMEM_CMP_EQ, NE, GT, GE, LT, LE"
STALE_CTX = "ctx is not a context: it was destroyed, or never created"
STALE_TEAM = "team is not a team: it was destroyed, or never created"
INVALID_TEAM = r"team is SHMEM_TEAM_INVALID: is this PE a member\?"
NOT_A_BLOCK = ("ptr 0x[0-9a-f]+ is not a block of symmetric memory: it must come from shmem_malloc or "
               "the like, and not have been freed")
NOT_A_LOCK = ("lock 0x[0-9a-f]+ has a value that no lock has: it must be 0 on all PEs before its first use, "
              "and only the lock routines may change it")
MASK = "config is NULL, but its mask selects fields of it"


def outside(pe, last=1):
    return f"PE {pe} is outside 0\\.\\.{last}"


PES = {
    "p beyond": ("int_p", outside(2)),
    "p negative": ("int_p", outside(-1)),
    "p far": ("int_p", outside(2**31 - 1)),
    "p farthest": ("int_p", outside(-2**31)),
    "g beyond": ("int_g", outside(2)),
    "put beyond": ("putmem", outside(2)),
    "put nothing beyond": ("putmem", outside(2)),
    "get negative": ("double_get", outside(-2)),
    "iput beyond": ("int_iput", outside(2)),
    "fetch_add beyond": ("int_atomic_fetch_add", outside(2)),
    "inc negative": ("long_atomic_inc", outside(-1)),
    "put_signal beyond": ("int_put_signal", outside(2)),
    "signal_add negative": ("signal_add", outside(-1)),
    "ptr beyond": ("ptr", outside(2)),
    "team_ptr beyond": ("team_ptr", outside(1, 0)),
    "pe_quiet beyond": ("pe_quiet", outside(2)),
    "context of a team": ("ctx_int_p", outside(1, 0)),
    "old put beyond": ("put32", outside(2)),
}
ADDRESSES = {
    "stack": ("int_put", NOT_SYMMETRIC.format("dest")),
    "malloc": ("int_get", NOT_SYMMETRIC.format("source")),
    "thread-local": ("int_atomic_set", NOT_SYMMETRIC.format("dest")),
    "null": ("int_p", NULL.format("dest")),
    "text": ("int_g", NOT_SYMMETRIC.format("source")),
    "put to a constant": ("putmem", CONSTANT.format("dest")),
    "p to a constant": ("int_p", CONSTANT.format("dest")),
    "atomic on a constant": ("int_atomic_fetch", CONSTANT.format("source")),
    "broadcast of a constant": ("int_broadcast", CONSTANT.format("source")),
    "get of addresses": ("getmem", "source 0x[0-9a-f]+ is a constant with addresses in it, which are other "
                         "ones at each PE: make it a variable"),
    "get beyond constants": ("getmem", "source 0x[0-9a-f]+ leaves the program's read-only data: 1099511627776 "
                             r"bytes from there, but it ends after \d+"),
    "pointer of a peer": ("int_p", r"dest 0x[0-9a-f]+ is an address of another PE \(from "
                          r"shmem_ptr\?\): pass this PE's own address of the symmetric object; "
                          r'see tern-messages\(7\), "Not symmetric"'),
    "heap end": ("int_put", r"dest 0x[0-9a-f]+ leaves the symmetric heap: 4398046511104 bytes from "
                 r"there, but the heap ends after \d+"),
    "heap wraps": ("putmem", TOO_MANY.format("dest")),
    "heap wraps elements": ("long_put", TOO_MANY.format("dest")),
    "static end": ("putmem", r"dest 0x[0-9a-f]+ leaves the static data: 1099511627776 bytes from "
                   r"there, but it ends after \d+"),
    "static wraps": ("int_get", TOO_MANY.format("source")),
    "iput leaves": ("int_iput", r"dest 0x[0-9a-f]+ leaves the symmetric heap: 4398046511108 bytes "
                    r"from there, but the heap ends after \d+"),
    "wait on stack": ("int_wait_until", NOT_SYMMETRIC.format("ivar")),
    "test null": ("int_test", NULL.format("ivar")),
    "lock in malloc": ("set_lock", NOT_SYMMETRIC.format("lock")),
    "clear null lock": ("clear_lock", NULL.format("lock")),
    "clear another's lock": ("clear_lock", "lock 0x[0-9a-f]+ is not held by this PE: only the PE that set "
                             "it can clear it"),
    "lock with another value": ("set_lock", NOT_A_LOCK),
    "test of a lock with another value": ("test_lock", NOT_A_LOCK),
    "lock with a small value": ("set_lock", NOT_A_LOCK),
    "clear a lock that was not 0": ("clear_lock", NOT_A_LOCK),
    "signal on stack": ("signal_set", NOT_SYMMETRIC.format("sig_addr")),
    "signal_fetch null": ("signal_fetch", NULL.format("sig_addr")),
    "reduce on stack": ("int_sum_reduce", NOT_SYMMETRIC.format("dest")),
    "broadcast from null": ("int_broadcast", NULL.format("source")),
}
ALIGNMENTS = {
    "odd add": ("int_atomic_add", ODD.format("dest", 4)),
    "odd fetch": ("int_atomic_fetch", ODD.format("source", 4)),
    "odd set": ("double_atomic_set", ODD.format("dest", 8)),
    "odd swap": ("long_atomic_swap", ODD.format("dest", 8)),
    "odd fetch_add_nbi": ("ulong_atomic_fetch_add_nbi", ODD.format("dest", 8)),
    "odd fetch_nbi": ("ulong_atomic_fetch_nbi", ODD.format("source", 8)),
    "odd ctx_or": ("ctx_uint_atomic_or", ODD.format("dest", 4)),
    "odd inc under its old name": ("int_inc", ODD.format("dest", 4)),
    "odd own inc": ("int_atomic_inc", ODD.format("dest", 4)),
    "odd signal_add": ("signal_add", ODD.format("sig_addr", 8)),
    "odd put_signal": ("int_put_signal", ODD.format("sig_addr", 8)),
    "odd put_signal_nbi": ("putmem_signal_nbi", ODD.format("sig_addr", 8)),
    "odd signal_fetch": ("signal_fetch", ODD.format("sig_addr", 8)),
    "odd signal_wait": ("signal_wait_until", ODD.format("sig_addr", 8)),
    "odd wait": ("int_wait_until", ODD.format("ivar", 4)),
    "odd short wait": ("short_wait_until", ODD.format("ivar", 2)),
    "odd wait under its old name": ("long_wait", ODD.format("ivar", 8)),
    "odd test": ("int_test", ODD.format("ivar", 4)),
    "odd wait_any": ("long_wait_until_any", ODD.format("ivars", 8)),
    "odd test_all": ("int_test_all", ODD.format("ivars", 4)),
    "odd set_lock": ("set_lock", ODD.format("lock", 8)),
    "odd test_lock": ("test_lock", ODD.format("lock", 8)),
    "odd clear_lock": ("clear_lock", ODD.format("lock", 8)),
}
HANDLES = {
    "invalid context": ("ctx_int_p", r"ctx is SHMEM_CTX_INVALID: was it created\?"),
    "stale context": ("ctx_int_p", STALE_CTX),
    "stale context atomic": ("ctx_int_atomic_inc", STALE_CTX),
    "stale context quiet": ("ctx_quiet", STALE_CTX),
    "stale context destroy": ("ctx_destroy", STALE_CTX),
    "made-up context": ("ctx_fence", STALE_CTX),
    "default context destroy": ("ctx_destroy", "SHMEM_CTX_DEFAULT can't be destroyed"),
    "private context of another thread": (
        "ctx_destroy", "ctx is private: only the thread that created it may destroy it"),
    "invalid team sync": ("team_sync", INVALID_TEAM),
    "invalid team reduce": ("int_max_reduce", INVALID_TEAM),
    "stale team": ("team_n_pes", STALE_TEAM),
    "stale team sync": ("team_sync", STALE_TEAM),
    "stale team context": ("team_create_ctx", STALE_TEAM),
    "stale team split": ("team_split_strided", STALE_TEAM),
    "made-up team": ("team_my_pe", STALE_TEAM),
    "world destroy": ("team_destroy", "a predefined team can't be destroyed"),
    "config null": ("team_split_strided", MASK),
}
MEMORY = {
    "free static": ("free", NOT_A_BLOCK),
    "free stack": ("free", NOT_A_BLOCK),
    "free inside": ("free", NOT_A_BLOCK),
    "free twice": ("free", NOT_A_BLOCK),
    "realloc static": ("realloc", NOT_A_BLOCK),
    "other routine": ("malloc", "PE 0 is in another routine: all PEs must make the same calls"),
}
ARGUMENTS = {
    "cmp": ("int_wait_until", CMP.format(99)),
    "cmp negative": ("long_test", CMP.format(-1)),
    "cmp any": ("int_wait_until_any", CMP.format(77)),
    "cmp signal": ("signal_wait_until", CMP.format(6)),
    "sig_op": ("int_put_signal", "sig_op is 99: use SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD"),
    "root beyond": ("int_broadcast", r"PE_root is 2, outside 0\.\.1"),
    "root negative": ("int_broadcast", r"PE_root is -1, outside 0\.\.1"),
    "stride zero": ("int_iput", "dst is 0: the stride of dest is at least 1 element"),
    "stride negative": ("int_iget", "sst is -1: the stride of source is at least 1 element"),
    "block stride": ("int_ibput", "dst is 2: the stride of dest is at least 3 elements"),
    "alltoalls stride": ("int_alltoalls", "dst is 0: the stride of dest is at least 1 element"),
}
ACTIVE_SETS = {
    "set size": ("barrier", "PE_size is 0: an active set has at least one PE"),
    "set start": ("barrier", r"the active set has PEs -1 to -1, but there are 0\.\.1"),
    "set end": ("barrier", r"the active set has PEs 0 to 2, but there are 0\.\.1"),
    "set stride": ("barrier", r"logPE_stride is -1, outside 0\.\.30"),
    "set stride large": ("sync", r"logPE_stride is 40, outside 0\.\.30"),
    "set root": ("broadcast32", r"PE_root is 1, outside 0\.\.0"),
    "set psync": ("barrier", NOT_SYMMETRIC.format("pSync")),
    "set count": ("int_sum_to_all", "nreduce is -1: a count of elements is not negative"),
}
THREADS = {
    "finalize from another thread": (
        "finalize", "called by another thread than the one that initialized: call it from that one"),
    "while a thread reads": ("int_p", outside(2)),
}
EARLY = ("my_pe", "barrier_all", "finalize", "quiet", "int_p", "int_atomic_inc", "int_wait_until",
         "set_lock", "team_n_pes", "ptr", "global_exit", "malloc")


def expect_line(job, routine, message):
    equal(job.status, 1, f"status ({job.err})")
    check(re.fullmatch(f"tern: PE 1 of 2: shmem_{routine}: {message}\n", job.err), job.err)


def expect_end(job, routine, message):
    expect_line(job, routine, message)
    check(job.seconds < 1, f"{job.seconds} s")


def try_table(table, misuse=MISUSE):
    for mistake, (routine, message) in table.items():
        expect_end(run("-n", 2, misuse, "during", mistake), routine, message)


def test_pes():
    try_table(PES)


def test_addresses():
    try_table(ADDRESSES)


def test_alignments():
    try_table(ALIGNMENTS)
    try_table(ALIGNMENTS, program("misuse_inline"))


def test_alignments_between_nodes():
    for mistake, (routine, message) in ALIGNMENTS.items():
        expect_line(run("-n", 2, MISUSE, "during", mistake, env={"SHMEM_NODES": "2"}), routine, message)


def test_contexts_and_teams():
    try_table(HANDLES)


def test_memory():
    try_table(MEMORY)


def test_arguments():
    try_table(ARGUMENTS)


def test_active_sets():
    try_table(ACTIVE_SETS)


def test_threads():
    try_table(THREADS)


def test_before_init():
    for routine in EARLY:
        expect_end(run("-n", 2, MISUSE, "before", routine), routine, "called before shmem_init")


def test_after_finalize():
    for routine in sorted(set(EARLY) - {"finalize"}):
        expect_end(run("-n", 2, MISUSE, "after", routine), routine, "called after shmem_finalize")


def test_no_mistake():
    """No elements need no memory, and what is invalid may be destroyed."""
    for n in (1, 2, 5):
        fine(run("-n", n, MISUSE, "harmless"), "")


def test_thread_level():
    """A level that does not exist is refused, not fatal."""
    job = run("-n", 2, MISUSE, "level", 77)
    equal((job.status, job.out), (0, "refused\nrefused\n"))
    check(re.fullmatch("tern: PE [01] of 2: error: shmem_init_thread: requested is 77: use one of "
                       "SHMEM_THREAD_SINGLE, FUNNELED, SERIALIZED, MULTIPLE\n", job.err), job.err)


main(globals())
