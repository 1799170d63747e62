/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of the job in this PE, from the first init to the last finalize. */
#ifndef TERN_CORE_LIFECYCLE_H
#define TERN_CORE_LIFECYCLE_H

/*
 * The first init: maps memory, starts the network, makes the predefined teams, and waits until all
 * PEs have done so. 0, or -errno after the reason was printed.
 */
int tern_lifecycle_start(int thread_level);

/* The last finalize, after its barrier. Destroys the contexts; teams are destroyed already. */
void tern_lifecycle_stop(void);

#endif
