/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of the provider that serves the job. */
#ifndef TERN_NET_OFI_PROVIDER_H
#define TERN_NET_OFI_PROVIDER_H

#include <rdma/fabric.h>

#include "net/net.h"

/* Calls try() for one candidate after the other until one returns 0; else -errno, with reasons. */
int ofi_provider_choose(const struct tern_net_host *host, int (*try)(struct fi_info *info));
void ofi_provider_survey(const struct tern_net_host *host,
                         void (*line)(void *arg, const char *text), void *arg);

#endif
