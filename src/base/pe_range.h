/* SPDX-License-Identifier: BSD-3-Clause */
/* A range of PEs: every stride-th PE of the world, in either direction. */
#ifndef TERN_BASE_PE_RANGE_H
#define TERN_BASE_PE_RANGE_H

#include "base/compiler.h"

/* Member i is PE start + i * stride of the world. A strided split of a range is a range. */
struct tern_pe_range {
    int start;
    int stride; /* not 0, unless size is 1 */
    int size;
};

TERN_INLINE int tern_pe_range_world(const struct tern_pe_range *r, int member)
{
    return r->start + member * r->stride;
}

/* The number of a world PE in the range, or -1. */
static inline int tern_pe_range_find(const struct tern_pe_range *r, int world)
{
    int distance = world - r->start;
    int member = r->stride ? distance / r->stride : distance;

    if (member < 0 || member >= r->size || tern_pe_range_world(r, member) != world)
        return -1;
    return member;
}

/* Those members of a range whose numbers in it are the other range. */
static inline struct tern_pe_range tern_pe_range_of(const struct tern_pe_range *r,
                                                    const struct tern_pe_range *members)
{
    return (struct tern_pe_range){
        .start = tern_pe_range_world(r, members->start),
        .stride = members->size > 1 ? members->stride * r->stride : 1,
        .size = members->size,
    };
}

/*
 * The members of r that are in the other range too, by their ascending numbers in r, which are
 * evenly spaced. size is 0 if there are none.
 */
struct tern_pe_range tern_pe_range_common(const struct tern_pe_range *r,
                                          const struct tern_pe_range *other);

#endif
