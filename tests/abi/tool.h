/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts of the profiling library in tool.c. */
#ifndef ABI_TOOL_H
#define ABI_TOOL_H

extern int tool_puts, tool_barriers;

#endif
