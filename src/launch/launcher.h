/* SPDX-License-Identifier: BSD-3-Clause */
/* The launchers that can start PEs on other hosts. */
#ifndef TERN_LAUNCH_LAUNCHER_H
#define TERN_LAUNCH_LAUNCHER_H

enum tern_launcher_kind { TERN_SRUN, TERN_OPEN_MPI, TERN_HYDRA };

struct tern_launcher {
    enum tern_launcher_kind kind;
    const char *title; /* for messages */
    char *path;
};

/*
 * The launcher that the user wishes (a name of tern_launcher_names or a path), or, with NULL, the
 * one that is there: srun in a Slurm allocation, else Open MPI's, else Hydra. 0, or the status to
 * exit with after a message. The path is the caller's to free.
 */
int tern_launcher_choose(const char *wish, struct tern_launcher *launcher);

extern const char tern_launcher_names[];

#endif
