/* SPDX-License-Identifier: BSD-3-Clause */
/* The launchers that can start PEs on other hosts. */
#ifndef TERN_LAUNCH_STARTERS_STARTER_H
#define TERN_LAUNCH_STARTERS_STARTER_H

#include <stdbool.h>
#include <stddef.h>

enum tern_remote_kind { TERN_SRUN, TERN_OPEN_MPI, TERN_HYDRA };

struct tern_remote {
    enum tern_remote_kind kind;
    const char *title; /* for messages */
    char *path;
};

/*
 * The launcher that the user wishes (a name of tern_remote_names or a path), or, with NULL, the
 * one that is there: srun in a Slurm allocation, else Open MPI's, else Hydra. 0, or the status to
 * exit with after a message. The path is the caller's to free.
 */
int tern_remote_choose(const char *wish, struct tern_remote *launcher);

/*
 * The installed launchers one by one, in the order in which they are chosen; *at is 0 at first.
 * False when there are no more. The path is the caller's to free.
 */
bool tern_remote_next(size_t *at, struct tern_remote *launcher);

/* Whether it is chosen here, if nobody wishes another; srun only in an allocation. */
bool tern_remote_serves(const struct tern_remote *launcher);

extern const char tern_remote_names[];

#endif
