/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives over a team, in terms of bytes and reduction kernels. Every member calls with
 * matching arguments.
 */
#ifndef TERN_COLL_COLL_H
#define TERN_COLL_COLL_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/reduction_kernel.h"
#include "core/team.h"

/*
 * dest and source are symmetric addresses of this PE. On return, dest is complete on this PE and
 * source may be reused; nothing else is complete. Messages name `routine`. A call without data
 * still waits for the other members.
 */

/* A barrier of the team that does not complete RMA. */
void tern_coll_sync(struct tern_team *team, const char *routine);

/*
 * Copies from member `root`, 0 to size - 1, to all members; the root's own dest is written only if
 * to_root.
 */
void tern_coll_broadcast(struct tern_team *team, void *dest, const void *source, size_t bytes,
                         int root, bool to_root, const char *routine);

/* Concatenates the members' blocks in the order of the team. Lengths may differ, and be 0. */
void tern_coll_collect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                       const char *routine);

/* The same; all lengths are equal. */
void tern_coll_fcollect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                        const char *routine);

/* Block l of member k becomes block k of member l. */
void tern_coll_alltoall(struct tern_team *team, void *dest, const void *source, size_t bytes,
                        const char *routine);

/*
 * The same, with strides in elements: element i of block l is at (l * nelems + i) * sst in source,
 * and likewise with dst in dest.
 */
void tern_coll_alltoalls(struct tern_team *team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t size, const char *routine);

/*
 * Blocks of any lengths. The block from member j for this member has s_sizes[me] bytes and begins
 * at source + s_offsets[me], both read at member j. It is copied to dest + t_offsets[j]. If t_sizes
 * is not NULL, t_sizes[j] is set to its length. If t_offsets is NULL, blocks follow each other, up
 * to `room` bytes. Returns the number of bytes received. s_offsets and s_sizes are symmetric as
 * well; dest need not be.
 */
struct tern_blocks {
    const size_t *t_offsets;
    size_t *t_sizes;
    const size_t *s_offsets, *s_sizes;
    size_t room;
};
size_t tern_coll_alltoallv(struct tern_team *team, void *dest, const void *source,
                           const struct tern_blocks *blocks, const char *routine);

/* Combines the operands in the order of the team, so all members get the same bits. */
void tern_coll_reduce(struct tern_team *team, void *dest, const void *source, size_t n,
                      const struct tern_reduction_kernel *kernel, const char *routine);

/* Combines the operands of the members before this one, and of this one if inclusive. */
void tern_coll_scan(struct tern_team *team, void *dest, const void *source, size_t n,
                    const struct tern_reduction_kernel *kernel, bool inclusive,
                    const char *routine);

/*
 * Returns the team of an active set, which is made at the set's first use and kept until finalize.
 * The members and the address of pSync identify the set, so two threads of a PE may use two sets at
 * once. NULL if this PE is not in the set: the caller then returns without effect. The first such
 * call of a job prints a warning.
 */
struct tern_team *tern_coll_active_set(int pe_start, int log_stride, int pe_size, const long *psync,
                                       const char *routine);

#endif
