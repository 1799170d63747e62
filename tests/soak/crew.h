/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a PE that carry out a phase together: 1 to MAX_THREADS, thread 0 is the caller. */
#ifndef SOAK_CREW_H
#define SOAK_CREW_H

#include "soak.h"

/* So many from now on, also if fewer are drawn. */
void crew_at_least(int threads);

/* Draws how many there are; the same on all PEs if the draw is. */
int crew_draw(struct draw *draw);

/* Returns when `run` has returned in each of them. */
void crew_run(int threads, void (*run)(int thread));

#endif
