/* SPDX-License-Identifier: BSD-3-Clause */
/* What oshrun inherited, changed for itself, and restores in its PEs. */
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
    bool open[3]; /* whether standard input, output and error were open */
};

/*
 * Saves the inherited state. Then ignores SIGPIPE and SIGXFSZ, so that writes return errors; sets
 * SIGCHLD to its default, so that children can be waited for; opens /dev/null in place of closed
 * standard descriptors, so that no pipe gets their numbers; and raises the limits on descriptors
 * and file sizes to the hard ones.
 */
void tern_inherited_save(struct tern_inherited *inherited);

/* Restores the inherited state in a child. Async-signal-safe. */
void tern_inherited_restore(const struct tern_inherited *inherited);

#endif
