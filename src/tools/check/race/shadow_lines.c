/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares an access with the records of its line and its page, and adds it. */
#include "tools/check/race/shadow_lines.h"

#include <stdlib.h>

#include "tools/check/race/access.h"
#include "tools/check/race/shadow_store.h"

#define KNOWN_PAGES 4096

/* Pages without relevant records of their own, and with records of some of their lines. */
struct known {
    uint64_t key, below;
    const struct tern_check_shadow_set *set;
    uint16_t version;
};

/* Each thread knows its own. */
static __thread struct known *known_pages __attribute__((tls_model("initial-exec")));

static struct known *known_page(uint64_t mixed)
{
    static struct known none; /* where memory is short, nothing is known */

    if (!known_pages)
        known_pages = calloc(KNOWN_PAGES, sizeof *known_pages);
    if (known_pages)
        return &known_pages[mixed % KNOWN_PAGES];
    none.key = 0;
    return &none;
}

void tern_check_shadow_lines_end_thread(void)
{
    free(known_pages);
    known_pages = NULL;
}

static uint64_t waited_of(const struct tern_check_shadow_set *set, uint32_t ways)
{
    uint64_t waited = 0;

    for (; ways; ways &= ways - 1) {
        const struct tern_check_access *access = &set->way[__builtin_ctz(ways)].access;

        if (access->how & ACCESS_AWAITED && tern_check_clocks_is_recent(access))
            waited |= access->mask;
    }
    return waited;
}

/*
 * Whether the recorded access is ordered before the new one, or concerns other bytes. If not, adds
 * a conflict.
 */
static bool is_ordered(const struct tern_check_shadow_set *set, uint32_t ways,
                       const struct tern_check_access *old, const struct tern_check_access *now,
                       const struct tern_check_shadow_query *query, uint64_t offset, unsigned shift)
{
    enum tern_check_order why;

    if (!(old->mask & now->mask))
        return true;
    why = tern_check_clocks_compare(old, query->target, now);
    if (why == ORDER_HOLDS)
        return true;
    if (tern_check_access_may_race(old, now) &&
        !tern_check_access_are_flags(old, now, waited_of(set, ways)))
        tern_check_conflicts_add(query->conflicts, old, why, offset, shift, old->mask & now->mask);
    return false;
}

/*
 * Compares an access with the records of a line or page. offset, shift: where that begins, and the
 * size of what a bit stands for. Returns a way that the access may use, -1 for none, or IN if it
 * was merged into a record.
 */
enum { IN = -2 };

static int compare(struct tern_check_shadow_set *set, uint64_t key,
                   const struct tern_check_shadow_query *query, const struct tern_check_access *now,
                   uint64_t offset, unsigned shift)
{
    const uint32_t ways = tern_check_shadow_store_find(set, key);
    int room = -1, same = -1;

    for (uint32_t left = ways; left; left &= left - 1) {
        int way = __builtin_ctz(left);
        struct tern_check_access *old = &set->way[way].access;

        if (!tern_check_access_is_real(old))
            continue;
        if (tern_check_access_are_one(old, now)) {
            same = way;
        } else if (tern_check_clocks_is_over(old) ||
                   tern_check_access_replaces(
                       now, old, is_ordered(set, ways, old, now, query, offset, shift))) {
            set->tag[way] = 0;
            room = way;
        }
    }
    if (same < 0)
        return room;
    set->way[same].access.mask |= now->mask;
    return IN;
}

/*
 * Compares an access with the records of a line, without adding it. Returns whether any record is
 * still relevant.
 */
static bool check_line(const struct tern_check_shadow_query *query, uint64_t line)
{
    struct tern_check_access whole = *query->access;
    uint64_t key = tern_check_shadow_store_key(query->target, line);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_lines, key);
    bool is_used = false;

    whole.mask = WHOLE_LINE;
    tern_check_shadow_store_lock(set);
    compare(set, key, query, &whole, line << LINE_BITS, 0);
    for (uint32_t left = tern_check_shadow_store_find(set, key); left && !is_used; left &= left - 1)
        is_used = !tern_check_clocks_is_over(&set->way[__builtin_ctz(left)].access);
    tern_check_shadow_store_unlock(set);
    return is_used;
}

/* The record of the lines of a page that have records of their own, or NULL. */
static struct tern_check_access *below_of(struct tern_check_shadow_set *set, uint32_t ways)
{
    for (; ways; ways &= ways - 1)
        if (set->way[__builtin_ctz(ways)].access.how == ACCESS_IN_LINES)
            return &set->way[__builtin_ctz(ways)].access;
    return NULL;
}

/*
 * The version is counted up first: a PE that adds a record to a line after this has read it sees
 * the new version, and notes the line in the page again.
 */
void tern_check_shadow_lines_add_page(struct tern_check_shadow_query *query, uint64_t page,
                                      uint64_t mask)
{
    struct tern_check_access now = *query->access, *below;
    uint64_t key = tern_check_shadow_store_key(query->target, page);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_pages, key);
    int way;

    now.mask = mask;
    tern_check_shadow_store_lock(set);
    way = compare(set, key, query, &now, page << 2 * LINE_BITS, LINE_BITS);
    if (way != IN)
        tern_check_shadow_store_put(set, way, key, &now);
    tern_check_shadow_store_count_change(set);
    below = below_of(set, tern_check_shadow_store_find(set, key));
    for (uint64_t left = below ? below->mask & mask : 0; left; left &= left - 1) {
        unsigned line = (unsigned)__builtin_ctzll(left);

        if (!check_line(query, page << LINE_BITS | line))
            below->mask &= ~(UINT64_C(1) << line);
    }
    tern_check_shadow_store_unlock(set);
}

/*
 * Compares an access to bytes of a line with the records of its page. Returns whether any of these
 * is still relevant.
 */
static bool compare_with_page(const struct tern_check_shadow_set *set, uint32_t ways,
                              const struct tern_check_shadow_query *query, uint64_t line)
{
    struct tern_check_access now = *query->access;
    bool is_used = false;

    now.mask = UINT64_C(1) << line % 64;
    for (; ways; ways &= ways - 1) {
        const struct tern_check_access *old = &set->way[__builtin_ctz(ways)].access;
        enum tern_check_order why;

        if (!tern_check_access_is_real(old))
            continue;
        is_used |= !tern_check_clocks_is_over(old);
        if (!tern_check_access_may_race(old, &now))
            continue;
        why = tern_check_clocks_compare(old, query->target, &now);
        if (why != ORDER_HOLDS)
            tern_check_conflicts_add(query->conflicts, old, why, line << LINE_BITS, 0,
                                     query->access->mask);
    }
    return is_used;
}

/*
 * Notes in the page that the line has records, and compares with the page's own. If there are none,
 * that is remembered until the version of its set changes.
 */
static void check_page(const struct tern_check_shadow_query *query, uint64_t line,
                       struct known *known)
{
    uint64_t bit = UINT64_C(1) << line % 64,
             key = tern_check_shadow_store_key(query->target, line >> LINE_BITS);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_of(&tern_check_shadow_store_pages, key);
    struct tern_check_access *below;
    uint32_t ways;

    tern_check_shadow_store_lock(set);
    ways = tern_check_shadow_store_find(set, key);
    known->key = compare_with_page(set, ways, query, line) ? 0 : key;
    below = below_of(set, ways);
    if (below)
        below->mask |= bit;
    else
        tern_check_shadow_store_put(
            set, -1, key, &(struct tern_check_access){.how = ACCESS_IN_LINES, .mask = bit});
    known->below = below ? below->mask : bit;
    known->set = set;
    known->version = set->version;
    tern_check_shadow_store_unlock(set);
}

/*
 * The line comes first, so that an access to its page finds the record. An access to the page that
 * has not counted up the version yet has not read the line either: it waits for the line's lock.
 */
void tern_check_shadow_lines_add(struct tern_check_shadow_query *query, uint64_t line,
                                 uint64_t mask)
{
    uint64_t key = tern_check_shadow_store_key(query->target, line),
             page = tern_check_shadow_store_key(query->target, line >> LINE_BITS);
    uint64_t mixed = tern_check_shadow_store_mix(key >> LINE_BITS);
    struct known *known = known_page(mixed);
    struct tern_check_shadow_set *set =
        tern_check_shadow_store_set_among(&tern_check_shadow_store_lines, key, mixed);
    bool is_known = known->key == page && known->below >> line % 64 & 1;
    int way;

    query->access->mask = mask;
    tern_check_shadow_store_lock(set);
    way = compare(set, key, query, query->access, line << LINE_BITS, 0);
    if (way != IN)
        tern_check_shadow_store_put(set, way, key, query->access);
    is_known =
        is_known && __atomic_load_n(&known->set->version, __ATOMIC_RELAXED) == known->version;
    tern_check_shadow_store_unlock(set);
    if (!is_known)
        check_page(query, line, known);
}
