/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and checks programs before any PE starts. */
#ifndef TERN_LAUNCH_PLAN_PROGRAM_H
#define TERN_LAUNCH_PLAN_PROGRAM_H

#include "launch/plan/options.h"

/*
 * Finds the program as execvp() would in its directory, and sets path, is_elf, is_static and
 * libraries. Returns 0, or the status to exit with after a message.
 */
int tern_program_find(struct tern_launch_program *program);

/*
 * Refuses programs of other OpenSHMEM libraries in a job of several PEs, each of which would be a
 * job of one PE. Returns 0, or the status to exit with after a message.
 */
int tern_program_check_libraries(const struct tern_options *options);

/*
 * Finds an executable file as execvp() would. The path, which the caller frees, has a slash.
 * Returns 0, or the reason as an errno.
 */
int tern_program_search(const char *name, char **path);

#endif
