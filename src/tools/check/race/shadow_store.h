/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared memory for access records: a table of lines and one of pages, in sets of SET_WAYS records
 * with a lock each. Where room is short the oldest records are dropped.
 */
#ifndef TERN_CHECK_SHADOW_STORE_H
#define TERN_CHECK_SHADOW_STORE_H

#include "tools/check/race/clocks.h"

#define SET_WAYS 14
#define LINE_BITS 6 /* a line has 64 bytes, a page 64 lines */

/* A record of a line or page of a PE. */
struct tern_check_shadow_way {
    uint64_t key;
    struct tern_check_access access;
};

/* The first cache line tells whether there is any record. */
struct tern_check_shadow_set {
    int32_t holder;         /* a process; 0: none */
    uint32_t next;          /* way to be overwritten next */
    uint32_t tag[SET_WAYS]; /* part of the key; 0: free */
    struct tern_check_shadow_way way[SET_WAYS];
} __attribute__((aligned(64)));

struct tern_check_shadow_store {
    struct tern_check_shadow_set *sets;
    size_t n; /* a multiple of 64 */
};

extern struct tern_check_shadow_store tern_check_shadow_store_lines, tern_check_shadow_store_pages;

/* This process as the holder of a lock. */
extern int32_t tern_check_shadow_store_holder;

/* Bytes of shared memory needed for n PEs. */
size_t tern_check_shadow_store_bytes(int n);

/* The memory has to be zero at first. */
void tern_check_shadow_store_start(void *memory, int n);

/* The mask of the first n bytes, or lines. */
static inline uint64_t tern_check_shadow_store_mask(uint64_t n)
{
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

/* The key of a line or page of a PE; index has 46 bits. */
static inline uint64_t tern_check_shadow_store_key(int target, uint64_t index)
{
    return (uint64_t)(unsigned)(target + 1) << 46 | (index & ((UINT64_C(1) << 46) - 1));
}

/* The key of a line of the page with this key. */
static inline uint64_t tern_check_shadow_store_line_key(uint64_t page, unsigned line)
{
    const uint64_t index = (UINT64_C(1) << 46) - 1;

    return (page & ~index) | ((page & index) << LINE_BITS & index) | line;
}

static inline uint64_t tern_check_shadow_store_mix(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint32_t tern_check_shadow_store_tag(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) | 1;
}

/* Where a line or page is in a table of n, a multiple of 64: adjacent ones are adjacent there. */
static inline size_t tern_check_shadow_store_index(size_t n, uint64_t key)
{
    uint64_t mixed = tern_check_shadow_store_mix(key >> LINE_BITS);

    return (size_t)((unsigned __int128)mixed * (n >> LINE_BITS) >> 64) << LINE_BITS | (key & 63);
}

static inline struct tern_check_shadow_set *
tern_check_shadow_store_set_of(const struct tern_check_shadow_store *table, uint64_t key)
{
    return &table->sets[tern_check_shadow_store_index(table->n, key)];
}

/* Waits for a lock and takes it. */
void tern_check_shadow_store_wait_lock(int32_t *holder);

static inline void tern_check_shadow_store_lock(struct tern_check_shadow_set *set)
{
    int32_t holder = 0;

    if (!__atomic_compare_exchange_n(&set->holder, &holder, tern_check_shadow_store_holder, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        tern_check_shadow_store_wait_lock(&set->holder);
}

static inline void tern_check_shadow_store_unlock(struct tern_check_shadow_set *set)
{
    __atomic_store_n(&set->holder, 0,
                     __ATOMIC_RELEASE); /* partner: the acquire in tern_check_shadow_store_lock() */
}

/* A bit for each way with the key. */
static inline uint32_t tern_check_shadow_store_find(const struct tern_check_shadow_set *set,
                                                    uint64_t key)
{
    uint32_t tag = tern_check_shadow_store_tag(key), maybe = 0, found = 0;

#pragma GCC unroll 14
    for (int i = 0; i < SET_WAYS; i++)
        maybe |= (uint32_t)(set->tag[i] == tag) << i;
    for (; maybe; maybe &= maybe - 1)
        if (set->way[__builtin_ctz(maybe)].key == key)
            found |= maybe & -maybe;
    return found;
}

/*
 * Stores the record of the line or page with this key in a way; -1: in one that is found for it.
 * *dropped: the record that was dropped for it; its mask is 0 if there was none.
 */
void tern_check_shadow_store_put(struct tern_check_shadow_set *set, int way, uint64_t key,
                                 const struct tern_check_access *access,
                                 struct tern_check_shadow_way *dropped);

#endif
