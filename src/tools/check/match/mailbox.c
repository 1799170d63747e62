/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges call signatures between pairs of PEs, by routines that every OpenSHMEM library with
 * contexts has.
 */
#include "tools/check/match/mailbox.h"

#include <sched.h>
#include <shmem.h>
#include <string.h>

#include "tools/check/match/collect.h"

#define RINGS 64
#define CELLS 16

/*
 * A state has the number of posts of each side, in COUNT_BITS bits. The lower side's count does not
 * overflow into the upper side's.
 */
#define COUNT_BITS 31
#define COUNT_MASK ((1L << COUNT_BITS) - 1)
#define UPPER_SHIFT 32

struct table {
    long lock; /* of the keys */
    long full; /* set once no ring was free: from then on none is made, so that partners agree */
    long key[RINGS];    /* 0: free */
    long closed[RINGS]; /* how many of the two sides have closed it */
    long parted[RINGS];
    long state[RINGS][CELLS]; /* the lower side's count, and the upper side's above it */
    struct tern_check_contribution contributions[MAX_CONTRIBUTIONS];
    struct tern_check_signature half[RINGS][CELLS][2];
};

static struct table *table; /* symmetric: at the same address on each PE */
static shmem_ctx_t ctx;     /* of its own, so that the program's operations keep their order */

void *tern_check_mailbox_open(void)
{
    if (!tern_has("shmem_ctx_create"))
        return NULL;
    table = TERN_REAL(shmem_align)(64, sizeof *table);
    if (!table) {
        tern_check_collect_open(NULL);
        return NULL;
    }
    memset(table, 0, offsetof(struct table, half));
    tern_check_collect_open(table->contributions);
    ctx = SHMEM_CTX_DEFAULT;
    if (TERN_REAL(shmem_ctx_create)(0, &ctx) != 0)
        ctx = SHMEM_CTX_DEFAULT;
    TERN_REAL(shmem_barrier_all)();
    return table;
}

/* ---- atomic words ---- */

static long swap_if(long *word, long expected, long value, int pe)
{
    return TERN_REAL(shmem_ctx_long_atomic_compare_swap)(ctx, word, expected, value, pe);
}

static long add(long *word, long value, int pe)
{
    return TERN_REAL(shmem_ctx_long_atomic_fetch_add)(ctx, word, value, pe);
}

static long fetch(long *word, int pe)
{
    return TERN_REAL(shmem_ctx_long_atomic_fetch)(ctx, word, pe);
}

static void put(void *dest, const void *source, size_t bytes, int pe)
{
    TERN_REAL(shmem_ctx_putmem)(ctx, dest, source, bytes, pe);
}

/* ---- rings ---- */

/* The holder of the lock never blocks. */
static void lock(int pe)
{
    while (swap_if(&table->lock, 0, 1, pe) != 0)
        sched_yield();
}

static void unlock(int pe)
{
    TERN_REAL(shmem_ctx_quiet)(ctx);
    swap_if(&table->lock, 1, 0, pe);
}

/* The index of the ring with this key, which is made if there is none; -1 if no ring is free. */
static int find_or_make(long key, int pe)
{
    static const long zeros[CELLS];
    long keys[RINGS], one = 1;
    int ring = -1;

    TERN_REAL(shmem_ctx_getmem)(ctx, keys, table->key, sizeof keys, pe);
    for (int i = 0; i < RINGS; i++)
        if (keys[i] == key)
            return i;
        else if (keys[i] == 0 && ring < 0)
            ring = i;
    if (fetch(&table->full, pe))
        return -1;
    if (ring < 0) {
        put(&table->full, &one, sizeof one, pe);
        return -1;
    }
    put(table->state[ring], zeros, sizeof zeros, pe);
    put(&table->closed[ring], zeros, sizeof zeros[0], pe);
    put(&table->parted[ring], zeros, sizeof zeros[0], pe);
    put(&table->key[ring], &key, sizeof key, pe);
    return ring;
}

static void open_ring(struct tern_check_pair *pair)
{
    lock(pair->at);
    pair->ring = find_or_make((long)pair->key, pair->at);
    unlock(pair->at);
    pair->is_open = true;
    pair->is_shut = pair->ring < 0;
}

/* The second of the two sides frees the ring. */
void tern_check_mailbox_close(struct tern_check_pair *pair)
{
    static const long free_key;

    if (pair->is_open && !pair->is_shut && add(&table->closed[pair->ring], 1, pair->at) == 1) {
        lock(pair->at);
        put(&table->key[pair->ring], &free_key, sizeof free_key, pair->at);
        unlock(pair->at);
    }
    pair->is_shut = true;
}

/* ---- posts ---- */

/* The bytes of a signature that are in use. */
static size_t bytes_of(const struct tern_check_signature *signature)
{
    return signature->empty ? sizeof *signature
                            : offsetof(struct tern_check_signature, arg[signature->n_args]);
}

static void get(struct tern_check_signature *signature, const struct tern_check_signature *half,
                int pe)
{
    TERN_REAL(shmem_ctx_getmem)
    (ctx, signature, half, offsetof(struct tern_check_signature, empty_location), pe);
    if (signature->empty)
        TERN_REAL(shmem_ctx_getmem)(ctx, signature, half, sizeof *signature, pe);
}

/* Whether the partner has posted this number, according to the cell's state. */
static bool has_posted(const struct tern_check_pair *pair, long state, uint64_t number)
{
    long count = (pair->is_upper ? state : state >> UPPER_SHIFT) & COUNT_MASK;
    long before = (long)(number / CELLS) & COUNT_MASK;

    /* Sides are at most a ring apart, so the difference is 0 or small. */
    return count != before && ((count - before) & COUNT_MASK) <= 2;
}

static bool poll(struct tern_check_pair *pair, uint64_t number)
{
    long state = fetch(&table->state[pair->ring][number % CELLS], pair->at);

    if (!has_posted(pair, state, number))
        return false;
    if (pair->seen < number + 1)
        pair->seen = number + 1;
    return true;
}

/*
 * Whether this side's post of CELLS calls ago may be overwritten, because the partner has posted
 * beyond it.
 */
static bool has_room(struct tern_check_pair *pair, uint64_t number)
{
    uint64_t needed = number < CELLS ? 0 : number - CELLS + 2;

    return pair->seen >= needed || poll(pair, number - 1) || poll(pair, needed - 1);
}

/* What one more post of this side adds to the state. */
static long step(const struct tern_check_pair *pair, uint64_t number)
{
    long before = (long)(number / CELLS) & COUNT_MASK;
    long more = ((before + 1) & COUNT_MASK) - before;

    return pair->is_upper ? more * (1L << UPPER_SHIFT) : more;
}

static bool is_of_this_node(const struct tern_check_pair *pair)
{
    return TERN_REAL(shmem_ptr)(table, pair->at) != NULL;
}

bool tern_check_mailbox_post(struct tern_check_pair *pair, uint64_t number, bool may_wait,
                             const struct tern_check_signature *mine,
                             struct tern_check_signature *theirs)
{
    size_t cell = number % CELLS;
    struct tern_check_signature *half;

    if (!may_wait && !is_of_this_node(pair))
        return false;
    if (!pair->is_open)
        open_ring(pair);
    if (pair->is_shut)
        return false;
    while (!has_room(pair, number)) {
        if (!may_wait)
            return false;
        sched_yield();
    }
    half = table->half[pair->ring][cell];
    put(&half[pair->is_upper], mine, bytes_of(mine), pair->at);
    TERN_REAL(shmem_ctx_fence)(ctx);
    if (!has_posted(pair, add(&table->state[pair->ring][cell], step(pair, number), pair->at),
                    number))
        return false;
    if (pair->seen < number + 1)
        pair->seen = number + 1;
    get(theirs, &half[!pair->is_upper], pair->at);
    return true;
}

bool tern_check_mailbox_part(struct tern_check_pair *pair)
{
    return add(&table->parted[pair->ring], 1, pair->at) == 0;
}
