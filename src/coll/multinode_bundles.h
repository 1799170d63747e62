/* SPDX-License-Identifier: BSD-3-Clause */
/* An exchange of leaders: a bundle from each part to each other part, in log k messages. */
#ifndef TERN_COLL_MULTINODE_BUNDLES_H
#define TERN_COLL_MULTINODE_BUNDLES_H

#include <stddef.h>

#include "core/team.h"

/*
 * Bruck's algorithm, in a round. There are n_parts bundles of `bytes` each: at first bundle d is
 * for the d-th part after this one, at return it is from the d-th part before this one. Bundle 0
 * stays. Each leader sends log k messages of k / 2 bundles, so a bundle travels log k / 2 times:
 * this is for bundles that are shorter than what a message costs.
 */
void tern_multinode_bundles_pass(struct tern_team *team, unsigned char *bundles, size_t bytes,
                                 const char *routine);

#endif
