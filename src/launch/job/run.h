/* SPDX-License-Identifier: BSD-3-Clause */
/* A job from the start of its PEs to its end. */
#ifndef TERN_LAUNCH_JOB_RUN_H
#define TERN_LAUNCH_JOB_RUN_H

#include "launch/job/job.h"

/* Starts the PEs and returns the job's exit status after all of them have ended. */
int tern_run(struct tern_launch_job *job);

#endif
