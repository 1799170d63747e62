/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a job whose tool lacks memory. */
#ifndef TERN_TOOLS_NO_MEMORY_H
#define TERN_TOOLS_NO_MEMORY_H

#include <stddef.h>

/*
 * Prints that the tool (an option of oshrun) has no memory for `what`, and ends the job with status
 * 1. For memory without which the tool would report, or cause, what is not the program's mistake.
 */
void tern_tool_no_memory(const char *tool, const char *what, size_t bytes)
    __attribute__((noreturn, cold));

#endif
