/* SPDX-License-Identifier: BSD-3-Clause */
/* The starter's process: a child in oshrun's own process group. */
#ifndef TERN_LAUNCH_STARTERS_CHILD_H
#define TERN_LAUNCH_STARTERS_CHILD_H

#include <stdint.h>

#include "launch/process/inherited.h"
#include "launch/starters/command_line.h"

/*
 * Executes a command line and waits for its end. Passes signals on to the child, and ends it after
 * timeout_ns (0: never). Returns the status to exit with.
 */
int tern_child_run(const struct tern_command_line *line, const struct tern_inherited *inherited,
                   uint64_t timeout_ns);

#endif
