/* SPDX-License-Identifier: BSD-3-Clause */
/* The pool's lock: a block that one PE has freed is allocated to one other PE only. */
#include "core/pool.h"

#include "base/compiler.h"
#include "tsan/pes.h"

/* The pair is the release in unlock() and the exchange in lock(); blocks hold plain data. */
enum { ROUNDS = 300000, POOL_BYTES = 1 << 20, HELD = 6, MARKED = 4 };

struct held {
    uint64_t offset;
    size_t bytes;
};

/* A few words, so that the PEs are at the lock most of the time. */
static size_t marked(const struct held *held)
{
    size_t words = held->bytes / sizeof(long);

    return words < MARKED ? words : MARKED;
}

static void take(struct tern_pool *pool, struct held *held, size_t bytes, long owner)
{
    long *words;

    held->bytes = bytes;
    held->offset = tern_pool_alloc(pool, POOL_BYTES, bytes);
    if (!held->offset)
        return;
    words = tern_pool_at(pool, POOL_BYTES, held->offset, bytes);
    for (size_t i = 0; i < marked(held); i++) {
        expect(words[i] == 0, "zeroed", "word %zu of a new block is %ld", i, words[i]);
        words[i] = owner;
    }
}

static void give_back(struct tern_pool *pool, struct held *held, long owner)
{
    long *words;

    if (!held->offset)
        return;
    words = tern_pool_at(pool, POOL_BYTES, held->offset, held->bytes);
    for (size_t i = 0; i < marked(held); i++)
        expect(words[i] == owner, "own", "word %zu is %ld, but the block is PE %ld's", i, words[i],
               owner - 1);
    tern_pool_free(pool, POOL_BYTES, held->offset, held->bytes);
}

static void body(void)
{
    struct tern_pool *pool = pes_shared(POOL_BYTES);
    struct held held[HELD] = {{0}};
    long owner = shmem_my_pe() + 1;
    uint32_t seed = (uint32_t)owner;

    for (int round = 0; round < pes_rounds(ROUNDS); round++) {
        struct held *h = &held[round % HELD];

        give_back(pool, h, owner);
        take(pool, h, (size_t)8 << pes_random(&seed) % 7, owner);
    }
    for (int i = 0; i < HELD; i++)
        give_back(pool, &held[i], owner);
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "litmus/pool", body);
}
