/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tern_net_apply32 and tern_net_apply64 perform every atomic operation, whether a PE of the node
 * calls it or the engine for another node. So all of them are atomic to each other.
 */
#ifndef TERN_NET_APPLY_H
#define TERN_NET_APPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomics.h"
#include "base/compiler.h"
#include "net/net.h"

#define WIDTH 32
#include "net/apply.inc"
#undef WIDTH

#define WIDTH 64
#include "net/apply.inc"
#undef WIDTH

#endif
