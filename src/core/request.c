/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts operations that have a handle, and tests whether they are complete. */
#include "core/request.h"

#include <stdlib.h>

#include "base/atomics.h"
#include "base/log.h"
#include "core/constant.h"
#include "core/ctx.h"
#include "core/failure_detector.h"
#include "core/handle.h"
#include "core/job.h"
#include "core/order.h"
#include "core/require.h"
#include "core/rma.h"

struct tern_request {
    struct tern_net_group group;
    uintptr_t handle; /* 0 while the request is not in use */
    struct tern_request *next;
};

static TERN_PE_LOCAL struct tern_handles handles = TERN_HANDLES_INIT;

/* Requests are reused but never freed, so a test of one that has ended reads no freed memory. */
static TERN_PE_LOCAL struct {
    pthread_mutex_t lock;
    struct tern_request *free;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the user's handle ---- */

/* The handle of every operation that was complete when its call returned. */
#define DONE ((void *)1)

/*
 * Other handles contain the number of core/handle.h, and above it the PE and a bit that no pointer
 * has set. So a handle of another PE, or a random value, is not taken for one of this PE's.
 */
#define NUMBER_BITS 52
#define MARK (UINT64_C(1) << 63)
#define PE_MASK UINT64_C(0x7ff)

_Static_assert(sizeof(void *) == sizeof(uint64_t), "a handle has room for its PE");

static uint64_t mark_of(int pe)
{
    return MARK | ((uint64_t)pe & PE_MASK) << NUMBER_BITS;
}

static uint64_t number_of(const void *handle)
{
    return (uintptr_t)handle & ((UINT64_C(1) << NUMBER_BITS) - 1);
}

static void *name_of(const struct tern_request *request)
{
    return (void *)(request->handle | mark_of(tern_job.pe));
}

static void refuse(const void *handle, const char *routine)
{
    uint64_t marks = (uintptr_t)handle & ~((UINT64_C(1) << NUMBER_BITS) - 1);

    if ((marks & MARK) && marks != mark_of(tern_job.pe))
        tern_fatal(routine,
                   "handle %p is of another PE: only the PE that started an operation can "
                   "ask for it",
                   handle);
    tern_fatal(routine,
               "handle %p is not of an operation: pass what the routine has stored, not its "
               "address",
               handle);
}

/* NULL: the request has ended. */
static struct tern_request *find(void *handle, const char *routine)
{
    uint64_t number = number_of(handle);
    struct tern_request *request = NULL;

    if (handle == DONE)
        return NULL;
    if (((uintptr_t)handle ^ number) == mark_of(tern_job.pe))
        request = tern_handle_find(&handles, number);
    else
        refuse(handle, routine);
    if (!request && !tern_handle_is_stale(&handles, number))
        refuse(handle, routine);
    return request;
}

/* ---- creation and end ---- */

static struct tern_request *take(void)
{
    struct tern_request *request;

    pthread_mutex_lock(&pool.lock);
    request = pool.free;
    if (request)
        pool.free = request->next;
    pthread_mutex_unlock(&pool.lock);
    if (!request)
        request = malloc(sizeof *request);
    if (request)
        *request = (struct tern_request){0};
    return request;
}

static void give_back(struct tern_request *request)
{
    pthread_mutex_lock(&pool.lock);
    request->next = pool.free;
    pool.free = request;
    pthread_mutex_unlock(&pool.lock);
}

static bool is_on_other_node(int pe)
{
    return tern_net != &tern_net_none && (unsigned)pe < (unsigned)tern_job.n_pes &&
           tern_boot_node_pe(tern_job.boot, pe) < 0;
}

/*
 * Sets *handle. NULL: the caller wants no handle, the PE is on this node, or no request is left;
 * then the operation must be complete at return.
 */
static struct tern_request *begin(int pe, void **handle)
{
    struct tern_request *request;

    if (!handle)
        return NULL;
    *handle = DONE;
    if (!is_on_other_node(pe))
        return NULL;
    request = take();
    if (!request)
        return NULL;
    request->handle = tern_handle_add(&handles, request);
    if (!request->handle) {
        give_back(request);
        return NULL;
    }
    *handle = name_of(request);
    return request;
}

/* If several threads find the same request complete, one of them ends it. */
static void end(struct tern_request *request, uint64_t number)
{
    uintptr_t expected = number;

    if (!__atomic_compare_exchange_n(&request->handle, &expected, 0, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return;
    tern_handle_remove(&handles, number);
    give_back(request);
}

/* ---- operations ---- */

void tern_request_put(void *dest, const void *source, size_t bytes, int pe, const char *routine,
                      void **handle)
{
    struct tern_request *request = begin(pe, handle);
    struct tern_remote_object to;

    if (!request) {
        tern_rma_put(dest, source, bytes, 1, !handle, pe, routine, TERN_CTX_DEFAULT);
        return;
    }
    to = tern_remote_find(dest, bytes, 1, pe, "dest", routine);
    tern_net->put_group(NULL, to.offset, source, bytes, &request->group, pe);
}

void tern_request_get(void *dest, const void *source, size_t bytes, int pe, const char *routine,
                      void **handle)
{
    bool here = is_on_other_node(pe) && tern_constant_has(source, bytes);
    struct tern_request *request = begin(here ? tern_job.pe : pe, handle);
    struct tern_remote_object from;

    if (!request) {
        tern_rma_get(dest, source, bytes, 1, !handle, pe, routine, TERN_CTX_DEFAULT);
        return;
    }
    from = tern_remote_find(source, bytes, 1, pe, "source", routine);
    tern_net->get_group(NULL, dest, from.offset, bytes, &request->group, pe);
}

/* The operation without a request; wait: it must be complete at return. */
static void amo_without(struct tern_remote_amo_kind kind, void *fetch, void *dest, uint64_t operand,
                        uint64_t compare, int pe, const char *routine, bool wait)
{
    uint64_t old;

    if (!fetch) {
        tern_remote_amo_update(dest, operand, pe, routine, kind, TERN_CTX_DEFAULT);
        return;
    }
    if (!wait) {
        tern_remote_amo_nbi(fetch, dest, operand, compare, pe, routine, kind, TERN_CTX_DEFAULT);
        return;
    }
    old = tern_remote_amo(dest, operand, compare, pe, routine, kind, TERN_CTX_DEFAULT);
    if (kind.width == 4)
        *(uint32_t *)fetch = (uint32_t)old;
    else
        *(uint64_t *)fetch = old;
}

void tern_request_amo(enum tern_net_op op, unsigned width, void *fetch, void *dest,
                      uint64_t operand, uint64_t compare, int pe, const char *routine,
                      void **handle)
{
    struct tern_remote_amo_kind kind = {op, width};
    struct tern_request *request = begin(pe, handle);
    struct tern_remote_object to;

    if (!request) {
        amo_without(kind, fetch, dest, operand, compare, pe, routine, handle != NULL);
        return;
    }
    to = tern_remote_find_word(dest, width, pe, "dest", routine);
    tern_net->amo_group(NULL, op, width, to.offset, operand, compare, fetch, &request->group, pe);
}

/* ---- completion ---- */

/* Acquire: partner of the engine's release when the last part is done. */
static bool is_complete(const struct tern_request *request)
{
    if (tern_load_acquire(&request->group.left))
        return false;
    tern_failure_detector_require_results();
    return true;
}

bool tern_request_test(void *handle, const char *routine)
{
    struct tern_request *request;

    tern_require_job(routine);
    if (!handle)
        return tern_order_try_quiet(NULL);
    request = find(handle, routine);
    if (!request)
        return true;
    if (!tern_wait_looked(is_complete(request)))
        return false;
    end(request, number_of(handle));
    return true;
}

void tern_request_wait(void *handle, const char *routine)
{
    struct tern_request *request;
    struct tern_wait w;

    tern_require_job(routine);
    if (!handle) {
        tern_order_quiet();
        return;
    }
    request = find(handle, routine);
    if (!request)
        return;
    w = tern_wait_begin(&tern_job.bells[tern_job.pe], routine);
    while (!is_complete(request))
        tern_wait_step(&w);
    tern_wait_end(&w);
    end(request, number_of(handle));
}

static void end_visited(void *object, void *unused)
{
    struct tern_request *request = object;

    end(request, request->handle);
}

void tern_request_stop(void)
{
    tern_handle_each(&handles, end_visited, NULL);
}
