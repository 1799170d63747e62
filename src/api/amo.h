/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations by width, for the routines under their new and their old names. */
#ifndef TERN_API_AMO_H
#define TERN_API_AMO_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "api/export.h"
#include "base/atomics.h"
#include "core/far.h"
#include "core/route.h"

#define WIDTH 32
#include "api/amo_width.inc"
#undef WIDTH

#define WIDTH 64
#include "api/amo_width.inc"
#undef WIDTH

/* In templates: the operation for words as wide as TYPE, and TYPE's bits as such a word. */
#define AMO(operation) TERN_PASTE(amo, WIDTH, _, operation, )
#define WORD TERN_PASTE(uint, WIDTH, _t, , )

TERN_INLINE uint32_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TERN_INLINE float float_value(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

TERN_INLINE uint64_t double_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

TERN_INLINE double double_value(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
