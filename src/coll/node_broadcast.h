/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast among members that share memory: a team on one node, or a part of a multinode team. */
#ifndef TERN_COLL_NODE_BROADCAST_H
#define TERN_COLL_NODE_BROADCAST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/team.h"

/* Arguments as in coll.h; bytes is not 0, and the caller has checked that the arrays are symmetric.
 */
void tern_node_broadcast(struct tern_team *team, void *dest, const void *source, size_t bytes,
                         int root, bool to_root, const char *routine);

#endif
