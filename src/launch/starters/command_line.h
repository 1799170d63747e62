/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of a starter: a list of words that grows. */
#ifndef TERN_LAUNCH_STARTERS_COMMAND_LINE_H
#define TERN_LAUNCH_STARTERS_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/compiler.h"
#include "launch/plan/options.h"

struct tern_command_line {
    FILE *stream; /* collects the words, each with a zero byte at its end */
    char *text;   /* what the stream has collected */
    size_t bytes;
    char **words; /* for execv(): set by tern_command_line_close() */
};

/* Begins an empty command line. Returns 0 or -ENOMEM. */
int tern_command_line_open(struct tern_command_line *line);

/* Adds one word. */
void tern_command_line_add(struct tern_command_line *line, const char *fmt, ...) TERN_PRINTF(2, 3);

/*
 * Adds a program and its arguments. Where the line starts several programs, env(1) sets the
 * variables and the directory of this one; a single program inherits them.
 */
void tern_command_line_add_program(struct tern_command_line *line,
                                   const struct tern_launch_program *program, bool several);

/* Ends the line, whose words can be used then. Returns 0 or -ENOMEM. */
int tern_command_line_close(struct tern_command_line *line);

/* The words as a user would type them in a shell. The caller frees the text; NULL: no memory. */
char *tern_command_line_quote(const struct tern_command_line *line);

void tern_command_line_free(struct tern_command_line *line);

#endif
