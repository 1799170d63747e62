/* SPDX-License-Identifier: BSD-3-Clause */
/* For what programs have compiled in line: shmem-inline.h. */
#include <stddef.h>

#pragma GCC visibility push(default)
#include <shmem-near.h>
#pragma GCC visibility pop

#include "core/inline_route.h"

/* A program has its own of the public structure; to the library it is a copy of its route. */
#define SAME(field)                                                                                \
    _Static_assert(offsetof(struct shmemi_near_1, field) == offsetof(struct tern_route, field),    \
                   "it has to have another number")

SAME(heap);
SAME(heap_bytes);
SAME(heap_offset);
SAME(heap_stride);
SAME(bells);
SAME(first);
SAME(n_pes);
SAME(image);
SAME(image_bytes);
SAME(image_offset);
SAME(image_stride);
SAME(next);
_Static_assert(sizeof(struct shmemi_near_1) == sizeof(struct tern_route), "as above");
_Static_assert(offsetof(struct tern_bell, sleepers) == 0 && sizeof(struct tern_bell) == 8,
               "as above");

void shmemi_near_open(void *copy, unsigned number)
{
    if (number == 1)
        tern_inline_route_register(copy);
}

void shmemi_near_close(void *copy, unsigned number)
{
    if (number == 1)
        tern_inline_route_unregister(copy);
}

void shmemi_near_wake(int pe)
{
    tern_bell_wake(&tern_route.bells[pe]);
}
