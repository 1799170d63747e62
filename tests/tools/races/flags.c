/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that PEs wait for. */
#include "collection.h"

#include <sched.h>
#include <unistd.h>

/* A program has a flag and data of its own: it is not reset. */
#define FLAG                                                                                       \
    static long flag, data[N];                                                                     \
    long own[N] = {0};                                                                             \
    (void)own

#define SENDS(order)                                                                               \
    if (me == 0) {                                                                                 \
        shmem_long_put(data, own, N, 1);                                                           \
        order;                                                                                     \
        shmem_long_atomic_set(&flag, 1, 1);                                                        \
    }

WRONG(no_fence)
{
    FLAG;
    SENDS()
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        use(data[3]);
    }
}

RIGHT(fence)
{
    FLAG;
    SENDS(shmem_fence())
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        use(data[3]);
    }
}

WRONG(not_waited_for)
{
    FLAG;
    SENDS(shmem_fence())
    if (me == 1)
        use(data[3]);
}

RIGHT(quiet)
{
    FLAG;
    SENDS(shmem_quiet())
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
        use(data[3]);
    }
}

WRONG(put_flag_without_fence)
{
    FLAG;
    if (me == 0) {
        shmem_long_put(data, own, N, 1);
        shmem_long_p(&flag, 1, 1);
    }
    if (me == 1) {
        while (*(volatile long *)&flag == 0)
            sched_yield();
        use(data[3]);
    }
}

RIGHT(volatile_poll)
{
    FLAG;
    if (me == 0) {
        shmem_long_put(data, own, N, 1);
        shmem_fence();
        shmem_long_p(&flag, 1, 1);
    }
    if (me == 1) {
        while (*(volatile long *)&flag == 0)
            sched_yield();
        use(data[3]);
    }
}

RIGHT(atomic_poll)
{
    FLAG;
    SENDS(shmem_fence())
    if (me == 1) {
        while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0)
            sched_yield();
        use(data[3]);
    }
}

RIGHT(fetch_poll)
{
    FLAG;
    SENDS(shmem_fence())
    if (me == 1) {
        while (shmem_long_atomic_fetch(&flag, 1) == 0)
            ;
        use(data[3]);
    }
}

RIGHT(test_poll)
{
    FLAG;
    SENDS(shmem_fence())
    if (me == 1) {
        while (!shmem_long_test(&flag, SHMEM_CMP_EQ, 1))
            ;
        use(data[3]);
    }
}

WRONG(test_ignored)
{
    FLAG;
    static long never;

    SENDS(shmem_fence())
    if (me == 1) {
        if (!shmem_long_test(&never, SHMEM_CMP_EQ, 1))
            use(data[3]);
    }
}

/* The buffer is written again before its reader is known to be done. */
WRONG(no_reply)
{
    FLAG;
    for (long round = 1; round <= 3; round++) {
        if (me == 0) {
            usleep(round > 1 ? 50000 : 0); /* by now PE 1 has used the data */
            shmem_long_put(data, own, N, 1);
            shmem_fence();
            shmem_long_atomic_set(&flag, round, 1);
        }
        if (me == 1) {
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
            use(data[3]);
        }
    }
}

RIGHT(reply)
{
    FLAG;
    static long done;

    for (long round = 1; round <= 3; round++) {
        if (me == 0) {
            shmem_long_put(data, own, N, 1);
            shmem_fence();
            shmem_long_atomic_set(&flag, round, 1);
            shmem_long_wait_until(&done, SHMEM_CMP_GE, round);
        }
        if (me == 1) {
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
            use(data[3]);
            shmem_long_atomic_set(&done, round, 0);
        }
    }
}

WRONG(reply_before_use)
{
    FLAG;
    static long done;

    for (long round = 1; round <= 3; round++) {
        if (me == 0) {
            shmem_long_put(data, own, N, 1);
            shmem_fence();
            shmem_long_atomic_set(&flag, round, 1);
            shmem_long_wait_until(&done, SHMEM_CMP_GE, round);
        }
        if (me == 1) {
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
            shmem_long_atomic_set(&done, round, 0);
            use(data[3]);
        }
    }
}

RIGHT(passed_on)
{
    FLAG;
    static long again;

    SENDS(shmem_fence())
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_long_atomic_set(&again, 1, 2);
    }
    if (me == 2) {
        shmem_long_wait_until(&again, SHMEM_CMP_EQ, 1);
        shmem_long_get(own, data, N, 1);
    }
}

WRONG(passed_on_without_waiting)
{
    FLAG;
    static long again;

    SENDS(shmem_fence())
    if (me == 1)
        shmem_long_atomic_set(&again, 1, 2);
    if (me == 2) {
        shmem_long_wait_until(&again, SHMEM_CMP_EQ, 1);
        shmem_long_get(own, data, N, 1);
    }
}

static long flags[2], rows[2][N];

static void send_row(void)
{
    long own[N] = {0};

    if (me == 2)
        return;
    shmem_long_put(rows[me], own, N, 2);
    shmem_fence();
    shmem_long_atomic_set(&flags[me], 1, 2);
}

RIGHT(any)
{
    send_row();
    if (me == 2)
        for (int i = 0; i < 2; i++) {
            int status[2] = {0};
            size_t which = shmem_long_wait_until_any(flags, 2, status, SHMEM_CMP_EQ, 1);

            use(rows[which][3]);
        }
}

static long more_flags[2], more_rows[2][N];

WRONG(the_other_one)
{
    long own[N] = {0};

    if (me != 2) {
        shmem_long_put(more_rows[me], own, N, 2);
        shmem_fence();
        shmem_long_atomic_set(&more_flags[me], 1, 2);
    } else {
        shmem_long_wait_until(&more_flags[0], SHMEM_CMP_EQ, 1);
        use(more_rows[1][3]);
    }
}

RIGHT(all)
{
    static long both[2], data[2];

    if (me != 2) {
        shmem_long_p(&data[me], 1, 2);
        shmem_fence();
        shmem_long_p(&both[me], 1, 2);
    } else {
        shmem_long_wait_until_all(both, 2, NULL, SHMEM_CMP_EQ, 1);
        use(data[0] + data[1]);
    }
}

RIGHT(flag_by_pointer)
{
    FLAG;
    if (me == 0) {
        long *there = (long *)shmem_ptr(&flag, 1), *row = (long *)shmem_ptr(data, 1);

        if (there && row) {
            row[3] = 1;
            shmem_fence();
            *there = 1;
        } else {
            shmem_long_atomic_set(&flag, 1, 1);
        }
    }
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        use(data[3]);
    }
}
