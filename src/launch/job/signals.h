/* SPDX-License-Identifier: BSD-3-Clause */
/* The signals that oshrun gets. */
#ifndef TERN_LAUNCH_JOB_SIGNALS_H
#define TERN_LAUNCH_JOB_SIGNALS_H

#include "launch/job/job.h"

/* Delivers signals through the event loop from now on. Returns 0 or -errno. */
int tern_signals_open(struct tern_launch_job *job);

#endif
