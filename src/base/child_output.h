/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program and reads what it prints. Safe in signal handlers. */
#ifndef TERN_BASE_CHILD_OUTPUT_H
#define TERN_BASE_CHILD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Finds a program in PATH. The path has PATH_MAX bytes. Not for signal handlers. */
bool tern_child_output_find(const char *program, char *path);

/*
 * Runs the program with tools' LD_PRELOAD removed from its environment, and reads its standard
 * output into the text, which has room for `bytes` with the final null. Output beyond that is
 * dropped. Kills the program after `seconds`. Returns the number of bytes read, or -1 if the
 * program can't be started.
 */
long tern_child_output_read(const char *path, char *const argv[], int seconds, char *text,
                            size_t bytes);

#endif
