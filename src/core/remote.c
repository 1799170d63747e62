/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that the fast path could not do. */
#include "core/remote.h"

#include <string.h>

#include "base/atomics.h"
#include "base/bytes.h"
#include "base/log.h"
#include "core/constant.h"
#include "core/ctx.h"
#include "core/job.h"
#include "core/require.h"
#include "core/route.h"
#include "core/translation.h"
#include "net/apply.h"

static TERN_NORETURN void unmapped(const void *addr, int pe, const char *argument,
                                   const char *routine)
{
    int node_pe = tern_boot_node_pe(tern_job.boot, pe);
    bool shared = tern_load_acquire(&tern_boot_slot(tern_job.boot, node_pe)->image_bytes) > 0;

    tern_fatal(routine, "%s %p: the static data of PE %d %s", argument, addr, pe,
               shared ? "can't be mapped" : "is not shared: see SHMEM_STATIC_DATA there");
}

static void *translate(const void *addr, size_t bytes, int pe, const char *argument,
                       const char *routine)
{
    bool local;
    void *at;

    tern_require_job(routine);
    tern_require_pe(pe, routine);
    local = tern_boot_node_pe(tern_job.boot, pe) >= 0;
    if (bytes)
        tern_require_symmetric_at(addr, bytes, local, argument, routine);
    if (!local)
        return NULL;
    at = tern_translation_resolve(addr, bytes, pe);
    if (!at && bytes)
        unmapped(addr, pe, argument, routine);
    return at;
}

void *tern_remote_translate(const void *addr, size_t n, size_t size, int pe, const char *argument,
                            const char *routine)
{
    return translate(addr, tern_bytes_of(n, size), pe, argument, routine);
}

void *tern_remote_translate_word(const void *addr, unsigned width, int pe, const char *argument,
                                 const char *routine)
{
    void *at = translate(addr, width, pe, argument, routine);

    tern_require_aligned(addr, width, argument, routine);
    return at;
}

const void *tern_remote_translate_source(const void *source, size_t bytes, int pe,
                                         const char *routine)
{
    if (tern_likely(!tern_constant_has(source, bytes)))
        return translate(source, bytes, pe, "source", routine);
    tern_require_job(routine);
    tern_require_pe(pe, routine);
    tern_constant_require_same(source, pe, routine);
    return source;
}

/* Elements that are looked at while they are copied stay whole. */
static void copy(void *dest, const void *source, size_t bytes)
{
    switch (bytes) {
    case 2:
        __builtin_memcpy(dest, source, 2);
        break;
    case 4:
        __builtin_memcpy(dest, source, 4);
        break;
    case 8:
        __builtin_memcpy(dest, source, 8);
        break;
    default:
        memcpy(dest, source, bytes);
    }
}

/* True if nothing is left to do for the network; likewise below. */
static bool put_local(void *dest, const void *source, size_t bytes, int pe, const char *routine)
{
    void *to = translate(dest, bytes, pe, "dest", routine);

    if (to && bytes) {
        copy(to, source, bytes);
        tern_route_ring(pe);
    }
    return to || !bytes;
}

void tern_remote_put(void *dest, const void *source, size_t n, size_t size, int pe,
                     const char *routine, uintptr_t ctx)
{
    size_t bytes = tern_bytes_of(n, size);

    if (!put_local(dest, source, bytes, pe, routine))
        tern_net->put(tern_ctx_channel(ctx), dest, source, bytes, pe);
}

void tern_remote_put_nbi(void *dest, const void *source, size_t n, size_t size, int pe,
                         const char *routine, uintptr_t ctx)
{
    size_t bytes = tern_bytes_of(n, size);

    if (!put_local(dest, source, bytes, pe, routine))
        tern_net->put_nbi(tern_ctx_channel(ctx), dest, source, bytes, pe);
}

static bool get_local(void *dest, const void *source, size_t bytes, int pe, const char *routine)
{
    const void *from = tern_remote_translate_source(source, bytes, pe, routine);

    if (from && bytes) {
        copy(dest, from, bytes);
        tern_fence_loads(); /* partner: the release or fence of whoever changes source next */
    }
    return from || !bytes;
}

void tern_remote_get(void *dest, const void *source, size_t n, size_t size, int pe,
                     const char *routine, uintptr_t ctx)
{
    size_t bytes = tern_bytes_of(n, size);

    if (!get_local(dest, source, bytes, pe, routine))
        tern_net->get(tern_ctx_channel(ctx), dest, source, bytes, pe);
}

void tern_remote_get_nbi(void *dest, const void *source, size_t n, size_t size, int pe,
                         const char *routine, uintptr_t ctx)
{
    size_t bytes = tern_bytes_of(n, size);

    if (!get_local(dest, source, bytes, pe, routine))
        tern_net->get_nbi(tern_ctx_channel(ctx), dest, source, bytes, pe);
}

static bool amo_local(struct tern_remote_amo_kind kind, void *fetch, void *object, uint64_t operand,
                      uint64_t compare, int pe, const char *routine)
{
    const char *argument = kind.op == TERN_NET_FETCH ? "source" : "dest";
    void *at = tern_remote_translate_word(object, kind.width, pe, argument, routine);

    if (!at)
        return false;
    if (kind.width == 4)
        *(uint32_t *)fetch = tern_net_apply32(kind.op, at, (uint32_t)operand, (uint32_t)compare);
    else
        *(uint64_t *)fetch = tern_net_apply64(kind.op, at, operand, compare);
    tern_route_ring(pe);
    return true;
}

uint64_t tern_remote_amo(void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind, uintptr_t ctx)
{
    union {
        uint32_t w4;
        uint64_t w8;
    } old;

    if (!amo_local(kind, &old, object, operand, compare, pe, routine))
        tern_net->amo(tern_ctx_channel(ctx), kind.op, kind.width, object, operand, compare, &old.w8,
                      pe);
    else if (kind.width == 4)
        return old.w4;
    return old.w8;
}

void tern_remote_amo_nbi(void *fetch, void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind, uintptr_t ctx)
{
    if (!amo_local(kind, fetch, object, operand, compare, pe, routine))
        tern_net->amo_nbi(tern_ctx_channel(ctx), kind.op, kind.width, object, operand, compare,
                          fetch, pe);
}

void tern_remote_amo_update(void *object, uint64_t operand, int pe, const char *routine,
                            struct tern_remote_amo_kind kind, uintptr_t ctx)
{
    uint64_t nobodys;

    if (!amo_local(kind, &nobodys, object, operand, 0, pe, routine))
        tern_net->amo(tern_ctx_channel(ctx), kind.op, kind.width, object, operand, 0, NULL, pe);
}
