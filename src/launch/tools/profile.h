/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile of a job, around its life. */
#ifndef TERN_LAUNCH_TOOLS_PROFILE_H
#define TERN_LAUNCH_TOOLS_PROFILE_H

/*
 * Makes the folder of SHMEM_PROFILE, or one by the default name, removes what an earlier job's PEs
 * may have left there, and tells the PEs of it. Returns 0, or -errno after a message.
 */
int tern_profile_prepare(void);

/* After the job: has its report made, if it was prepared. */
void tern_profile_report(void);

#endif
