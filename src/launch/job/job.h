/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a job on this machine, which all files of this folder share. */
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
 * A PE is the child that oshrun started or, where that is a wrapper, both the child and the inner
 * process: the one that has claimed the PE's slot. The PE has ended when both have.
 */
struct tern_pe {
    struct tern_launch_job *job;
    uint32_t number;
    const struct tern_launch_program *program;
    pid_t pid; /* of the child; also the number of its process group */
    bool reaped;
    bool group_empty; /* no process is left in it, and its number may be used again */
    bool running;
    bool departed;      /* it has ended, and the others can see that in struct tern_job_area */
    bool was_stopped;   /* the terminal has stopped it, and the user has been warned */
    pid_t inner;        /* the inner process, or 0 if the child itself claimed the slot */
    bool inner_foreign; /* it is in another process namespace, where it has another number */
    bool inner_ended;
    bool inner_judged;
    uint64_t inner_ended_at;
    struct tern_source inner_pidfd; /* of tern_compat_open_process() */
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
    bool adopts; /* orphaned descendants become children, all of which are the job's */
    uint64_t started_at;
    uint64_t check_at;     /* the loop's turn ends at this time at the latest */
    uint64_t check_pes_at; /* when all PEs are checked again */
    uint32_t reap_from;    /* the PE that was reaped last */

    bool decided;     /* the status of the job is final */
    int status;       /* until decided: 0, or TERN_CHECK_STATUS once a PE has ended with it */
    uint64_t kill_at; /* when to kill the PEs; 0: never */
    uint64_t killed_at;
    uint64_t activity_at; /* when SIGQUIT printed what the PEs do, or 0 */
    int passed_on;        /* the first terminating signal that was passed on to the PEs, or 0 */
    bool output_failed;   /* a write has failed, and oshrun has reported it */
    bool abandoned;       /* oshrun ends now, without PEs and output that remain */
};

/*
 * Makes everything that a job needs before its PEs start. job->inherited is set, all else zero.
 * Returns 0, or -errno after a message. Call tern_launch_job_free() in either case.
 */
int tern_launch_job_set_up(struct tern_launch_job *job, const struct tern_options *options,
                           uint32_t cores);

void tern_launch_job_free(struct tern_launch_job *job);

static inline struct tern_slot *tern_launch_job_slot(const struct tern_pe *pe)
{
    return &pe->job->object.shared->slots[pe->number];
}

/* Makes the loop's current turn end at `when` at the latest. */
static inline void tern_launch_job_check_by(struct tern_launch_job *job, uint64_t when)
{
    if (when < job->check_at)
        job->check_at = when;
}

#define TERN_MS UINT64_C(1000000)

#endif
