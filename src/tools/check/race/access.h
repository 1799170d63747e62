/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks of accesses to bytes of one PE's memory, and what two of the same bytes are to each other.
 */
#ifndef TERN_CHECK_ACCESS_H
#define TERN_CHECK_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#define TERN_CHECK_MOST_PES 65536 /* whose numbers a mark has room for */

enum tern_check_how {
    TERN_CHECK_WRITES = 1,
    TERN_CHECK_ATOMIC = 2,
    TERN_CHECK_FENCED = 4,    /* a fence of its PE orders it with others to the same target */
    TERN_CHECK_SIGNALLED = 8, /* the signal of its call comes after it */
    TERN_CHECK_BRIEF = 16,    /* one word, as a flag is */
    TERN_CHECK_WAITED = 32,   /* no access: somebody waits for these bytes */
    TERN_CHECK_BELOW = 64,    /* no access: these lines of a page have marks of their own */
    TERN_CHECK_LOCAL = 128,   /* of an argument in the caller's own memory */
};

/* An access to bytes of one PE's memory, as others see it. */
struct tern_check_mark {
    uint64_t when; /* the PE's clock, and the PE in the lowest 16 bits */
    uint32_t site; /* see race/site_table.h */
    uint16_t how;
    uint16_t ctx;  /* what completes it */
    uint64_t mask; /* of 64 bytes, or lines */
};

static inline int tern_check_mark_pe(const struct tern_check_mark *mark)
{
    return (int)(mark->when & (TERN_CHECK_MOST_PES - 1));
}

static inline uint64_t tern_check_mark_time(const struct tern_check_mark *mark)
{
    return mark->when / TERN_CHECK_MOST_PES;
}

static inline bool tern_check_mark_is_access(const struct tern_check_mark *mark)
{
    return !(mark->how & (TERN_CHECK_WAITED | TERN_CHECK_BELOW));
}

static inline bool tern_check_marks_may_race(const struct tern_check_mark *a,
                                             const struct tern_check_mark *b)
{
    return a->mask & b->mask && (a->how | b->how) & TERN_CHECK_WRITES &&
           !(a->how & b->how & TERN_CHECK_ATOMIC);
}

static inline bool tern_check_marks_are_alike(const struct tern_check_mark *a,
                                              const struct tern_check_mark *b)
{
    return a->how == b->how && a->ctx == b->ctx && a->site == b->site;
}

/*
 * Whether what races with the old one in future races with the new one as well, if the old one
 * comes before it: so it need not be kept.
 */
static inline bool tern_check_mark_replaces(const struct tern_check_mark *now,
                                            const struct tern_check_mark *old, bool is_ordered)
{
    bool same_pe = tern_check_mark_pe(now) == tern_check_mark_pe(old);

    if (old->mask & ~now->mask)
        return false;
    if (same_pe && now->how == old->how && now->ctx == old->ctx)
        return true;
    if (!is_ordered || (now->how & ~old->how & TERN_CHECK_ATOMIC))
        return false;
    return now->how & TERN_CHECK_WRITES || !(old->how & (TERN_CHECK_WRITES | TERN_CHECK_ATOMIC));
}

/* Whether both are short writes of what is waited for, as flags are. */
static inline bool tern_check_marks_are_flags(const struct tern_check_mark *a,
                                              const struct tern_check_mark *b, uint64_t waited)
{
    return a->how & b->how & TERN_CHECK_BRIEF && !((a->how | b->how) & TERN_CHECK_ATOMIC) &&
           !(a->mask & b->mask & ~waited);
}

/* Whether the two are one but for their masks: from one place, at one time. */
static inline bool tern_check_marks_are_one(const struct tern_check_mark *a,
                                            const struct tern_check_mark *b)
{
    return a->when == b->when && tern_check_marks_are_alike(a, b) &&
           !tern_check_marks_may_race(a, b);
}

#endif
