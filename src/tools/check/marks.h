/* SPDX-License-Identifier: BSD-3-Clause */
/* What two marks of the same bytes are to each other. */
#ifndef TERN_CHECK_MARKS_H
#define TERN_CHECK_MARKS_H

#include "tools/check/order.h"

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
