/* SPDX-License-Identifier: BSD-3-Clause */
/* Dekker's pattern: of two PEs that store, quiet and look at the other's word, one sees it. */
#include "base/atomics.h"
#include "base/os.h"
#include "tsan/pes.h"

/*
 *     PE 0                    PE 1
 *     put x                   put y
 *     quiet                   quiet
 *     get y                   get x
 *
 * Without a full barrier in quiet each may get what was there before the other's store. Each
 * store goes to the other PE's memory and each look to the PE's own, so both are short.
 */
enum { BATCHES = 1000, BATCH = 1000, LONGEST_DELAY_BITS = 6 };

#define TIME_NS 700000000u

struct line {
    long value;
} TERN_ALIGNED(TERN_LINE);

struct field {
    bool over; /* PE 0 has looked at the clock */
};

struct pair {
    uint64_t start[2] TERN_ALIGNED(TERN_LINE);
    struct line seen[2][BATCH];
};

static void store(struct line *word, long value, int pe, bool by_amo)
{
    if (by_amo)
        shmem_long_atomic_set(&word->value, value, pe);
    else
        shmem_long_p(&word->value, value, pe);
}

static long look(struct line *word, int pe, bool by_amo)
{
    return by_amo ? shmem_long_atomic_fetch(&word->value, pe) : shmem_long_g(&word->value, pe);
}

static void play(struct pair *pair, struct line *word, int side, int other, long first)
{
    uint32_t seed = (uint32_t)(side + 2 * first);

    for (int i = 0; i < BATCH; i++) {
        bool by_amo = i % 2;

        tern_store_release(&pair->start[side], (uint64_t)(first + i));
        pes_await(&pair->start[!side], (uint64_t)(first + i));
        pes_dawdle(&seed, 1u << i % LONGEST_DELAY_BITS);
        store(word, first + i, other, by_amo);
        shmem_quiet();
        pair->seen[side][i].value = look(word, shmem_my_pe(), by_amo);
    }
}

static void check_batch(const struct pair *pair, long first)
{
    for (int i = 0; i < BATCH; i++)
        expect(pair->seen[0][i].value >= first + i || pair->seen[1][i].value >= first + i,
               "one-sees-the-other", "round %ld: neither PE saw the other's store", first + i);
}

static void body(void)
{
    struct field *field = pes_shared(sizeof *field);
    struct pair *pairs = pes_shared((size_t)shmem_n_pes() * sizeof *pairs);
    struct line *word = shmem_calloc(1, sizeof *word);
    int me = shmem_my_pe(), side = me % 2, other = me ^ 1;
    struct pair *pair = &pairs[me / 2];
    uint64_t end = tern_os_now_ns() + TIME_NS;

    for (int batch = 0; batch < BATCHES && !field->over; batch++) {
        long first = 1 + (long)batch * BATCH;

        if (other < shmem_n_pes())
            play(pair, word, side, other, first);
        shmem_barrier_all();
        if (me == 0)
            field->over = tern_os_now_ns() > end;
        if (side == 0 && other < shmem_n_pes())
            check_batch(pair, first);
        shmem_barrier_all();
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/dekker", body);
}
