/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts in the form in which starters take them. */
#ifndef TERN_LAUNCH_STARTERS_HOST_FILE_H
#define TERN_LAUNCH_STARTERS_HOST_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/plan/hosts.h"

/*
 * Writes a file with a line for each of the PEs from `first` to before `end`, which names its host.
 * Returns a descriptor, which the starter inherits and opens as /proc/self/fd/N, or -errno.
 */
int tern_host_file_of_pes(const struct tern_hosts *hosts, uint64_t first, uint64_t end);

/* The same with a line "HOST slots=PES" for each host that has PEs. */
int tern_host_file_of_slots(const struct tern_hosts *hosts);

/* Whether the name of any host contains this character. */
bool tern_host_file_any_name_has(const struct tern_hosts *hosts, char what);

/*
 * Replaces IPv6 addresses, which no starter takes, by the names of their hosts. Returns 0, -ENOMEM,
 * or -EINVAL after a message: an address has no name.
 */
int tern_host_file_replace_addresses(struct tern_hosts *hosts);

#endif
