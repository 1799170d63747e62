/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts that a job shall run on, and how many PEs each gets. */
#ifndef TERN_LAUNCH_PLAN_HOSTS_H
#define TERN_LAUNCH_PLAN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tern_host {
    char *name;     /* [USER@]NAME or [USER@]ADDRESS, without brackets */
    uint64_t slots; /* PEs that it takes, 0: the user does not say */
    uint64_t n_pes; /* those that it gets, see tern_hosts_distribute() */
};

/* Each host once, in the order of their first mention. */
struct tern_hosts {
    struct tern_host *list;
    size_t n;
};

/* Add "host1:2,user@host2,[fd77::1]:4" and a file's lines. 0, or -EINVAL after a message. */
int tern_hosts_add_list(struct tern_hosts *hosts, const char *list);
int tern_hosts_add_file(struct tern_hosts *hosts, const char *file);

/* Whether all of them are this machine, by its own names. Also true when there are none. */
bool tern_hosts_are_local(const struct tern_hosts *hosts);

/* How many PEs the hosts are given by per_host (0: not set) or by their slots; 0 if by neither. */
uint64_t tern_hosts_capacity(const struct tern_hosts *hosts, uint64_t per_host);

/*
 * Sets n_pes of each: consecutive PEs, as many as there is room for on each host or, where that is
 * not set, in even parts. 0, or -EINVAL after a message: there are more PEs than room.
 */
int tern_hosts_distribute(struct tern_hosts *hosts, uint64_t n_pes, uint64_t per_host);

void tern_hosts_free(struct tern_hosts *hosts);

#endif
