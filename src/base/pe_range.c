/* SPDX-License-Identifier: BSD-3-Clause */
/* The common members of two sets of PEs: an arithmetic progression, found without a list. */
#include "base/pe_range.h"

#include <stdint.h>

static int64_t modulo(int64_t a, int64_t m)
{
    int64_t r = a % m;

    return r < 0 ? r + m : r;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;

    return a % b && (a < 0) != (b < 0) ? q - 1 : q;
}

static int64_t ceil_divide(int64_t a, int64_t b)
{
    return -floor_divide(-a, b);
}

/* The greatest common divisor of a >= 0 and m > 0, and x with a * x = it (mod m). */
static int64_t divisor_of(int64_t a, int64_t m, int64_t *x)
{
    int64_t r0 = m, r1 = a, x0 = 0, x1 = 1;

    while (r1) {
        int64_t q = r0 / r1, r = r0 - q * r1, next = x0 - q * x1;

        r0 = r1;
        r1 = r;
        x0 = x1;
        x1 = next;
    }
    *x = modulo(x0, m);
    return r0;
}

/* Members *first to *last of r have numbers from low to high in the world; there may be none. */
static void clip(const struct tern_pe_range *r, int64_t low, int64_t high, int64_t *first,
                 int64_t *last)
{
    int64_t from = r->stride > 0 ? low : high, to = r->stride > 0 ? high : low;

    *first = ceil_divide(from - r->start, r->stride);
    *last = floor_divide(to - r->start, r->stride);
    if (*first < 0)
        *first = 0;
    if (*last >= r->size)
        *last = r->size - 1;
}

static struct tern_pe_range one_of(int member)
{
    return (struct tern_pe_range){member, 1, member >= 0};
}

struct tern_pe_range tern_pe_range_common(const struct tern_pe_range *r,
                                          const struct tern_pe_range *other)
{
    int64_t end, step, x, divisor, first, last, distance = (int64_t)other->start - r->start;

    if (r->size <= 1)
        return one_of(r->size == 1 && tern_pe_range_find(other, r->start) >= 0 ? 0 : -1);
    if (other->size <= 1)
        return one_of(other->size == 1 ? tern_pe_range_find(r, other->start) : -1);

    /* Member i of r is in the other's progression if i * r->stride = distance (mod its stride). */
    step = other->stride < 0 ? -(int64_t)other->stride : other->stride;
    divisor = divisor_of(modulo(r->stride, step), step, &x);
    if (distance % divisor)
        return one_of(-1);
    end = other->start + ((int64_t)other->size - 1) * other->stride;
    clip(r, other->start < end ? other->start : end, other->start < end ? end : other->start,
         &first, &last);
    step /= divisor;
    first += modulo(modulo(distance / divisor, step) * (x % step) - first, step);
    if (first > last)
        return one_of(-1);
    return (struct tern_pe_range){(int)first, (int)step, (int)((last - first) / step + 1)};
}
