/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs with an oracle. A run consists of rounds, and a round of phases. Each PE draws
 * the phases, and what each PE does in them, from the round's seed. So each PE computes in plain C
 * what all PEs together have done to its memory.
 */
#ifndef SOAK_SOAK_H
#define SOAK_SOAK_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw.h"

enum { MAX_PES = 16, MAX_THREADS = 3, MAX_LANES = 4 };

extern int soak_me, soak_n_pes;

/* What the phases of a round share. */
struct round {
    uint64_t seed;
    unsigned number;
};

/* The streams of numbers that a round's seed starts. */
enum purpose {
    DRAW_ROUND,
    DRAW_STORM,
    DRAW_LANE,
    DRAW_THREAD,
    DRAW_MESSAGES,
    DRAW_LOCKS,
    DRAW_MEETINGS
};

/* Operations of this PE since the start; any thread. */
void soak_count(uint64_t operations);

/* The phases: collective, and each ends with a barrier. */
void soak_storm(const struct round *round);
void soak_messages(const struct round *round);
void soak_locks(const struct round *round);
void soak_meetings(const struct round *round);

/* Symmetric memory of a phase, zero; ends the program if there is none. Collective. */
void *soak_alloc(size_t bytes);

#endif
