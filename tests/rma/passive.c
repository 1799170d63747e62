/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress: operations complete at a PE that makes no OpenSHMEM calls, and without a quiet. */
#include "harness/board.h"

#include <sched.h>

struct target {
    long put, swapped, added, fetched;
    uint64_t signal;
    long block[40];
};

static struct target static_target;

/* Waits without any call of the library. */
static void await(const long *word, long value)
{
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
        sched_yield();
}

/* All others work on a PE that only computes until they are done. */
static void check_computing_target(const char *memory, struct target *target, int computing)
{
    int me = check_pe(), n = check_n_pes();
    long block[40], back[40];

    check_case("PE %d computes, its %s is used", computing, memory);
    memset(target, 0, sizeof *target);
    target->fetched = ORACLE(long, me, 1, SALT_OTHER);
    ORACLE_FILL(long, block, 40, me, SALT_SENT);
    ORACLE_FILL(long, target->block, 40, me, SALT_GUARD);
    shmem_barrier_all();
    if (me == computing) {
        await(&target->added, n - 1);
        check_passed();
    } else {
        bool writer = me == (computing + 1) % n;

        check_equal(shmem_long_g(&target->fetched, computing),
                    ORACLE(long, computing, 1, SALT_OTHER), "target-needs-no-calls");
        if (writer) {
            shmem_long_p(&target->put, ORACLE(long, me, 2, SALT_SENT), computing);
            shmem_long_put(target->block, block, 40, computing);
            shmem_long_put_nbi(target->block, block, 20, computing);
            check_equal(shmem_long_atomic_swap(&target->swapped, 5, computing), 0,
                        "target-needs-no-calls");
#if SHMEM_AT_LEAST(1, 5)
            shmem_long_put_signal(target->block, block, 40, &target->signal, 9, SHMEM_SIGNAL_ADD,
                                  computing);
#endif
            shmem_quiet();
            shmem_long_get(back, target->block, 40, computing);
            check_array(back, block, 40, "target-needs-no-calls");
            check_equal(shmem_long_g(&target->put, computing), ORACLE(long, me, 2, SALT_SENT),
                        "target-needs-no-calls");
        }
        shmem_long_atomic_inc(&target->added, computing);
        shmem_quiet();
    }
    shmem_barrier_all();
}

#if SHMEM_AT_LEAST(1, 5)

/*
 * Even PEs start nonblocking operations on the next PE and then only compute until it answers, so
 * nothing after them pushes them on. The answer is a store into memory by a put.
 */
static void check_no_quiet_needed(void)
{
    static long data[16], arrived, answer, fetched;
    int me = check_pe(), n = check_n_pes();
    static long source[16];

    check_case("nonblocking operations without quiet");
    if (n % 2 == 1 && me == n - 1) {
        check_passed();
    } else if (me % 2 == 0) {
        ORACLE_FILL(long, source, 16, me, SALT_SENT);
        shmem_long_put_nbi(data, source, 16, me + 1);
        shmem_fence();
        shmem_long_atomic_fetch_add_nbi(&fetched, &arrived, 3, me + 1);
        await(&answer, 4);
        check_passed();
    } else {
        shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, 3);
        ORACLE_FILL(long, source, 16, me - 1, SALT_SENT);
        check_array(data, source, 16, "nbi-needs-no-quiet-to-progress");
        shmem_long_p(&answer, 4, me - 1);
    }
    shmem_barrier_all();
}

#else

static void check_no_quiet_needed(void)
{
}

#endif

int main(void)
{
    check_init("rma/passive");
    struct target *heap_target = shmem_malloc(sizeof *heap_target);
    int last = check_n_pes() - 1;

    check_computing_target("heap", heap_target, 0);
    check_computing_target("heap", heap_target, last);
    check_computing_target("static data", &static_target, 0);
    check_computing_target("static data", &static_target, last);
    shmem_free(heap_target);
    check_no_quiet_needed();
    return check_finish();
}
