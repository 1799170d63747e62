/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates shared control blocks under a lock that is held for a few instructions. */
#include "core/pool.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "base/atomics.h"
#include "base/bytes.h"
#include "base/log.h"

#define SMALLEST_CLASS 8 /* 256 bytes */

static int class_of(size_t bytes)
{
    int c = SMALLEST_CLASS;

    while (((size_t)1 << c) < bytes)
        c++;
    return c;
}

void tern_pool_refuse(uint64_t offset, size_t bytes)
{
    tern_fatal(NULL,
               "the memory that this node's PEs share for teams is damaged: it has no block of %zu "
               "bytes at offset %llu; a PE has written to it by a wrong address",
               bytes, (unsigned long long)offset);
}

/* If the holder dies the job ends, so a wait for the lock is short. */
static void lock(struct tern_pool *pool)
{
    while (__atomic_exchange_n(&pool->lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void unlock(struct tern_pool *pool)
{
    tern_store_release(&pool->lock, 0); /* partner: the exchange in lock() */
}

uint64_t tern_pool_alloc_uncleared(struct tern_pool *pool, size_t pool_bytes, size_t bytes)
{
    int c = class_of(bytes);
    uint64_t offset, end;

    if (c >= TERN_POOL_CLASSES)
        return 0;
    lock(pool);
    end = tern_load_relaxed(&pool->end);
    if (!end)
        end = tern_bytes_round_up(sizeof *pool, TERN_LINE);
    offset = tern_load_relaxed(&pool->free_lists[c]);
    if (offset) {
        memcpy(&pool->free_lists[c], tern_pool_at(pool, pool_bytes, offset, (size_t)1 << c),
               sizeof offset);
    } else if (end <= pool_bytes && ((size_t)1 << c) <= pool_bytes - end) {
        tern_pool_at(pool, pool_bytes, end, (size_t)1 << c);
        offset = end;
        pool->end = end + ((size_t)1 << c);
    }
    unlock(pool);
    return offset;
}

uint64_t tern_pool_alloc(struct tern_pool *pool, size_t pool_bytes, size_t bytes)
{
    uint64_t offset = tern_pool_alloc_uncleared(pool, pool_bytes, bytes);

    if (offset)
        memset(tern_pool_at(pool, pool_bytes, offset, bytes), 0, bytes);
    return offset;
}

void tern_pool_free(struct tern_pool *pool, size_t pool_bytes, uint64_t offset, size_t bytes)
{
    int c = class_of(bytes);
    void *block = tern_pool_at(pool, pool_bytes, offset, (size_t)1 << c);

    lock(pool);
    memcpy(block, &pool->free_lists[c], sizeof offset);
    pool->free_lists[c] = offset;
    unlock(pool);
}
