/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the options and the environment for a starter, and has it run the job. */
#include "launch/starters/hand_over.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "boot/job_area.h"
#include "launch/plan/program.h"
#include "launch/process/exit_codes.h"
#include "launch/starters/child.h"
#include "launch/starters/host_file.h"
#include "launch/starters/starter.h"

/* Without hosts the job runs on this one, unless the starter chooses hosts itself. */
static int default_to_this_host(struct tern_options *options, const struct tern_starter *starter,
                                int cores)
{
    int r;

    if (options->hosts.n > 0 || starter->knows_hosts)
        return 0;
    if (options->n_pes == 0) {
        options->n_pes = options->per_host ? options->per_host : (uint64_t)cores;
        options->programs[0].n_pes = options->n_pes;
    }
    r = tern_hosts_add_list(&options->hosts, "localhost");
    return r ? r : tern_hosts_distribute(&options->hosts, options->n_pes, options->per_host);
}

/* Names each program by the path that it has here. One that is missing may exist elsewhere. */
static void find_programs(struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs; i++)
        if (!strchr(options->programs[i].argv[0], '/'))
            tern_program_search(options->programs[i].argv[0], &options->programs[i].path);
}

/* Sets the variables and the directory of a single program here: starters pass both on. */
static int enter_program(const struct tern_launch_program *program)
{
    for (size_t i = 0; i < program->n_settings; i++) {
        char *equals = strchr(program->settings[i], '=');
        int r;

        *equals = '\0';
        r = setenv(program->settings[i], equals + 1, 1);
        *equals = '=';
        if (r != 0)
            return -ENOMEM;
    }
    if (program->directory && chdir(program->directory) != 0) {
        tern_error("PEs can't run in the directory \"%s\": %s", program->directory,
                   strerror(errno));
        return -EINVAL;
    }
    return 0;
}

/* Removes variables of the job to which oshrun itself belongs, if it was started as a PE. */
static void unset_own_job(void)
{
    unsetenv(TERN_BOOT_VARIABLE);
    unsetenv(TERN_PE_VARIABLE);
    unsetenv(TERN_N_PES_VARIABLE);
    unsetenv(TERN_LOCAL_PE_VARIABLE);
    unsetenv(TERN_LOCAL_N_PES_VARIABLE);
}

/*
 * Refuses words that are a colon, where the starter would take them for the beginning of another
 * program.
 */
static int check_colons(const struct tern_starter *starter, const struct tern_options *options)
{
    if (!starter->colons_separate)
        return 0;
    for (size_t i = 0; i < options->n_programs; i++)
        for (char **word = options->programs[i].argv; *word; word++)
            if (strcmp(*word, ":") == 0) {
                tern_error("%s can't pass on an argument that is a colon", starter->title);
                return -EINVAL;
            }
    return 0;
}

static int compose(struct tern_command_line *line, const struct tern_found_starter *found,
                   const struct tern_options *options)
{
    int r = tern_command_line_open(line);

    if (r)
        return r;
    r = found->starter->compose(line, found->path, options);
    return r ? r : tern_command_line_close(line);
}

/* Does everything up to the start of the starter. Returns 0, -EINVAL after a message, or -errno. */
static int prepare(struct tern_command_line *line, const struct tern_found_starter *found,
                   struct tern_options *options, int cores)
{
    int r = default_to_this_host(options, found->starter, cores);

    if (r)
        return r;
    find_programs(options);
    if (options->n_programs == 1)
        r = enter_program(options->programs);
    unset_own_job();
    if (!r)
        r = check_colons(found->starter, options);
    if (!r)
        r = tern_host_file_replace_addresses(&options->hosts);
    return r ? r : compose(line, found, options);
}

static void report(const struct tern_options *options, const struct tern_found_starter *found,
                   const struct tern_command_line *line)
{
    size_t n_hosts = 0;
    char *words;

    for (size_t i = 0; i < options->hosts.n; i++)
        n_hosts += options->hosts.list[i].n_pes > 0;
    if (n_hosts == 0)
        tern_note("hands over to %s (%s)", found->starter->title, found->path);
    else
        tern_note("hands over to %s (%s): %llu PE%s on %zu host%s", found->starter->title,
                  found->path, (unsigned long long)options->n_pes, options->n_pes == 1 ? "" : "s",
                  n_hosts, n_hosts == 1 ? "" : "s");
    if (!options->verbose)
        return;
    for (size_t i = 0; i < options->hosts.n; i++)
        if (options->hosts.list[i].n_pes > 0)
            tern_note("%s: %llu", options->hosts.list[i].name,
                      (unsigned long long)options->hosts.list[i].n_pes);
    words = tern_command_line_quote(line);
    if (words)
        tern_note("%s", words);
    free(words);
}

int tern_hand_over(struct tern_options *options, const struct tern_inherited *inherited, int cores)
{
    struct tern_found_starter found;
    struct tern_command_line line = {.words = NULL};
    int status = tern_starter_choose(options->launcher, &found), r;

    if (status)
        return status;
    r = prepare(&line, &found, options, cores);
    if (r == -ENOMEM)
        tern_limit_report(ENOMEM, "the launcher's command line can't be made");
    status = r == -EINVAL ? TERN_EXIT_USAGE : EXIT_FAILURE;
    if (!r) {
        report(options, &found, &line);
        status = tern_child_run(&line, inherited, options->timeout_ns);
    }
    tern_command_line_free(&line);
    free(found.path);
    return status;
}
