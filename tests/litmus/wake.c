/* SPDX-License-Identifier: BSD-3-Clause */
/* Each way to change a word of another PE wakes that PE when it sleeps. */
#include "core/route.h"
#include "tsan/pes.h"

/*
 * One PE at a time is awake: a token goes around the PEs, by each way in turn, and then a lock.
 * Whoever forgets to ring leaves all asleep, since nothing else rings.
 */
enum { ROUNDS = 1000 };

#define HIGH_BIT (UINT64_C(1) << 40)

struct box {
    uint64_t word;
    uint64_t data[4];
};

static void by_p(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_p(&b->word, value, pe);
}

static void by_put(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_put(&b->word, &value, 1, pe);
}

static void by_put_nbi(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_put_nbi(&b->word, &value, 1, pe);
    shmem_quiet();
}

static void by_iput(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_iput(&b->word, &value, 1, 1, 1, pe);
}

static void by_set(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_atomic_set(&b->word, value, pe);
}

static void by_swap(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_atomic_swap(&b->word, value, pe);
}

static void by_compare_swap(struct box *b, uint64_t value, int pe)
{
    uint64_t seen = shmem_uint64_atomic_fetch(&b->word, pe);

    shmem_uint64_atomic_compare_swap(&b->word, seen, value, pe);
}

static void by_add(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_atomic_add(&b->word, value, pe);
}

static void by_fetch_inc(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_atomic_fetch_inc(&b->word, pe);
}

static void by_xor(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_atomic_xor(&b->word, value | 1, pe);
}

static void by_or(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_atomic_or(&b->word, HIGH_BIT, pe);
}

/* Comes after by_or(). */
static void by_and(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_atomic_fetch_and(&b->word, ~HIGH_BIT, pe);
}

static void by_signal_set(struct box *b, uint64_t value, int pe)
{
    shmem_uint64_put_signal(b->data, &value, 1, &b->word, value, SHMEM_SIGNAL_SET, pe);
}

static void by_signal_add(struct box *b, uint64_t value, int pe)
{
    shmem_putmem_signal_nbi(b->data, &value, 0, &b->word, 1, SHMEM_SIGNAL_ADD, pe);
}

static void by_bare_signal(struct box *b, uint64_t value, int pe)
{
    shmem_signal_set(&b->word, value, pe);
}

/* All of them change the word, whatever the others have left there. */
static void (*const ways[])(struct box *b, uint64_t value, int pe) = {
    by_p,           by_put,       by_put_nbi, by_iput, by_set, by_swap,       by_compare_swap,
    by_add,         by_xor,       by_or,      by_and,  by_p,   by_signal_set, by_signal_add,
    by_bare_signal, by_fetch_inc,
};

enum { WAYS = sizeof ways / sizeof *ways };

static void pass_words(int turns)
{
    struct box *box = shmem_calloc(1, sizeof *box);
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    uint64_t last = 0;

    for (int turn = 0; turn < turns; turn++) {
        if (me == 0)
            ways[turn % WAYS](box, (uint64_t)turn + 1, next);
        shmem_uint64_wait_until(&box->word, SHMEM_CMP_NE, last);
        last = shmem_uint64_atomic_fetch(&box->word, me);
        if (me != 0)
            ways[turn % WAYS](box, (uint64_t)turn + 1, next);
    }
}

/* A lock's home is woken by whoever enters, so it stays away from the lock. */
static void pass_lock(int turns)
{
    long *lock = shmem_calloc(1, sizeof *lock);
    int home = (int)(tern_route_symmetric_offset(lock) / sizeof *lock % (unsigned)shmem_n_pes());
    uint32_t seed = (uint32_t)shmem_my_pe();

    for (int turn = 0; shmem_my_pe() != home && turn < turns; turn++) {
        shmem_set_lock(lock);
        pes_dawdle(&seed, 20000); /* the next one falls asleep */
        shmem_clear_lock(lock);
    }
}

static void body(void)
{
    int rounds = pes_rounds(ROUNDS);

    pes_sleep_at_once();
    pass_words(rounds * WAYS);
    shmem_barrier_all();
    pass_lock(rounds);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/wake", body);
}
