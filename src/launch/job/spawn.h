/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting the process of a PE. */
#ifndef TERN_LAUNCH_JOB_SPAWN_H
#define TERN_LAUNCH_JOB_SPAWN_H

#include <sched.h>
#include <sys/types.h>

#include "launch/process/inherited.h"

/* What a child needs to know. It shares oshrun's memory until it executes its program. */
struct tern_spawn_request {
    const char *path;
    char *const *argv;
    char *const *shell_argv; /* for a script without an interpreter line; NULL: not allowed */
    char *const *envp;
    const char *directory; /* or NULL */
    const cpu_set_t *cpus; /* or NULL; of TERN_CPU_SET_BYTES */
    unsigned own; /* the child must not keep descriptors from this number on; 0: no such limit */
    int in, out, err;
    int object;
    int lifeline;
    int descriptors; /* oshrun's /proc/self/fd, opened; -1 if it is missing */
    const char *lifeline_path;
    const char *lifeline_name; /* in that directory */
    pid_t launcher;
    const struct tern_inherited *inherited;

    /* Set by a child that fails. */
    int error;
    const char *failed;
};

/*
 * Starts a process that leads a process group, dies with oshrun, and executes the program. Returns
 * its number after the exec, or -errno; request->failed then says what failed.
 */
pid_t tern_spawn(struct tern_spawn_request *request);

#endif
