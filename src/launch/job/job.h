/* SPDX-License-Identifier: BSD-3-Clause */
/* The job as its parts share it: PEs, and what has been decided about its end. */
#ifndef TERN_LAUNCH_JOB_JOB_H
#define TERN_LAUNCH_JOB_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "launch/io/input.h"
#include "launch/io/loop.h"
#include "launch/io/relay.h"
#include "launch/job/job_object.h"
#include "launch/plan/bind.h"
#include "launch/plan/options.h"
#include "launch/process/inherited.h"

/*
 * A PE is the child that oshrun starts, or, where that is a wrapper, both: the child, and the
 * process in it that has claimed the PE's slot. It has ended when both have.
 */
struct tern_pe {
    struct tern_launch_job *job;
    uint32_t number;
    const struct tern_launch_program *program;
    pid_t pid; /* of the child, which leads the process group of this number */
    bool reaped;
    bool group_empty; /* its number may belong to others by now */
    bool running;
    bool departed;      /* and the others were told: see struct tern_job_area */
    bool was_stopped;   /* by the terminal, and the user was told */
    pid_t inner;        /* the process that claimed the slot, if it is not the child; else 0 */
    bool inner_foreign; /* its number means nothing here */
    bool inner_ended;
    bool inner_judged;
    uint64_t inner_ended_at;
    struct tern_source inner_pidfd; /* readable when the inner process has ended */
    struct tern_stream out;
    struct tern_stream err;
};

struct tern_launch_job {
    const struct tern_options *options;
    struct tern_inherited inherited;
    struct tern_binding binding;
    struct tern_loop loop;
    struct tern_relay relay;
    struct tern_input input;
    struct tern_source signals;
    struct tern_job_object object;
    struct tern_pe *pes;
    uint32_t n_pes;
    uint32_t n_started;
    uint32_t n_running;
    bool adopts; /* all children are the job's, and orphaned descendants become children */
    uint64_t started_at;
    uint64_t check_at;     /* when something is due, at the latest */
    uint64_t check_pes_at; /* when all PEs are checked next */
    uint32_t reap_from;    /* the PE whose child ended last: the next one is most likely after it */

    bool decided; /* how the job ends: status counts, and nothing that comes later */
    int status;   /* until that is decided: 0, or TERN_CHECK_STATUS where a PE has ended with it */
    uint64_t kill_at; /* when its PEs are killed, 0: they are not to be */
    uint64_t killed_at;
    int passed_on;      /* the first terminating signal that oshrun passed on to the PEs, or 0 */
    bool output_failed; /* and the user was told */
    bool abandoned;     /* the user wants to have done with it, output or no output */
};

/*
 * Makes all that a job needs before its PEs start; job->inherited is set, the rest is zero. Returns
 * 0, or -errno after a message. tern_launch_job_free() is right after either.
 */
int tern_launch_job_set_up(struct tern_launch_job *job, const struct tern_options *options,
                           uint32_t cores);

void tern_launch_job_free(struct tern_launch_job *job);

static inline struct tern_slot *tern_launch_job_slot(const struct tern_pe *pe)
{
    return &pe->job->object.shared->slots[pe->number];
}

/* Makes the loop come round by then. */
static inline void tern_launch_job_check_by(struct tern_launch_job *job, uint64_t when)
{
    if (when < job->check_at)
        job->check_at = when;
}

#define TERN_MS UINT64_C(1000000)

#endif
