/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the route, for accesses that programs compile in line: include/shmem-near.h. */
#ifndef TERN_CORE_INLINE_ROUTE_H
#define TERN_CORE_INLINE_ROUTE_H

#include "core/route.h"

/* Keeps a copy up to date, until it is unregistered; n_pes is 0 while translation is closed. */
void tern_inline_route_register(struct tern_route *copy);
void tern_inline_route_unregister(struct tern_route *copy);

/* Held while the route changes, and during a fork. */
void tern_inline_route_lock(void);
void tern_inline_route_unlock(void);

/* With the lock held: after the route was opened or closed; after all peers' images were mapped. */
void tern_inline_route_update(void);
void tern_inline_route_update_images(void);

#endif
