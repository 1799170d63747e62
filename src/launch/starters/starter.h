/* SPDX-License-Identifier: BSD-3-Clause */
/* Starters: the launchers that oshrun can have start PEs on other hosts. */
#ifndef TERN_LAUNCH_STARTERS_STARTER_H
#define TERN_LAUNCH_STARTERS_STARTER_H

#include <stdbool.h>
#include <stddef.h>

#include "launch/plan/options.h"
#include "launch/starters/command_line.h"

/*
 * The starters, in the order of preference. A further one is a file of this folder, named as here,
 * a line here, and one in meson.build.
 */
#define TERN_STARTERS(STARTER)                                                                     \
    STARTER(srun)                                                                                  \
    STARTER(openmpi)                                                                               \
    STARTER(hydra)

struct tern_starter {
    const char *title;           /* for messages */
    const char *const *programs; /* names that its program has in PATH; NULL at the end */
    const char *alias;           /* a further name for --launcher, or NULL */

    /* Texts that only its answer to --version contains. NULL: the name of the program suffices. */
    const char *const *signs;

    const char *variable;   /* it works only where this variable is set; NULL: everywhere */
    const char *allocation; /* where that is, in words */
    bool knows_hosts;       /* it chooses hosts if the command line names none */
    bool colons_separate;   /* on its command line a colon begins another program */

    /*
     * Adds the words of the command line, the first of which is the path of its program. May set
     * variables of this process's environment, which the starter inherits. Returns 0, or -errno
     * after a message.
     */
    int (*compose)(struct tern_command_line *line, const char *path,
                   const struct tern_options *options);
};

#define TERN_DECLARE_STARTER(name) extern const struct tern_starter tern_starter_##name;
TERN_STARTERS(TERN_DECLARE_STARTER)

/* A starter whose program was found. The path is the caller's to free. */
struct tern_found_starter {
    const struct tern_starter *starter;
    char *path;
    int error; /* 0, or -errno: a program could not be run to find out what it is */
};

/*
 * Finds the starter that the user names (a program, an alias, or a path), or, with NULL, the first
 * one that is installed and works here. Returns 0, or the status to exit with after a message.
 */
int tern_starter_choose(const char *name, struct tern_found_starter *found);

/*
 * Finds the installed starters one by one, in the order of preference; *at is 0 at first. Returns
 * false when there are no more.
 */
bool tern_starter_next(size_t *at, struct tern_found_starter *found);

/* Whether the starter works here: where it needs an allocation, this process is in one. */
bool tern_starter_works(const struct tern_starter *starter);

#endif
