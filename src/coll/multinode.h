/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collectives of multinode teams. Arguments are as in coll.h; the caller has made the checks
 * that one member alone can make.
 */
#ifndef TERN_COLL_MULTINODE_H
#define TERN_COLL_MULTINODE_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/combine.h"
#include "core/team.h"

/* bytes is not 0. */
void tern_multinode_broadcast(struct tern_team *team, void *dest, const void *source, size_t bytes,
                              int root, bool to_root, const char *routine);

/* For collect and fcollect. */
void tern_multinode_collect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                            const char *routine);

/* A block has n elements of `size` bytes; strides are in elements. n is not 0. */
void tern_multinode_alltoalls(struct tern_team *team, void *dest, const void *source, size_t dst,
                              size_t sst, size_t n, size_t size, const char *routine);

/* call->n is not 0. */
void tern_multinode_reduce(struct tern_team *team, const struct tern_combine *call, void *dest,
                           const void *source);
void tern_multinode_scan(struct tern_team *team, const struct tern_combine *call, void *dest,
                         const void *source, bool inclusive);

#endif
