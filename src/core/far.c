/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that the fast path could not do, and the messages about those that nobody can. */
#include "core/far.h"

#include <string.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/log.h"
#include "core/job.h"
#include "core/route.h"

void tern_far_require_job(const char *routine)
{
    if (tern_job_runs())
        return;
    if (tern_boot_attach(environ)->forked)
        tern_fatal(routine, "called in the child of a fork: only the PE itself may use OpenSHMEM");
    if (tern_job.was_started)
        tern_fatal(routine, "called after shmem_finalize");
    tern_fatal(routine, "called before shmem_init");
}

void tern_far_bad_pe(int pe, int n_pes, const char *routine)
{
    tern_fatal(routine, "PE %d is outside 0..%d", pe, n_pes - 1);
}

void tern_far_require_symmetric(const void *addr, size_t bytes, const char *argument,
                                const char *routine)
{
    char text[256];
    const char *problem;

    tern_far_require_job(routine);
    if (!addr)
        tern_fatal(routine, "%s is NULL: it must be a symmetric address", argument);
    problem = tern_route_explain(addr, bytes, text, sizeof text);
    if (problem)
        tern_fatal(routine, "%s %p %s", argument, addr, problem);
}

static void require(const void *addr, size_t bytes, int pe, const char *argument,
                    const char *routine)
{
    tern_far_require_job(routine);
    if ((unsigned)pe >= (unsigned)tern_job.n_pes)
        tern_far_bad_pe(pe, tern_job.n_pes, routine);
    if (bytes)
        tern_far_require_symmetric(addr, bytes, argument, routine);
}

static size_t bytes_of(size_t n, size_t size)
{
    size_t bytes;

    return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

void *tern_far_translate(const void *addr, size_t n, size_t size, int pe, const char *argument,
                         const char *routine)
{
    size_t bytes = bytes_of(n, size);
    void *at;

    require(addr, bytes, pe, argument, routine);
    at = tern_route_resolve(addr, bytes, pe);
    if (!at && bytes && tern_boot_node_pe(tern_job.boot, pe) >= 0)
        tern_fatal(routine, "%s %p: the static data of PE %d can't be mapped", argument, addr, pe);
    if (!at && bytes && tern_net->reaches(pe) != 0)
        tern_fatal(routine, "PE %d is on another node and no network reaches it", pe);
    return at;
}

void tern_far_put(void *dest, const void *source, size_t n, size_t size, int pe,
                  const char *routine)
{
    void *to = tern_far_translate(dest, n, size, pe, "dest", routine);

    if (!n)
        return;
    if (!to) {
        tern_net->put(NULL, dest, source, n * size, pe);
        return;
    }
    memcpy(to, source, n * size);
    tern_route_ring(pe);
}

void tern_far_get(void *dest, const void *source, size_t n, size_t size, int pe,
                  const char *routine)
{
    const void *from = tern_far_translate(source, n, size, pe, "source", routine);

    if (!n)
        return;
    if (!from) {
        tern_net->get(NULL, dest, source, n * size, pe);
        return;
    }
    memcpy(dest, from, n * size);
    tern_fence_loads();
}

/* What api/amo_width.inc does inline, for an address that was hard to find. */
#define NEAR_AMO(type)                                                                             \
    static type near_amo_##type(enum tern_net_op op, type *at, type operand, type compare)         \
    {                                                                                              \
        switch (op) {                                                                              \
        case TERN_NET_FETCH:                                                                       \
            return tern_load_acquire(at);                                                          \
        case TERN_NET_SET:                                                                         \
            tern_store_release(at, operand);                                                       \
            return 0;                                                                              \
        case TERN_NET_SWAP:                                                                        \
            return __atomic_exchange_n(at, operand, __ATOMIC_ACQ_REL);                             \
        case TERN_NET_COMPARE_SWAP:                                                                \
            __atomic_compare_exchange_n(at, &compare, operand, 0, __ATOMIC_ACQ_REL,                \
                                        __ATOMIC_ACQUIRE);                                         \
            return compare;                                                                        \
        case TERN_NET_ADD:                                                                         \
            return __atomic_fetch_add(at, operand, __ATOMIC_ACQ_REL);                              \
        case TERN_NET_AND:                                                                         \
            return __atomic_fetch_and(at, operand, __ATOMIC_ACQ_REL);                              \
        case TERN_NET_OR:                                                                          \
            return __atomic_fetch_or(at, operand, __ATOMIC_ACQ_REL);                               \
        case TERN_NET_XOR:                                                                         \
            return __atomic_fetch_xor(at, operand, __ATOMIC_ACQ_REL);                              \
        }                                                                                          \
        __builtin_unreachable();                                                                   \
    }

NEAR_AMO(uint32_t)
NEAR_AMO(uint64_t)

uint64_t tern_far_amo(enum tern_net_op op, unsigned width, void *dest, uint64_t operand,
                      uint64_t compare, int pe, const char *routine)
{
    void *at =
        tern_far_translate(dest, 1, width, pe, op == TERN_NET_FETCH ? "source" : "dest", routine);
    uint64_t old = 0;

    if (!at) {
        tern_net->amo(NULL, op, width, dest, operand, compare, &old, pe);
        return old;
    }
    if (width == 4)
        old = near_amo_uint32_t(op, at, (uint32_t)operand, (uint32_t)compare);
    else
        old = near_amo_uint64_t(op, at, operand, compare);
    tern_route_ring(pe);
    return old;
}
