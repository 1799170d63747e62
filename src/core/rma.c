/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided and interleaved transfers, and put with signal. */
#include "core/rma.h"

#include "base/asan.h"
#include "base/atomics.h"
#include "base/copy_choice.h"
#include "base/copy_kernels.h"
#include "base/log.h"
#include "core/ctx.h"
#include "core/strided.h"

/* Puts and gets of sizes that are not copied in line. */
#define COPY(kernel) tern_rma_put_by_call##kernel
#define PARAMETERS , int pe
#define ARGUMENTS , pe
#define AFTER tern_route_ring(pe)
#include "base/copy_by_call.inc"

TERN_INLINE void end_get(void)
{
    tern_fence_loads(); /* partner: the release or fence of whoever changes source next */
}

#define COPY(kernel) tern_rma_get_by_call##kernel
#define PARAMETERS
#define ARGUMENTS
#define AFTER end_get()
#include "base/copy_by_call.inc"

/* Bytes from the first of nblocks blocks to the end of the last; false on overflow. */
static bool extent_of(ptrdiff_t stride, size_t bsize, size_t nblocks, size_t size, size_t *bytes)
{
    size_t gaps, elements;

    return !__builtin_mul_overflow((size_t)stride, nblocks - 1, &gaps) &&
           !__builtin_add_overflow(gaps, bsize, &elements) &&
           !__builtin_mul_overflow(elements, size, bytes);
}

/*
 * One loop for each size, so that the compiler sees a constant: an element is moved by one load and
 * one store, and PEs that load an aligned element meanwhile see all of it or none.
 */
#define COPY_ELEMENTS(type)                                                                        \
    for (size_t i = 0; i < n; i++)                                                                 \
    __builtin_memcpy(to + i * to_step, from + i * from_step, sizeof(type))

void tern_rma_copy_elements(char *to, size_t to_step, const char *from, size_t from_step,
                            size_t size, size_t n)
{
    switch (size) {
    case 1:
        COPY_ELEMENTS(uint8_t);
        break;
    case 2:
        COPY_ELEMENTS(uint16_t);
        break;
    case 4:
        COPY_ELEMENTS(uint32_t);
        break;
    case 8:
        COPY_ELEMENTS(uint64_t);
        break;
    default:
        for (size_t i = 0; i < n; i++)
            memcpy(to + i * to_step, from + i * from_step, size);
    }
}

static TERN_COLD TERN_NORETURN void refuse_stride(const char *argument, const char *array,
                                                  ptrdiff_t stride, size_t least,
                                                  const char *routine)
{
    tern_fatal(routine, "%s is %td: the stride of %s is at least %zu element%s", argument, stride,
               array, least, least == 1 ? "" : "s");
}

static void check_strides(ptrdiff_t dst, ptrdiff_t sst, size_t bsize, const char *routine)
{
    size_t least = bsize ? bsize : 1;

    if (tern_unlikely(dst < 1 || (size_t)dst < least))
        refuse_stride("dst", "dest", dst, least, routine);
    if (tern_unlikely(sst < 1 || (size_t)sst < least))
        refuse_stride("sst", "source", sst, least, routine);
}

void tern_rma_put_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                         size_t nblocks, size_t size, int pe, const char *routine, uintptr_t ctx)
{
    struct tern_remote_object object;
    size_t bytes = 0;
    char *to;

    check_strides(dst, sst, bsize, routine);
    if (!bsize || !nblocks) {
        tern_remote_find(dest, 0, size, pe, "dest", routine);
        return;
    }
    if (!extent_of(dst, bsize, nblocks, size, &bytes))
        bytes = SIZE_MAX; /* no segment is that long: translation says so */
    to = tern_route_array(dest, bytes, 1, pe);
    if (!to) {
        object = tern_remote_find(dest, bytes, 1, pe, "dest", routine);
        to = object.address;
        tern_asan_check_read(source, nblocks, (size_t)sst * size, bsize * size);
    }
    if (!to) {
        struct tern_strided blocks = {
            .remote = object.offset,
            .local = (void *)source,
            .remote_stride = (size_t)dst * size,
            .local_stride = (size_t)sst * size,
            .bytes = bsize * size,
            .n = nblocks,
        };

        tern_strided_put(tern_ctx_channel(ctx), &blocks, pe);
        return;
    }
    tern_rma_copy_elements(to, (size_t)dst * size, source, (size_t)sst * size, bsize * size,
                           nblocks);
    tern_route_ring(pe);
}

void tern_rma_get_blocks(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,
                         size_t nblocks, size_t size, int pe, const char *routine, uintptr_t ctx)
{
    struct tern_remote_object object;
    size_t bytes = 0;
    const char *from;

    check_strides(dst, sst, bsize, routine);
    if (!bsize || !nblocks) {
        tern_remote_find(source, 0, size, pe, "source", routine);
        return;
    }
    if (!extent_of(sst, bsize, nblocks, size, &bytes))
        bytes = SIZE_MAX;
    from = tern_route_array(source, bytes, 1, pe);
    if (!from) {
        object = tern_remote_find_source(source, bytes, pe, routine);
        from = object.address;
        tern_asan_check_write(dest, nblocks, (size_t)dst * size, bsize * size);
    }
    if (!from) {
        struct tern_strided blocks = {
            .remote = object.offset,
            .local = dest,
            .remote_stride = (size_t)sst * size,
            .local_stride = (size_t)dst * size,
            .bytes = bsize * size,
            .n = nblocks,
        };

        tern_strided_get(tern_ctx_channel(ctx), &blocks, pe);
        return;
    }
    tern_rma_copy_elements(dest, (size_t)dst * size, from, (size_t)sst * size, bsize * size,
                           nblocks);
    tern_fence_loads();
}

/* For PEs of this node. */
static void signal_local(uint64_t *at, uint64_t signal, enum tern_net_op op, int pe)
{
    tern_fence_stores(); /* partner: the acquire load in a wait for the signal */
    if (op == TERN_NET_ADD)
        tern_fetch_add(at, signal);
    else
        tern_store_release(at, signal);
    tern_route_ring(pe);
}

void tern_rma_put_signal(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                         uint64_t signal, enum tern_net_op op, bool nbi, int pe,
                         const char *routine, uintptr_t ctx)
{
    struct tern_remote_object data = {0},
                              word = {
                                  .address = tern_route_word(sig_addr, sizeof *sig_addr, pe),
                              };

    if (tern_unlikely(!word.address))
        word = tern_remote_find_word(sig_addr, sizeof *sig_addr, pe, "sig_addr", routine);
    if (tern_likely(word.address != NULL)) {
        if (bytes)
            tern_rma_put(dest, source, bytes, 1, nbi, pe, routine, ctx);
        signal_local(word.address, signal, op, pe);
        return;
    }
    if (bytes)
        data = tern_remote_find(dest, bytes, 1, pe, "dest", routine);
    tern_asan_check_read(source, 1, 0, bytes);
    tern_net->put_signal(tern_ctx_channel(ctx), data.offset, source, bytes, word.offset, signal, op,
                         nbi, pe);
}
