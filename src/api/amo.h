/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the atomic routines under their current and their old names. */
#ifndef TERN_API_AMO_H
#define TERN_API_AMO_H

#include <stdint.h>
#include <string.h>

#include "api/export.h"
#include "core/amo.h"
#include "core/ctx.h"

/*
 * For templates: the operations of core/amo.h on words of TYPE's width, and the type of such a
 * word.
 */
#define AMO TERN_PASTE(tern_amo, WIDTH, , , )
#define AMO_FETCH TERN_PASTE(tern_amo, WIDTH, _fetch, , )
#define AMO_UPDATE TERN_PASTE(tern_amo, WIDTH, _update, , )
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
