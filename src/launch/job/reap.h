/* SPDX-License-Identifier: BSD-3-Clause */
/* Children that have ended or stopped. */
#ifndef TERN_LAUNCH_JOB_REAP_H
#define TERN_LAUNCH_JOB_REAP_H

#include "launch/job/job.h"

/* Reaps all children that have ended, including orphans of PEs. */
void tern_reap_children(struct tern_launch_job *job);

#endif
