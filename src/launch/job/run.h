/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a job. */
#ifndef TERN_LAUNCH_JOB_RUN_H
#define TERN_LAUNCH_JOB_RUN_H

#include "launch/job/job.h"

/* Starts the PEs, sees them through, and returns the job's status once nothing is left of it. */
int tern_run(struct tern_launch_job *job);

#endif
