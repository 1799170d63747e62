/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the engine of a job of several nodes. */
#ifndef TERN_NET_OPEN_H
#define TERN_NET_OPEN_H

#include "net/net.h"

/*
 * For a job of several nodes: loads the engine of that name (SHMEM_NETWORK), or for NULL the first
 * of net/engines.c that can be loaded, and opens it. 0, or -errno after the reasons were printed.
 * The engine stays open until the process ends.
 */
int tern_net_open(const char *name, const struct tern_net_host *host, void *card);

#endif
