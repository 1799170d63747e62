/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts of blocks that lie apart at the target. */
#ifndef TERN_NET_OFI_SCATTER_H
#define TERN_NET_OFI_SCATTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

void ofi_scatter(struct tern_net_channel *channel, uint64_t dest, size_t dst, const void *source,
                 size_t bytes, size_t n, int pe);

#endif
