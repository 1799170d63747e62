/* SPDX-License-Identifier: BSD-3-Clause */
/* No wake-up is lost between a writer's store and check and a sleeper's announcement and check. */
#include "core/wait.h"
#include "tsan/pes.h"

/*
 *     writer                        sleeper
 *     store word                    sleepers++
 *     look at sleepers              membarrier
 *       not 0: wake                 look at word
 *                                     unchanged: sleep
 *
 * If the writer's look comes before its store, or the sleeper does not look again, both may see
 * what was before; the sleeper then sleeps for ever. The writer's time is varied around the moment
 * in which the sleeper passes from looking to sleeping, and lines that it has to fetch from the
 * sleeper's cache keep its store waiting while its look goes ahead.
 */
enum { ROUNDS = 100000, COLD_LINES = 8, LONGEST_DELAY_BITS = 13 };

struct line {
    uint64_t value;
} TERN_ALIGNED(TERN_LINE);

struct pair {
    struct tern_bell bell TERN_ALIGNED(TERN_LINE);
    struct line word, ready, cold[COLD_LINES];
};

static void fill_cold(struct pair *pair, uint64_t value)
{
    for (int i = 0; i < COLD_LINES; i++)
        tern_store_relaxed(&pair->cold[i].value, value);
}

static void write_rounds(struct pair *pair, uint64_t rounds)
{
    uint32_t seed = 1;

    for (uint64_t r = 1; r <= rounds; r++) {
        pes_await(&pair->ready.value, r);
        pes_dawdle(&seed, 1u << r % LONGEST_DELAY_BITS);
        (void)tern_load_relaxed(&pair->bell.sleepers); /* the later look finds it at hand */
        fill_cold(pair, r);
        tern_store_release(&pair->word.value, r);
        tern_bell_ring(&pair->bell);
    }
}

static void sleep_rounds(struct pair *pair, uint64_t rounds)
{
    pes_sleep_at_once();
    for (uint64_t r = 1; r <= rounds; r++) {
        struct tern_wait w = tern_wait_begin(&pair->bell, "litmus/bell");

        fill_cold(pair, 0);
        tern_store_release(&pair->ready.value, r);
        while (tern_load_acquire(&pair->word.value) < r)
            tern_wait_step(&w);
        tern_wait_end(&w);
    }
}

static void body(void)
{
    struct pair *pairs = pes_shared((size_t)shmem_n_pes() * sizeof *pairs);
    int me = shmem_my_pe();

    if ((me | 1) >= shmem_n_pes() || !tern_wait_policy.asymmetric)
        return;
    if (me % 2)
        sleep_rounds(&pairs[me / 2], (uint64_t)pes_rounds(ROUNDS));
    else
        write_rounds(&pairs[me / 2], (uint64_t)pes_rounds(ROUNDS));
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/bell", body);
}
