/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks between turns of the event loop, for changes that are no events. */
#ifndef TERN_LAUNCH_JOB_WATCH_H
#define TERN_LAUNCH_JOB_WATCH_H

#include "launch/job/job.h"

/* Does everything that is due at `now`, and sets job->check_at to the time of the next call. */
void tern_watch(struct tern_launch_job *job, uint64_t now);

/*
 * Checks all PEs for inner processes. Its cost grows with the number of PEs: tern_watch() calls it
 * a few times a second, and when an inner process has ended.
 */
void tern_watch_pes(struct tern_launch_job *job, uint64_t now);

/* Finds the inner process of a PE: one other than the child that has claimed the PE's slot. */
void tern_watch_find_inner(struct tern_pe *pe);

/* Handles the end of the inner process, once the wrapper has ended as well or had time to. */
void tern_watch_judge_inner(struct tern_pe *pe, uint64_t now);

#endif
