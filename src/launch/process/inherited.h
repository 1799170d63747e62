/* SPDX-License-Identifier: BSD-3-Clause */
/* What oshrun changes of its own process and its PEs get back. */
#ifndef TERN_LAUNCH_PROCESS_INHERITED_H
#define TERN_LAUNCH_PROCESS_INHERITED_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

struct tern_inherited {
    sigset_t mask;
    struct sigaction pipe;
    struct sigaction file_size;
    struct sigaction child;
    struct rlimit max_files;
    struct rlimit max_file_size;
    bool open[3]; /* whether standard input, output and error came with the process */
};

/*
 * Saves, and then: makes writing errors errors instead of signals, has children waited for, puts
 * /dev/null in the place of closed standard descriptors so that no pipe takes their numbers, and
 * raises the limits on descriptors and file sizes as far as allowed.
 */
void tern_inherited_save(struct tern_inherited *inherited);

/* In the child. Async-signal-safe. */
void tern_inherited_restore(const struct tern_inherited *inherited);

#endif
