/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the route for code that is not the library's: api/inline_route.c, include/shmem-near.h.
 */
#ifndef TERN_CORE_INLINE_ROUTE_H
#define TERN_CORE_INLINE_ROUTE_H

#include "core/route.h"

/* Keeps a copy up to date; ends that. Its n_pes is 0 while translation is closed. */
void tern_near_follow(struct tern_route *copy);
void tern_near_unfollow(struct tern_route *copy);

/* For who changes the route, or forks: between these nobody looks at it for the copies. */
void tern_near_hold(void);
void tern_near_let_go(void);

/* Between them: the route has been opened or closed; the images of all peers are mapped. */
void tern_near_show(void);
void tern_near_show_images(void);

#endif
