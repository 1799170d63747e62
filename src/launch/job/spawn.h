/* SPDX-License-Identifier: BSD-3-Clause */
/* The birth of a PE. */
#ifndef TERN_LAUNCH_JOB_SPAWN_H
#define TERN_LAUNCH_JOB_SPAWN_H

#include <sched.h>
#include <sys/types.h>

#include "launch/process/inherited.h"

/* All that a child needs to know: it shares oshrun's memory until it executes its program. */
struct tern_spawn_request {
    const char *path;
    char *const *argv;
    char *const *shell_argv; /* for a script that names no interpreter; NULL: that is an error */
    char *const *envp;
    const char *directory; /* or NULL */
    const cpu_set_t *cpus; /* or NULL; of TERN_CPU_SET_BYTES */
    unsigned own;          /* descriptors from here on are oshrun's alone; 0: not known */
    int in, out, err;
    int object;
    int lifeline;
    int descriptors; /* oshrun's /proc/self/fd, open; -1 if there is none */
    const char *lifeline_path, *lifeline_name; /* there; the same without the folder */
    pid_t launcher;
    const struct tern_inherited *inherited;

    /* Filled by the child that fails. */
    int error;
    const char *failed;
};

/*
 * Starts a process that leads a process group of its own, dies with oshrun, and runs the program.
 * Returns once it does: its number, or -errno of request->error, request->failed saying at what.
 */
pid_t tern_spawn(struct tern_spawn_request *request);

#endif
