/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which launchers are installed, and whose program a name stands for. */
#include "launch/launcher.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "launch/ask.h"
#include "launch/program.h"

const char tern_launcher_names[] = "srun, prterun, mpirun or hydra";

static const char *const titles[] = {
    [TERN_SRUN] = "Slurm",
    [TERN_OPEN_MPI] = "Open MPI",
    [TERN_HYDRA] = "Hydra",
};

/* In the order in which they are looked for. mpirun and mpiexec may be anybody's. */
static const char *const names[] = {"prterun", "mpirun", "mpiexec", "mpiexec.hydra"};

/* What only their own answers to --version say. */
static const struct sign {
    const char *text;
    enum tern_launcher_kind kind;
} signs[] = {
    {"HYDRA", TERN_HYDRA},
    {"(Open MPI)", TERN_OPEN_MPI},
    {"(OpenRTE)", TERN_OPEN_MPI},
    {"PRRTE", TERN_OPEN_MPI},
};

/* srun answers nothing unless it finds a Slurm, but nobody else has that name. */
static bool recognize(const char *path, enum tern_launcher_kind *kind)
{
    char *const argv[] = {(char *)path, (char *)"--version", NULL};
    char answer[4096];

    if (strcmp(strrchr(path, '/') + 1, "srun") == 0) {
        *kind = TERN_SRUN;
        return true;
    }
    tern_ask(argv, answer, sizeof answer);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strstr(answer, signs[i].text)) {
            *kind = signs[i].kind;
            return true;
        }
    return false;
}

/* Whether there is such a program and it is a launcher that we know. */
static bool look(const char *name, struct tern_launcher *launcher)
{
    if (tern_program_search(name, &launcher->path) != 0)
        return false;
    if (recognize(launcher->path, &launcher->kind)) {
        launcher->title = titles[launcher->kind];
        return true;
    }
    free(launcher->path);
    return false;
}

static bool look_for_kind(enum tern_launcher_kind kind, struct tern_launcher *launcher)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!look(names[i], launcher))
            continue;
        if (launcher->kind == kind)
            return true;
        free(launcher->path);
    }
    return false;
}

static int find_wish(const char *wish, struct tern_launcher *launcher)
{
    bool found;

    if (strcmp(wish, "hydra") == 0)
        found = look_for_kind(TERN_HYDRA, launcher);
    else
        found = look(wish, launcher);
    if (found)
        return 0;
    tern_error("--launcher %s: there is no such launcher here; it can be %s, or the path of one",
               wish, tern_launcher_names);
    return TERN_EXIT_NOT_FOUND;
}

int tern_launcher_choose(const char *wish, struct tern_launcher *launcher)
{
    if (wish)
        return find_wish(wish, launcher);
    if (getenv("SLURM_JOB_ID") && look("srun", launcher))
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (look(names[i], launcher))
            return 0;
    tern_error("PEs on other hosts need a launcher, and there is none: neither srun in a Slurm "
               "allocation, nor prterun, mpirun, mpiexec or mpiexec.hydra in PATH. On Debian, "
               "install the package mpich or openmpi-bin");
    return TERN_EXIT_NOT_FOUND;
}
