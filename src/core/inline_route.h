/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the route, for accesses that programs compile in line: include/shmem-near.h. */
#ifndef TERN_CORE_INLINE_ROUTE_H
#define TERN_CORE_INLINE_ROUTE_H

#include "core/route.h"

/* Begins and ends to keep a copy up to date. Its n_pes is 0 while translation is closed. */
void tern_inline_route_register(struct tern_route *copy);
void tern_inline_route_unregister(struct tern_route *copy);

/* For who changes the route, or forks: between these nobody looks at it for the copies. */
void tern_inline_route_lock(void);
void tern_inline_route_unlock(void);

/* Between them: the route has been opened or closed; the images of all peers are mapped. */
void tern_inline_route_update(void);
void tern_inline_route_update_images(void);

#endif
