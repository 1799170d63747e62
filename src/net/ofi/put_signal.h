/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts with signal: the data arrive before the signal. */
#ifndef TERN_NET_OFI_PUT_SIGNAL_H
#define TERN_NET_OFI_PUT_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

void ofi_put_signal(struct tern_net_channel *channel, uint64_t dest, const void *source,
                    size_t bytes, uint64_t sig_addr, uint64_t signal, enum tern_net_op op, bool nbi,
                    int pe);

#endif
