/* SPDX-License-Identifier: BSD-3-Clause */
/* What no event announces: looked after between the loop's turns. */
#ifndef TERN_LAUNCH_WATCH_H
#define TERN_LAUNCH_WATCH_H

#include "launch/job.h"

/* Everything that is due now; sets job->look_at to when it has to be called again. */
void tern_watch(struct tern_job *job, uint64_t now);

/* Looks whether a process other than the child has claimed the PE's slot. */
void tern_watch_find_inner(struct tern_pe *pe);

#endif
