/* SPDX-License-Identifier: BSD-3-Clause */
/* What the end of a PE, and other events, mean for the job. */
#ifndef TERN_LAUNCH_JOB_EXIT_STATUS_H
#define TERN_LAUNCH_JOB_EXIT_STATUS_H

#include "launch/job/job.h"

/* The job ends with this status, its PEs being killed at `when`, unless that is decided already. */
void tern_exit_status_decide(struct tern_launch_job *job, int status, uint64_t when);

/* The child of a PE was reaped; code and status as in siginfo_t. */
void tern_exit_status_child_ended(struct tern_pe *pe, int code, int status);

/* The process that had claimed the slot behind a wrapper is gone, and the wrapper has had its say.
 */
void tern_exit_status_inner_ended(struct tern_pe *pe);

/* Acts upon shmem_global_exit; whether it was called. */
bool tern_exit_status_check_global_exit(struct tern_launch_job *job);

#endif
