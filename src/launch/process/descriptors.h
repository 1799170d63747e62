/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptor numbers: PEs inherit low ones only, so that all others can be closed at once. */
#ifndef TERN_LAUNCH_PROCESS_DESCRIPTORS_H
#define TERN_LAUNCH_PROCESS_DESCRIPTORS_H

#include <stdint.h>

/* Above the descriptors that shell scripts use, and below those that bash uses, from 255 down. */
#define TERN_DESCRIPTORS_HIGH 200

/* Descriptors from this number on are oshrun's alone, if tern_descriptors_separate() returns it. */
#define TERN_DESCRIPTORS_OWN 256

/*
 * Moves a descriptor to the first free number from `least` on, if the limit allows that. Returns
 * its number.
 */
int tern_descriptors_move(int fd, int least);

/*
 * Returns the number from which descriptors are oshrun's alone, so that a child can drop them at
 * once: TERN_DESCRIPTORS_OWN. Returns 0 if each child has to copy and close the whole list: for a
 * small job, where oshrun inherited descriptors as high, or where the system lacks close_range().
 * With copies, the start of 1,000 PEs closes a million descriptors.
 */
unsigned tern_descriptors_separate(uint32_t n_pes);

#endif
