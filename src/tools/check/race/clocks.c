/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the vector clocks in shared memory: each PE writes its own, and reads those of others. */
#include "tools/check/race/clocks.h"

#include "tools/check/shared/pages.h"

#define EVENTS 16    /* the last quiets or fences of a context */
#define ENTRIES 1024 /* the last entries to collective calls */

/* The times of the last events. count is not bounded: the oldest time is overwritten. */
struct events {
    uint64_t count, latest;
    uint64_t times[EVENTS];
};

struct entry {
    uint64_t tag, time; /* 0: none */
};

/* The clock of one PE. */
struct clock {
    uint64_t now;  /* from 1 on */
    bool released; /* at this time; so the next access that releases nothing has a later one */
    /* Other PEs read these more often than they change. */
    uint64_t known_to_all __attribute__((aligned(64))); /* calls that all PEs know */
    uint64_t complete;  /* the same for operations that the default context completes */
    uint64_t forgotten; /* access records up to this time may have been dropped */
    uint64_t allocated; /* the time of the last allocation or free */
    uint64_t delivered; /* fenced puts up to this time are known to have landed, on any target */
    struct events quiets[MAX_CTXS], fences[MAX_CTXS];
    struct entry entries[ENTRIES];
    /*
     * The time up to which each other PE is known; then the time up to which fenced puts to each
     * target are known to have landed, with an element more for locks.
     */
    uint64_t of_others[];
};

/* At the start of the memory, in front of the clocks. */
struct common {
    uint64_t forgets, blind;
    uint64_t unused[6];
};

static struct common *common;
static char *clocks;
static size_t clock_bytes;
static struct clock *mine;
static int n_pes, me;

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void store(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* Several PEs may raise a word at once. */
static void raise_to(uint64_t *word, uint64_t value)
{
    uint64_t now = load(word);

    while (now < value && !__atomic_compare_exchange_n(word, &now, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        ;
}

static size_t bytes_of_clock(int n)
{
    return tern_check_pages_round_up(sizeof *mine +
                                     (2 * (size_t)n + 1) * sizeof mine->of_others[0]);
}

static struct clock *clock_of(int pe)
{
    return (struct clock *)(clocks + (size_t)pe * clock_bytes);
}

/* The time up to which this clock's PE knows the other one. */
static uint64_t *known(struct clock *clock, int pe)
{
    return &clock->of_others[pe];
}

/*
 * The time up to which this PE's fenced puts to the target are known to have landed, from flags at
 * that target.
 */
static uint64_t *delivered_to(struct clock *clock, int target)
{
    return &clock->of_others[n_pes + target];
}

static uint64_t delivered(struct clock *clock, int target)
{
    uint64_t to_it = load(delivered_to(clock, target)), to_all = load(&clock->delivered);

    return to_it > to_all ? to_it : to_all;
}

size_t tern_check_clocks_bytes(int n)
{
    return sizeof *common + (size_t)n * bytes_of_clock(n);
}

void tern_check_clocks_start(void *memory, int n, int pe)
{
    n_pes = n;
    me = pe;
    common = memory;
    clocks = (char *)(common + 1);
    clock_bytes = bytes_of_clock(n);
    mine = clock_of(pe);
    if (!mine->now)
        store(&mine->now, 1);
}

/* ---- time ---- */

static uint64_t stamp(void)
{
    return mine->now * MAX_PES + (unsigned)me;
}

static void advance(void)
{
    mine->released = false;
    store(&mine->now, mine->now + 1);
}

uint64_t tern_check_clocks_now(void)
{
    if (mine->released)
        advance();
    return stamp();
}

uint64_t tern_check_clocks_release(void)
{
    mine->released = true;
    return stamp();
}

uint64_t tern_check_clocks_publish(void)
{
    uint64_t time = mine->now;

    advance();
    return time;
}

/* ---- quiet and fence ---- */

/*
 * Another PE may read at the same time, and take an overwritten time for the new one; both are
 * quiets.
 */
static void note(struct events *events)
{
    store(&events->times[events->count % EVENTS], mine->now);
    store(&events->latest, mine->now);
    __atomic_store_n(&events->count, events->count + 1, __ATOMIC_RELEASE); /* partner: is_between */
}

void tern_check_clocks_quiet(int ctx)
{
    note(&mine->quiets[ctx]);
    advance();
}

void tern_check_clocks_fence(int ctx)
{
    note(&mine->fences[ctx]);
    advance();
}

void tern_check_clocks_quiet_all(void)
{
    for (int ctx = CTX_DEFAULT; ctx < MAX_CTXS; ctx++)
        note(&mine->quiets[ctx]);
    advance();
}

/*
 * Whether an event took place at `time` or later, and before `end`. Also true if that was too long
 * ago to be known.
 */
static bool is_between(const struct events *events, uint64_t time, uint64_t end)
{
    uint64_t count = __atomic_load_n(&events->count, __ATOMIC_ACQUIRE), oldest = UINT64_MAX;
    uint64_t latest = load(&events->latest);

    if (count == 0 || latest < time || end <= time)
        return false;
    if (latest < end)
        return true;
    for (uint64_t i = 0; i < EVENTS && i < count; i++) {
        uint64_t event = load(&events->times[i]);

        if (event >= time && event < end)
            return true;
        if (event < oldest)
            oldest = event;
    }
    return count >= EVENTS && oldest > time;
}

/* ---- what is known of others ---- */

/*
 * What this PE has released at its present time does not include what it learns now: a PE that
 * knows this one up to that time does not read its knowledge again. So this PE's time advances.
 */
void tern_check_clocks_learn_only(int pe, uint64_t time)
{
    if (load(known(mine, pe)) >= time)
        return;
    store(known(mine, pe), time);
    advance();
}

void tern_check_clocks_learn(int pe, uint64_t time)
{
    struct clock *other = clock_of(pe);

    if (pe == me || load(known(mine, pe)) >= time)
        return;
    for (int i = 0; i < n_pes; i++)
        if (i != me)
            tern_check_clocks_learn_only(i, load(known(other, i)));
    tern_check_clocks_learn_only(pe, time);
}

void tern_check_clocks_learn_all(void)
{
    for (int pe = 0; pe < n_pes; pe++) {
        uint64_t time = load(&clock_of(pe)->now);

        if (pe == me)
            continue;
        tern_check_clocks_learn_only(pe, time);
        raise_to(&clock_of(pe)->delivered, time);
    }
}

void tern_check_clocks_delivered(int pe, int target, uint64_t time)
{
    raise_to(delivered_to(clock_of(pe), target), time);
}

enum tern_check_order tern_check_clocks_compare(const struct tern_check_access *before, int target,
                                                const struct tern_check_access *now)
{
    int pe = tern_check_access_pe(before);
    uint64_t time = tern_check_access_time(before);
    uint64_t end = pe == me ? mine->now : load(known(mine, pe)), seen;
    struct clock *clock;

    if (pe != me && end < time)
        return ORDER_UNKNOWN;
    if (before->ctx == CTX_AT_ONCE)
        return ORDER_HOLDS;
    clock = clock_of(pe);
    if (is_between(&clock->quiets[before->ctx], time, end))
        return ORDER_HOLDS;
    seen = delivered(clock, target);
    if (before->how & ACCESS_SIGNALLED && seen >= time)
        return ORDER_HOLDS;
    /* The PE's own next put to the target comes after its fence. */
    if (pe == me && now->how & ACCESS_FENCED)
        seen = end;
    return before->how & ACCESS_FENCED &&
                   is_between(&clock->fences[before->ctx], time, seen < end ? seen : end)
               ? ORDER_HOLDS
               : ORDER_INCOMPLETE;
}

/* ---- collective calls ---- */

static uint64_t tag_of(uint64_t group, uint64_t number)
{
    uint64_t tag = (group ^ (number + UINT64_C(0x2545f4914f6cdd1d))) * UINT64_C(0x9e3779b97f4a7c15);

    return (tag ^ tag >> 32) | 1;
}

/* Consecutive calls of a group have consecutive entries, so that one overwrites another late. */
static struct entry *entry_of(struct clock *clock, uint64_t group, uint64_t number)
{
    return &clock->entries[(tag_of(group, 0) / 2 + number) % ENTRIES];
}

void tern_check_clocks_enter(uint64_t group, uint64_t number, uint64_t time)
{
    struct entry *entry = entry_of(mine, group, number);

    store(&entry->tag, 0);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* partner: the fence in tern_check_clocks_entered() */
    store(&entry->time, time);
    __atomic_store_n(&entry->tag, tag_of(group, number), __ATOMIC_RELEASE); /* partner: likewise */
}

bool tern_check_clocks_entered(int pe, uint64_t group, uint64_t number, bool surely, uint64_t *time)
{
    struct entry *entry = entry_of(clock_of(pe), group, number);
    uint64_t tag = tag_of(group, number);

    if (__atomic_load_n(&entry->tag, __ATOMIC_ACQUIRE) == tag) {
        *time = load(&entry->time);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (load(&entry->tag) == tag)
            return true;
    }
    *time = load(&clock_of(pe)->now);
    return surely;
}

void tern_check_clocks_all_know(uint64_t time, bool completes)
{
    store(&mine->known_to_all, time);
    if (completes)
        store(&mine->complete, time);
}

/* ---- records that are not needed, or were dropped ---- */

bool tern_check_clocks_is_over(const struct tern_check_access *access)
{
    const struct clock *clock = clock_of(tern_check_access_pe(access));
    uint64_t time = tern_check_access_time(access);

    if (access->how & (ACCESS_AWAITED | ACCESS_IN_LINES))
        return access->how & ACCESS_AWAITED && !tern_check_clocks_is_recent(access);
    if (access->ctx == CTX_AT_ONCE)
        return time <= load(&clock->known_to_all);
    return access->ctx == CTX_DEFAULT && time <= load(&clock->complete);
}

void tern_check_clocks_forget(const struct tern_check_access *access)
{
    raise_to(&clock_of(tern_check_access_pe(access))->forgotten, tern_check_access_time(access));
    if (!load(&common->forgets))
        store(&common->forgets, 1);
}

void tern_check_clocks_learn_forgotten(void)
{
    if (!load(&common->forgets))
        return;
    for (int pe = 0; pe < n_pes; pe++) {
        uint64_t time = load(&clock_of(pe)->forgotten);

        if (pe == me || time == 0)
            continue;
        tern_check_clocks_learn(pe, time);
        raise_to(&clock_of(pe)->delivered, time);
    }
}

void tern_check_clocks_lose_sight(void)
{
    if (!load(&common->blind))
        store(&common->blind, 1);
}

bool tern_check_clocks_sees_all(void)
{
    return !load(&common->blind);
}

void tern_check_clocks_note_allocation(void)
{
    store(&mine->allocated, mine->now);
}

bool tern_check_clocks_is_recent(const struct tern_check_access *access)
{
    return tern_check_access_time(access) >
           load(&clock_of(tern_check_access_pe(access))->allocated);
}
