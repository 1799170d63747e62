/* SPDX-License-Identifier: BSD-3-Clause */
/* The decisions of a chaos run: one sequence for each PE, from the seed alone. */
#ifndef TERN_TOOLS_CHAOS_DICE_H
#define TERN_TOOLS_CHAOS_DICE_H

#include <stdint.h>

/* Starts the sequence of a PE. */
void tern_dice_start(uint64_t seed, int pe);

/* The next number of the sequence, below n. Callers hold the queues' lock. */
uint64_t tern_dice_below(uint64_t n);

#endif
