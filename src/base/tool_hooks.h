/* SPDX-License-Identifier: BSD-3-Clause */
/* What a tool in front of the library lets it know. The functions are absent without such a tool.
 */
#ifndef TERN_BASE_TOOL_HOOKS_H
#define TERN_BASE_TOOL_HOOKS_H

#include <stdbool.h>

/* Whether the tool has printed what is wrong with the call that this thread is in. */
__attribute__((weak, visibility("default"))) bool tern_tool_has_reported(void);

/* Whether the tool allocates symmetric memory for itself. It reports itself if there is no room. */
__attribute__((weak, visibility("default"))) bool tern_tool_is_allocating(void);

#endif
