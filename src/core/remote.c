/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds objects of other PEs, on this node or behind the network, and operates on them. */
#include "core/remote.h"

#include "base/asan.h"
#include "base/atomics.h"
#include "base/bytes.h"
#include "base/limit.h"
#include "base/log.h"
#include "core/constant.h"
#include "core/ctx.h"
#include "core/job.h"
#include "core/require.h"
#include "core/route.h"
#include "core/translation.h"
#include "net/apply.h"

static TERN_NORETURN void refuse_unmapped(const void *addr, int pe, const char *argument,
                                          const char *routine)
{
    int node_pe = tern_boot_node_pe(tern_job.boot, pe);
    char why[TERN_LIMIT_ERROR_BYTES];

    if (!tern_load_acquire(&tern_boot_slot(tern_job.boot, node_pe)->image_bytes))
        tern_fatal(routine,
                   "%s %p: the static data of PE %d is not shared: see SHMEM_STATIC_DATA there",
                   argument, addr, pe);
    tern_limit_explain_error(tern_translation_image_error(), why);
    tern_fatal(routine, "%s %p: the static data of PE %d can't be mapped: %s", argument, addr, pe,
               why);
}

static TERN_COLD void *find_on_node(const void *addr, size_t bytes, int pe, const char *argument,
                                    const char *routine)
{
    void *at;

    if (bytes)
        tern_require_symmetric_at(addr, bytes, true, argument, routine);
    at = tern_translation_resolve(addr, bytes, pe);
    if (!at && bytes)
        refuse_unmapped(addr, pe, argument, routine);
    return at;
}

/* The common case: an object in the heap of a PE on another node. */
TERN_INLINE bool is_in_heap_elsewhere(const void *addr, size_t bytes, int pe)
{
    size_t offset = (uintptr_t)addr - tern_route.heap, heap_bytes = tern_route.heap_bytes;

    return offset < heap_bytes && bytes <= heap_bytes - offset &&
           (unsigned)pe < (unsigned)tern_job.n_pes && tern_likely(tern_route_is_open()) &&
           !tern_route_is_on_node(tern_route_distance(pe));
}

static struct tern_remote_object find_otherwise(const void *addr, size_t bytes, int pe,
                                                const char *argument, const char *routine)
{
    struct tern_remote_object object = {0};

    if (tern_unlikely(!tern_job_runs()))
        tern_require_job(routine);
    tern_require_pe(pe, routine);
    if (tern_unlikely(tern_boot_node_pe(tern_job.boot, pe) >= 0))
        object.address = find_on_node(addr, bytes, pe, argument, routine);
    else if (tern_unlikely(!tern_translation_offset(addr, bytes, &object.offset)) && bytes)
        tern_require_symmetric_at(addr, bytes, false, argument, routine);
    return object;
}

TERN_INLINE struct tern_remote_object find(const void *addr, size_t bytes, int pe,
                                           const char *argument, const char *routine)
{
    if (tern_likely(is_in_heap_elsewhere(addr, bytes, pe)))
        return (struct tern_remote_object){.offset = (uintptr_t)addr - tern_route.heap};
    return find_otherwise(addr, bytes, pe, argument, routine);
}

struct tern_remote_object tern_remote_find(const void *addr, size_t n, size_t size, int pe,
                                           const char *argument, const char *routine)
{
    return find(addr, tern_bytes_of(n, size), pe, argument, routine);
}

TERN_INLINE struct tern_remote_object find_word(const void *addr, unsigned width, int pe,
                                                const char *argument, const char *routine)
{
    struct tern_remote_object object = find(addr, width, pe, argument, routine);

    tern_require_aligned(addr, width, argument, routine);
    return object;
}

struct tern_remote_object tern_remote_find_word(const void *addr, unsigned width, int pe,
                                                const char *argument, const char *routine)
{
    return find_word(addr, width, pe, argument, routine);
}

struct tern_remote_object tern_remote_find_source(const void *source, size_t bytes, int pe,
                                                  const char *routine)
{
    if (tern_likely(is_in_heap_elsewhere(source, bytes, pe)) || !tern_constant_has(source, bytes))
        return find(source, bytes, pe, "source", routine);
    tern_require_job(routine);
    tern_require_pe(pe, routine);
    tern_constant_require_same(source, pe, routine);
    return (struct tern_remote_object){.address = (void *)source};
}

void tern_remote_put(void *dest, const void *source, size_t n, size_t size, bool nbi, int pe,
                     const char *routine, uintptr_t ctx)
{
    size_t bytes = tern_bytes_of(n, size);
    struct tern_remote_object to = find(dest, bytes, pe, "dest", routine);

    if (!bytes)
        return;
    tern_asan_check_read(source, 1, 0, bytes);
    if (!to.address) {
        (nbi ? tern_net->put_nbi : tern_net->put)(tern_ctx_channel(ctx), to.offset, source, bytes,
                                                  pe);
        return;
    }
    tern_net_store(to.address, source, bytes);
    tern_route_ring(pe);
}

void tern_remote_get(void *dest, const void *source, size_t n, size_t size, bool nbi, int pe,
                     const char *routine, uintptr_t ctx)
{
    size_t bytes = tern_bytes_of(n, size);
    struct tern_remote_object from = tern_remote_find_source(source, bytes, pe, routine);

    if (!bytes)
        return;
    tern_asan_check_write(dest, 1, 0, bytes);
    if (!from.address) {
        (nbi ? tern_net->get_nbi : tern_net->get)(tern_ctx_channel(ctx), dest, from.offset, bytes,
                                                  pe);
        return;
    }
    tern_net_store(dest, from.address, bytes);
    tern_fence_loads(); /* partner: the release or fence of whoever changes source next */
}

TERN_INLINE struct tern_remote_object find_amo(struct tern_remote_amo_kind kind, const void *object,
                                               int pe, const char *routine)
{
    return find_word(object, kind.width, pe, kind.op == TERN_NET_FETCH ? "source" : "dest",
                     routine);
}

static TERN_COLD void amo_on_node(struct tern_remote_amo_kind kind, void *fetch, void *at,
                                  uint64_t operand, uint64_t compare, int pe)
{
    if (kind.width == 4)
        *(uint32_t *)fetch = tern_net_apply32(kind.op, at, (uint32_t)operand, (uint32_t)compare);
    else
        *(uint64_t *)fetch = tern_net_apply64(kind.op, at, operand, compare);
    tern_route_ring(pe);
}

uint64_t tern_remote_amo(void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind, uintptr_t ctx)
{
    struct tern_remote_object at = find_amo(kind, object, pe, routine);
    union {
        uint32_t w4;
        uint64_t w8;
    } old;

    if (tern_likely(!at.address)) {
        tern_net->amo(tern_ctx_channel(ctx), kind.op, kind.width, at.offset, operand, compare,
                      &old.w8, pe);
        return old.w8;
    }
    amo_on_node(kind, &old, at.address, operand, compare, pe);
    return kind.width == 4 ? old.w4 : old.w8;
}

void tern_remote_amo_nbi(void *fetch, void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind, uintptr_t ctx)
{
    struct tern_remote_object at = find_amo(kind, object, pe, routine);

    tern_asan_check_write(fetch, 1, 0, kind.width);
    if (tern_likely(!at.address))
        tern_net->amo_nbi(tern_ctx_channel(ctx), kind.op, kind.width, at.offset, operand, compare,
                          fetch, pe);
    else
        amo_on_node(kind, fetch, at.address, operand, compare, pe);
}

static void update_otherwise(void *object, uint64_t operand, int pe, const char *routine,
                             struct tern_remote_amo_kind kind, uintptr_t ctx)
{
    struct tern_remote_object at = find_amo(kind, object, pe, routine);
    uint64_t unused;

    if (tern_likely(!at.address))
        tern_net->update(tern_ctx_channel(ctx), kind.op, kind.width, at.offset, operand, pe);
    else
        amo_on_node(kind, &unused, at.address, operand, 0, pe);
}

/* The common case by itself, which needs no memory on the stack. */
void tern_remote_amo_update(void *object, uint64_t operand, int pe, const char *routine,
                            struct tern_remote_amo_kind kind, uintptr_t ctx)
{
    if (tern_likely(is_in_heap_elsewhere(object, kind.width, pe) &&
                    tern_require_is_aligned(object, kind.width)))
        tern_net->update(tern_ctx_channel(ctx), kind.op, kind.width,
                         (uintptr_t)object - tern_route.heap, operand, pe);
    else
        update_otherwise(object, operand, pe, routine, kind, ctx);
}
