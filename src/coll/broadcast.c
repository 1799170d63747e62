/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast: checks the arrays, then passes the call to the broadcast on or between nodes. */
#include "coll/coll.h"
#include "coll/multinode.h"
#include "coll/node_broadcast.h"
#include "coll/symmetric.h"

void tern_coll_broadcast(struct tern_team *team, void *dest, const void *source, size_t bytes,
                         int root, bool to_root, const char *routine)
{
    bool sends = team->me == root;

    if (!bytes) {
        tern_coll_sync(team, routine);
        return;
    }
    if (sends)
        tern_symmetric_check(source, bytes, "source", routine);
    if (!sends || to_root)
        tern_symmetric_check(dest, bytes, "dest", routine);
    if (team->multinode)
        tern_multinode_broadcast(team, dest, source, bytes, root, to_root, routine);
    else
        tern_node_broadcast(team, dest, source, bytes, root, to_root, routine);
}
