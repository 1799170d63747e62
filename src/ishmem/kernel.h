/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that wait, from kernels. Where work-items are fibers, as in Tern's SYCL, several of them
 * share a thread. A call that waits must let the others run, because it may be them that it waits
 * for.
 */
#ifndef TERN_ISHMEM_KERNEL_H
#define TERN_ISHMEM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/atomics.h"
#include "base/compiler.h"

/*
 * Lets other work-items run on this thread and returns true, or returns false if none can run. NULL
 * in programs without such work-items.
 */
extern bool (*tern_ishmem_yield)(void);

/* How often a call has let others run. Zero at its start. */
struct tern_ishmem_turns {
    unsigned polls;
    unsigned idle; /* the last turns of these in which no other work-item could run */
};

bool tern_ishmem_take_turn(struct tern_ishmem_turns *turns);

/*
 * The condition of a loop that polls for what the call waits for. Returns false if the call may
 * block instead, because no work-item needs the thread. Otherwise it returns true. From the second
 * time on, it lets others run before.
 */
TERN_INLINE bool tern_ishmem_gives_way(struct tern_ishmem_turns *turns)
{
    return tern_unlikely(tern_load_relaxed(&tern_ishmem_yield) != NULL) &&
           tern_ishmem_take_turn(turns);
}

/* Whether a wait for some of these variables waits for any. status: as in OpenSHMEM, or NULL. */
bool tern_ishmem_selects(size_t nelems, const int *status);

bool tern_ishmem_has_company(void);

/* Whether a call that can't poll has to run on another thread, because work-items need this one. */
TERN_INLINE bool tern_ishmem_needs_thread(void)
{
    return tern_unlikely(tern_load_relaxed(&tern_ishmem_yield) != NULL) &&
           tern_ishmem_has_company();
}

/*
 * Calls run(call) on a thread of its own, while other work-items run on this one. Returns after
 * run() has. site: where the program makes the call, for tools.
 */
void tern_ishmem_run_aside(void (*run)(void *call), void *call, const void *site);

#endif
