/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that a tool runs. */
#ifndef TERN_TOOLS_THREAD_H
#define TERN_TOOLS_THREAD_H

#include <stdbool.h>

/* Starts a detached thread with all signals blocked. False if that fails. */
bool tern_thread_start(void *(*run)(void *));

#endif
