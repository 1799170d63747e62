/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of this process: what the launcher and the node's PEs learn of it, and in which order. */
#ifndef TERN_CORE_EXIT_H
#define TERN_CORE_EXIT_H

#include <stdbool.h>

#include "boot/boot.h"

/*
 * Several threads may want to end this PE at the same time: the program's, which exits, one that
 * made a mistake, and the failure detector's. One of them reports the end to the launcher; the
 * others wait for it.
 */

/* Before main, or at the latest at the first init: from now on others see how this process ends. */
void tern_exit_install(const struct tern_boot *boot);

/* Before tern_boot_join(): from now on the end is reported to a launcher that does not see it. */
void tern_exit_report_from_now(void);

/* Registers shmem_global_exit(status); the first of several callers wins. */
void tern_exit_set_global(int status);

/* Records that a PE ends the job with this status; this node's PEs follow. False: another does. */
bool tern_exit_note(int pe, int status);

/* Whether the end of the job has been recorded, by the first PE that ended it: it and its status.
 */
bool tern_exit_is_noted(int *pe, int *status);

/*
 * To be called repeatedly, from any thread: ends this process if another PE has ended
 * the job, and the launcher does not pass the status on or is late to end the rest.
 */
void tern_exit_follow(void);

/* Has the launcher end the job with that status. May return: the caller then ends this process. */
void tern_exit_abort(int status);

#endif
