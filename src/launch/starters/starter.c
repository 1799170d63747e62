/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds installed starters by the names of their programs, and chooses one. */
#include "launch/starters/starter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "launch/plan/limits.h"
#include "launch/plan/program.h"
#include "launch/process/capture.h"
#include "launch/process/exit_codes.h"

#define ADDRESS(name) &tern_starter_##name,
static const struct tern_starter *const starters[] = {TERN_STARTERS(ADDRESS)};

#define N_STARTERS (sizeof starters / sizeof starters[0])

static bool has_program(const struct tern_starter *starter, const char *name)
{
    for (const char *const *program = starter->programs; *program; program++)
        if (strcmp(*program, name) == 0)
            return true;
    return false;
}

static bool has_sign(const struct tern_starter *starter, const char *answer)
{
    for (const char *const *sign = starter->signs; *sign; sign++)
        if (strstr(answer, *sign))
            return true;
    return false;
}

/* The starter whose program this is, or NULL. Several have programs called mpirun or mpiexec. */
static const struct tern_starter *identify(const char *path, int *error)
{
    char *const argv[] = {(char *)path, (char *)"--version", NULL};
    char answer[4096];

    for (size_t i = 0; i < N_STARTERS; i++)
        if (!starters[i]->signs && has_program(starters[i], strrchr(path, '/') + 1))
            return starters[i];
    *error = tern_capture(argv, answer, sizeof answer);
    for (size_t i = 0; i < N_STARTERS; i++)
        if (starters[i]->signs && has_sign(starters[i], answer))
            return starters[i];
    return NULL;
}

/* Whether there is such a program, in PATH or by its path, and it is a starter's. */
static bool find(const char *name, struct tern_found_starter *found)
{
    found->error = 0;
    if (tern_program_search(name, &found->path) != 0)
        return false;
    found->starter = identify(found->path, &found->error);
    if (!found->starter)
        free(found->path);
    return found->starter;
}

/* The name of the program at a position in the list of all starters' programs, or NULL. */
static const char *program_at(size_t at)
{
    for (size_t i = 0; i < N_STARTERS; i++)
        for (const char *const *program = starters[i]->programs; *program; program++)
            if (at-- == 0)
                return *program;
    return NULL;
}

bool tern_starter_next(size_t *at, struct tern_found_starter *found)
{
    for (const char *name; (name = program_at(*at));) {
        ++*at;
        if (find(name, found))
            return true;
        if (found->error)
            return false;
    }
    return false;
}

bool tern_starter_works(const struct tern_starter *starter)
{
    return !starter->variable || getenv(starter->variable);
}

/* The first installed program of a starter. */
static bool find_starter(const struct tern_starter *starter, struct tern_found_starter *found)
{
    for (size_t at = 0; tern_starter_next(&at, found); free(found->path))
        if (found->starter == starter)
            return true;
    return false;
}

/* A name as --launcher has it: a program, an alias, or a path. */
static bool find_named(const char *name, struct tern_found_starter *found)
{
    for (size_t i = 0; i < N_STARTERS; i++)
        if (starters[i]->alias && strcmp(name, starters[i]->alias) == 0)
            return find_starter(starters[i], found);
    return find(name, found);
}

static bool find_working(struct tern_found_starter *found)
{
    for (size_t at = 0; tern_starter_next(&at, found); free(found->path))
        if (tern_starter_works(found->starter))
            return true;
    return false;
}

/* ---- messages ---- */

/* "srun (in a Slurm allocation), prterun, mpirun, mpiexec, mpiexec.hydra" */
static void list_programs(char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < N_STARTERS; i++)
        for (const char *const *program = starters[i]->programs; *program && used < size; program++)
            used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", used ? ", " : "",
                                     *program, starters[i]->variable ? " (in " : "",
                                     starters[i]->variable ? starters[i]->allocation : "",
                                     starters[i]->variable ? ")" : "");
}

/* ", hydra" */
static void list_aliases(char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (size_t i = 0; i < N_STARTERS && used < size; i++)
        if (starters[i]->alias)
            used += (size_t)snprintf(text + used, size - used, ", %s", starters[i]->alias);
}

int tern_starter_choose(const char *name, struct tern_found_starter *found)
{
    char programs[256], aliases[64], why[TERN_LIMITS_START_BYTES];

    found->error = 0;
    if (name ? find_named(name, found) : find_working(found))
        return 0;
    if (found->error) {
        tern_limits_explain_start(-found->error, why);
        tern_error("the launchers that are installed can't be identified: %s", why);
        return EXIT_FAILURE;
    }
    list_programs(programs, sizeof programs);
    list_aliases(aliases, sizeof aliases);
    if (name)
        tern_error("--launcher %s: there is no such launcher here; it can be %s%s, or the path of "
                   "one",
                   name, programs, aliases);
    else
        tern_error("PEs on other hosts need a launcher, and there is none in PATH: %s. On Debian, "
                   "install the package mpich or openmpi-bin" TERN_SEE("Other hosts"),
                   programs);
    return TERN_EXIT_NOT_FOUND;
}
