/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the PEs of a job, and runs the event loop until all of them have ended. */
#include "launch/job/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/os.h"
#include "launch/job/exit_status.h"
#include "launch/job/kill.h"
#include "launch/job/spawn.h"
#include "launch/job/watch.h"
#include "launch/plan/environment.h"
#include "launch/plan/limits.h"
#include "launch/process/descriptors.h"
#include "launch/process/exit_codes.h"

/* The event loop runs once after each so many starts. */
#define STARTS_PER_STEP 16

/* Time for processes that outlive their PE to close its output, before they are killed. */
#define LINGER_NS (250 * TERN_MS)

/* Runs one turn of the loop, which ends at `until` at the latest. */
static void step(struct tern_launch_job *job, uint64_t until)
{
    uint64_t now = tern_os_now_ns();

    tern_relay_flush(&job->relay);
    tern_watch(job, now);
    tern_launch_job_check_by(job, until);
    tern_loop_turn(&job->loop, job->check_at > now ? job->check_at - now : 0);
    tern_relay_flush(&job->relay);
}

/* Makes the vector "/bin/sh PROGRAM ARGUMENTS...". */
static char **make_shell_argv(const struct tern_launch_program *program)
{
    size_t n = 0;
    char **argv;

    while (program->argv[n])
        n++;
    argv = calloc(n + 2, sizeof *argv);
    if (argv) {
        argv[0] = "/bin/sh";
        argv[1] = program->path;
        memcpy(argv + 2, program->argv + 1, n * sizeof *argv);
    }
    return argv;
}

/* Reports why a PE could not be started. Returns the status that this gives the job. */
static int explain(struct tern_launch_job *job, const struct tern_spawn_request *request,
                   uint32_t pe, int error)
{
    char why[TERN_LIMITS_START_BYTES];

    if (request->failed == request->path) {
        tern_relay_report_error(&job->relay, error, "the program \"%s\"%s can't be executed",
                                request->path,
                                error == ENOENT ? ", or the interpreter that it names," : "");
        return TERN_EXIT_NOT_EXECUTABLE;
    }
    tern_limits_explain_start(error, why);
    tern_relay_report(&job->relay, "error: ", "PE %u of %u can't be started: %s: %s", pe,
                      job->n_pes, request->failed, why);
    return EXIT_FAILURE;
}

static void report_start(const struct tern_pe *pe)
{
    const cpu_set_t *cpus = tern_bind_set(&pe->job->binding, pe->number);
    char bound[128] = "", list[96];

    if (cpus) {
        tern_bind_format(cpus, list, sizeof list);
        snprintf(bound, sizeof bound, ", processor %s", list);
    }
    tern_relay_report(&pe->job->relay, "", "PE %u: process %d%s: %s", pe->number, (int)pe->pid,
                      bound, pe->program->path);
}

/* Makes two pipes. The child gets the writing ends; the reading ends are relayed. */
static int open_streams(struct tern_pe *pe, struct tern_spawn_request *request)
{
    struct tern_relay *relay = &pe->job->relay;
    int out[2], err[2], r;

    request->failed = "its output";
    if (pipe2(out, O_CLOEXEC) != 0)
        return -errno;
    if (pipe2(err, O_CLOEXEC) != 0) {
        r = -errno;
        close(out[0]);
        close(out[1]);
        return r;
    }
    if (request->own) {
        out[0] = tern_descriptors_move(out[0], (int)request->own);
        err[0] = tern_descriptors_move(err[0], (int)request->own);
    }
    fcntl(out[0], F_SETFL, O_NONBLOCK);
    fcntl(err[0], F_SETFL, O_NONBLOCK);
    request->out = out[1];
    request->err = err[1];
    r = tern_relay_add(relay, &pe->out, out[0], pe->number, false);
    if (!r)
        r = tern_relay_add(relay, &pe->err, err[0], pe->number, true);
    return r;
}

static int start(struct tern_pe *pe, struct tern_spawn_request *request)
{
    struct tern_launch_job *job = pe->job;
    pid_t pid = open_streams(pe, request);

    request->cpus = tern_bind_set(&job->binding, pe->number);
    if (pid == 0) {
        pid = tern_spawn(request);
        close(request->out);
        close(request->err);
    }
    if (pid < 0) {
        tern_exit_status_decide(job, explain(job, request, pe->number, -pid), tern_os_now_ns());
        return pid;
    }
    pe->pid = pid;
    pe->running = true;
    job->n_running++;
    job->n_started++;
    if (job->options->verbose)
        report_start(pe);
    return 0;
}

/* Starts all PEs of one program. Stops early if the job ends meanwhile. */
static int start_program(struct tern_launch_job *job, const struct tern_launch_program *program,
                         struct tern_spawn_request *request, const int *input, int nothing)
{
    struct tern_environment environment;
    char **shell_argv = program->is_elf ? NULL : make_shell_argv(program);
    int r = tern_environment_make(&environment, program, job->n_pes, job->object.boot);

    request->path = program->path;
    request->argv = program->argv;
    request->shell_argv = shell_argv;
    request->envp = environment.vector;
    request->directory = program->directory;
    for (uint64_t i = 0; !r && i < program->n_pes && !job->decided; i++) {
        struct tern_pe *pe = &job->pes[job->n_started];

        pe->program = program;
        request->in = pe->number == 0 ? *input : nothing;
        tern_environment_set_pe(&environment, pe->number);
        r = start(pe, request);
        if (pe->number == 0 && tern_input_is_relayed(&job->input)) {
            close(*input);
            tern_relay_set_prompter(&job->relay, &pe->out);
        }
        if (job->n_started % STARTS_PER_STEP == 0)
            step(job, 0);
    }
    free(environment.vector);
    free(shell_argv);
    return r;
}

static void start_all(struct tern_launch_job *job)
{
    const struct tern_options *options = job->options;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), input = nothing;
    int r = nothing < 0 ? -errno : 0;
    static const char folder[] = "/proc/self/fd/";
    char lifeline_path[32];
    struct tern_spawn_request request = {
        .own = tern_descriptors_separate(job->n_pes),
        .object = job->object.fd,
        .lifeline = job->object.lifeline,
        .descriptors = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC),
        .lifeline_path = lifeline_path,
        .lifeline_name = lifeline_path + sizeof folder - 1,
        .launcher = getpid(),
        .inherited = &job->inherited,
    };

    snprintf(lifeline_path, sizeof lifeline_path, "%s%d", folder, job->object.lifeline);
    if (!r)
        r = tern_input_open(&job->input, &job->loop,
                            job->inherited.open[STDIN_FILENO] ? STDIN_FILENO : -1, &input);
    for (size_t i = 0; !r && i < options->n_programs && !job->decided; i++)
        r = start_program(job, &options->programs[i], &request, &input, nothing);
    if (r && !job->decided) {
        tern_relay_report_error(&job->relay, -r, "PEs can't be started");
        tern_exit_status_decide(job, EXIT_FAILURE, tern_os_now_ns());
    }
    close(request.descriptors);
    close(nothing);
}

/* Relays output until all streams are closed, or none of them had output for a while. */
static void linger(struct tern_launch_job *job)
{
    uint64_t until = tern_os_now_ns() + LINGER_NS;

    while (job->relay.n_open > 0 && job->n_running == 0 && !job->abandoned &&
           tern_os_now_ns() < until) {
        step(job, until);
        if (!tern_relay_is_flushed(&job->relay)) /* oshrun's reader is slow */
            until = tern_os_now_ns() + LINGER_NS;
    }
}

static void end_streams(struct tern_launch_job *job)
{
    for (uint32_t i = 0; i < job->n_pes; i++) {
        tern_relay_drain(&job->pes[i].out);
        tern_relay_drain(&job->pes[i].err);
        tern_relay_end(&job->pes[i].out);
        tern_relay_end(&job->pes[i].err);
    }
}

int tern_run(struct tern_launch_job *job)
{
    job->started_at = tern_os_now_ns();
    start_all(job);
    do {
        while (job->n_running > 0 && !job->abandoned)
            step(job, UINT64_MAX);
        linger(job);
        tern_watch_pes(job, tern_os_now_ns()); /* a wrapper may have ended before its PE */
    } while (job->n_running > 0 && !job->abandoned);

    tern_kill_leftovers(job);
    linger(job);
    end_streams(job);
    /* One turn even if nothing is queued: the last write may have failed. */
    for (step(job, 0); !tern_relay_is_flushed(&job->relay) && !job->abandoned;)
        step(job, UINT64_MAX);
    return job->status;
}
