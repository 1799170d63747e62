/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a tool's own. */
#ifndef TERN_TOOLS_THREAD_H
#define TERN_TOOLS_THREAD_H

#include <stdbool.h>

/* Starts one, which nobody joins and no signal disturbs; false if that can't be done. */
bool tern_thread_start(void *(*run)(void *));

#endif
