/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives over a team, in bytes and reduction kernels; every member calls with matching
 * arguments.
 */
#ifndef TERN_COLL_COLL_H
#define TERN_COLL_COLL_H

#include <stdbool.h>
#include <stddef.h>

#include "coll/reduction_kernel.h"
#include "core/team.h"

/*
 * dest and source are symmetric addresses of this PE. All return with dest complete on this PE and
 * source reusable; they complete nothing else. routine names the caller in messages. A call with
 * nothing to move still waits for its partners.
 */

/* The team's barrier, without completing RMA. */
void tern_coll_sync(struct tern_team *team, const char *routine);

/* From the member `root`, 0 to size - 1, to all; its own dest is written only if to_root. */
void tern_coll_broadcast(struct tern_team *team, void *dest, const void *source, size_t bytes,
                         int root, bool to_root, const char *routine);

/* Blocks in the order of the team; each member's may have another length, or none. */
void tern_coll_collect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                       const char *routine);

/* The same with one length for all. */
void tern_coll_fcollect(struct tern_team *team, void *dest, const void *source, size_t bytes,
                        const char *routine);

/* Block l of member k becomes block k of member l. */
void tern_coll_alltoall(struct tern_team *team, void *dest, const void *source, size_t bytes,
                        const char *routine);

/* The same with element i of block l at (l * nelems + i) * sst of source, and dst likewise. */
void tern_coll_alltoalls(struct tern_team *team, void *dest, const void *source, ptrdiff_t dst,
                         ptrdiff_t sst, size_t nelems, size_t size, const char *routine);

/*
 * Blocks of any lengths: this member's from member j has s_sizes[me] bytes, begins at source +
 * s_offsets[me] there, and goes to dest + t_offsets[j]; t_sizes[j], if there is a t_sizes, becomes
 * its length. Without t_offsets blocks follow each other, up to `room` bytes. Returns the bytes
 * that have come. s_offsets and s_sizes are symmetric, too; dest need not be.
 */
struct tern_blocks {
    const size_t *t_offsets;
    size_t *t_sizes;
    const size_t *s_offsets, *s_sizes;
    size_t room;
};
size_t tern_coll_alltoallv(struct tern_team *team, void *dest, const void *source,
                           const struct tern_blocks *blocks, const char *routine);

/* Combined in the order of the team, so that every member has the same bits. */
void tern_coll_reduce(struct tern_team *team, void *dest, const void *source, size_t n,
                      const struct tern_reduction_kernel *kernel, const char *routine);

/* Sums of the members before this one, and of this one as well if inclusive. */
void tern_coll_scan(struct tern_team *team, void *dest, const void *source, size_t n,
                    const struct tern_reduction_kernel *kernel, bool inclusive,
                    const char *routine);

/*
 * The team behind an active set: made when the set is first used, kept until finalize. Sets are
 * told apart by their members and by the symmetric offset of pSync, so that one PE's threads may be
 * in two at once. NULL: this PE is not in the set; the first one to be so is warned of, and the
 * call is to return and change nothing.
 */
struct tern_team *tern_coll_active_set(int pe_start, int log_stride, int pe_size, const long *psync,
                                       const char *routine);

#endif
