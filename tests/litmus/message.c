/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Message passing: a PE that sees the flag sees the data; a PE that sees the receipt may change the
 * data.
 */
#include "base/atomics.h"
#include "tsan/pes.h"

/*
 *     sender                           receiver
 *     put data                         wait for flag, or test it
 *     fence (put, p), or not (AMO)     read data
 *     flag                             get the sender's copy
 *     wait for receipt                 receipt
 *     change both
 *
 * The fence's partner is the acquire in the wait. That of the receipt is the order of the get, or
 * the loads of the data, before it.
 */
enum { ROUNDS = 40000, WORDS = 24, WAYS = 5 };

struct box {
    long flag TERN_ALIGNED(TERN_LINE);
    long receipt TERN_ALIGNED(TERN_LINE);
    long data[WORDS] TERN_ALIGNED(TERN_LINE);
    long copy[WORDS]; /* the sender's own, for the receiver to get */
};

static void raise_flag(long *flag, long value, int pe)
{
    switch (value % WAYS) {
    case 0:
        shmem_fence();
        shmem_long_p(flag, value, pe);
        break;
    case 1:
        shmem_fence();
        shmem_long_put(flag, &value, 1, pe);
        break;
    case 2:
        shmem_fence();
        shmem_long_iput(flag, &value, 1, 1, 1, pe);
        break;
    case 3:
        shmem_long_atomic_set(flag, value, pe);
        break;
    default:
        shmem_long_atomic_inc(flag, pe);
    }
}

static void see_flag(long *flag, long value)
{
    if (value % 3)
        shmem_long_wait_until(flag, SHMEM_CMP_GE, value);
    else
        while (!shmem_long_test(flag, SHMEM_CMP_GE, value))
            ;
}

static void send(struct box *box, long round, int to)
{
    long data[WORDS];

    for (int i = 0; i < WORDS; i++)
        data[i] = box->copy[i] = round * WORDS + i;
    shmem_long_put(box->data, data, WORDS, to);
    raise_flag(&box->flag, round, to);
}

static void receive(struct box *box, long round, int from)
{
    long data[WORDS];

    see_flag(&box->flag, round);
    for (int i = 0; i < WORDS; i++)
        expect(box->data[i] == round * WORDS + i, "flag-follows-data",
               "round %ld: word %d is %ld, expected %ld", round, i, box->data[i],
               round * WORDS + i);
    shmem_long_get(data, box->copy, WORDS, from);
    shmem_long_atomic_set(&box->receipt, round, from);
    for (int i = 0; i < WORDS; i++)
        expect(data[i] == round * WORDS + i, "get-precedes-receipt",
               "round %ld: word %d is %ld, expected %ld", round, i, data[i], round * WORDS + i);
}

static void body(void)
{
    struct box *box = shmem_calloc(1, sizeof *box);
    int me = shmem_my_pe(), n = shmem_n_pes();

    for (long round = 1; round <= pes_rounds(ROUNDS); round++) {
        send(box, round, (me + 1) % n);
        receive(box, round, (me + n - 1) % n);
        shmem_long_wait_until(&box->receipt, SHMEM_CMP_GE, round);
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/message", body);
}
