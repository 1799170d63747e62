/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of operations that gathers what is small, and passes the rest to the engine. */
#ifndef TERN_NET_GATHER_OPS_H
#define TERN_NET_GATHER_OPS_H

#include "net/net.h"

/* Replaces the entries that start, order, complete and count operations. */
void tern_ops_fill(struct tern_net_ops *ops);

#endif
