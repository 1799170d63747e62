/* SPDX-License-Identifier: BSD-3-Clause */
/* What no event announces: looked after between the loop's turns. */
#ifndef TERN_LAUNCH_JOB_WATCH_H
#define TERN_LAUNCH_JOB_WATCH_H

#include "launch/job/job.h"

/* Everything that is due now; sets job->check_at to when it has to be called again. */
void tern_watch(struct tern_launch_job *job, uint64_t now);

/*
 * Checks all PEs for processes that no event announces. It costs by the number of PEs: tern_watch()
 * calls it a few times a second, or when the process behind a wrapper has ended.
 */
void tern_watch_pes(struct tern_launch_job *job, uint64_t now);

/* Checks whether a process other than the child has claimed the PE's slot. */
void tern_watch_find_inner(struct tern_pe *pe);

/* Judges the end of the process behind a wrapper if both have ended, or the wrapper stays on. */
void tern_watch_judge_inner(struct tern_pe *pe, uint64_t now);

#endif
