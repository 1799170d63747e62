/* SPDX-License-Identifier: BSD-3-Clause */
/* Entry points of the code that shmem-inline.h compiles into programs. */
#include <stddef.h>

#pragma GCC visibility push(default)
#include <shmem-near.h>
#pragma GCC visibility pop

#include "core/inline_route.h"

/* The program defines the public structure; the library keeps a copy of its route in it. */
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
