/* SPDX-License-Identifier: BSD-3-Clause */
/* Records which bytes are waited for, and finds the PEs that wrote them. */
#include "tools/check/race/flags.h"

#include "tools/check/race/access.h"
#include "tools/check/race/shadow_store.h"

static void await_line(int target, uint64_t line, uint64_t mask, uint64_t when)
{
    uint64_t key = tern_check_shadow_store_key(target, line);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_lines, key);
    struct tern_check_access access = {.when = when, .how = ACCESS_AWAITED, .mask = mask};
    int way = -1;

    tern_check_shadow_store_lock(set);
    for (uint32_t left = tern_check_shadow_store_find(set, key); left; left &= left - 1) {
        const struct tern_check_access *old = &set->way[__builtin_ctz(left)].access;

        if (old->how != ACCESS_AWAITED)
            continue;
        way = __builtin_ctz(left);
        if (tern_check_clocks_is_recent(old))
            access.mask |= old->mask;
    }
    tern_check_shadow_store_put(set, way, key, &access);
    tern_check_shadow_store_unlock(set);
}

void tern_check_flags_await(int target, uint64_t offset, uint64_t bytes, uint64_t when)
{
    for (uint64_t end = offset + bytes; offset < end;) {
        uint64_t at = offset % 64, n = end - offset < 64 - at ? end - offset : 64 - at;

        await_line(target, offset >> LINE_BITS, tern_check_shadow_store_mask(n) << at, when);
        offset += n;
    }
}

/*
 * Finds the writers of the bytes in the mask; returns how many. A write of a flag is complete once
 * it was seen.
 */
static int find_writers(const struct tern_check_shadow_store *table, int target, uint64_t index,
                        uint64_t mask, uint64_t when[SET_WAYS])
{
    uint64_t key = tern_check_shadow_store_key(target, index);
    struct tern_check_shadow_set *set = tern_check_shadow_store_set_of(table, key);
    int n = 0;

    tern_check_shadow_store_lock(set);
    for (uint32_t left = tern_check_shadow_store_find(set, key); left; left &= left - 1) {
        struct tern_check_access *access = &set->way[__builtin_ctz(left)].access;

        if (!(access->mask & mask) || !tern_check_access_is_real(access) ||
            !(access->how & ACCESS_WRITES))
            continue;
        when[n++] = access->when;
        if (access->how & ACCESS_WORD)
            access->ctx = CTX_AT_ONCE;
    }
    tern_check_shadow_store_unlock(set);
    return n;
}

static void learn_line(const struct tern_check_shadow_store *table, int target, uint64_t index,
                       uint64_t mask)
{
    uint64_t when[SET_WAYS];
    int n = find_writers(table, target, index, mask, when);

    for (int i = 0; i < n; i++) {
        tern_check_clocks_delivered(target, when[i]);
        tern_check_clocks_learn(when[i]);
    }
}

void tern_check_flags_learn(int target, uint64_t offset, uint64_t bytes)
{
    for (uint64_t end = offset + bytes; offset < end;) {
        uint64_t at = offset % 64, n = end - offset < 64 - at ? end - offset : 64 - at;
        uint64_t line = offset >> LINE_BITS;

        learn_line(&tern_check_shadow_store_lines, target, line,
                   tern_check_shadow_store_mask(n) << at);
        learn_line(&tern_check_shadow_store_pages, target, line >> LINE_BITS,
                   UINT64_C(1) << line % 64);
        offset += n;
    }
    tern_check_clocks_learn_forgotten();
}
