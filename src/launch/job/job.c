/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets a job up, up to the start of its PEs, and frees it. */
#include "launch/job/job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "launch/job/signals.h"

static int make_pes(struct tern_launch_job *job)
{
    job->pes = calloc(job->n_pes, sizeof *job->pes);
    if (!job->pes)
        return -ENOMEM;
    for (uint32_t i = 0; i < job->n_pes; i++)
        job->pes[i] = (struct tern_pe){
            .job = job,
            .number = i,
            .inner_pidfd.fd = -1,
            .out.source.fd = -1,
            .err.source.fd = -1,
        };
    return 0;
}

/*
 * Makes orphaned descendants children of oshrun, so that it can kill processes that PEs leave
 * behind. Does nothing if oshrun already has children: those of a shell that became oshrun by exec
 * do not belong to the job.
 */
static bool adopt_orphans(void)
{
    siginfo_t ignored;

    if (waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD)
        return false;
    return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

int tern_launch_job_set_up(struct tern_launch_job *job, const struct tern_options *options,
                           uint32_t cores)
{
    const bool *open = job->inherited.open;
    int r;

    job->options = options;
    job->n_pes = (uint32_t)options->n_pes;
    r = tern_job_object_make(&job->object, job->n_pes, cores);
    if (r)
        return r;
    job->adopts = adopt_orphans();
    r = make_pes(job);
    if (!r && options->bind)
        r = tern_bind_plan(&job->binding, cores);
    if (!r)
        r = tern_loop_open(&job->loop);
    if (!r)
        r = tern_signals_open(job);
    if (!r)
        r = tern_relay_open(&job->relay, &job->loop, open[1] ? STDOUT_FILENO : -1,
                            open[2] ? STDERR_FILENO : -1, options->tag_output);
    return r ? tern_limit_report(-r, "the job can't be set up") : 0;
}

void tern_launch_job_free(struct tern_launch_job *job)
{
    tern_relay_close(&job->relay);
    free(job->binding.sets);
    free(job->pes);
}
