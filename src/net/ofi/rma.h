/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets. */
#ifndef TERN_NET_OFI_RMA_H
#define TERN_NET_OFI_RMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"
#include "net/ofi/op.h"

void ofi_rma_put(struct tern_net_channel *channel, uint64_t dest, const void *source, size_t bytes,
                 int pe);
void ofi_rma_put_nbi(struct tern_net_channel *channel, uint64_t dest, const void *source,
                     size_t bytes, int pe);
void ofi_rma_get(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                 int pe);
void ofi_rma_get_nbi(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                     int pe);
/* A put of a group; channel is not NULL, and the caller does not hold its lock. */
void ofi_rma_put_group(struct tern_net_channel *channel, uint64_t dest, const void *source,
                       size_t bytes, struct ofi_group *group, int pe);
void ofi_rma_get_group(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                       struct ofi_group *group, int pe);
void ofi_rma_count_down(struct ofi_group *group);
/* Reads a few bytes, so that the provider reports the loss of the peer. */
void ofi_rma_probe(int pe);

#endif
