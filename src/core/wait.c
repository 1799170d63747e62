/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow path of waiting: yields, sleeps, and wakes. */
#include "core/wait.h"

#include <sched.h>

#include "base/log.h"
#include "base/os.h"

/*
 * Figures measured on two cores: waking an idle core by futex costs about 20 us, a yield to a
 * runnable process 0.5 to 1 us. So a waiter whose partner runs on another core spins; one whose
 * partner may need this core yields at once, and sleeps after a few yields without success.
 * Otherwise a thousand PEs that wait for one would keep it from running.
 */
#define SPINS 400
#define YIELDS_WHEN_CROWDED 8
#define LOOKS_AT_NETWORK 32 /* polls before each yield, which may cost a time slice */
#define AWAKE_NS 1000000u
#define AWAKE_NETWORK_NS 5000000u /* a sleeper leaves the network to the engine's thread */
#define SLEEP_NS 2000000u
#define CHECK_AFTER_NS 300000000u

TERN_PE_LOCAL struct tern_wait_policy tern_wait_policy = {
    .spins = SPINS,
    .looks = 1,
    .sleep_ns = SLEEP_NS,
};
TERN_PE_LOCAL struct tern_wait_hooks tern_wait_hooks;

void tern_wait_tune(int n_pes, int cores, long awake_us, bool network)
{
    struct tern_wait_policy *p = &tern_wait_policy;
    bool crowded = n_pes > cores;

    p->spins = crowded || network ? 0 : SPINS; /* each step polls the network */
    p->looks = network && !crowded ? LOOKS_AT_NETWORK : 1;
    p->yields = crowded ? YIELDS_WHEN_CROWDED : 1;
    p->awake_ns = crowded ? 0 : network ? AWAKE_NETWORK_NS : AWAKE_NS;
    if (awake_us >= 0)
        p->awake_ns = (uint64_t)awake_us * 1000;
    /* Timed wakes are only a fallback; those of many sleepers must not occupy the cores. */
    p->sleep_ns = SLEEP_NS * (uint64_t)(n_pes > 4 * cores ? n_pes / (4 * cores) : 1);
    p->asymmetric = tern_os_barrier_register();
    if (!p->asymmetric)
        tern_debug("membarrier is refused here: sleeping PEs recheck every %u us",
                   (unsigned)(p->sleep_ns / 1000));
}

void tern_bell_wake(struct tern_bell *bell)
{
    /* Release: a thread that sees the new value sees the store before the ring. */
    tern_fetch_add(&bell->rung, 1);
    tern_os_futex_wake_all(&bell->rung);
}

static bool time_to_sleep(const struct tern_wait *w, uint64_t now)
{
    const struct tern_wait_policy *p = &tern_wait_policy;

    if (w->steps < p->spins + p->yields)
        return false;
    return p->awake_ns == 0 || now - w->awake_since >= p->awake_ns;
}

static void arm(struct tern_wait *w)
{
    __atomic_fetch_add(&w->bell->sleepers, 1, __ATOMIC_SEQ_CST);
    if (tern_wait_policy.asymmetric)
        tern_os_barrier_all(); /* partner: the plain load in tern_bell_ring() */
    w->armed = true;
    w->seen = tern_load_acquire(&w->bell->rung);
}

/*
 * An arrival over the network did not end this wait, but more may follow. Polling then costs less
 * than a wake for each arrival, so a ring restarts the time before sleeping.
 */
static void stay_awake(struct tern_wait *w)
{
    tern_wait_disarm(w);
    w->awake_since = 0;
}

static void sleep_once(struct tern_wait *w, uint64_t now)
{
    uint32_t rung;

    if (!w->shown && tern_wait_hooks.show)
        w->shown = tern_wait_hooks.show(w->routine);
    if (tern_wait_hooks.rest)
        tern_wait_hooks.rest();
    tern_os_futex_wait(&w->bell->rung, w->seen, tern_wait_policy.sleep_ns);
    if (tern_wait_hooks.check && now - w->since > CHECK_AFTER_NS)
        tern_wait_hooks.check(w);
    rung = tern_load_acquire(&w->bell->rung);
    if (rung != w->seen && tern_wait_hooks.progress && tern_wait_policy.awake_ns)
        stay_awake(w);
    w->seen = rung;
}

/*
 * If there are more PEs than cores, the engine's thread serves this PE at each arrival: polling in
 * every step would double the cost of waits within the node.
 */
static bool looks_at_network(const struct tern_wait *w)
{
    return tern_wait_hooks.progress &&
           (w->from_network || tern_wait_policy.awake_ns || w->steps % YIELDS_WHEN_CROWDED == 0);
}

void tern_wait_leave_core(struct tern_wait *w)
{
    uint64_t now = tern_os_now_ns();

    if (looks_at_network(w) && tern_wait_hooks.progress()) {
        w->awake_since = now;
        if (!tern_wait_policy.awake_ns)
            sched_yield(); /* the thread that carries it out may need this core */
        return;            /* something has arrived, perhaps what the caller waits for */
    }
    if (!w->since)
        w->since = now;
    if (!w->awake_since)
        w->awake_since = now;
    if (w->armed)
        sleep_once(w, now);
    else if (time_to_sleep(w, now))
        arm(w); /* the caller checks its condition once more */
    else if (w->steps % tern_wait_policy.looks == 0)
        sched_yield();
}

void tern_wait_disarm(struct tern_wait *w)
{
    __atomic_fetch_sub(&w->bell->sleepers, 1, __ATOMIC_RELAXED);
    w->armed = false;
    if (w->shown)
        tern_wait_hooks.show(NULL);
    w->shown = false;
}

#define MISSES_BEFORE_YIELD 64

/* Threads may overwrite each other's counts, which does no harm. */
static TERN_PE_LOCAL unsigned misses;

bool tern_wait_looked(bool hit)
{
    unsigned count = hit ? 0 : tern_load_relaxed(&misses) + 1;

    if (!hit && tern_wait_hooks.progress)
        tern_wait_hooks.progress();
    if (count == MISSES_BEFORE_YIELD) {
        count = 0;
        sched_yield();
    }
    tern_store_relaxed(&misses, count);
    return hit;
}
