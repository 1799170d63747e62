/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts and gets: loads and stores on this node, core/remote.h otherwise. */
#ifndef TERN_CORE_RMA_H
#define TERN_CORE_RMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/copy.h"
#include "core/remote.h"
#include "core/route.h"

/*
 * A put and a get on this node, of a size that tern_copy_in_line() leaves; `to` of the put and
 * `from` of the get are peer addresses.
 */
void tern_rma_put_by_call(void *to, const void *from, size_t bytes, int pe);
void tern_rma_get_by_call(void *to, const void *from, size_t bytes);

/*
 * n elements of `size` bytes (a constant in every caller) from source here to dest at a PE of the
 * world, through a context that is named by its handle. On the node the data is in place at return,
 * nbi or not.
 */
TERN_INLINE void tern_rma_put(void *dest, const void *source, size_t n, size_t size, bool nbi,
                              int pe, const char *routine, uintptr_t ctx)
{
    void *to = tern_route_array(dest, n, size, pe);

    if (tern_unlikely(!to)) {
        tern_remote_put(dest, source, n, size, nbi, pe, routine, ctx);
        return;
    }
    if (tern_copy_in_line(to, source, n * size))
        tern_route_ring(pe);
    else
        tern_rma_put_by_call(to, source, n * size, pe);
}

TERN_INLINE void tern_rma_get(void *dest, const void *source, size_t n, size_t size, bool nbi,
                              int pe, const char *routine, uintptr_t ctx)
{
    const void *from = tern_route_array(source, n, size, pe);

    if (tern_unlikely(!from)) {
        tern_remote_get(dest, source, n, size, nbi, pe, routine, ctx);
        return;
    }
    if (tern_copy_in_line(dest, from, n * size))
        tern_fence_loads(); /* partner: the release or fence of whoever changes source next */
    else
        tern_rma_get_by_call(dest, from, n * size);
}

/* Copies n elements of `size` bytes; steps are in bytes. Other PEs see an aligned element whole. */
void tern_rma_copy_elements(char *to, size_t to_step, const char *from, size_t from_step,
                            size_t size, size_t n);

/*
 * nblocks blocks of bsize elements of `size` bytes; the starts of blocks are dst elements apart in
 * dest and sst in source. iput is the case of blocks of one.
 */
void tern_rma_put_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                         size_t nblocks, size_t size, int pe, const char *routine, uintptr_t ctx);
void tern_rma_get_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                         size_t nblocks, size_t size, int pe, const char *routine, uintptr_t ctx);

/*
 * A put of `bytes`, which may be 0, and then a signal that is visible only after the data. op is
 * TERN_NET_SET or TERN_NET_ADD.
 */
void tern_rma_put_signal(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                         uint64_t signal, enum tern_net_op op, bool nbi, int pe,
                         const char *routine, uintptr_t ctx);

#endif
