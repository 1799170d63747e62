/* SPDX-License-Identifier: BSD-3-Clause */
/* Hydra, the launcher of MPICH and its relatives. */
#include <stdio.h>

#include "launch/starters/starter.h"

/* "node1:2,joe@node2:1" */
static void add_hosts(struct tern_command_line *line, const struct tern_hosts *hosts)
{
    const char *comma = "";

    for (size_t i = 0; i < hosts->n; i++) {
        const struct tern_host *host = &hosts->list[i];

        if (host->n_pes > 0)
            fprintf(line->stream, "%s%s:%llu", comma, host->name, (unsigned long long)host->n_pes);
        comma = ",";
    }
    tern_command_line_add(line, "%s", ""); /* ends the word */
}

static int compose(struct tern_command_line *line, const char *path,
                   const struct tern_options *options)
{
    tern_command_line_add(line, "%s", path);
    tern_command_line_add(line, "-hosts");
    add_hosts(line, &options->hosts);
    tern_command_line_add(line, "-genvall");
    if (options->bind) {
        tern_command_line_add(line, "-bind-to");
        tern_command_line_add(line, "core");
    }
    if (options->tag_output) {
        tern_command_line_add(line, "-prepend-pattern");
        tern_command_line_add(line, "[%%r] ");
    }
    for (size_t i = 0; i < options->n_programs; i++) {
        if (i > 0)
            tern_command_line_add(line, ":");
        tern_command_line_add(line, "-n");
        tern_command_line_add(line, "%llu", (unsigned long long)options->programs[i].n_pes);
        tern_command_line_add_program(line, &options->programs[i], options->n_programs > 1);
    }
    return 0;
}

static const char *const programs[] = {"mpiexec.hydra", NULL};
static const char *const signs[] = {"HYDRA", NULL};

/* Where MPICH is the default MPI, mpirun and mpiexec are Hydra as well. */
const struct tern_starter tern_starter_hydra = {
    .title = "Hydra",
    .programs = programs,
    .alias = "hydra",
    .signs = signs,
    .colons_separate = true,
    .compose = compose,
};
