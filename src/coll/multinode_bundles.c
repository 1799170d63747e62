/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes bundles on by distances of 1, 2, 4, ... parts until each has reached its own. */
#include "coll/multinode_bundles.h"

#include <stdlib.h>
#include <string.h>

#include "coll/multinode_table.h"
#include "core/multinode.h"

/* Beyond the messages of multinode_alltoall.c. */
enum { PASS = TERN_MULTINODE_STEPS + 1 };

/* Collects the bundles that travel in this step, or (unpack) returns those that have come. */
static size_t pack_or_unpack(unsigned char *bundles, size_t bytes, int n, int distance,
                             unsigned char *message, bool unpack)
{
    size_t at = 0;

    for (int d = distance; d < n; d++) {
        unsigned char *bundle = bundles + (size_t)d * bytes;

        if (!(d & distance))
            continue;
        memcpy(unpack ? bundle : message + at, unpack ? message + at : bundle, bytes);
        at += bytes;
    }
    return at;
}

void tern_multinode_bundles_pass(struct tern_team *team, unsigned char *bundles, size_t bytes,
                                 const char *routine)
{
    int me = team->multinode->me, n = team->multinode->n_parts;
    unsigned char *message = tern_multinode_scratch((size_t)n * bytes, routine);
    uint32_t step = PASS;

    for (int distance = 1; distance < n; distance *= 2, step++) {
        int to = (me + distance) % n, from = (me + n - distance) % n;

        tern_multinode_send(team, tern_multinode_leader(team, to), step, message,
                            pack_or_unpack(bundles, bytes, n, distance, message, false));
        tern_multinode_await(team, from, step, routine);
        tern_multinode_read(team, from, step, message, (size_t)n * bytes, routine);
        pack_or_unpack(bundles, bytes, n, distance, message, true);
    }
    free(message);
}
