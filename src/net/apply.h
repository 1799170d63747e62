/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one place where atomic operations are carried out, at the PE itself, from its node or for
 * another node: only then are they atomic to each other. tern_net_apply32 and tern_net_apply64.
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
