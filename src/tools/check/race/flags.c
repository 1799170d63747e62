/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks what is waited for, and finds who wrote it. */
#include "tools/check/race/flags.h"

#include "tools/check/race/access.h"
#include "tools/check/race/shadow_store.h"

static void await_line(int target, uint64_t line, uint64_t mask, uint64_t when)
{
    uint64_t key = tern_check_set_key(target, line);
    struct tern_check_set *set = tern_check_set_of(&tern_check_lines, key);
    struct tern_check_mark mark = {.when = when, .how = TERN_CHECK_WAITED, .mask = mask};
    int way = -1;

    tern_check_set_lock(set);
    for (uint32_t left = tern_check_set_find(set, key); left; left &= left - 1) {
        const struct tern_check_mark *old = &set->way[__builtin_ctz(left)].mark;

        if (old->how != TERN_CHECK_WAITED)
            continue;
        way = __builtin_ctz(left);
        if (tern_check_order_is_recent(old))
            mark.mask |= old->mask;
    }
    tern_check_set_put(set, way, key, &mark);
    tern_check_set_unlock(set);
}

void tern_check_flags_await(int target, uint64_t place, uint64_t bytes, uint64_t when)
{
    for (uint64_t end = place + bytes; place < end;) {
        uint64_t at = place % 64, n = end - place < 64 - at ? end - place : 64 - at;

        await_line(target, place >> TERN_CHECK_LINE_BITS, tern_check_run_of(n) << at, when);
        place += n;
    }
}

/* The writers of what the mask covers. What is a flag's was complete to be seen. */
static int find_writers(const struct tern_check_sets *table, int target, uint64_t index,
                        uint64_t mask, uint64_t when[TERN_CHECK_WAYS])
{
    uint64_t key = tern_check_set_key(target, index);
    struct tern_check_set *set = tern_check_set_of(table, key);
    int n = 0;

    tern_check_set_lock(set);
    for (uint32_t left = tern_check_set_find(set, key); left; left &= left - 1) {
        struct tern_check_mark *mark = &set->way[__builtin_ctz(left)].mark;

        if (!(mark->mask & mask) || !tern_check_mark_is_access(mark) ||
            !(mark->how & TERN_CHECK_WRITES))
            continue;
        when[n++] = mark->when;
        if (mark->how & TERN_CHECK_BRIEF)
            mark->ctx = TERN_CHECK_AT_ONCE;
    }
    tern_check_set_unlock(set);
    return n;
}

static void learn_line(const struct tern_check_sets *table, int target, uint64_t index,
                       uint64_t mask)
{
    uint64_t when[TERN_CHECK_WAYS];
    int n = find_writers(table, target, index, mask, when);

    for (int i = 0; i < n; i++) {
        int pe = (int)(when[i] % TERN_CHECK_MOST_PES);

        tern_check_order_delivered(pe, target, when[i] / TERN_CHECK_MOST_PES);
        tern_check_order_learn(pe, when[i] / TERN_CHECK_MOST_PES);
    }
}

void tern_check_flags_learn(int target, uint64_t place, uint64_t bytes)
{
    for (uint64_t end = place + bytes; place < end;) {
        uint64_t at = place % 64, n = end - place < 64 - at ? end - place : 64 - at;
        uint64_t line = place >> TERN_CHECK_LINE_BITS;

        learn_line(&tern_check_lines, target, line, tern_check_run_of(n) << at);
        learn_line(&tern_check_pages, target, line >> TERN_CHECK_LINE_BITS,
                   UINT64_C(1) << line % 64);
        place += n;
    }
    tern_check_order_learn_forgotten();
}
