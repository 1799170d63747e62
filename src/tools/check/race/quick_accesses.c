/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what the last call of each routine has in common with the next ones from the same place. */
#include "tools/check/race/quick_accesses.h"

#include <shmem.h>

#include "tools/check/args/contexts.h"
#include "tools/check/race/access_log.h"
#include "tools/check/race/private_buffers.h"
#include "tools/check/race/program_accesses.h"
#include "tools/check/race/race.h"
#include "tools/check/race/site_table.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/ishmem.h"
#include "tools/program.h"
#include "tools/quick.h"
#include "tools/symmetric.h"

struct last {
    const void *site; /* NULL: there was none that others may follow */
    uint32_t number;  /* of the site */
    uint16_t how, ctx;
};
static struct last lasts[TERN_MOST_ROUTINES];

#define MOST_PREFETCHED 64
static ptrdiff_t distances[MOST_PREFETCHED]; /* from this PE's heap to other PEs' */

/* So a mutex that the tool locks does not count as one of the program. */
#define INSIDE(...)                                                                                \
    do {                                                                                           \
        tern_thread_state = TERN_INSIDE;                                                           \
        __VA_ARGS__;                                                                               \
        tern_thread_state = TERN_QUICK;                                                            \
    } while (0)

static bool log_word(const struct last *last, const void *symmetric, size_t bytes, int pe)
{
    tern_check_program_accesses_flush();
    return tern_check_access_log_add_word(last->number, pe, (uintptr_t)symmetric, bytes, last->how,
                                          last->ctx);
}

/*
 * Programs that access words at random wait for memory: for the word, and for its records. The
 * processor fetches both at a time. If the address is wrong, as for static objects, nothing
 * happens.
 */
static void prefetch(const void *symmetric, int pe)
{
    if (pe < MOST_PREFETCHED)
        __builtin_prefetch((const char *)symmetric + distances[pe]);
}

/* The local side, if any, is private memory: only buffers of nonblocking calls matter there. */
static bool enter(const struct tern_routine *routine, const void *symmetric, size_t bytes, int pe,
                  const void *site)
{
    const struct last *last = &lasts[routine - tern_routines];
    bool may_bypass;

    if (last->site != site || bytes > 8 || bytes == 0 || tern_check_private_buffers_range.size)
        return false;
    prefetch(symmetric, pe);
    INSIDE(may_bypass = log_word(last, symmetric, bytes, pe));
    return may_bypass;
}

static void learn(const void *symmetric, size_t bytes, int pe)
{
    tern_check_access_log_learn(pe, (uintptr_t)symmetric, bytes);
    if (!tern_check_clocks_sees_all())
        tern_check_clocks_learn_all();
}

static void leave(const void *symmetric, size_t bytes, int pe)
{
    INSIDE(learn(symmetric, bytes, pe));
}

static void note_order(bool is_quiet)
{
    tern_check_program_accesses_flush();
    if (is_quiet)
        tern_check_clocks_quiet(CTX_DEFAULT);
    else
        tern_check_clocks_fence(CTX_DEFAULT);
}

static bool order(bool is_quiet)
{
    if (tern_check_private_buffers_range.size || tern_check_race_has_fetched())
        return false;
    INSIDE(note_order(is_quiet));
    return true;
}

static void find_distances(void)
{
    const char *own = (const char *)tern_symmetric_heap;

    for (int pe = 0; pe < tern_check_n_pes() && pe < MOST_PREFETCHED; pe++) {
        const char *there = TERN_REAL(shmem_ptr)(own, pe);

        distances[pe] = there ? there - own : 0;
    }
}

void tern_check_quick_accesses_start(void)
{
    find_distances();
    tern_quick.order = order;
    tern_quick.leave = leave;
    tern_quick.enter = enter;
}

void tern_check_quick_accesses_stop(void)
{
    tern_quick.enter = NULL;
    tern_quick.leave = NULL;
    tern_quick.order = NULL;
}

static bool is_at_once(enum tern_kind kind)
{
    return kind == TERN_KIND_GET || kind == TERN_KIND_AMO_FETCH;
}

/*
 * Calls from outside of the program, or by libishmem, may be made for another place, which is found
 * with their records only.
 */
void tern_check_quick_accesses_note(const struct tern_call *call, unsigned how)
{
    struct last *last = &lasts[call->routine - tern_routines];
    enum tern_kind kind = call->routine->kind;

    if (last->site == call->site ||
        (!is_at_once(kind) && kind != TERN_KIND_PUT && kind != TERN_KIND_AMO))
        return;
    last->site = NULL;
    if (!tern_program_has(call->site) || tern_check_ishmem_is_used())
        return;
    last->number = tern_check_site_table_number(call);
    last->how = (uint16_t)how;
    last->ctx = is_at_once(kind) ? CTX_AT_ONCE : CTX_DEFAULT;
    last->site = call->site;
}
