/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that go to and fro, order, and locks, between PE 0 and its peer. */
#include <sched.h>

#include "bench.h"

/* Each word in a cache line of its own; the data lies where its signal does not. */
struct words {
    _Alignas(128) long flag;
    _Alignas(128) uint64_t signal;
    _Alignas(128) char data[512];
    _Alignas(128) long target;
    _Alignas(128) long hand_lock;
};

static struct words *own, *there;
static long *lock;
static char local[512];
static int peer;
static size_t size;
static long flag_round;
static volatile long sink;

/* Both count the rounds that either kind of flag has seen. */
static void flags(long times)
{
    for (long i = 0; i < times; i++) {
        flag_round++;
        if (bench_me == 0)
            shmem_long_atomic_set(&own->flag, flag_round, peer);
        shmem_long_wait_until(&own->flag, SHMEM_CMP_GE, flag_round);
        if (bench_me != 0)
            shmem_long_atomic_set(&own->flag, flag_round, peer);
    }
}

static void put_flags(long times)
{
    for (long i = 0; i < times; i++) {
        flag_round++;
        if (bench_me == 0)
            shmem_long_p(&own->flag, flag_round, peer);
        shmem_long_wait_until(&own->flag, SHMEM_CMP_GE, flag_round);
        if (bench_me != 0)
            shmem_long_p(&own->flag, flag_round, peer);
    }
}

static void await(const long *flag, long least)
{
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < least)
        ;
}

BENCH_BY_HAND static void set_flag(long *flag, long value)
{
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static void flags_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        flag_round++;
        if (bench_me == 0)
            set_flag(&there->flag, flag_round);
        await(&own->flag, flag_round);
        if (bench_me != 0)
            set_flag(&there->flag, flag_round);
    }
}

static void data_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        flag_round++;
        if (bench_me == 0) {
            bench_copy(there->data, local, size);
            set_flag(&there->flag, flag_round);
        }
        await(&own->flag, flag_round);
        if (bench_me != 0) {
            bench_copy(there->data, local, size);
            set_flag(&there->flag, flag_round);
        }
    }
}

#if BENCH_API >= 105
static uint64_t signal_round;

static void signals(long times)
{
    for (long i = 0; i < times; i++) {
        signal_round++;
        if (bench_me == 0)
            shmem_putmem_signal(own->data, local, size, &own->signal, signal_round,
                                SHMEM_SIGNAL_SET, peer);
        shmem_signal_wait_until(&own->signal, SHMEM_CMP_GE, signal_round);
        if (bench_me != 0)
            shmem_putmem_signal(own->data, local, size, &own->signal, signal_round,
                                SHMEM_SIGNAL_SET, peer);
    }
}
#endif

static void put_fence_p(long times)
{
    for (long i = 0; i < times; i++) {
        flag_round++;
        if (bench_me == 0) {
            shmem_putmem(own->data, local, size, peer);
            shmem_fence();
            shmem_long_p(&own->flag, flag_round, peer);
        }
        shmem_long_wait_until(&own->flag, SHMEM_CMP_GE, flag_round);
        if (bench_me != 0) {
            shmem_putmem(own->data, local, size, peer);
            shmem_fence();
            shmem_long_p(&own->flag, flag_round, peer);
        }
    }
}

/* ---- one PE ---- */

static void satisfied(long times)
{
    for (long i = 0; i < times; i++)
        shmem_long_wait_until(&own->target, SHMEM_CMP_EQ, 0);
}

static void test(long times)
{
    for (long i = 0; i < times; i++)
        sink = shmem_long_test(&own->target, SHMEM_CMP_EQ, 0);
}

BENCH_BY_HAND static int is_zero(const long *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE) == 0;
}

static void test_by_hand(long times)
{
    for (long i = 0; i < times; i++)
        sink = is_zero(&own->target);
}

static void p_fence(long times)
{
    for (long i = 0; i < times; i++) {
        shmem_long_p(&own->target, i, peer);
        shmem_fence();
    }
}

BENCH_BY_HAND static void store(long *to, long value)
{
    *(volatile long *)to = value;
}

BENCH_BY_HAND static void fence(void)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

BENCH_BY_HAND static void full_fence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void p_fence_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        store(&there->target, i);
        fence();
    }
}

static void p_quiet(long times)
{
    for (long i = 0; i < times; i++) {
        shmem_long_p(&own->target, i, peer);
        shmem_quiet();
    }
}

static void p_quiet_by_hand(long times)
{
    for (long i = 0; i < times; i++) {
        store(&there->target, i);
        full_fence();
    }
}

static void lock_and_clear(long times)
{
    for (long i = 0; i < times; i++) {
        shmem_set_lock(lock);
        shmem_clear_lock(lock);
    }
}

BENCH_BY_HAND static void take_lock(long *word)
{
    while (__atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(word, __ATOMIC_RELAXED))
            sched_yield();
}

BENCH_BY_HAND static void drop_lock(long *word)
{
    __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

static void lock_by_hand(long times)
{
    long *word = bench_peer(&own->hand_lock, 0);

    for (long i = 0; i < times; i++) {
        take_lock(word);
        drop_lock(word);
    }
}

static const struct bench_row pairs[] = {
    {"set, wait_until", "ping-pong", 8, .all = true, .work = flags, .limit = "raw flags",
     .by_hand = flags_by_hand},
    {"p, wait_until", "ping-pong", 8, .all = true, .work = put_flags, .limit = "raw flags",
     .by_hand = flags_by_hand},
#if BENCH_API >= 105
    {"put_signal, wait", "ping-pong", 8, .all = true, .work = signals, .limit = "memcpy, raw flags",
     .by_hand = data_by_hand},
    {"put_signal, wait", "ping-pong", 512, .all = true, .work = signals,
     .limit = "memcpy, raw flags", .by_hand = data_by_hand},
#endif
    {"put, fence, p, wait", "ping-pong", 8, .all = true, .work = put_fence_p,
     .limit = "memcpy, raw flags", .by_hand = data_by_hand},
    {"put, fence, p, wait", "ping-pong", 512, .all = true, .work = put_fence_p,
     .limit = "memcpy, raw flags", .by_hand = data_by_hand},
};

static const struct bench_row singles[] = {
    {"wait_until", "satisfied", 8, .work = satisfied, .limit = "load", .by_hand = test_by_hand},
    {"test", "satisfied", 8, .work = test, .limit = "load", .by_hand = test_by_hand},
    {"p, fence", "", 8, .work = p_fence, .limit = "store, fence", .by_hand = p_fence_by_hand},
    {"p, quiet", "", 8, .work = p_quiet, .limit = "store, full fence", .by_hand = p_quiet_by_hand},
    {"lock", "free", 8, .work = lock_and_clear, .limit = "spin lock", .by_hand = lock_by_hand},
    {"lock", "contended", 8, .all = true, .work = lock_and_clear, .limit = "spin lock",
     .by_hand = lock_by_hand},
};

static void measure(const struct bench_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct bench_row row = rows[i];

        row.serial = true;
        size = row.bytes;
        bench_measure(&row);
    }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "wait");
    peer = bench_n - 1 - bench_me;
    own = bench_alloc(sizeof *own + 128);
    own = (struct words *)(((uintptr_t)own + 127) & ~(uintptr_t)127);
    there = bench_peer(own, peer);
    lock = bench_alloc(sizeof *lock);
    if (bench_n == 2)
        measure(pairs, sizeof pairs / sizeof *pairs);
    measure(singles, sizeof singles / sizeof *singles);
    bench_end();
    return 0;
}
