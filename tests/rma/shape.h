/* SPDX-License-Identifier: BSD-3-Clause */
/* The strides and blocks of the tests of strided transfers, and the elements that they cover. */
#ifndef RMA_SHAPE_H
#define RMA_SHAPE_H

#include <stddef.h>

/* nelems blocks of bsize elements; bsize is 1 for iput and iget. */
struct shape {
    size_t nelems, bsize;
    ptrdiff_t dst, sst;
};

/* All shapes fit a slot of a board, behind two guard elements, on both sides. */
static inline struct shape contiguous_shape(int route, int steps)
{
    static const size_t nelems[] = {1, 7, 2, 16, 0, 3};

    return (struct shape){nelems[(route + steps) % 6], 1, 1, 1};
}

static inline struct shape element_shape(int route, int steps)
{
    static const struct shape shapes[] = {
        {5, 1, 3, 1}, {4, 1, 1, 4}, {4, 1, 5, 2}, {6, 1, 1, 1},
        {3, 1, 7, 7}, {0, 1, 1, 1}, {1, 1, 9, 8}, {7, 1, 2, 3},
    };

    return shapes[(2 * route + steps) % 8];
}

static inline struct shape block_shape(int route, int steps)
{
    static const struct shape shapes[] = {
        {2, 3, 3, 3}, {3, 2, 5, 2}, {2, 3, 4, 6}, {3, 1, 4, 3},
        {0, 2, 2, 2}, {1, 7, 7, 9}, {4, 2, 3, 5}, {2, 5, 11, 5},
    };

    return shapes[(2 * route + steps) % 8];
}

/* The element of dest or source, whichever has this stride, that is number i of all that move. */
static inline size_t place(struct shape shape, ptrdiff_t stride, size_t i)
{
    return i / shape.bsize * (size_t)stride + i % shape.bsize;
}

#endif
