/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile that a job with --profile leaves in a folder. */
#ifndef TERN_LAUNCH_TOOLS_PROFILE_H
#define TERN_LAUNCH_TOOLS_PROFILE_H

/*
 * Creates the folder that SHMEM_PROFILE names, or the default one, and removes the files that PEs
 * of an earlier job have left in it. Sets SHMEM_PROFILE to its full path for the PEs. Returns 0, or
 * -errno after a message.
 */
int tern_profile_prepare(void);

/* After the job: makes the report, if the folder was prepared. */
void tern_profile_report(void);

#endif
