/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges adjacent conflicts with the same call. */
#include "tools/check/race/conflicts.h"

static bool is_same_call(const struct tern_check_access *a, const struct tern_check_access *b)
{
    return a->site == b->site && (a->when - b->when) % MAX_ACTORS == 0;
}

/* Bytes next to those of a conflict with the same call extend that one. */
static bool extend(struct tern_check_conflicts *conflicts,
                   const struct tern_check_conflict *conflict)
{
    for (int i = 0; i < conflicts->n; i++) {
        struct tern_check_conflict *list = &conflicts->list[i];

        if (!is_same_call(&list->other, &conflict->other))
            continue;
        if (conflict->start + conflict->bytes == list->start)
            list->start = conflict->start;
        else if (list->start + list->bytes != conflict->start)
            return true;
        list->bytes += conflict->bytes;
        return true;
    }
    return false;
}

void tern_check_conflicts_add(struct tern_check_conflicts *conflicts,
                              const struct tern_check_access *other, enum tern_check_order why,
                              uint64_t offset, unsigned shift, uint64_t mask)
{
    unsigned first = (unsigned)__builtin_ctzll(mask);
    uint64_t run = mask >> first;
    struct tern_check_conflict conflict = {
        .other = *other,
        .why = why,
        .start = offset + ((uint64_t)first << shift),
        .bytes = (uint64_t)(~run ? __builtin_ctzll(~run) : 64) << shift,
    };

    if (!extend(conflicts, &conflict) && conflicts->n < MAX_CONFLICTS)
        conflicts->list[conflicts->n++] = conflict;
}
