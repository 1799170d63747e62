/* SPDX-License-Identifier: BSD-3-Clause */
/* Notices that a PE of another machine, or the launcher, is lost, and ends the job here. */
#ifndef TERN_CORE_FAILURE_DETECTOR_H
#define TERN_CORE_FAILURE_DETECTOR_H

/*
 * oshrun sees the ends of all its PEs by itself. Where another launcher has started the job, or it
 * spans machines, each PE watches a little:
 *
 *     the launcher    by the descriptor that hangs up with it
 *     a neighbour     on its node, by the neighbour's process
 *     a machine       each node's PE 0 sends a heartbeat to the next node's and expects those of
 *                     the one before; silence of SHMEM_LOST_AFTER seconds is a loss
 *     its peers       as the network finds them out
 *
 * Who has noticed a loss tells all nodes, one PE a node prints it, and all of them end.
 */

/* Before the network starts, which passes on messages and losses from then on. */
void tern_failure_detector_listen(void);

/*
 * Before the barrier of the first init and of every later one: a PE that can't be reached ends the
 * job. Silence is no loss yet, since PEs may take their time to start.
 */
void tern_failure_detector_start(void);

/* After that barrier: from now on silence counts as well. */
void tern_failure_detector_watch(void);

/* Before the last barrier: from now on peers may leave, and a broken connection means nothing. */
void tern_failure_detector_expect_leave(void);

/* After that barrier: nothing is a loss any more. */
void tern_failure_detector_stop(void);

#endif
