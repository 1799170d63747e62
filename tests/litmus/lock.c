/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks: a holder's local and remote stores are visible to the next holder. */
#include <sched.h>

#include "base/atomics.h"
#include "tsan/pes.h"

/*
 * The pairs are those of core/lock_queue.inc: who frees a lock, and who takes it from the home's
 * word; who hands it over by setting `held`, and the acquire in the wait for it. Plain loads and
 * stores of memory that the lock protects show what is missing between them.
 */
enum { ROUNDS = 50000, LOCKS = 3 };

struct guarded {
    long count;
    int holder; /* plus one */
    long sum TERN_ALIGNED(TERN_LINE);
};

static void take(long *lock, uint32_t *seed)
{
    if (pes_random(seed) % 4) {
        shmem_set_lock(lock);
        return;
    }
    while (shmem_test_lock(lock))
        sched_yield();
}

static void use(struct guarded *p, int me)
{
    expect(p->holder == 0, "alone", "PE %d holds the lock as well", p->holder - 1);
    p->holder = me + 1;
    p->count++;
    expect(p->sum == p->count - 1, "hand-over", "the last holder left %ld, expected %ld", p->sum,
           p->count - 1);
    p->sum++;
    expect(p->holder == me + 1, "alone", "PE %d holds the lock as well", p->holder - 1);
    p->holder = 0;
}

static void body(void)
{
    struct guarded *all = pes_shared(LOCKS * sizeof *all);
    long *locks = shmem_calloc(LOCKS, sizeof *locks), *put = shmem_calloc(LOCKS, sizeof *put);
    int me = shmem_my_pe(), n = shmem_n_pes();
    long rounds = pes_rounds(ROUNDS), total = 0;
    uint32_t seed = (uint32_t)me;

    for (long round = 0; round < rounds; round++) {
        int l = (int)(pes_random(&seed) % LOCKS);
        long value;

        take(&locks[l], &seed);
        use(&all[l], me);
        /* clear_lock completes puts: the next holder gets what this one has put. */
        shmem_long_get(&value, &put[l], 1, n - 1);
        expect(value == all[l].count - 1, "puts-complete", "got %ld, expected %ld", value,
               all[l].count - 1);
        shmem_long_p(&put[l], value + 1, n - 1);
        shmem_clear_lock(&locks[l]);
        pes_dawdle(&seed, round % 2 ? 2000 : 1);
    }
    shmem_barrier_all();
    for (int l = 0; l < LOCKS; l++) {
        total += all[l].count;
        expect(locks[l] == 0, "clean", "a free lock's word is %lx", locks[l]);
    }
    expect(total == rounds * n, "count", "%ld turns, expected %ld", total, rounds * n);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/lock", body);
}
