/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may change streams and frames. */
#include "net/gather/turn.h"

#include "base/os.h"

TERN_PE_LOCAL struct tern_turn tern_turn = {.lock = PTHREAD_MUTEX_INITIALIZER};

void tern_turn_start(void)
{
    tern_turn.locks = !tern_os_barrier_own_register();
}

void tern_turn_share(void)
{
    pthread_mutex_lock(&tern_turn.lock); /* the engine's thread may have the turn */
    tern_turn.locks = true;
    pthread_mutex_unlock(&tern_turn.lock);
}

/* The engine's thread keeps the lock while it has the turn. */
void tern_turn_wait(void)
{
    tern_store_relaxed(&tern_turn.inside, 0);
    pthread_mutex_lock(&tern_turn.lock);
    tern_store_relaxed(&tern_turn.inside, 1);
    pthread_mutex_unlock(&tern_turn.lock);
}

bool tern_turn_try(void)
{
    if (pthread_mutex_trylock(&tern_turn.lock))
        return false;
    if (tern_turn.locks)
        return true;
    tern_store_relaxed(&tern_turn.wanted, 1);
    tern_os_barrier_own();                     /* partner: the plain load in tern_turn_take() */
    if (!tern_load_acquire(&tern_turn.inside)) /* partner: tern_turn_give() */
        return true;
    tern_turn_return();
    return false;
}

void tern_turn_return(void)
{
    tern_store_release(&tern_turn.wanted, 0); /* partner: tern_turn_take() */
    pthread_mutex_unlock(&tern_turn.lock);
}
