/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oshrun: starts the PEs of an OpenSHMEM job on this machine, or has a starter do so on others.
 *
 * plan      what the job is: options, hosts, programs, the PEs' environment, limits, binding
 * tools     what PEs load in front of the library: check, chaos, profile
 * process   oshrun's own process: what it inherited, descriptors, signals, exit statuses
 * io        the event loop, and input and output of the PEs
 * job       a job on this machine, from the start of its PEs to its exit status
 * starters  the launchers that start PEs on other hosts: a file each
 *
 * Includes point one way: job and starters use plan and process, job uses io, tools use plan.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "launch/job/job.h"
#include "launch/job/run.h"
#include "launch/plan/flags.h"
#include "launch/plan/help.h"
#include "launch/plan/limits.h"
#include "launch/plan/program.h"
#include "launch/process/exit_codes.h"
#include "launch/starters/hand_over.h"
#include "launch/tools/preload.h"
#include "launch/tools/profile.h"

static int print_text(enum tern_action action)
{
    if (action == TERN_ACTION_HELP)
        tern_help_print();
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
        return print_text(options->action);
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
    status =
        tern_launch_job_set_up(job, options, (uint32_t)cores) == 0 ? tern_run(job) : EXIT_FAILURE;
    tern_launch_job_free(job);
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
        tern_limit_report(ENOMEM, "the command line can't be read");
    status = r ? TERN_EXIT_USAGE : launch(&job, &options, cores);
    tern_options_free(&options);
    return status;
}
