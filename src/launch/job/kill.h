/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals to PEs and all that they have started. */
#ifndef TERN_LAUNCH_JOB_KILL_H
#define TERN_LAUNCH_JOB_KILL_H

#include "launch/job/job.h"

/* To the process groups of all PEs. */
void tern_kill_groups(struct tern_launch_job *job, int signal);

/* SIGKILL to the groups and to PEs that have left them. */
void tern_kill_pes(struct tern_launch_job *job);

/* Forgets groups that have no member left, before their numbers are used again. */
void tern_kill_forget_empty_groups(struct tern_launch_job *job);

/* SIGKILL to whatever PEs have left behind; waits a moment until it is gone. */
void tern_kill_leftovers(struct tern_launch_job *job);

#endif
