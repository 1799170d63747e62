/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects the loss of the launcher or of a PE on another machine, and ends the job here. */
#ifndef TERN_CORE_FAILURE_DETECTOR_H
#define TERN_CORE_FAILURE_DETECTOR_H

#include <stdint.h>

#include "base/atomics.h"
#include "base/compiler.h"

/*
 * oshrun observes the ends of all its PEs itself. Under another launcher, or on several machines,
 * each PE watches:
 *
 *     the launcher    by the descriptor that hangs up with it
 *     a neighbour     on its node, by the neighbour's process
 *     a machine       each node's PE 0 sends a heartbeat to the next node's and expects those of
 *                     the one before; silence of SHMEM_LOST_AFTER seconds is a loss
 *     its peers       by the network's reports of losses
 *
 * The PE that detects a loss sends it to all nodes. One PE prints it, of the first node that is
 * left, and all end.
 */

/* Call before the network starts: the detector then gets its messages and reports of losses. */
void tern_failure_detector_listen(void);

/*
 * Before the barrier of the first init and of every later one: a PE that can't be reached ends the
 * job. Silence is no loss yet, since PEs may take their time to start.
 */
void tern_failure_detector_start(void);

/* After that barrier: from now on silence counts as well. */
void tern_failure_detector_watch(void);

/*
 * Before the last barrier: from now on peers may leave, and a broken connection means nothing
 * unless this PE still waits SHMEM_LOST_AFTER seconds later, or eight if that is 0.
 */
void tern_failure_detector_expect_leave(void);

/* After that barrier: nothing is a loss any more. */
void tern_failure_detector_stop(void);

/* Whether something was lost, so that the job is about to end. */
extern TERN_PE_LOCAL uint32_t tern_failure_detector_has_lost;

/*
 * Waits until the detector ends the job because of a loss. Returns if the job, or the lost PE, ends
 * in order.
 */
void tern_failure_detector_hold(void) TERN_COLD;

/*
 * Call when an operation on another node is found complete without a wait of the engine, which
 * calls hold() itself. Operations on a lost PE end without results, and the program must not use
 * what it finds in their place.
 */
TERN_INLINE void tern_failure_detector_require_results(void)
{
    /* Partner: keep(), which the engine has called before the operation ended. */
    if (tern_unlikely(tern_load_acquire(&tern_failure_detector_has_lost)))
        tern_failure_detector_hold();
}

#endif
