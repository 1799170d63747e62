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
#define ACTOR_BITS 20
#define MAX_ACTORS (1 << ACTOR_BITS)

enum tern_check_access_bits {
    ACCESS_WRITES = 1,
    ACCESS_ATOMIC = 2,
    ACCESS_FENCED = 4,    /* a fence of its PE orders it with later ones to the same target */
    ACCESS_SIGNALLED = 8, /* the signal of its call is ordered after it */
    ACCESS_WORD = 16,     /* a single word, as flags are */
    ACCESS_AWAITED = 32,  /* no access: a PE waits for these bytes */
    ACCESS_IN_LINES = 64, /* no access: these lines of a page have records of their own */
    ACCESS_LOCAL = 128,   /* to an argument in the caller's own memory */
    ACCESS_WIDE = 256,    /* atomic, of 8 bytes */
    ACCESS_REAL = 512,    /* atomic, of a floating-point type */
    ACCESS_POLLS = 1024,  /* a load that may wait for a flag */
};

/* Atomic operations exclude each other only if these are the same. */
#define ACCESS_TYPE (ACCESS_WIDE | ACCESS_REAL)

/* An access to bytes of one PE's memory, as other PEs see it. */
struct tern_check_access {
    uint64_t when; /* the time of its actor, whose number is in the lowest ACTOR_BITS bits */
    uint32_t site; /* see race/site_table.h */
    uint16_t how;
    uint16_t ctx;  /* the number of the context that completes it */
    uint64_t mask; /* of the 64 bytes of a line, or the 64 lines of a page */
};

/*
 * An actor is a thread of a PE. Its number is that of the PE, plus the number of PEs times that of
 * the thread.
 */
static inline int tern_check_access_actor(const struct tern_check_access *access)
{
    return (int)(access->when & (MAX_ACTORS - 1));
}

static inline uint64_t tern_check_access_time(const struct tern_check_access *access)
{
    return access->when >> ACTOR_BITS;
}

static inline bool tern_check_access_is_real(const struct tern_check_access *access)
{
    return !(access->how & (ACCESS_AWAITED | ACCESS_IN_LINES));
}

/* Whether two accesses exclude each other: atomic operations of one type. */
static inline bool tern_check_access_exclude(const struct tern_check_access *a,
                                             const struct tern_check_access *b)
{
    return a->how & b->how & ACCESS_ATOMIC && !((a->how ^ b->how) & ACCESS_TYPE);
}

/* Whether one is a load that may wait for the other, a write of a single word. */
static inline bool tern_check_access_poll(const struct tern_check_access *a,
                                          const struct tern_check_access *b)
{
    return (a->how | b->how) & ACCESS_POLLS && a->how & b->how & ACCESS_WORD;
}

static inline bool tern_check_access_may_race(const struct tern_check_access *a,
                                              const struct tern_check_access *b)
{
    return a->mask & b->mask && (a->how | b->how) & ACCESS_WRITES &&
           !tern_check_access_exclude(a, b) && !tern_check_access_poll(a, b);
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
    bool same_actor = tern_check_access_actor(now) == tern_check_access_actor(old);

    if (old->mask & ~now->mask)
        return false;
    if (same_actor && now->how == old->how && now->ctx == old->ctx)
        return true;
    if (!is_ordered || (now->how & ~old->how & (ACCESS_ATOMIC | ACCESS_POLLS)) ||
        (now->how & ACCESS_ATOMIC && (now->how ^ old->how) & ACCESS_TYPE))
        return false;
    return now->how & ACCESS_WRITES || !(old->how & (ACCESS_WRITES | ACCESS_ATOMIC));
}

/* Whether both access a word that is waited for, as of a flag. */
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
