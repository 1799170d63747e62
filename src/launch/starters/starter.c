/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which launchers are installed, and whose program a name stands for. */
#include "launch/starters/starter.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "launch/plan/program.h"
#include "launch/process/capture.h"

const char tern_remote_names[] = "srun, prterun, mpirun or hydra";

static const char *const titles[] = {
    [TERN_SRUN] = "Slurm",
    [TERN_OPEN_MPI] = "Open MPI",
    [TERN_HYDRA] = "Hydra",
};

/* In the order in which they are looked for. mpirun and mpiexec may be anybody's. */
static const char *const names[] = {"srun", "prterun", "mpirun", "mpiexec", "mpiexec.hydra"};

#define N_NAMES (sizeof names / sizeof names[0])

/* What only their own answers to --version say. */
static const struct sign {
    const char *text;
    enum tern_remote_kind kind;
} signs[] = {
    {"HYDRA", TERN_HYDRA},
    {"(Open MPI)", TERN_OPEN_MPI},
    {"(OpenRTE)", TERN_OPEN_MPI},
    {"PRRTE", TERN_OPEN_MPI},
};

/* srun answers nothing unless it finds a Slurm, but nobody else has that name. */
static bool recognize(const char *path, enum tern_remote_kind *kind)
{
    char *const argv[] = {(char *)path, (char *)"--version", NULL};
    char answer[4096];

    if (strcmp(strrchr(path, '/') + 1, "srun") == 0) {
        *kind = TERN_SRUN;
        return true;
    }
    tern_capture(argv, answer, sizeof answer);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strstr(answer, signs[i].text)) {
            *kind = signs[i].kind;
            return true;
        }
    return false;
}

/* Whether there is such a program and it is a launcher that we know. */
static bool look(const char *name, struct tern_remote *launcher)
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

bool tern_remote_next(size_t *at, struct tern_remote *launcher)
{
    while (*at < N_NAMES)
        if (look(names[(*at)++], launcher))
            return true;
    return false;
}

bool tern_remote_serves(const struct tern_remote *launcher)
{
    return launcher->kind != TERN_SRUN || getenv("SLURM_JOB_ID");
}

static bool look_for_kind(enum tern_remote_kind kind, struct tern_remote *launcher)
{
    for (size_t at = 0; tern_remote_next(&at, launcher); free(launcher->path))
        if (launcher->kind == kind)
            return true;
    return false;
}

static int find_wish(const char *wish, struct tern_remote *launcher)
{
    bool found;

    if (strcmp(wish, "hydra") == 0)
        found = look_for_kind(TERN_HYDRA, launcher);
    else
        found = look(wish, launcher);
    if (found)
        return 0;
    tern_error("--launcher %s: there is no such launcher here; it can be %s, or the path of one",
               wish, tern_remote_names);
    return TERN_EXIT_NOT_FOUND;
}

int tern_remote_choose(const char *wish, struct tern_remote *launcher)
{
    if (wish)
        return find_wish(wish, launcher);
    for (size_t at = 0; tern_remote_next(&at, launcher); free(launcher->path))
        if (tern_remote_serves(launcher))
            return 0;
    tern_error("PEs on other hosts need a launcher, and there is none: neither srun in a Slurm "
               "allocation, nor prterun, mpirun, mpiexec or mpiexec.hydra in PATH. On Debian, "
               "install the package mpich or openmpi-bin");
    return TERN_EXIT_NOT_FOUND;
}
