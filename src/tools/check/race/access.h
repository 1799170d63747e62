/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access records: accesses to bytes of one PE's memory, and how two records of the same bytes
 * relate.
 */
#ifndef TERN_CHECK_ACCESS_H
#define TERN_CHECK_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_PES 65536 /* PE numbers that a record has room for */

enum tern_check_access_bits {
    ACCESS_WRITES = 1,
    ACCESS_ATOMIC = 2,
    ACCESS_FENCED = 4,    /* a fence of its PE orders it with later ones to the same target */
    ACCESS_SIGNALLED = 8, /* the signal of its call is ordered after it */
    ACCESS_WORD = 16,     /* a single word, as flags are */
    ACCESS_AWAITED = 32,  /* no access: a PE waits for these bytes */
    ACCESS_IN_LINES = 64, /* no access: these lines of a page have records of their own */
    ACCESS_LOCAL = 128,   /* to an argument in the caller's own memory */
};

/* An access to bytes of one PE's memory, as other PEs see it. */
struct tern_check_access {
    uint64_t when; /* the PE's time, and its number in the lowest 16 bits */
    uint32_t site; /* see race/site_table.h */
    uint16_t how;
    uint16_t ctx;  /* the number of the context that completes it */
    uint64_t mask; /* of the 64 bytes of a line, or the 64 lines of a page */
};

static inline int tern_check_access_pe(const struct tern_check_access *access)
{
    return (int)(access->when & (MAX_PES - 1));
}

static inline uint64_t tern_check_access_time(const struct tern_check_access *access)
{
    return access->when / MAX_PES;
}

static inline bool tern_check_access_is_real(const struct tern_check_access *access)
{
    return !(access->how & (ACCESS_AWAITED | ACCESS_IN_LINES));
}

static inline bool tern_check_access_may_race(const struct tern_check_access *a,
                                              const struct tern_check_access *b)
{
    return a->mask & b->mask && (a->how | b->how) & ACCESS_WRITES &&
           !(a->how & b->how & ACCESS_ATOMIC);
}

static inline bool tern_check_access_are_alike(const struct tern_check_access *a,
                                               const struct tern_check_access *b)
{
    return a->how == b->how && a->ctx == b->ctx && a->site == b->site;
}

/*
 * Whether the old record can be dropped: any later access that races with it also races with the
 * new one. is_ordered: the old access is ordered before the new one.
 */
static inline bool tern_check_access_replaces(const struct tern_check_access *now,
                                              const struct tern_check_access *old, bool is_ordered)
{
    bool same_pe = tern_check_access_pe(now) == tern_check_access_pe(old);

    if (old->mask & ~now->mask)
        return false;
    if (same_pe && now->how == old->how && now->ctx == old->ctx)
        return true;
    if (!is_ordered || (now->how & ~old->how & ACCESS_ATOMIC))
        return false;
    return now->how & ACCESS_WRITES || !(old->how & (ACCESS_WRITES | ACCESS_ATOMIC));
}

/* Whether both are writes of a word that is waited for, as of a flag. */
static inline bool tern_check_access_are_flags(const struct tern_check_access *a,
                                               const struct tern_check_access *b, uint64_t waited)
{
    return a->how & b->how & ACCESS_WORD && !((a->how | b->how) & ACCESS_ATOMIC) &&
           !(a->mask & b->mask & ~waited);
}

/* Whether the records can be merged: they differ in nothing but their masks. */
static inline bool tern_check_access_are_one(const struct tern_check_access *a,
                                             const struct tern_check_access *b)
{
    return a->when == b->when && tern_check_access_are_alike(a, b) &&
           !tern_check_access_may_race(a, b);
}

#endif
