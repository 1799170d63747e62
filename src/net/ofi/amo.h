/* SPDX-License-Identifier: BSD-3-Clause */
/* AMOs. */
#ifndef TERN_NET_OFI_AMO_H
#define TERN_NET_OFI_AMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"
#include "net/ofi/op.h"

void ofi_update(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                uint64_t dest, uint64_t operand, int pe);
void ofi_amo(struct tern_net_channel *channel, enum tern_net_op op, unsigned width, uint64_t dest,
             uint64_t operand, uint64_t compare, uint64_t *fetch, int pe);
void ofi_amo_nbi(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                 uint64_t dest, uint64_t operand, uint64_t compare, void *fetch, int pe);
void ofi_amo_group(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                   uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                   struct ofi_group *group, int pe);

#endif
