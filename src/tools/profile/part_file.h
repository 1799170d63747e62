/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a PE's profile, which is also its file. */
#ifndef TERN_TOOLS_PROFILE_PART_FILE_H
#define TERN_TOOLS_PROFILE_PART_FILE_H

#include "tools/profile/record.h"

/*
 * Creates the file of this PE in the folder that SHMEM_PROFILE names, and maps it. If that is not
 * possible, prints why and uses memory without a file. Returns NULL if there is no memory.
 */
struct tern_profile *tern_part_file_open(uint32_t pe, uint32_t n_pes);

/* Writes the profile to the file if it is not mapped. Prints an error if it can't be written. */
void tern_part_file_save(void);

#endif
