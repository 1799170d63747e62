/* SPDX-License-Identifier: BSD-3-Clause */
/* What the PEs of a job are doing, in words. */
#ifndef TERN_LAUNCH_JOB_ACTIVITY_H
#define TERN_LAUNCH_JOB_ACTIVITY_H

#include "launch/job/job.h"

/*
 * Writes "; PEs 0-2, 5 were waiting in shmem_barrier_all; PE 3 was computing", without the PE
 * `except` (NULL: all PEs are listed). Writes an empty text if no PE has used OpenSHMEM.
 */
void tern_activity_describe(const struct tern_launch_job *job, const struct tern_pe *except,
                            char *text, size_t size);

/*
 * Writes a line for each group of PEs that do the same, each after a newline: "PEs 0-2 waiting in
 * shmem_barrier_all for 3.2 s". Returns false if no PE has used OpenSHMEM.
 */
bool tern_activity_list(const struct tern_launch_job *job, char *text, size_t size);

#endif
