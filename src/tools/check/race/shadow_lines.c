/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares an access with the marks of its line and its page. */
#include "tools/check/race/shadow_lines.h"

#include "tools/check/race/access.h"
#include "tools/check/race/shadow_store.h"

#define KNOWN_PAGES 4096

/* Pages that have no marks of their own which matter, and some lines of which have. */
static struct known {
    uint64_t key, below;
    const struct tern_check_set *set;
    uint16_t news;
} known_pages[KNOWN_PAGES];

static uint64_t waited_of(const struct tern_check_set *set, uint32_t ways)
{
    uint64_t waited = 0;

    for (; ways; ways &= ways - 1) {
        const struct tern_check_mark *mark = &set->way[__builtin_ctz(ways)].mark;

        if (mark->how & TERN_CHECK_WAITED && tern_check_order_is_recent(mark))
            waited |= mark->mask;
    }
    return waited;
}

/* Whether the old mark comes before the new one, or has nothing to do with it; else it is noted. */
static bool is_ordered(const struct tern_check_set *set, uint32_t ways,
                       const struct tern_check_mark *old, const struct tern_check_mark *now,
                       const struct tern_check_touch *touch, uint64_t place, unsigned shift)
{
    enum tern_check_verdict why;

    if (!(old->mask & now->mask))
        return true;
    why = tern_check_order_compare(old, touch->target, now);
    if (why == TERN_CHECK_ORDERED)
        return true;
    if (tern_check_marks_may_race(old, now) &&
        !tern_check_marks_are_flags(old, now, waited_of(set, ways)))
        tern_check_races_note(touch->races, old, why, place, shift, old->mask & now->mask);
    return false;
}

/*
 * Compares a mark with those that are there. place, shift: where the line or page begins, and the
 * size of what a bit stands for. Returns a way that the mark may take, or -1, or IN if it is in
 * already.
 */
enum { IN = -2 };

static int compare(struct tern_check_set *set, uint64_t key, const struct tern_check_touch *touch,
                   const struct tern_check_mark *now, uint64_t place, unsigned shift)
{
    const uint32_t ways = tern_check_set_find(set, key);
    int room = -1, same = -1;

    for (uint32_t left = ways; left; left &= left - 1) {
        int way = __builtin_ctz(left);
        struct tern_check_mark *old = &set->way[way].mark;

        if (!tern_check_mark_is_access(old))
            continue;
        if (tern_check_marks_are_one(old, now)) {
            same = way;
        } else if (tern_check_order_is_over(old) ||
                   tern_check_mark_replaces(now, old,
                                            is_ordered(set, ways, old, now, touch, place, shift))) {
            set->tag[way] = 0;
            room = way;
        }
    }
    if (same < 0)
        return room;
    set->way[same].mark.mask |= now->mask;
    return IN;
}

/* Only looks at the marks of a line; whether there are any left that are not over. */
static bool look_at_line(const struct tern_check_touch *touch, uint64_t line)
{
    struct tern_check_mark whole = *touch->mark;
    uint64_t key = tern_check_set_key(touch->target, line);
    struct tern_check_set *set = tern_check_set_of(&tern_check_lines, key);
    bool is_used = false;

    whole.mask = TERN_CHECK_WHOLE;
    tern_check_set_lock(set);
    compare(set, key, touch, &whole, line << TERN_CHECK_LINE_BITS, 0);
    for (uint32_t left = tern_check_set_find(set, key); left && !is_used; left &= left - 1)
        is_used = !tern_check_order_is_over(&set->way[__builtin_ctz(left)].mark);
    tern_check_set_unlock(set);
    return is_used;
}

/* The lines of a page that have marks of their own; NULL if none have. */
static struct tern_check_mark *below_of(struct tern_check_set *set, uint32_t ways)
{
    for (; ways; ways &= ways - 1)
        if (set->way[__builtin_ctz(ways)].mark.how == TERN_CHECK_BELOW)
            return &set->way[__builtin_ctz(ways)].mark;
    return NULL;
}

/*
 * The news come first: who marks a line after it was looked at here sees
 * them, and makes the page know of the line again.
 */
void tern_check_page_touch(struct tern_check_touch *touch, uint64_t page, uint64_t mask)
{
    struct tern_check_mark now = *touch->mark, *below;
    uint64_t key = tern_check_set_key(touch->target, page);
    struct tern_check_set *set = tern_check_set_of(&tern_check_pages, key);
    int way;

    now.mask = mask;
    tern_check_set_lock(set);
    way = compare(set, key, touch, &now, page << 2 * TERN_CHECK_LINE_BITS, TERN_CHECK_LINE_BITS);
    if (way != IN)
        tern_check_set_put(set, way, key, &now);
    tern_check_set_tell_news(set);
    below = below_of(set, tern_check_set_find(set, key));
    for (uint64_t left = below ? below->mask & mask : 0; left; left &= left - 1) {
        unsigned line = (unsigned)__builtin_ctzll(left);

        if (!look_at_line(touch, page << TERN_CHECK_LINE_BITS | line))
            below->mask &= ~(UINT64_C(1) << line);
    }
    tern_check_set_unlock(set);
}

/* Bytes of a line against the marks of its page; whether any of these is not over. */
static bool compare_with_page(const struct tern_check_set *set, uint32_t ways,
                              const struct tern_check_touch *touch, uint64_t line)
{
    struct tern_check_mark now = *touch->mark;
    bool is_used = false;

    now.mask = UINT64_C(1) << line % 64;
    for (; ways; ways &= ways - 1) {
        const struct tern_check_mark *old = &set->way[__builtin_ctz(ways)].mark;
        enum tern_check_verdict why;

        if (!tern_check_mark_is_access(old))
            continue;
        is_used |= !tern_check_order_is_over(old);
        if (!tern_check_marks_may_race(old, &now))
            continue;
        why = tern_check_order_compare(old, touch->target, &now);
        if (why != TERN_CHECK_ORDERED)
            tern_check_races_note(touch->races, old, why, line << TERN_CHECK_LINE_BITS, 0,
                                  touch->mark->mask);
    }
    return is_used;
}

/*
 * The page has to know of the line's marks, and may have marks of its own for it: if not, that is
 * known until its set has news.
 */
static void look_at_page(const struct tern_check_touch *touch, uint64_t line, struct known *known)
{
    uint64_t bit = UINT64_C(1) << line % 64,
             key = tern_check_set_key(touch->target, line >> TERN_CHECK_LINE_BITS);
    struct tern_check_set *set = tern_check_set_of(&tern_check_pages, key);
    struct tern_check_mark *below;
    uint32_t ways;

    tern_check_set_lock(set);
    ways = tern_check_set_find(set, key);
    known->key = compare_with_page(set, ways, touch, line) ? 0 : key;
    below = below_of(set, ways);
    if (below)
        below->mask |= bit;
    else
        tern_check_set_put(set, -1, key,
                           &(struct tern_check_mark){.how = TERN_CHECK_BELOW, .mask = bit});
    known->below = below ? below->mask : bit;
    known->set = set;
    known->news = set->news;
    tern_check_set_unlock(set);
}

/*
 * First the line itself, so that whoever looks at the page then finds it. Whose mark of the page
 * does not show in its news yet has not looked at the line, and waits for it.
 */
void tern_check_line_touch(struct tern_check_touch *touch, uint64_t line, uint64_t mask)
{
    uint64_t key = tern_check_set_key(touch->target, line),
             page = tern_check_set_key(touch->target, line >> TERN_CHECK_LINE_BITS);
    uint64_t mixed = tern_check_set_mix(key >> TERN_CHECK_LINE_BITS);
    struct known *known = &known_pages[mixed % KNOWN_PAGES];
    struct tern_check_set *set = tern_check_set_among(&tern_check_lines, key, mixed);
    bool is_known = known->key == page && known->below >> line % 64 & 1;
    int way;

    touch->mark->mask = mask;
    tern_check_set_lock(set);
    way = compare(set, key, touch, touch->mark, line << TERN_CHECK_LINE_BITS, 0);
    if (way != IN)
        tern_check_set_put(set, way, key, touch->mark);
    is_known = is_known && __atomic_load_n(&known->set->news, __ATOMIC_RELAXED) == known->news;
    tern_check_set_unlock(set);
    if (!is_known)
        look_at_page(touch, line, known);
}
