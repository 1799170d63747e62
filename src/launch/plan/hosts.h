/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts of a job, and the number of PEs on each. */
#ifndef TERN_LAUNCH_PLAN_HOSTS_H
#define TERN_LAUNCH_PLAN_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tern_host {
    char *name;     /* [USER@]NAME or [USER@]ADDRESS, without brackets */
    uint64_t slots; /* PEs that it takes; 0: not given */
    uint64_t n_pes; /* PEs that it gets, see tern_hosts_distribute() */
};

/* Each host is listed once, in the order of first mention. */
struct tern_hosts {
    struct tern_host *list;
    size_t n;
};

/*
 * Add the hosts of a list "host1:2,user@host2,[fd77::1]:4", or of a file's lines. Return 0,
 * -ENOMEM, or -EINVAL after a message.
 */
int tern_hosts_add_list(struct tern_hosts *hosts, const char *list);
int tern_hosts_add_file(struct tern_hosts *hosts, const char *file);

/* Whether all hosts are names of this machine. True if there are none. */
bool tern_hosts_are_local(const struct tern_hosts *hosts);

/*
 * The number of PEs that fit on the hosts: per_host on each or, if that is 0, their slots. 0 if
 * neither is given.
 */
uint64_t tern_hosts_capacity(const struct tern_hosts *hosts, uint64_t per_host);

/*
 * Sets n_pes of each host to a range of consecutive PEs: as many as it takes or, where that is not
 * given, an even share. Returns 0, or -EINVAL after a message if there are more PEs than slots.
 */
int tern_hosts_distribute(struct tern_hosts *hosts, uint64_t n_pes, uint64_t per_host);

void tern_hosts_free(struct tern_hosts *hosts);

#endif
