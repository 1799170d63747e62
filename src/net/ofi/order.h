/* SPDX-License-Identifier: BSD-3-Clause */
/* Fence and quiet. */
#ifndef TERN_NET_OFI_ORDER_H
#define TERN_NET_OFI_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

void ofi_order_fence(struct tern_net_channel *channel);
void ofi_order_quiet(struct tern_net_channel *channel);
bool ofi_order_is_quiet(struct tern_net_channel *channel);
void ofi_order_count(struct tern_net_channel *channel, struct tern_net_counts *counts);
/* With the lock held, before the kind of operation is started: what a fence has left to do. */
void ofi_order_before_put(struct tern_net_channel *channel);
void ofi_order_before_request(struct tern_net_channel *channel);

#endif
