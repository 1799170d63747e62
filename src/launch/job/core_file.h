/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the core file of a crashed PE is. */
#ifndef TERN_LAUNCH_JOB_CORE_FILE_H
#define TERN_LAUNCH_JOB_CORE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "launch/job/job.h"

/* Whether the default action of the signal writes a core file. */
bool tern_core_file_belongs_to(int signal);

/* Describes where the system has written the PE's core file, and how to open it. */
void tern_core_file_describe(const struct tern_pe *pe, int signal, char *text, size_t bytes);

/* Describes why there is none. */
void tern_core_file_explain(char *text, size_t bytes);

#endif
