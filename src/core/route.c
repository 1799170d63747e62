/* SPDX-License-Identifier: BSD-3-Clause */
/* The route's arithmetic on nodes whose PEs are not consecutive. */
#include "core/route.h"

TERN_PE_LOCAL struct tern_route tern_route;

/*
 * The inverse of an odd number modulo 2^64. The number itself is right in its lowest 3 bits, and
 * each step doubles the number of right bits.
 */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;

    for (int bits = 3; bits < 64; bits *= 2)
        x *= 2 - odd * x;
    return x;
}

/* Segments are at strides of 1 << SEGMENT_SHIFT at least, so as many factors of two divide them. */
#define SEGMENT_SHIFT 16

size_t tern_route_divide(size_t segment_stride, uint32_t stride)
{
    uint32_t shift = (uint32_t)__builtin_ctz(stride);

    return (segment_stride >> shift) * inverse(stride >> shift);
}

void tern_route_open(int first, uint32_t stride, uint32_t n)
{
    uint32_t shift = (uint32_t)__builtin_ctz(stride);

    tern_route.first = first;
    tern_route.stride_shift = shift;
    tern_route.stride_inverse = (uint32_t)inverse(stride >> shift);
    tern_route.n_strided = stride > 1 && shift <= SEGMENT_SHIFT ? n : 0;
    tern_route.n_pes = stride == 1 ? n : 0;
}

void tern_route_close(void)
{
    tern_route.n_pes = 0;
    tern_route.n_strided = 0;
}
