/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the environment of PEs. */
#include "launch/plan/environment.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boot/job_area.h"

/*
 * Sets NAME=VALUE in a vector of n entries, in place of another value of NAME. There is room for
 * one more. Returns the new number of entries.
 */
static size_t set(char **vector, size_t n, char *setting)
{
    size_t name = strcspn(setting, "=") + 1, i = 0;

    while (i < n && strncmp(vector[i], setting, name) != 0)
        i++;
    vector[i] = setting;
    return i < n ? n : n + 1;
}

/*
 * Whether a variable describes oshrun's own position in the job of another launcher. PEs must not
 * see it, since it would be taken for their position.
 */
static bool names_job_position(const char *setting)
{
    static const char *const names[] = {"PMI_FD=", "PMI_RANK=", "PMIX_NAMESPACE=", "PMIX_RANK="};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(setting, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Copies oshrun's own environment, without such variables. */
static size_t inherit(char **vector)
{
    size_t n = 0;

    for (char **setting = environ; setting && *setting; setting++)
        if (!names_job_position(*setting))
            vector[n++] = *setting;
    return n;
}

int tern_environment_make(struct tern_environment *environment,
                          const struct tern_launch_program *program, uint32_t n_pes,
                          const char *boot)
{
    struct tern_environment *e = environment;
    size_t n = 0;

    while (environ && environ[n])
        n++;
    e->vector = calloc(n + program->n_settings + 6, sizeof *e->vector);
    if (!e->vector)
        return -ENOMEM;
    n = inherit(e->vector);
    for (size_t i = 0; i < program->n_settings; i++)
        n = set(e->vector, n, program->settings[i]);

    snprintf(e->n_pes, sizeof e->n_pes, TERN_N_PES_VARIABLE "=%u", n_pes);
    snprintf(e->local_n_pes, sizeof e->local_n_pes, TERN_LOCAL_N_PES_VARIABLE "=%u", n_pes);
    tern_environment_set_pe(e, 0);
    n = set(e->vector, n, (char *)boot);
    n = set(e->vector, n, e->pe);
    n = set(e->vector, n, e->n_pes);
    n = set(e->vector, n, e->local_pe);
    n = set(e->vector, n, e->local_n_pes);
    e->vector[n] = NULL;
    return 0;
}

void tern_environment_set_pe(struct tern_environment *environment, uint32_t pe)
{
    snprintf(environment->pe, sizeof environment->pe, TERN_PE_VARIABLE "=%u", pe);
    snprintf(environment->local_pe, sizeof environment->local_pe, TERN_LOCAL_PE_VARIABLE "=%u", pe);
}
