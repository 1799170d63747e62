/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line by which another launcher starts the job. */
#ifndef TERN_LAUNCH_STARTERS_COMMAND_LINE_H
#define TERN_LAUNCH_STARTERS_COMMAND_LINE_H

#include "launch/plan/options.h"
#include "launch/starters/starter.h"

struct tern_command_line {
    char **words; /* NULL at the end */
    char *text;   /* what they consist of */
};

/*
 * Composes it from options whose PEs have been dealt out. Changes this process's environment where
 * the launcher takes its orders from there, and leaves it a descriptor to inherit. 0, or -errno
 * after a message.
 */
int tern_command_line_compose(struct tern_command_line *command, const struct tern_remote *launcher,
                              const struct tern_options *options);

/* The words as one would type them, for the user to read. The caller frees it; NULL: no memory. */
char *tern_command_line_quote(const struct tern_command_line *command);

void tern_command_line_free(struct tern_command_line *command);

#endif
