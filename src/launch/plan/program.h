/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding a program before any PE starts. */
#ifndef TERN_LAUNCH_PLAN_PROGRAM_H
#define TERN_LAUNCH_PLAN_PROGRAM_H

#include "launch/plan/options.h"

/*
 * Finds the program as execvp() would from its directory, and sets path, is_elf, is_static and
 * needs. Returns 0, or the status to exit with after a message.
 */
int tern_program_find(struct tern_launch_program *program);

/*
 * Refuses programs of other OpenSHMEM libraries in a job of several PEs, which these would know
 * nothing of. Returns 0, or the status to exit with after a message.
 */
int tern_program_check_libraries(const struct tern_options *options);

/* Finds an executable file as execvp() would; the path has a slash. 0, or why not as an errno. */
int tern_program_search(const char *name, char **path);

#endif
