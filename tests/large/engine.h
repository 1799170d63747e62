/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A network engine without a network, for PEs that are threads of one process: it hands over
 * messages and frames, accesses the memory of other PEs itself, and counts.
 */
#ifndef TESTS_LARGE_ENGINE_H
#define TESTS_LARGE_ENGINE_H

#include <stdint.h>

/* What the calling PE has sent so far. */
struct engine_counts {
    uint64_t messages; /* puts, gets, frames and answers count as messages */
    uint64_t bytes;
};

/* Before the PEs start, and after they have ended. */
void engine_start(int n_pes);
void engine_stop(void);

struct engine_counts engine_counts(void);

/* The number of PEs that a PE has exchanged something with. */
int engine_peers(int pe);

#endif
