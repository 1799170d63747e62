/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI's mpirun, and prterun of PRRTE, which newer versions of it use. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/starters/host_file.h"
#include "launch/starters/starter.h"

/* Whether mpirun has to pass a variable on: all but its own, and those that -x cannot name. */
static bool is_passed_on(const char *variable)
{
    static const char *const own[] = {"OMPI_", "ORTE_", "PMIX_", "PRTE_"};

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strncmp(variable, own[i], strlen(own[i])) == 0)
            return false;
    return variable[strcspn(variable, "=*,;")] == '=';
}

static void add_environment(struct tern_command_line *line)
{
    for (char **variable = environ; *variable; variable++)
        if (is_passed_on(*variable)) {
            tern_command_line_add(line, "-x");
            tern_command_line_add(line, "%.*s", (int)strcspn(*variable, "="), *variable);
        }
}

/* Not by options: those differ between versions, which ignore each other's variables. */
static void set_variables(const struct tern_hosts *hosts)
{
    setenv("OMPI_MCA_orte_keep_fqdn_hostnames", "1", 0); /* node1.site is not node1 */
    if (tern_host_file_any_name_has(hosts, '_'))
        setenv("OMPI_MCA_regx", "naive", 0); /* the other encodings refuse such names */
    if (geteuid() == 0) {
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
        setenv("PRTE_ALLOW_RUN_AS_ROOT", "1", 0);
        setenv("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    }
}

/*
 * Names the hosts of a program's PEs. A sequence, with one host for each PE, keeps their order;
 * given hosts with slots, mpirun fills its own host first. But a sequence can't name users.
 */
static int add_hosts(struct tern_command_line *line, const struct tern_hosts *hosts, uint64_t first,
                     uint64_t end)
{
    bool users = tern_host_file_any_name_has(hosts, '@');
    int fd = users ? tern_host_file_of_slots(hosts) : tern_host_file_of_pes(hosts, first, end);

    if (fd < 0)
        return fd;
    tern_command_line_add(line, "--hostfile");
    tern_command_line_add(line, "/proc/self/fd/%d", fd);
    tern_command_line_add(line, "--map-by");
    tern_command_line_add(line, "%s", users ? "slot" : "seq");
    return 0;
}

static int compose(struct tern_command_line *line, const char *path,
                   const struct tern_options *options)
{
    uint64_t first = 0;
    int r = 0;

    set_variables(&options->hosts);
    tern_command_line_add(line, "%s", path);
    if (options->tag_output)
        tern_command_line_add(line, "--tag-output");
    for (size_t i = 0; !r && i < options->n_programs; i++) {
        const struct tern_launch_program *program = &options->programs[i];

        if (i > 0)
            tern_command_line_add(line, ":");
        r = add_hosts(line, &options->hosts, first, first + program->n_pes);
        first += program->n_pes;
        tern_command_line_add(line, "--bind-to");
        tern_command_line_add(line, "%s", options->bind ? "core" : "none");
        add_environment(line);
        tern_command_line_add(line, "-n");
        tern_command_line_add(line, "%llu", (unsigned long long)program->n_pes);
        tern_command_line_add_program(line, program, options->n_programs > 1);
    }
    return r;
}

static const char *const programs[] = {"prterun", "mpirun", "mpiexec", NULL};
static const char *const signs[] = {"(Open MPI)", "(OpenRTE)", "PRRTE", NULL};

const struct tern_starter tern_starter_openmpi = {
    .title = "Open MPI",
    .programs = programs,
    .signs = signs,
    .colons_separate = true,
    .compose = compose,
};
