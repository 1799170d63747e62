/* SPDX-License-Identifier: BSD-3-Clause */
/* Slurm's srun. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "launch/process/capture.h"
#include "launch/starters/host_file.h"
#include "launch/starters/starter.h"

/* Which of the protocols that Tern speaks this Slurm has; NULL: the one that is configured. */
static const char *find_protocol(const char *srun)
{
    char *const argv[] = {(char *)srun, (char *)"--mpi=list", NULL};
    char answer[4096];

    if (getenv("SLURM_MPI_TYPE"))
        return NULL;
    tern_capture(argv, answer, sizeof answer);
    return strstr(answer, "pmi2") ? "pmi2" : strstr(answer, "pmix") ? "pmix" : NULL;
}

static int check(const struct tern_options *options)
{
    if (options->n_programs > 1) {
        tern_error("srun starts a single program: use --launcher mpirun or --launcher hydra");
        return -EINVAL;
    }
    if (tern_host_file_any_name_has(&options->hosts, '@')) {
        tern_error("Slurm starts PEs under your own name: leave \"user@\" out of the hosts");
        return -EINVAL;
    }
    return 0;
}

static int add_hosts(struct tern_command_line *line, const struct tern_options *options)
{
    int fd;

    if (options->hosts.n > 0) {
        fd = tern_host_file_of_pes(&options->hosts, 0, options->n_pes);
        if (fd < 0)
            return fd;
        tern_command_line_add(line, "--distribution=arbitrary");
        tern_command_line_add(line, "--nodelist=/proc/self/fd/%d",
                              fd); /* with a slash it is a file */
    } else if (options->per_host > 0) {
        tern_command_line_add(line, "--ntasks-per-node=%llu",
                              (unsigned long long)options->per_host);
    }
    return 0;
}

static int compose(struct tern_command_line *line, const char *path,
                   const struct tern_options *options)
{
    const char *protocol = find_protocol(path);
    int r = check(options);

    if (r)
        return r;
    tern_command_line_add(line, "%s", path);
    if (protocol)
        tern_command_line_add(line, "--mpi=%s", protocol);
    if (options->n_pes > 0)
        tern_command_line_add(line, "--ntasks=%llu", (unsigned long long)options->n_pes);
    r = add_hosts(line, options);
    if (r)
        return r;
    tern_command_line_add(line, "--overcommit"); /* more PEs than cores are fine */
    tern_command_line_add(line, "--kill-on-bad-exit=1");
    tern_command_line_add(line, "--quit-on-interrupt");
    tern_command_line_add(line, "--input=0");
    tern_command_line_add(line, "--export=ALL");
    if (options->bind)
        tern_command_line_add(line, "--cpu-bind=cores");
    if (options->tag_output)
        tern_command_line_add(line, "--label");
    tern_command_line_add_program(line, options->programs, false);
    return 0;
}

static const char *const programs[] = {"srun", NULL};

/* No signs: srun answers --version only if it finds a Slurm, and no other launcher has its name. */
const struct tern_starter tern_starter_srun = {
    .title = "Slurm",
    .programs = programs,
    .variable = "SLURM_JOB_ID",
    .allocation = "a Slurm allocation",
    .knows_hosts = true,
    .compose = compose,
};
