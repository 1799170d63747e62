/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps marks in two tables by their address, in sets with a lock each. */
#include "tools/check/shadow.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#define WAYS 14
#define LINE_SETS 16384 /* of each PE */
#define PAGE_SETS 4096
#define MOST_LINE_SETS ((size_t)1 << 20) /* of a machine */
#define MOST_PAGE_SETS ((size_t)256 << 10)
#define KNOWN_PAGES 4096
#define BITS 6
#define ALL (~UINT64_C(0))

/* A line or page of a PE, and one mark of it. */
struct way {
    uint64_t key;
    struct tern_check_mark mark;
};

/* One cache line says whether there is anything. */
struct set {
    int32_t holder;     /* a process; 0: nobody */
    uint16_t next;      /* to be overwritten */
    uint16_t news;      /* counts what a line has to look for in its page */
    uint32_t tag[WAYS]; /* part of the key; 0: free */
    struct way way[WAYS];
} __attribute__((aligned(64)));

struct table {
    struct set *sets;
    size_t n; /* a multiple of 64 */
};

static struct table lines, pages;
static int32_t process;

/* Pages that have no marks of their own which matter, and some lines of which have. */
static struct known {
    uint64_t key, below;
    const struct set *set;
    uint16_t news;
} known_pages[KNOWN_PAGES];

static size_t sets_for(int n, size_t each, size_t most)
{
    return (size_t)n * each < most ? (size_t)n * each : most;
}

size_t tern_check_shadow_bytes(int n)
{
    return (sets_for(n, LINE_SETS, MOST_LINE_SETS) + sets_for(n, PAGE_SETS, MOST_PAGE_SETS)) *
           sizeof(struct set);
}

void tern_check_shadow_start(void *memory, int n)
{
    lines.sets = memory;
    lines.n = sets_for(n, LINE_SETS, MOST_LINE_SETS);
    pages.sets = lines.sets + lines.n;
    pages.n = sets_for(n, PAGE_SETS, MOST_PAGE_SETS);
    process = (int32_t)getpid();
}

/* ---- sets ---- */

/* A line or page of a PE; places have 46 bits of these. */
static uint64_t key_of(int target, uint64_t index)
{
    return (uint64_t)(unsigned)(target + 1) << 46 | (index & ((UINT64_C(1) << 46) - 1));
}

static inline uint64_t mix(uint64_t key)
{
    key *= UINT64_C(0x9e3779b97f4a7c15);
    return (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint32_t tag_of(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) | 1;
}

/* Neighbours have neighbouring sets. mixed: mix() of all but the lowest bits. */
static inline struct set *set_among(const struct table *table, uint64_t key, uint64_t mixed)
{
    size_t group = (size_t)((unsigned __int128)mixed * (table->n >> BITS) >> 64);

    return &table->sets[group << BITS | (key & 63)];
}

static struct set *set_of(const struct table *table, uint64_t key)
{
    return set_among(table, key, mix(key >> BITS));
}

/* A holder that is no more has been killed with it, and so will this process. */
static bool is_abandoned(int32_t holder)
{
    return holder && kill(holder, 0) != 0 && errno == ESRCH;
}

static void __attribute__((noinline)) wait_for(struct set *set)
{
    for (unsigned i = 1;; i++) {
        int32_t holder = 0;

        if (__atomic_compare_exchange_n(&set->holder, &holder, process, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return;
        if (i % 64 == 0)
            sched_yield();
        if (i % 65536 == 0 && is_abandoned(holder))
            __atomic_compare_exchange_n(&set->holder, &holder, 0, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
    }
}

static inline void lock(struct set *set)
{
    int32_t holder = 0;

    if (!__atomic_compare_exchange_n(&set->holder, &holder, process, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        wait_for(set);
}

static inline void unlock(struct set *set)
{
    __atomic_store_n(&set->holder, 0, __ATOMIC_RELEASE); /* partner: the acquire in lock() */
}

/* A bit for each way that has the key. */
static inline uint32_t find(const struct set *set, uint64_t key)
{
    uint32_t tag = tag_of(key), maybe = 0, found = 0;

#pragma GCC unroll 14
    for (int i = 0; i < WAYS; i++)
        maybe |= (uint32_t)(set->tag[i] == tag) << i;
    for (; maybe; maybe &= maybe - 1)
        if (set->way[__builtin_ctz(maybe)].key == key)
            found |= maybe & -maybe;
    return found;
}

/* Partner: the load in touch_line(). */
static void tell_news(struct set *set)
{
    __atomic_store_n(&set->news, (uint16_t)(set->news + 1), __ATOMIC_RELAXED);
}

/* A line's marks that are forgotten may have been by what others were to learn. */
static void forget(struct set *set, int way)
{
    const struct tern_check_mark *mark = &set->way[way].mark;

    if (mark->how & TERN_CHECK_BRIEF && mark->how & TERN_CHECK_WRITES)
        tern_check_order_forget(mark);
    tell_news(set);
}

/* Room for a mark: what nobody needs, or else the next in turn. */
static int make_room(struct set *set)
{
    int way;

    for (int i = 0; i < WAYS; i++)
        if (!set->tag[i])
            return i;
    for (int i = 0; i < WAYS; i++) {
        way = (set->next + i) % WAYS;
        if (tern_check_order_is_over(&set->way[way].mark))
            return way;
    }
    way = set->next;
    set->next = (uint16_t)((way + 1) % WAYS);
    forget(set, way);
    return way;
}

static void put(struct set *set, int way, uint64_t key, const struct tern_check_mark *mark)
{
    if (way < 0)
        way = make_room(set);
    set->tag[way] = tag_of(key);
    set->way[way].key = key;
    set->way[way].mark = *mark;
}

/* ---- two marks ---- */

static bool is_access(const struct tern_check_mark *mark)
{
    return !(mark->how & (TERN_CHECK_WAITED | TERN_CHECK_BELOW));
}

static bool may_race(const struct tern_check_mark *a, const struct tern_check_mark *b)
{
    return a->mask & b->mask && (a->how | b->how) & TERN_CHECK_WRITES &&
           !(a->how & b->how & TERN_CHECK_ATOMIC);
}

static bool is_of_same_call(const struct tern_check_mark *a, const struct tern_check_mark *b)
{
    return a->how == b->how && a->ctx == b->ctx && a->site == b->site;
}

/*
 * Whether what races with the old one in future races with the new one as well, if the old one
 * comes before it: so it need not be kept.
 */
static bool replaces(const struct tern_check_mark *now, const struct tern_check_mark *old,
                     bool is_ordered)
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

static bool is_same_call(const struct tern_check_mark *a, const struct tern_check_mark *b)
{
    return a->site == b->site && (a->when - b->when) % TERN_CHECK_MOST_PES == 0;
}

/* Bytes that follow on those of a race, or go before them, with the same call, are part of it. */
static bool extend(struct tern_check_races *races, const struct tern_check_race *race)
{
    for (int i = 0; i < races->n; i++) {
        struct tern_check_race *found = &races->found[i];

        if (!is_same_call(&found->other, &race->other))
            continue;
        if (race->start + race->bytes == found->start)
            found->start = race->start;
        else if (found->start + found->bytes != race->start)
            return true;
        found->bytes += race->bytes;
        return true;
    }
    return false;
}

static void note(struct tern_check_races *races, const struct tern_check_mark *other,
                 enum tern_check_verdict why, uint64_t place, unsigned shift, uint64_t mask)
{
    unsigned first = (unsigned)__builtin_ctzll(mask);
    uint64_t run = mask >> first;
    struct tern_check_race race = {
        .other = *other,
        .why = why,
        .start = place + ((uint64_t)first << shift),
        .bytes = (uint64_t)(~run ? __builtin_ctzll(~run) : 64) << shift,
    };

    if (!extend(races, &race) && races->n < TERN_CHECK_MOST_RACES)
        races->found[races->n++] = race;
}

/* ---- an access to one line or page ---- */

struct touch {
    int target;
    struct tern_check_mark *mark;
    struct tern_check_races *races;
};

/* Whether both are short writes of what is waited for, as flags are. */
static bool is_flag(const struct tern_check_mark *a, const struct tern_check_mark *b,
                    uint64_t waited)
{
    return a->how & b->how & TERN_CHECK_BRIEF && !((a->how | b->how) & TERN_CHECK_ATOMIC) &&
           !(a->mask & b->mask & ~waited);
}

static uint64_t waited_of(const struct set *set, uint32_t ways)
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
static bool is_ordered(const struct set *set, uint32_t ways, const struct tern_check_mark *old,
                       const struct tern_check_mark *now, const struct touch *touch, uint64_t place,
                       unsigned shift)
{
    enum tern_check_verdict why;

    if (!(old->mask & now->mask))
        return true;
    why = tern_check_order_compare(old, touch->target, now);
    if (why == TERN_CHECK_ORDERED)
        return true;
    if (may_race(old, now) && !is_flag(old, now, waited_of(set, ways)))
        note(touch->races, old, why, place, shift, old->mask & now->mask);
    return false;
}

/* Whether the two are one but for their masks: from one place, at one time. */
static bool is_one(const struct tern_check_mark *a, const struct tern_check_mark *b)
{
    return a->when == b->when && is_of_same_call(a, b) && !may_race(a, b);
}

/*
 * Compares a mark with those that are there. place, shift: where the line or page begins, and the
 * size of what a bit stands for. Returns a way that the mark may take, or -1, or IN if it is in
 * already.
 */
enum { IN = -2 };

static int compare(struct set *set, uint64_t key, const struct touch *touch,
                   const struct tern_check_mark *now, uint64_t place, unsigned shift)
{
    const uint32_t ways = find(set, key);
    int room = -1, same = -1;

    for (uint32_t left = ways; left; left &= left - 1) {
        int way = __builtin_ctz(left);
        struct tern_check_mark *old = &set->way[way].mark;

        if (!is_access(old))
            continue;
        if (is_one(old, now)) {
            same = way;
        } else if (tern_check_order_is_over(old) ||
                   replaces(now, old, is_ordered(set, ways, old, now, touch, place, shift))) {
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
static bool look_at_line(const struct touch *touch, uint64_t line)
{
    struct tern_check_mark whole = *touch->mark;
    uint64_t key = key_of(touch->target, line);
    struct set *set = set_of(&lines, key);
    bool is_used = false;

    whole.mask = ALL;
    lock(set);
    compare(set, key, touch, &whole, line << BITS, 0);
    for (uint32_t left = find(set, key); left && !is_used; left &= left - 1)
        is_used = !tern_check_order_is_over(&set->way[__builtin_ctz(left)].mark);
    unlock(set);
    return is_used;
}

/* The lines of a page that have marks of their own; NULL if none have. */
static struct tern_check_mark *below_of(struct set *set, uint32_t ways)
{
    for (; ways; ways &= ways - 1)
        if (set->way[__builtin_ctz(ways)].mark.how == TERN_CHECK_BELOW)
            return &set->way[__builtin_ctz(ways)].mark;
    return NULL;
}

/*
 * Whole lines of a page. The news come first: who marks a line after it was looked at here sees
 * them, and makes the page know of the line again.
 */
static void touch_page(struct touch *touch, uint64_t page, uint64_t mask)
{
    struct tern_check_mark now = *touch->mark, *below;
    uint64_t key = key_of(touch->target, page);
    struct set *set = set_of(&pages, key);
    int way;

    now.mask = mask;
    lock(set);
    way = compare(set, key, touch, &now, page << 2 * BITS, BITS);
    if (way != IN)
        put(set, way, key, &now);
    tell_news(set);
    below = below_of(set, find(set, key));
    for (uint64_t left = below ? below->mask & mask : 0; left; left &= left - 1) {
        unsigned line = (unsigned)__builtin_ctzll(left);

        if (!look_at_line(touch, page << BITS | line))
            below->mask &= ~(UINT64_C(1) << line);
    }
    unlock(set);
}

/* Bytes of a line against the marks of its page; whether any of these is not over. */
static bool compare_with_page(const struct set *set, uint32_t ways, const struct touch *touch,
                              uint64_t line)
{
    struct tern_check_mark now = *touch->mark;
    bool is_used = false;

    now.mask = UINT64_C(1) << line % 64;
    for (; ways; ways &= ways - 1) {
        const struct tern_check_mark *old = &set->way[__builtin_ctz(ways)].mark;
        enum tern_check_verdict why;

        if (!is_access(old))
            continue;
        is_used |= !tern_check_order_is_over(old);
        if (!may_race(old, &now))
            continue;
        why = tern_check_order_compare(old, touch->target, &now);
        if (why != TERN_CHECK_ORDERED)
            note(touch->races, old, why, line << BITS, 0, touch->mark->mask);
    }
    return is_used;
}

/*
 * The page has to know of the line's marks, and may have marks of its own for it: if not, that is
 * known until its set has news.
 */
static void look_at_page(const struct touch *touch, uint64_t line, struct known *known)
{
    uint64_t bit = UINT64_C(1) << line % 64, key = key_of(touch->target, line >> BITS);
    struct set *set = set_of(&pages, key);
    struct tern_check_mark *below;
    uint32_t ways;

    lock(set);
    ways = find(set, key);
    known->key = compare_with_page(set, ways, touch, line) ? 0 : key;
    below = below_of(set, ways);
    if (below)
        below->mask |= bit;
    else
        put(set, -1, key, &(struct tern_check_mark){.how = TERN_CHECK_BELOW, .mask = bit});
    known->below = below ? below->mask : bit;
    known->set = set;
    known->news = set->news;
    unlock(set);
}

/*
 * Bytes of one line: first the line itself, so that whoever looks at the page then finds it. Whose
 * mark of the page does not show in its news yet has not looked at the line, and waits for it.
 */
static void touch_line(struct touch *touch, uint64_t line, uint64_t mask)
{
    uint64_t key = key_of(touch->target, line), page = key_of(touch->target, line >> BITS);
    uint64_t mixed = mix(key >> BITS);
    struct known *known = &known_pages[mixed % KNOWN_PAGES];
    struct set *set = set_among(&lines, key, mixed);
    bool is_known = known->key == page && known->below >> line % 64 & 1;
    int way;

    touch->mark->mask = mask;
    lock(set);
    way = compare(set, key, touch, touch->mark, line << BITS, 0);
    if (way != IN)
        put(set, way, key, touch->mark);
    is_known = is_known && __atomic_load_n(&known->set->news, __ATOMIC_RELAXED) == known->news;
    unlock(set);
    if (!is_known)
        look_at_page(touch, line, known);
}

/* ---- pieces ---- */

/* Pieces are gathered to lines, and whole lines to pages, as long as they follow each other. */
struct brush {
    struct touch touch;
    uint64_t line, bytes, page, lines;
};

static void flush_page(struct brush *brush)
{
    if (brush->lines)
        touch_page(&brush->touch, brush->page, brush->lines);
    brush->lines = 0;
}

static void add_lines(struct brush *brush, uint64_t page, uint64_t mask)
{
    if (page != brush->page)
        flush_page(brush);
    brush->page = page;
    brush->lines |= mask;
}

static void flush_line(struct brush *brush)
{
    if (brush->bytes == ALL)
        add_lines(brush, brush->line >> BITS, UINT64_C(1) << brush->line % 64);
    else if (brush->bytes)
        touch_line(&brush->touch, brush->line, brush->bytes);
    brush->bytes = 0;
}

static uint64_t run_of(uint64_t n)
{
    return n >= 64 ? ALL : (UINT64_C(1) << n) - 1;
}

static void paint(struct brush *brush, uint64_t place, uint64_t bytes)
{
    while (bytes > 0) {
        uint64_t line = place >> BITS, at = place % 64, n = 64 - at < bytes ? 64 - at : bytes;

        if (n == 64) {
            uint64_t whole = bytes >> BITS, first = line % 64;

            whole = whole < 64 - first ? whole : 64 - first;
            add_lines(brush, line >> BITS, run_of(whole) << first);
            n = whole << BITS;
        } else {
            if (line != brush->line)
                flush_line(brush);
            brush->line = line;
            brush->bytes |= run_of(n) << at;
        }
        place += n;
        bytes -= n;
    }
}

static void touch_pieces(const struct touch *touch, uint64_t place, uint64_t bytes, uint64_t stride,
                         uint64_t n)
{
    struct brush brush = {.touch = *touch};

    for (uint64_t i = 0; i < n; i++)
        paint(&brush, place + i * stride, bytes);
    flush_line(&brush);
    flush_page(&brush);
}

void tern_check_shadow_touch(int target, uint64_t place, uint64_t bytes, uint64_t stride,
                             uint64_t n, struct tern_check_mark *mark,
                             struct tern_check_races *races)
{
    struct touch touch = {target, mark, races};

    if (n == 1 && bytes < 64 && place % 64 + bytes <= 64) /* mostly */
        touch_line(&touch, place >> BITS, run_of(bytes) << place % 64);
    else
        touch_pieces(&touch, place, bytes, stride, n);
}

/* ---- what is waited for ---- */

static void await_line(int target, uint64_t line, uint64_t mask, uint64_t when)
{
    uint64_t key = key_of(target, line);
    struct set *set = set_of(&lines, key);
    struct tern_check_mark mark = {.when = when, .how = TERN_CHECK_WAITED, .mask = mask};
    int way = -1;

    lock(set);
    for (uint32_t left = find(set, key); left; left &= left - 1) {
        const struct tern_check_mark *old = &set->way[__builtin_ctz(left)].mark;

        if (old->how != TERN_CHECK_WAITED)
            continue;
        way = __builtin_ctz(left);
        if (tern_check_order_is_recent(old))
            mark.mask |= old->mask;
    }
    put(set, way, key, &mark);
    unlock(set);
}

void tern_check_shadow_await(int target, uint64_t place, uint64_t bytes, uint64_t when)
{
    for (uint64_t end = place + bytes; place < end;) {
        uint64_t at = place % 64, n = end - place < 64 - at ? end - place : 64 - at;

        await_line(target, place >> BITS, run_of(n) << at, when);
        place += n;
    }
}

/* The writers of what the mask covers. What is a flag's was complete to be seen. */
static int find_writers(const struct table *table, int target, uint64_t index, uint64_t mask,
                        uint64_t when[WAYS])
{
    uint64_t key = key_of(target, index);
    struct set *set = set_of(table, key);
    int n = 0;

    lock(set);
    for (uint32_t left = find(set, key); left; left &= left - 1) {
        struct tern_check_mark *mark = &set->way[__builtin_ctz(left)].mark;

        if (!(mark->mask & mask) || !is_access(mark) || !(mark->how & TERN_CHECK_WRITES))
            continue;
        when[n++] = mark->when;
        if (mark->how & TERN_CHECK_BRIEF)
            mark->ctx = TERN_CHECK_AT_ONCE;
    }
    unlock(set);
    return n;
}

static void learn_line(const struct table *table, int target, uint64_t index, uint64_t mask)
{
    uint64_t when[WAYS];
    int n = find_writers(table, target, index, mask, when);

    for (int i = 0; i < n; i++) {
        int pe = (int)(when[i] % TERN_CHECK_MOST_PES);

        tern_check_order_delivered(pe, target, when[i] / TERN_CHECK_MOST_PES);
        tern_check_order_learn(pe, when[i] / TERN_CHECK_MOST_PES);
    }
}

void tern_check_shadow_learn(int target, uint64_t place, uint64_t bytes)
{
    for (uint64_t end = place + bytes; place < end;) {
        uint64_t at = place % 64, n = end - place < 64 - at ? end - place : 64 - at;
        uint64_t line = place >> BITS;

        learn_line(&lines, target, line, run_of(n) << at);
        learn_line(&pages, target, line >> BITS, UINT64_C(1) << line % 64);
        place += n;
    }
    tern_check_order_learn_forgotten();
}
