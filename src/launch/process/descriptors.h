/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of descriptors: what a PE gets has low ones, so that all others are kept from it at once.
 */
#ifndef TERN_LAUNCH_PROCESS_DESCRIPTORS_H
#define TERN_LAUNCH_PROCESS_DESCRIPTORS_H

#include <stdint.h>

/* Shell scripts use the low descriptors, bash those from 255 down. */
#define TERN_DESCRIPTORS_HIGH 200

/* From here on they are oshrun's alone, if tern_descriptors_separate() says so. */
#define TERN_DESCRIPTORS_OWN 256

/* Moves a descriptor to the first free number from `least` on, if the limit lets us; the number. */
int tern_descriptors_move(int fd, int least);

/*
 * TERN_DESCRIPTORS_OWN, or 0 where children have to be given a copy of the whole list, which they
 * then close: a job is small, what oshrun was started with has numbers as high, or the system
 * offers nothing else. With two descriptors for each PE before it, a start of 1,000 copied and
 * closed a million.
 */
unsigned tern_descriptors_separate(uint32_t n_pes);

#endif
