/* SPDX-License-Identifier: BSD-3-Clause */
/* Put with signal: a PE that sees the signal sees the data, without a fence by the sender. */
#include "base/atomics.h"
#include "tsan/pes.h"

/*
 * The fence in put with signal is the partner of the acquire in wait and fetch of a signal. Data
 * travels around a ring of PEs: each adds its number to what it gets and sends it on.
 */
enum { ROUNDS = 40000, WORDS = 40 };

struct box {
    uint64_t signal TERN_ALIGNED(TERN_LINE);
    uint64_t data[WORDS] TERN_ALIGNED(TERN_LINE);
};

static void send(struct box *box, const uint64_t *data, uint64_t round, int to)
{
    switch (round % 4) {
    case 0:
        shmem_uint64_put_signal(box->data, data, WORDS, &box->signal, 1, SHMEM_SIGNAL_ADD, to);
        break;
    case 1:
        shmem_uint64_put_signal(box->data, data, WORDS, &box->signal, round, SHMEM_SIGNAL_SET, to);
        break;
    case 2:
        shmem_putmem_signal_nbi(box->data, data, WORDS * sizeof *data, &box->signal, round,
                                SHMEM_SIGNAL_SET, to);
        shmem_quiet();
        break;
    default:
        shmem_uint64_put(box->data, data, WORDS, to);
        shmem_fence();
        shmem_signal_add(&box->signal, 1, to);
    }
}

static void await(struct box *box, uint64_t round)
{
    if (round % 3)
        shmem_signal_wait_until(&box->signal, SHMEM_CMP_EQ, round);
    else
        while (shmem_signal_fetch(&box->signal) != round)
            shmem_uint64_test(&box->signal, SHMEM_CMP_EQ, round);
}

static void body(void)
{
    struct box *box = shmem_calloc(1, sizeof *box);
    uint64_t me = (uint64_t)shmem_my_pe(), n = (uint64_t)shmem_n_pes(), data[WORDS];
    uint64_t lap = n * (n - 1) / 2;

    for (uint64_t round = 1; round <= (uint64_t)pes_rounds(ROUNDS); round++) {
        for (uint64_t i = 0; me == 0 && i < WORDS; i++)
            data[i] = round * WORDS + i;
        if (me == 0)
            send(box, data, round, (int)(1 % n));
        await(box, round);
        for (uint64_t i = 0; i < WORDS; i++) {
            uint64_t sum = me ? me * (me - 1) / 2 : lap;

            expect(box->data[i] == round * WORDS + i + sum, "signal-follows-data",
                   "round %d: word %d is %llu, expected %llu", (int)round, (int)i,
                   (unsigned long long)box->data[i], (unsigned long long)(round * WORDS + i + sum));
            data[i] = box->data[i] + me;
        }
        if (me > 0)
            send(box, data, round, (int)((me + 1) % n));
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/signal", body);
}
