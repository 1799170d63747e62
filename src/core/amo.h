/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations: by the processor on this node, by core/remote.h otherwise. */
#ifndef TERN_CORE_AMO_H
#define TERN_CORE_AMO_H

#include <stdint.h>

#include "core/remote.h"
#include "core/route.h"
#include "net/apply.h"

/*
 * For words of 32 and 64 bits, with an operation that is constant in every caller:
 *
 *     tern_amo64(op, fetch, dest, operand, compare, nbi, pe, routine, ctx)
 *     tern_amo64_fetch(fetch, source, nbi, pe, routine, ctx)
 *     tern_amo64_update(op, dest, operand, pe, routine, ctx)    without the old value
 *
 * pe is a number in the world and ctx a context's handle. nbi: *fetch is set when the context has
 * been quieted, on the node at once.
 */
#define WIDTH 32
#include "core/amo_width.inc"
#undef WIDTH

#define WIDTH 64
#include "core/amo_width.inc"
#undef WIDTH

#endif
