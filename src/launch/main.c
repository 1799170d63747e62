/* SPDX-License-Identifier: BSD-3-Clause */
/* oshrun: starts the PEs of an OpenSHMEM job on this machine, or has another launcher do so. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "launch/job/run.h"
#include "launch/job/signals.h"
#include "launch/plan/flags.h"
#include "launch/plan/limits.h"
#include "launch/plan/program.h"
#include "launch/starters/hand_over.h"
#include "launch/tools/preload.h"
#include "launch/tools/profile.h"

#define EXIT_USAGE 2

static int show(enum tern_action action)
{
    if (action == TERN_ACTION_HELP)
        tern_options_print_help();
    else if (action == TERN_ACTION_OTHER_FLAGS)
        tern_flags_print_others();
    else
        puts("oshrun (Tern) " TERN_VERSION);
    if (fflush(stdout) != 0) {
        tern_error("standard output can't be written: %s", strerror(errno));
        return EXIT_FAILURE;
    }
    return 0;
}

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
 * What PEs leave behind becomes oshrun's, and can be cleared away. But a shell that has executed
 * oshrun may have left it children, which are not to be mixed up with those.
 */
static bool adopt_orphans(void)
{
    siginfo_t ignored;

    if (waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD)
        return false;
    return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Everything but the PEs themselves. Returns 0, or -errno after a message. */
static int set_up(struct tern_launch_job *job, int cores)
{
    const bool *open = job->inherited.open;
    int r;

    r = tern_job_object_make(&job->object, job->n_pes, (uint32_t)cores);
    if (r)
        return r;
    job->adopts = adopt_orphans();
    r = make_pes(job);
    if (!r && job->options->bind)
        r = tern_bind_plan(&job->binding, (uint32_t)cores);
    if (!r)
        r = tern_loop_open(&job->loop);
    if (!r)
        r = tern_signals_open(job);
    if (!r)
        r = tern_relay_open(&job->relay, &job->loop, open[1] ? STDOUT_FILENO : -1,
                            open[2] ? STDERR_FILENO : -1, job->options->tag_output);
    if (r)
        tern_error("the job can't be set up: %s", strerror(-r));
    return r;
}

static int find_programs(struct tern_options *options)
{
    int r = 0;

    for (size_t i = 0; !r && i < options->n_programs; i++)
        r = tern_program_find(&options->programs[i]);
    return r ? r : tern_program_check_libraries(options);
}

static int start(struct tern_launch_job *job, struct tern_options *options, int cores)
{
    int status;

    if (options->action != TERN_ACTION_RUN)
        return show(options->action);
    if (tern_options_need_starter(options))
        return tern_preload_tools(options) == 0 ? tern_hand_over(options, &job->inherited, cores)
                                                : EXIT_FAILURE;
    if (tern_limits_check(options->n_pes) != 0)
        return EXIT_FAILURE;
    status = find_programs(options);
    if (status)
        return status;
    if (tern_preload_tools(options) != 0)
        return EXIT_FAILURE;
    job->options = options;
    job->n_pes = (uint32_t)options->n_pes;
    status = set_up(job, cores) == 0 ? tern_run(job) : EXIT_FAILURE;
    tern_relay_close(&job->relay);
    free(job->binding.sets);
    free(job->pes);
    return status;
}

static int launch(struct tern_launch_job *job, struct tern_options *options, int cores)
{
    int status = start(job, options, cores);

    tern_profile_report();
    return status;
}

int main(int argc, char **argv)
{
    struct tern_options options;
    struct tern_launch_job job = {.n_pes = 0};
    int cores, r, status;

    tern_log_identify("oshrun");
    tern_inherited_save(&job.inherited);
    cores = tern_os_cores();
    r = tern_options_parse(&options, argv + 1, cores);
    if (!r && strcmp(program_invocation_short_name, "shmemrun") == 0)
        r = tern_options_read_shmemrun(&options);
    if (r == -ENOMEM)
        tern_error("out of memory");
    status = r ? EXIT_USAGE : launch(&job, &options, cores);
    tern_options_free(&options);
    return status;
}
