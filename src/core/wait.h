/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting: spin, then yield, then sleep; and the bells by which writers wake sleepers. */
#ifndef TERN_CORE_WAIT_H
#define TERN_CORE_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomics.h"

/*
 * A bell is shared memory beside the words that a PE may wait for. A writer stores its word and
 * then reads `sleepers` with a plain load: two instructions if no thread sleeps. The load may run
 * ahead of the store and read an old zero. Therefore the sleeper first publishes itself, then makes
 * every running PE pass a full barrier (membarrier, the partner of that plain load), and checks its
 * word once more before it sleeps. If membarrier is refused, or the word was written without the
 * library (through shmem_ptr), the sleep's time limit bounds the delay.
 */
struct tern_bell {
    uint32_t sleepers; /* threads that sleep or are about to */
    uint32_t rung;     /* the futex: changes with each ring */
};

void tern_bell_wake(struct tern_bell *bell) TERN_COLD;

/* Call after the store that may end a wait. */
TERN_INLINE void tern_bell_ring(struct tern_bell *bell)
{
    tern_compiler_barrier(); /* store first, then load */
    if (tern_unlikely(tern_nonzero(&bell->sleepers)))
        tern_bell_wake(bell);
}

/* How long waits of this PE poll before they sleep; set by tern_wait_tune(). */
struct tern_wait_policy {
    uint32_t spins;    /* polls with a pause between, without leaving the core */
    uint32_t looks;    /* polls of the network between two yields */
    uint32_t yields;   /* polls with a yield between, at least */
    uint64_t awake_ns; /* yields until that long after the spins; 0: only `yields` times */
    uint64_t sleep_ns; /* the longest sleep */
    bool asymmetric;   /* membarrier works */
};

extern TERN_PE_LOCAL struct tern_wait_policy tern_wait_policy;

/*
 * Chooses the policy: n_pes wait on this many cores; awake_us is the time before sleeping that the
 * user has set, or -1; network: there are other nodes. Registers for membarrier.
 */
void tern_wait_tune(int n_pes, int cores, long awake_us, bool network);

/*
 * One wait. Use:
 *
 *     struct tern_wait w = tern_wait_begin(bell, routine);
 *     while (!condition)
 *         tern_wait_step(&w);
 *     tern_wait_end(&w);
 *
 * The condition loads its word with acquire order; the partner is the writer's release.
 */
struct tern_wait {
    struct tern_bell *bell;
    const char *routine; /* for the message if the wait can't end */
    const struct tern_pe_range
        *group;        /* the PEs that may end it: a collective's members, or NULL */
    bool from_network; /* a message from another node ends it */
    uint32_t steps;
    uint32_t seen;
    bool armed;
    bool shown; /* this wait is the one that the PE's slot shows */
    uint64_t since, awake_since;
    uint64_t hopeless_since; /* for the hooks; 0 while a PE may still end the wait */
};

TERN_INLINE struct tern_wait tern_wait_begin(struct tern_bell *bell, const char *routine)
{
    return (struct tern_wait){.bell = bell, .routine = routine};
}

void tern_wait_leave_core(struct tern_wait *w) TERN_COLD;
void tern_wait_disarm(struct tern_wait *w) TERN_COLD;

TERN_INLINE void tern_wait_step(struct tern_wait *w)
{
    if (w->steps++ < tern_wait_policy.spins)
        tern_cpu_relax();
    else
        tern_wait_leave_core(w);
}

TERN_INLINE void tern_wait_end(struct tern_wait *w)
{
    if (tern_unlikely(w->armed))
        tern_wait_disarm(w);
}

/*
 * For routines that test and do not wait: a program's loop of such calls is a wait as well. A miss
 * polls the network, and after a number of misses in a row the PE yields its core. Returns its
 * argument.
 */
bool tern_wait_looked(bool hit);

/*
 * Hooks of the layers above. show is called when a PE falls asleep (routine) or wakes (NULL), and
 * returns whether it stored the note. check is called at intervals while the PE sleeps, and does
 * not return if the wait can never end. On several nodes a waiter also drives the network.
 */
struct tern_wait_hooks {
    bool (*show)(const char *routine);
    void (*check)(struct tern_wait *w);
    bool (*progress)(void); /* polls the network; NULL on one node */
    void (*rest)(void);     /* before sleeping: this thread stops calling progress; likewise */
};

extern TERN_PE_LOCAL struct tern_wait_hooks tern_wait_hooks;

#endif
