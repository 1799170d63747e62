/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of one provider. */
#ifndef TERN_NET_OFI_ENDPOINT_H
#define TERN_NET_OFI_ENDPOINT_H

#include <rdma/fi_domain.h>
#include <stddef.h>

#include "net/net.h"

int ofi_endpoint_start(struct fi_info *info);
/* Why the last provider could not be started, if more is known than the error; else empty. */
const char *ofi_endpoint_obstacle(void);
void ofi_endpoint_stop(void);
int ofi_endpoint_add(struct tern_net_channel *channel);
void ofi_endpoint_remove(struct tern_net_channel *channel);
/* Memory of the engine's own, for providers that want it registered. */
int ofi_endpoint_register(void *start, size_t bytes, struct fid_mr **mr);

#endif
