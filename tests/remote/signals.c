/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal never becomes visible before the data of its call, of any size, nbi or not. */
#include "harness/board.h"

enum { MOST = 1 << 17, SLOTS = 4, N_SIZES = 9 };

static const size_t sizes[N_SIZES] = {1, 2, 16, 255, 511, 512, 513, 8192, MOST};

static uint64_t data[SLOTS][MOST], sources[SLOTS][MOST];
static uint64_t arrived[SLOTS], taken; /* taken: rounds that the next PE has looked at */

static uint64_t pattern(int pe, int round, size_t i)
{
    return ((uint64_t)(unsigned)pe << 48) | (uint64_t)(unsigned)round << 24 | i;
}

static size_t round_size(int round)
{
    return sizes[round % N_SIZES];
}

static void send(int round, int next)
{
    int slot = round % SLOTS;
    size_t n = round_size(round);

    for (size_t i = 0; i < n; i++)
        sources[slot][i] = pattern(check_pe(), round, i);
    if (round % 2)
        shmem_uint64_put_signal_nbi(data[slot], sources[slot], n, &arrived[slot], 1,
                                    SHMEM_SIGNAL_ADD, next);
    else
        shmem_uint64_put_signal(data[slot], sources[slot], n, &arrived[slot],
                                (uint64_t)(round / SLOTS + 1), SHMEM_SIGNAL_SET, next);
}

static void receive(int round, int before)
{
    int slot = round % SLOTS;
    size_t n = round_size(round), i = 0;

    check_case("round %d, %zu words from PE %d", round, n, before);
    if (round % 3)
        shmem_signal_wait_until(&arrived[slot], SHMEM_CMP_GE, (uint64_t)(round / SLOTS + 1));
    else
        while (shmem_signal_fetch(&arrived[slot]) < (uint64_t)(round / SLOTS + 1))
            ;
    while (i < n && data[slot][i] == pattern(before, round, i))
        i++;
    check(i == n, "signal-follows-its-data", "word %zu is %#llx", i,
          (unsigned long long)(i < n ? data[slot][i] : 0));
    shmem_uint64_atomic_inc(&taken, before);
}

/* The put waits for the fenced addition, and must not wait for its own signal. */
static void check_fence_before(int next)
{
    check_case("a fence between an atomic operation and a long put with signal");
    shmem_uint64_atomic_add(&taken, 1, next);
    shmem_fence();
    shmem_uint64_put_signal_nbi(data[0], sources[0], MOST, &arrived[0], 1, SHMEM_SIGNAL_ADD, next);
    shmem_quiet();
    check_reached("signal-after-a-fence");
}

int main(void)
{
    int rounds = 12 * SLOTS * N_SIZES, received = 0, me, n, next, before;

    check_init("remote/signals");
    me = check_pe();
    n = check_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    rounds /= n > 2 ? 3 : 1;
    for (int round = 0; round < rounds; round++) {
        /* The slot is free when the receiver has looked at what was in it, and it was sent. */
        if (round >= SLOTS)
            shmem_uint64_wait_until(&taken, SHMEM_CMP_GE, (uint64_t)(round - SLOTS + 1));
        shmem_quiet();
        send(round, next);
        while (received < round - round % SLOTS / 2) /* one or two stay on their way */
            receive(received++, before);
    }
    while (received < rounds)
        receive(received++, before);
    shmem_barrier_all();
    check_fence_before(next);
    return check_finish();
}
