/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals to oshrun, which its PEs get as well. */
#ifndef TERN_LAUNCH_JOB_SIGNALS_H
#define TERN_LAUNCH_JOB_SIGNALS_H

#include "launch/job/job.h"

/* From now on signals come through the loop. Returns 0 or -errno. */
int tern_signals_open(struct tern_launch_job *job);

#endif
