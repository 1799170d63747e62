/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps marks in two tables by their address, in sets with a lock each. */
#include "tools/check/shadow.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define WAYS 15
#define LINE_SETS 65536 /* of each PE */
#define PAGE_SETS 4096
#define MOST_LINE_SETS ((size_t)4 << 20) /* of a machine */
#define MOST_PAGE_SETS ((size_t)256 << 10)
#define BITS 6
#define ALL (~UINT64_C(0))

struct set {
    int32_t holder;     /* a process; 0: nobody */
    uint32_t next;      /* to be overwritten */
    uint64_t key[WAYS]; /* 0: free */
    struct tern_check_mark mark[WAYS];
    uint64_t unused[1];
} __attribute__((aligned(64)));

struct table {
    struct set *sets;
    size_t n;
};

static struct table lines, pages;
static int32_t process;

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

static struct set *set_of(const struct table *table, uint64_t key)
{
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return &table->sets[(size_t)((unsigned __int128)mixed * table->n >> 64)];
}

/* A holder that is no more has been killed with it, and so will this process. */
static bool is_abandoned(int32_t holder)
{
    return holder && kill(holder, 0) != 0 && errno == ESRCH;
}

static void lock(struct set *set)
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

static void unlock(struct set *set)
{
    __atomic_store_n(&set->holder, 0, __ATOMIC_RELEASE); /* partner: the acquire in lock() */
}

/* Room for a mark: what nobody needs, or else the next in turn. */
static int make_room(struct set *set)
{
    int way;

    for (int i = 0; i < WAYS; i++)
        if (!set->key[i])
            return i;
    for (int i = 0; i < WAYS; i++)
        if (tern_check_order_is_over(&set->mark[i]))
            return i;
    way = (int)(set->next++ % WAYS);
    if ((set->mark[way].how & (TERN_CHECK_BRIEF | TERN_CHECK_WRITES)) ==
        (TERN_CHECK_BRIEF | TERN_CHECK_WRITES))
        tern_check_order_forget(&set->mark[way]);
    return way;
}

static void put(struct set *set, int way, uint64_t key, const struct tern_check_mark *mark)
{
    if (way < 0)
        way = make_room(set);
    set->key[way] = key;
    set->mark[way] = *mark;
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
    return is_ordered && !(now->how & TERN_CHECK_ATOMIC) &&
           (now->how & TERN_CHECK_WRITES || !(old->how & (TERN_CHECK_WRITES | TERN_CHECK_ATOMIC)));
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
    struct tern_check_mark mark;
    struct tern_check_races *races;
};

/* Whether both are short writes of what is waited for, as flags are. */
static bool is_flag(const struct tern_check_mark *a, const struct tern_check_mark *b,
                    uint64_t waited)
{
    return a->how & b->how & TERN_CHECK_BRIEF && !((a->how | b->how) & TERN_CHECK_ATOMIC) &&
           !(a->mask & b->mask & ~waited);
}

static uint64_t waited_of(const struct set *set, uint64_t key)
{
    uint64_t waited = 0;

    for (int i = 0; i < WAYS; i++)
        if (set->key[i] == key && set->mark[i].how & TERN_CHECK_WAITED &&
            tern_check_order_is_recent(&set->mark[i]))
            waited |= set->mark[i].mask;
    return waited;
}

/*
 * Compares a mark with those that are there. place, shift: where the line or page begins, and the
 * size of what a bit stands for. Returns a way that the mark may take, or -1, or -2 if it is in
 * already.
 */
static int compare(struct set *set, uint64_t key, const struct touch *touch,
                   const struct tern_check_mark *now, uint64_t place, unsigned shift)
{
    int room = -1, same = -1;

    for (int i = 0; i < WAYS; i++) {
        struct tern_check_mark *old = &set->mark[i];
        bool is_ordered = true;

        if (set->key[i] != key || !is_access(old))
            continue;
        if (may_race(old, now)) {
            enum tern_check_verdict why = tern_check_order_compare(old, touch->target, now);

            is_ordered = why == TERN_CHECK_ORDERED;
            if (!is_ordered && !is_flag(old, now, waited_of(set, key)))
                note(touch->races, old, why, place, shift, old->mask & now->mask);
        } else if (old->when == now->when && is_of_same_call(old, now)) {
            same = i;
            continue;
        } else if (old->mask & now->mask) {
            is_ordered = tern_check_order_compare(old, touch->target, now) == TERN_CHECK_ORDERED;
        }
        if (replaces(now, old, is_ordered)) {
            set->key[i] = 0;
            room = i;
        }
    }
    if (same < 0)
        return room;
    set->mark[same].mask |= now->mask;
    return -2;
}

/* Only looks at the marks of a line; whether there are any left that are not over. */
static bool look_at_line(const struct touch *touch, uint64_t line)
{
    struct tern_check_mark whole = touch->mark;
    uint64_t key = key_of(touch->target, line);
    struct set *set = set_of(&lines, key);
    bool is_used = false;

    whole.mask = ALL;
    lock(set);
    compare(set, key, touch, &whole, line << BITS, 0);
    for (int i = 0; i < WAYS && !is_used; i++)
        is_used = set->key[i] == key && !tern_check_order_is_over(&set->mark[i]);
    unlock(set);
    return is_used;
}

static struct tern_check_mark *below_of(struct set *set, uint64_t key)
{
    for (int i = 0; i < WAYS; i++)
        if (set->key[i] == key && set->mark[i].how == TERN_CHECK_BELOW)
            return &set->mark[i];
    return NULL;
}

/* Whole lines of a page. */
static void touch_page(struct touch *touch, uint64_t page, uint64_t mask)
{
    struct tern_check_mark now = touch->mark, *below;
    uint64_t key = key_of(touch->target, page), used, over = 0;
    struct set *set = set_of(&pages, key);
    int way;

    now.mask = mask;
    lock(set);
    way = compare(set, key, touch, &now, page << 2 * BITS, BITS);
    if (way != -2)
        put(set, way, key, &now);
    below = below_of(set, key);
    used = below ? below->mask & mask : 0;
    unlock(set);
    for (uint64_t left = used; left; left &= left - 1) {
        unsigned line = (unsigned)__builtin_ctzll(left);

        if (!look_at_line(touch, page << BITS | line))
            over |= UINT64_C(1) << line;
    }
    if (!over)
        return;
    lock(set);
    below = below_of(set, key);
    if (below)
        below->mask &= ~over;
    unlock(set);
}

/* The page has to know of the line's marks, and may have marks of its own for it. */
static void look_at_page(const struct touch *touch, uint64_t line)
{
    struct tern_check_mark now = touch->mark, *below;
    uint64_t page = line >> BITS, key = key_of(touch->target, page);
    struct set *set = set_of(&pages, key);

    now.mask = UINT64_C(1) << line % 64;
    lock(set);
    /* It replaces no page's mark, being only part of what the line bit stands for. */
    for (int i = 0; i < WAYS; i++)
        if (set->key[i] == key && is_access(&set->mark[i]) && may_race(&set->mark[i], &now)) {
            enum tern_check_verdict why =
                tern_check_order_compare(&set->mark[i], touch->target, &now);

            if (why != TERN_CHECK_ORDERED)
                note(touch->races, &set->mark[i], why,
                     (line << BITS) + (unsigned)__builtin_ctzll(touch->mark.mask), 0,
                     touch->mark.mask >> __builtin_ctzll(touch->mark.mask));
        }
    below = below_of(set, key);
    if (below)
        below->mask |= now.mask;
    else
        put(set, -1, key, &(struct tern_check_mark){.how = TERN_CHECK_BELOW, .mask = now.mask});
    unlock(set);
}

/* Bytes of one line: first the line itself, so that whoever looks at the page then finds it. */
static void touch_line(struct touch *touch, uint64_t line, uint64_t mask)
{
    uint64_t key = key_of(touch->target, line);
    struct set *set = set_of(&lines, key);
    int way;

    touch->mark.mask = mask;
    lock(set);
    way = compare(set, key, touch, &touch->mark, line << BITS, 0);
    if (way != -2)
        put(set, way, key, &touch->mark);
    unlock(set);
    look_at_page(touch, line);
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

void tern_check_shadow_touch(int target, uint64_t place, uint64_t bytes, uint64_t stride,
                             uint64_t n, const struct tern_check_mark *mark,
                             struct tern_check_races *races)
{
    struct brush brush = {.touch = {.target = target, .mark = *mark, .races = races}};

    for (uint64_t i = 0; i < n; i++)
        paint(&brush, place + i * stride, bytes);
    flush_line(&brush);
    flush_page(&brush);
}

/* ---- what is waited for ---- */

static void await_line(int target, uint64_t line, uint64_t mask, uint64_t when)
{
    uint64_t key = key_of(target, line);
    struct set *set = set_of(&lines, key);
    struct tern_check_mark mark = {.when = when, .how = TERN_CHECK_WAITED, .mask = mask};
    int way = -1;

    lock(set);
    for (int i = 0; i < WAYS; i++)
        if (set->key[i] == key && set->mark[i].how == TERN_CHECK_WAITED) {
            if (tern_check_order_is_recent(&set->mark[i]))
                mark.mask |= set->mark[i].mask;
            way = i;
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
    for (int i = 0; i < WAYS; i++)
        if (set->key[i] == key && set->mark[i].mask & mask && is_access(&set->mark[i]) &&
            set->mark[i].how & TERN_CHECK_WRITES) {
            when[n++] = set->mark[i].when;
            if (set->mark[i].how & TERN_CHECK_BRIEF && !(set->mark[i].how & TERN_CHECK_LOCAL))
                set->mark[i].ctx = TERN_CHECK_AT_ONCE;
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
