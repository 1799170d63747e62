/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dekker's pattern: of two PEs that store, quiet and then load the other's word, at least one sees
 * the store.
 */
#include <sched.h>

#include "base/atomics.h"
#include "base/os.h"
#include "tsan/pes.h"

/*
 *     PE 0                    PE 1
 *     put x                   put y
 *     quiet                   quiet
 *     get y                   get x
 *
 * Without a full barrier in quiet, each PE may get the value from before the other's store. Each
 * store goes to the other PE's memory and each load from the PE's own, so both are short.
 *
 * Only a round in which both PEs run at the same time can show that, and such rounds are rare on a
 * busy machine. Each PE is therefore bound to a core of its own, and does not yield it while it
 * waits. The test ends after RACED_ROUNDS such rounds, or after LONGEST_NS. Without the barrier one
 * round in ten thousand fails.
 */
enum { BATCH = 100, LONGEST_DELAY_BITS = 6 };

#define RACED_ROUNDS 500000
#define LONGEST_NS 5000000000u

/* Polls before a PE yields its core: milliseconds. */
#define PATIENCE 50000

/* A partner that arrives within so many polls is running now. */
#define PROMPT 200

struct line {
    long value;
    bool prompt; /* the partner was running when the round began */
} TERN_ALIGNED(TERN_LINE);

struct field {
    bool over; /* PE 0 has seen enough */
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

static void take_own_core(int pe)
{
    cpu_set_t all, own;

    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &all) && pe-- == 0) {
            CPU_ZERO(&own);
            CPU_SET(core, &own);
            sched_setaffinity(0, sizeof own, &own);
        }
}

/* Waits for the partner to begin the round too; returns whether it is running now. */
static bool meet(const uint64_t *start, uint64_t round)
{
    unsigned polls = 0;

    for (; tern_load_acquire(start) < round; polls++)
        if (polls < PATIENCE)
            tern_cpu_relax();
        else
            sched_yield(); /* the partner may have no other core */
    return polls < PROMPT;
}

static void play(struct pair *pair, struct line *word, int side, int other, long first)
{
    uint32_t seed = (uint32_t)(side + 2 * first);

    for (int i = 0; i < BATCH; i++) {
        bool by_amo = i % 2;

        tern_store_release(&pair->start[side], (uint64_t)(first + i));
        pair->seen[side][i].prompt = meet(&pair->start[!side], (uint64_t)(first + i));
        pes_dawdle(&seed, 1u << i % LONGEST_DELAY_BITS);
        store(word, first + i, other, by_amo);
        shmem_quiet();
        pair->seen[side][i].value = look(word, shmem_my_pe(), by_amo);
    }
}

/* Returns the number of rounds in which both PEs were running. */
static long check_batch(const struct pair *pair, long first)
{
    long raced = 0;

    for (int i = 0; i < BATCH; i++) {
        raced += pair->seen[0][i].prompt && pair->seen[1][i].prompt;
        expect(pair->seen[0][i].value >= first + i || pair->seen[1][i].value >= first + i,
               "one-sees-the-other", "round %ld: neither PE saw the other's store", first + i);
    }
    return raced;
}

static void body(void)
{
    struct field *field = pes_shared(sizeof *field);
    struct pair *pair = pes_shared(sizeof *pair);
    struct line *word = shmem_calloc(1, sizeof *word);
    int me = shmem_my_pe();
    uint64_t end = tern_os_now_ns() + LONGEST_NS;
    long raced = 0;

    take_own_core(me);
    for (long first = 1; !field->over; first += BATCH) {
        play(pair, word, me, !me, first);
        shmem_barrier_all();
        if (me == 0) {
            raced += check_batch(pair, first);
            field->over = raced >= RACED_ROUNDS || tern_os_now_ns() > end;
        }
        shmem_barrier_all();
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/dekker", body);
}
