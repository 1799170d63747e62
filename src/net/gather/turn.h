/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The turn: whoever has it may change streams and frames. The program's threads take it, and the
 * engine's thread, which sends what is left over while the PE computes.
 *
 * While one thread of the program calls at a time, that thread has the turn for two plain stores
 * and a load: it announces itself in `inside`, and then reads `wanted`. The engine's thread, which
 * needs the turn rarely, announces itself in `wanted`, makes the other threads of the process pass
 * a full barrier (membarrier, the partner of that plain load), and then reads `inside`. One of the
 * two sees the other. Where several threads call at the same time, or membarrier is refused, the
 * turn is a lock.
 */
#ifndef TERN_NET_GATHER_TURN_H
#define TERN_NET_GATHER_TURN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomics.h"

struct tern_turn {
    uint32_t inside, wanted;
    bool locks; /* the turn is a lock */
    pthread_mutex_t lock;
};

extern TERN_PE_LOCAL struct tern_turn tern_turn;

/* Before the first turn. */
void tern_turn_start(void);

/* Several threads of the program are going to call at the same time; none of them does now. */
void tern_turn_share(void);

void tern_turn_wait(void) TERN_COLD;

TERN_INLINE void tern_turn_take(void)
{
    if (tern_unlikely(tern_turn.locks)) {
        pthread_mutex_lock(&tern_turn.lock);
        return;
    }
    tern_store_relaxed(&tern_turn.inside, 1);
    tern_compiler_barrier(); /* store first, then load */
    /* Acquire: partner of the release in tern_turn_return(). */
    if (tern_unlikely(tern_load_acquire(&tern_turn.wanted)))
        tern_turn_wait();
}

TERN_INLINE void tern_turn_give(void)
{
    if (tern_unlikely(tern_turn.locks))
        pthread_mutex_unlock(&tern_turn.lock);
    else
        tern_store_release(&tern_turn.inside, 0); /* partner: tern_turn_try() */
}

/* For the engine's thread: takes the turn unless the program has it. */
bool tern_turn_try(void);
void tern_turn_return(void);

#endif
