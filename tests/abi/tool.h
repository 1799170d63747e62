/* SPDX-License-Identifier: BSD-3-Clause */
/* What the profiling library in tool.c has counted. */
#ifndef ABI_TOOL_H
#define ABI_TOOL_H

extern int tool_puts, tool_barriers;

#endif
