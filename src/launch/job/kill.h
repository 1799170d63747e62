/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals to PEs and to their descendants. */
#ifndef TERN_LAUNCH_JOB_KILL_H
#define TERN_LAUNCH_JOB_KILL_H

#include "launch/job/job.h"

/* Sends a signal to the process groups of all PEs. */
void tern_kill_groups(struct tern_launch_job *job, int signal);

/* Kills the process groups of all PEs, and inner processes that have left them. */
void tern_kill_pes(struct tern_launch_job *job);

/* Marks process groups without members as empty, before the kernel uses their numbers again. */
void tern_kill_forget_empty_groups(struct tern_launch_job *job);

/* Kills what the PEs have left behind, and waits a moment for its end. */
void tern_kill_leftovers(struct tern_launch_job *job);

#endif
