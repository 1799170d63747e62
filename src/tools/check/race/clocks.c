/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the vector clocks in shared memory: each actor writes its own, and reads those of others.
 */
#include "tools/check/race/clocks.h"

#include <pthread.h>
#include <string.h>

#include "tools/check/race/program_accesses.h"
#include "tools/check/shared/pages.h"

#define EVENTS 16    /* the last quiets or fences of a context */
#define ENTRIES 1024 /* the last entries to collective calls */
#define MOST_THREADS 64
#define ENOUGH_ACTORS 4096 /* with more PEs, each has fewer threads with clocks of their own */

/* The times of the last events. count is not bounded: the oldest time is overwritten. */
struct events {
    uint64_t count, latest;
    uint64_t times[EVENTS];
};

struct entry {
    uint64_t tag, when; /* 0: none */
};

/* What the threads of a PE share. */
struct pe_clock {
    uint64_t count;     /* the latest time of any of its actors */
    uint64_t n_threads; /* that have been actors */
    /* Other PEs read these more often than they change. */
    uint64_t allocated __attribute__((aligned(64))); /* the time of the last allocation or free */
    uint64_t delivered; /* fenced puts up to this time are known to have landed, on any target */
    struct events quiets[MAX_CTXS], fences[MAX_CTXS];
    struct entry entries[ENTRIES];
    /*
     * The time up to which fenced puts to each target are known to have landed, with an element
     * more for locks.
     */
    uint64_t delivered_to[];
};

/* The clock of an actor. */
struct clock {
    uint64_t now;  /* from 1 on */
    bool released; /* at this time; so the next access that releases nothing has a later one */
    uint64_t known_to_all __attribute__((aligned(64))); /* accesses that all PEs know */
    uint64_t complete;  /* the same for operations that the default context completes */
    uint64_t forgotten; /* access records up to this time may have been dropped */
    uint64_t known[] __attribute__((aligned(64))); /* the time up to which it knows each actor */
};

/* At the start of the memory, in front of the clocks. */
struct common {
    uint64_t forgets, blind;
    uint64_t most_threads; /* of any PE */
    uint64_t unused[5];
};

static struct common *common;
static char *pe_clocks, *clocks;
static size_t pe_clock_bytes, clock_bytes;
static struct pe_clock *my_pe_clock;
static int n_pes, n_threads, my_pe; /* n_threads: actors of each PE */

static __thread struct clock *mine __attribute__((tls_model("initial-exec")));
static __thread int self __attribute__((tls_model("initial-exec")));

static uint64_t load(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void store(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* Several actors may raise a word at once. */
static void raise_to(uint64_t *word, uint64_t value)
{
    uint64_t now = load(word);

    while (now < value && !__atomic_compare_exchange_n(word, &now, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        ;
}

static int threads_for(int n)
{
    int each = ENOUGH_ACTORS / n;

    return each > MOST_THREADS ? MOST_THREADS : each < 2 ? 2 : each;
}

static size_t bytes_of_pe_clock(int n)
{
    return tern_check_pages_round_up(sizeof *my_pe_clock +
                                     ((size_t)n + 1) * sizeof my_pe_clock->delivered_to[0]);
}

static size_t bytes_of_clock(int n)
{
    size_t bytes = sizeof *mine + (size_t)n * (size_t)threads_for(n) * sizeof mine->known[0];

    return (bytes + 127) & ~(size_t)127;
}

static struct pe_clock *pe_clock_of(int pe)
{
    return (struct pe_clock *)(pe_clocks + (size_t)pe * pe_clock_bytes);
}

static struct clock *clock_of(int actor)
{
    return (struct clock *)(clocks + (size_t)actor * clock_bytes);
}

int tern_check_clocks_pe(int actor)
{
    return actor < n_pes ? actor : actor % n_pes;
}

int tern_check_clocks_thread(int actor)
{
    return actor / n_pes;
}

int tern_check_clocks_self(void)
{
    return self;
}

bool tern_check_clocks_has_threads(void)
{
    return load(&my_pe_clock->n_threads) > 1;
}

/* The number of actors of a PE so far; their numbers are n_pes apart. */
static int threads_of(int pe)
{
    return (int)load(&pe_clock_of(pe)->n_threads);
}

int tern_check_clocks_threads_of(int pe)
{
    return threads_of(pe);
}

/* More than the number of any actor so far. */
static int n_actors(void)
{
    return n_pes * (int)load(&common->most_threads);
}

static int actor_of(uint64_t when)
{
    return (int)(when & (MAX_ACTORS - 1));
}

static uint64_t time_of(uint64_t when)
{
    return when >> ACTOR_BITS;
}

static uint64_t delivered(const struct pe_clock *clock, int target)
{
    uint64_t to_it = load(&clock->delivered_to[target]), to_all = load(&clock->delivered);

    return to_it > to_all ? to_it : to_all;
}

size_t tern_check_clocks_bytes(int n)
{
    return tern_check_pages_round_up(sizeof *common + (size_t)n * bytes_of_pe_clock(n) +
                                     (size_t)(n * threads_for(n)) * bytes_of_clock(n));
}

void tern_check_clocks_start(void *memory, int n, int pe)
{
    n_pes = n;
    n_threads = threads_for(n);
    my_pe = pe;
    common = memory;
    pe_clocks = (char *)(common + 1);
    pe_clock_bytes = bytes_of_pe_clock(n);
    clocks = pe_clocks + (size_t)n * pe_clock_bytes;
    clock_bytes = bytes_of_clock(n);
    my_pe_clock = pe_clock_of(pe);
    tern_check_clocks_join();
}

/* ---- time ---- */

static uint64_t next_time(void)
{
    uint64_t time;

    if (tern_check_clocks_has_threads())
        return __atomic_add_fetch(&my_pe_clock->count, 1, __ATOMIC_RELAXED);
    time = my_pe_clock->count + 1;
    store(&my_pe_clock->count, time);
    return time;
}

static uint64_t stamp(void)
{
    return mine->now << ACTOR_BITS | (unsigned)self;
}

static void advance(void)
{
    mine->released = false;
    store(&mine->now, next_time());
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
    uint64_t when = stamp();

    advance();
    return when;
}

/* ---- actors ---- */

static pthread_mutex_t actors_lock = PTHREAD_MUTEX_INITIALIZER;
static int left[MOST_THREADS], n_left, next_left; /* threads whose actors are free, as a queue */

/* The number of a thread that is no actor yet or any more; the last one's if there is none. */
static int take_thread(void)
{
    int thread = threads_of(my_pe);

    /* What orders the threads may be atomic variables, which are not seen: they count as one. */
    if (thread > 0 && !tern_check_program_accesses_are_seen)
        return 0;
    if (thread < n_threads) {
        store(&my_pe_clock->n_threads, (uint64_t)thread + 1);
        raise_to(&common->most_threads, (uint64_t)thread + 1);
        return thread;
    }
    if (n_left == 0)
        return n_threads - 1;
    thread = left[next_left];
    next_left = (next_left + 1) % MOST_THREADS;
    n_left--;
    return thread;
}

void tern_check_clocks_join(void)
{
    pthread_mutex_lock(&actors_lock);
    self = my_pe + n_pes * take_thread();
    mine = clock_of(self);
    if (tern_check_program_accesses_are_seen)
        memset(mine->known, 0, (size_t)(n_pes * n_threads) * sizeof mine->known[0]);
    advance();
    pthread_mutex_unlock(&actors_lock);
}

void tern_check_clocks_leave(void)
{
    pthread_mutex_lock(&actors_lock);
    if (tern_check_program_accesses_are_seen && n_left < MOST_THREADS)
        left[(next_left + n_left++) % MOST_THREADS] = tern_check_clocks_thread(self);
    mine = NULL;
    pthread_mutex_unlock(&actors_lock);
}

bool tern_check_clocks_is_actor(void)
{
    return mine != NULL;
}

/* ---- quiet and fence ---- */

/*
 * Another PE may read at the same time, and take an overwritten time for the new one; both are
 * quiets.
 */
static void note(struct events *events)
{
    if (tern_check_clocks_has_threads())
        advance(); /* the time is later than those of all accesses of other threads */
    store(&events->times[events->count % EVENTS], mine->now);
    store(&events->latest, mine->now);
    __atomic_store_n(&events->count, events->count + 1, __ATOMIC_RELEASE); /* partner: is_between */
}

void tern_check_clocks_quiet(int ctx)
{
    note(&my_pe_clock->quiets[ctx]);
    advance();
}

void tern_check_clocks_fence(int ctx)
{
    note(&my_pe_clock->fences[ctx]);
    advance();
}

void tern_check_clocks_quiet_all(void)
{
    for (int ctx = CTX_DEFAULT; ctx < MAX_CTXS; ctx++)
        note(&my_pe_clock->quiets[ctx]);
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
 * What this actor has released at its present time does not include what it learns now: an actor
 * that knows this one up to that time does not read its knowledge again. So this actor's time
 * advances.
 */
static void learn_time(int actor, uint64_t time)
{
    if (actor == self || load(&mine->known[actor]) >= time)
        return;
    store(&mine->known[actor], time);
    advance();
}

void tern_check_clocks_learn_only(uint64_t when)
{
    learn_time(actor_of(when), time_of(when));
}

void tern_check_clocks_learn(uint64_t when)
{
    const struct clock *other = clock_of(actor_of(when));

    if (actor_of(when) == self || load(&mine->known[actor_of(when)]) >= time_of(when))
        return;
    for (int actor = 0, n = n_actors(); actor < n; actor++)
        learn_time(actor, load(&other->known[actor]));
    tern_check_clocks_learn_only(when);
}

void tern_check_clocks_learn_pe(int pe)
{
    for (int thread = 0; thread < threads_of(pe); thread++)
        learn_time(pe + thread * n_pes, load(&clock_of(pe + thread * n_pes)->now));
}

void tern_check_clocks_learn_all(void)
{
    for (int pe = 0; pe < n_pes; pe++) {
        tern_check_clocks_learn_pe(pe);
        if (pe != my_pe)
            raise_to(&pe_clock_of(pe)->delivered, load(&pe_clock_of(pe)->count));
    }
}

bool tern_check_clocks_is_in_touch(const struct tern_check_access *access)
{
    int actor = tern_check_access_actor(access);

    return load(&mine->known[actor]) > load(&clock_of(actor)->known_to_all);
}

void tern_check_clocks_delivered(int target, uint64_t when)
{
    raise_to(&pe_clock_of(tern_check_clocks_pe(actor_of(when)))->delivered_to[target],
             time_of(when));
}

/* The time up to which this actor knows any thread of the PE. */
static uint64_t end_of_pe(int pe)
{
    uint64_t end = 0;

    for (int thread = 0; thread < threads_of(pe); thread++) {
        int actor = pe + thread * n_pes;
        uint64_t known = actor == self ? mine->now : load(&mine->known[actor]);

        if (known > end)
            end = known;
    }
    return end;
}

/* Whether a fence of the context orders the operation before this PE's access. */
static bool is_fenced_by_own(const struct tern_check_access *before,
                             const struct tern_check_access *now)
{
    return now->how & ACCESS_FENCED && (now->ctx == before->ctx || now->ctx == CTX_AT_ONCE);
}

/* The same for an operation that this actor knows of: whether it is complete. */
static enum tern_check_order compare_complete(const struct tern_check_access *before, int pe,
                                              int target, const struct tern_check_access *now,
                                              uint64_t end)
{
    const struct pe_clock *clock = pe_clock_of(pe);
    uint64_t time = tern_check_access_time(before), seen;

    if (is_between(&clock->quiets[before->ctx], time, end))
        return ORDER_HOLDS;
    seen = delivered(clock, target);
    if (before->how & ACCESS_SIGNALLED && seen >= time)
        return ORDER_HOLDS;
    /* The PE's own next put to the target comes after its fence. */
    if (pe == my_pe && is_fenced_by_own(before, now))
        seen = end;
    return before->how & ACCESS_FENCED &&
                   is_between(&clock->fences[before->ctx], time, seen < end ? seen : end)
               ? ORDER_HOLDS
               : ORDER_INCOMPLETE;
}

enum tern_check_order tern_check_clocks_compare(const struct tern_check_access *before, int target,
                                                const struct tern_check_access *now)
{
    int actor = tern_check_access_actor(before), pe = tern_check_clocks_pe(actor);
    uint64_t end = actor == self ? mine->now : load(&mine->known[actor]);

    if (actor != self && end < tern_check_access_time(before))
        return ORDER_UNKNOWN;
    if (before->ctx == CTX_AT_ONCE)
        return ORDER_HOLDS;
    return compare_complete(before, pe, target, now, threads_of(pe) > 1 ? end_of_pe(pe) : end);
}

/* ---- collective calls ---- */

static uint64_t tag_of(uint64_t group, uint64_t number)
{
    uint64_t tag = (group ^ (number + UINT64_C(0x2545f4914f6cdd1d))) * UINT64_C(0x9e3779b97f4a7c15);

    return (tag ^ tag >> 32) | 1;
}

/* Consecutive calls of a group have consecutive entries, so that one overwrites another late. */
static struct entry *entry_of(int pe, uint64_t group, uint64_t number)
{
    return &pe_clock_of(pe)->entries[(tag_of(group, 0) / 2 + number) % ENTRIES];
}

void tern_check_clocks_enter(uint64_t group, uint64_t number, uint64_t when)
{
    struct entry *entry = entry_of(my_pe, group, number);

    store(&entry->tag, 0);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* partner: the fence in find_entry() */
    store(&entry->when, when);
    __atomic_store_n(&entry->tag, tag_of(group, number), __ATOMIC_RELEASE); /* partner: likewise */
}

/* When the PE has entered the call, as in an access record; 0 if that is not known (any more). */
static uint64_t find_entry(int pe, uint64_t group, uint64_t number)
{
    struct entry *entry = entry_of(pe, group, number);
    uint64_t tag = tag_of(group, number), when;

    if (__atomic_load_n(&entry->tag, __ATOMIC_ACQUIRE) != tag)
        return 0;
    when = load(&entry->when);
    __atomic_thread_fence(__ATOMIC_ACQUIRE); /* partner: the fence in tern_check_clocks_enter() */
    return load(&entry->tag) == tag ? when : 0;
}

/* If the entry was too long ago to be known, the actor learns what the PE has done up to now. */
void tern_check_clocks_learn_entered(int pe, uint64_t group, uint64_t number, bool surely,
                                     bool only)
{
    uint64_t when = find_entry(pe, group, number);

    if (when && only && threads_of(pe) == 1)
        tern_check_clocks_learn_only(when);
    else if (when)
        tern_check_clocks_learn(when);
    else if (surely)
        tern_check_clocks_learn_pe(pe);
}

static void raise_common(struct clock *clock, uint64_t time, bool completes)
{
    raise_to(&clock->known_to_all, time);
    if (completes)
        raise_to(&clock->complete, time);
}

void tern_check_clocks_note_meeting(uint64_t group, uint64_t number, bool completes)
{
    uint64_t when = find_entry(my_pe, group, number);

    if (!when || actor_of(when) != self)
        return;
    raise_common(mine, time_of(when), completes);
    for (int thread = 0; thread < threads_of(my_pe); thread++) {
        int actor = my_pe + thread * n_pes;

        if (actor != self)
            raise_common(clock_of(actor), load(&mine->known[actor]), completes);
    }
}

/* ---- records that are not needed, or were dropped ---- */

bool tern_check_clocks_is_over(const struct tern_check_access *access)
{
    const struct clock *clock = clock_of(tern_check_access_actor(access));
    uint64_t time = tern_check_access_time(access);

    if (access->how & (ACCESS_AWAITED | ACCESS_IN_LINES))
        return access->how & ACCESS_AWAITED && !tern_check_clocks_is_recent(access);
    if (access->ctx == CTX_AT_ONCE)
        return time <= load(&clock->known_to_all);
    return access->ctx == CTX_DEFAULT && time <= load(&clock->complete);
}

void tern_check_clocks_forget(const struct tern_check_access *access)
{
    raise_to(&clock_of(tern_check_access_actor(access))->forgotten, tern_check_access_time(access));
    if (!load(&common->forgets))
        store(&common->forgets, 1);
}

static void learn_forgotten_of(int actor)
{
    uint64_t time = load(&clock_of(actor)->forgotten);
    int pe = tern_check_clocks_pe(actor);

    if (actor == self || time == 0)
        return;
    tern_check_clocks_learn(time << ACTOR_BITS | (unsigned)actor);
    raise_to(&pe_clock_of(pe)->delivered, time);
}

void tern_check_clocks_learn_forgotten(void)
{
    if (!load(&common->forgets))
        return;
    for (int actor = 0, n = n_actors(); actor < n; actor++)
        learn_forgotten_of(actor);
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
    store(&my_pe_clock->allocated, mine->now);
}

bool tern_check_clocks_is_recent(const struct tern_check_access *access)
{
    int pe = tern_check_clocks_pe(tern_check_access_actor(access));

    return tern_check_access_time(access) > load(&pe_clock_of(pe)->allocated);
}
