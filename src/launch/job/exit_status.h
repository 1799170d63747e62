/* SPDX-License-Identifier: BSD-3-Clause */
/* The exit status of the job: what the ends of PEs, and other events, contribute to it. */
#ifndef TERN_LAUNCH_JOB_EXIT_STATUS_H
#define TERN_LAUNCH_JOB_EXIT_STATUS_H

#include "launch/job/job.h"

/*
 * Ends the job with this status; its PEs are killed at `when`. The first call decides the status,
 * the earliest `when` the time.
 */
void tern_exit_status_decide(struct tern_launch_job *job, int status, uint64_t when);

/* Handles the end of a PE's child, which was reaped. code and status are those of siginfo_t. */
void tern_exit_status_child_ended(struct tern_pe *pe, int code, int status);

/*
 * Handles the end of the process behind a wrapper. The wrapper has ended as well, or had time to.
 */
void tern_exit_status_inner_ended(struct tern_pe *pe);

/* Ends the job if a PE has called shmem_global_exit. Returns whether one has. */
bool tern_exit_status_check_global_exit(struct tern_launch_job *job);

#endif
