/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tool behind oshrun --check: passes each call of the program to the checks, before it is made
 * and after it has returned.
 */
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/tool_hooks.h"
#include "base/tool_protocol.h"
#include "tools/check/args/addresses.h"
#include "tools/check/args/blocks.h"
#include "tools/check/args/call_filter.h"
#include "tools/check/args/contexts.h"
#include "tools/check/args/heap_range.h"
#include "tools/check/args/library_state.h"
#include "tools/check/args/locks.h"
#include "tools/check/args/private_extents.h"
#include "tools/check/args/teams.h"
#include "tools/check/args/work_arrays.h"
#include "tools/check/hang/waits.h"
#include "tools/check/match/collect.h"
#include "tools/check/match/match.h"
#include "tools/check/race/collective_order.h"
#include "tools/check/race/program_accesses.h"
#include "tools/check/race/race.h"
#include "tools/check/report/dedup.h"
#include "tools/check/report/findings.h"
#include "tools/check/report/result.h"
#include "tools/check/shared/board.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/records_lock.h"
#include "tools/check/shared/static_objects.h"
#include "tools/symmetric.h"

/* ---- allocation ---- */

/*
 * A block that the call frees is removed before the call: the library may allocate it again before
 * the call has returned.
 */
static void memory_before(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;

    if (routine->kind == TERN_KIND_ALLOC && routine->place[TERN_BLOCK] &&
        !routine->place[TERN_SIZE])
        tern_check_blocks_remove(call, tern_call_pointer(call, TERN_BLOCK));
}

/*
 * A realloc without a result has failed and changed nothing, unless the size was 0: then it has
 * freed the block.
 */
static void memory_after(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;
    size_t size;

    if (routine->kind != TERN_KIND_ALLOC || !routine->place[TERN_SIZE])
        return;
    size = tern_check_blocks_size(call);
    if (routine->place[TERN_BLOCK] && (call->result.p || size == 0))
        tern_check_blocks_remove(call, tern_call_pointer(call, TERN_BLOCK));
    if (call->result.p)
        tern_check_blocks_add(call, call->result.p, size);
}

/* ---- the end ---- */

/* In a correct program no other thread is in a call any more. */
static void report_end(void)
{
    tern_check_locks_end();
    tern_check_contexts_end();
    tern_check_teams_end();
    tern_check_blocks_end();
    tern_check_findings_summarize();
}

static bool exits_for_all;
static pid_t process; /* that called init: its children inherit the exit handlers */

static bool misses_accesses(void)
{
    return tern_check_race_is_on && !tern_check_program_accesses_are_seen;
}

/*
 * start_pes has no finalize: the library ends with the process, after this handler. A process that
 * fails does not end it.
 */
static void end_with_process(int status, void *unused)
{
    if (status != 0 || exits_for_all || getpid() != process || !tern_check_library_state_runs())
        return;
    report_end();
    tern_check_result_print(misses_accesses());
    tern_check_library_state_end();
}

/* ---- start and end, with other PEs ---- */

/* The library knows about calls that the check has not seen, or that came from a wrong thread. */
static bool library_runs(void)
{
    int runs = tern_check_library_state_runs();

    if (runs && tern_has("shmem_query_initialized"))
        TERN_REAL(shmem_query_initialized)(&runs);
    return runs;
}

static bool end_is_reported; /* as a mismatch with the call of another PE */

static void end_process(int status, void *unused)
{
    unsigned long n_found;

    if (getpid() != process)
        return;
    tern_call_stay_inside();
    n_found = tern_check_findings_count();
    if (!exits_for_all && library_runs())
        tern_check_match_exit(status);
    end_is_reported = tern_check_findings_count() > n_found;
    tern_check_waits_exit();
}

/*
 * Runs after all exit handlers of the program, any of which may call shmem_finalize. PE 0 reports
 * for all PEs: if only some PEs call shmem_finalize, those report the others.
 */
static void report_unfinished(void)
{
    if (!library_runs())
        return;
    tern_check_findings_summarize();
    if (tern_check_my_pe() == 0 && !end_is_reported)
        tern_check_findings_print("check: PE 0 of %d: %s: all PEs have to call it\n",
                                  tern_check_n_pes(),
                                  tern_check_findings_title(FINDING_UNFINISHED));
}

static void report_at_exit(int status, void *unused)
{
    if (getpid() != process)
        return;
    if (status == 0 && !exits_for_all)
        report_unfinished();
    tern_check_result_exit();
}

static bool is_opening;

bool tern_tool_is_allocating(void)
{
    return is_opening;
}

/* After the first init, on all PEs. */
static void open_all(bool until_exit)
{
    static bool was_opened;
    struct tern_check_slot *slot;
    struct tern_check_board *board;

    process = getpid();
    is_opening = true;
    board = tern_check_board_open(tern_check_race_bytes(), &slot);
    tern_check_dedup_open(board, slot);
    tern_check_waits_open(board, slot);
    tern_check_match_open(until_exit);
    if (tern_symmetric_heap)
        tern_check_heap_range_find((const void *)tern_symmetric_heap);
    tern_check_result_open(board, slot);
    is_opening = false;
    tern_check_race_open(tern_check_board_extra(), tern_check_board_is_first_requester());
    if (!was_opened)
        on_exit(end_process, NULL);
    was_opened = true;
}

/* Whether the call starts OpenSHMEM, if it has not been started yet. */
static bool is_init(enum tern_kind kind)
{
    return kind == TERN_KIND_INIT || kind == TERN_KIND_INIT_THREAD || kind == TERN_KIND_START_PES;
}

/* The library has started or ended. */
static void change(enum tern_kind kind)
{
    if (!tern_check_library_state_runs()) {
        tern_check_match_close();
        tern_check_waits_close();
    } else if (is_init(kind)) {
        open_all(kind == TERN_KIND_START_PES);
    }
}

/* ---- calls ---- */

#define BIT(kind) (UINT64_C(1) << TERN_KIND_##kind)

#define TRANSFERS                                                                                  \
    (BIT(PUT) | BIT(PUT_NBI) | BIT(GET) | BIT(GET_NBI) | BIT(AMO) | BIT(AMO_FETCH) |               \
     BIT(AMO_NBI) | BIT(PUT_SIGNAL) | BIT(PUT_SIGNAL_NBI) | BIT(SIGNAL))

/* Kinds that access the memory of one PE. */
static const uint64_t transfers = TRANSFERS;

/* Kinds that access memory; all others take handles only. */
static const uint64_t accesses =
    TRANSFERS | BIT(WAIT) | BIT(TEST) | BIT(LOCK_CLEAR) | BIT(COLLECTIVE) | BIT(ALLOC);

/* Kinds whose results are recorded. */
static const uint64_t results = BIT(INIT) | BIT(INIT_THREAD) | BIT(START_PES) | BIT(FINALIZE) |
                                BIT(ALLOC) | BIT(TEAM_SPLIT) | BIT(CTX_CREATE);

static const uint64_t waits = BIT(WAIT) | BIT(TEST) | BIT(LOCK_CLEAR);

/* Kinds after which this PE may know more about other PEs, or about its own operations. */
static const uint64_t learns = BIT(AMO_FETCH) | BIT(AMO_NBI) | BIT(WAIT) | BIT(TEST) | BIT(QUIET) |
                               BIT(PE_QUIET) | BIT(CTX_DESTROY) | BIT(QUERY) | BIT(OTHER);

/* Kinds that can block, or that other PEs block on. */
static const uint64_t posted = BIT(ALLOC) | BIT(BARRIER) | BIT(SYNC) | BIT(COLLECTIVE) |
                               BIT(TEAM_SPLIT) | BIT(TEAM_DESTROY) | BIT(FINALIZE) | BIT(WAIT) |
                               BIT(LOCK_CLEAR);

static bool is_of(const struct tern_call *call, uint64_t kinds)
{
    return kinds >> call->routine->kind & 1;
}

static void before(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;

    if ((routine->kind == TERN_KIND_ALLOC || routine->place[TERN_PE_SIZE]) &&
        tern_check_call_filter_report(call))
        return;
    if (routine->place[TERN_CTX])
        tern_check_contexts_before(call);
    if (routine->place[TERN_TEAM] || (routine->kind == TERN_KIND_QUERY && routine->arguments[0]))
        tern_check_teams_before(call);
    if (is_of(call, transfers))
        tern_check_contexts_check_pe(call);
    if (is_of(call, accesses)) {
        if (is_of(call, waits))
            tern_check_locks_before(call);
        tern_check_addresses_check(call);
        memory_before(call);
    }
    exits_for_all |= routine->kind == TERN_KIND_EXIT;
    if (routine->place[TERN_PE_SIZE])
        tern_check_work_arrays_check(call);
    else if (tern_check_work_arrays_in_use)
        tern_check_work_arrays_note_call(call);
    if (tern_check_race_is_on)
        tern_check_race_before(call);
}

static void after(struct tern_call *call)
{
    if (tern_check_library_state_runs()) {
        memory_after(call);
        tern_check_locks_after(call);
        tern_check_contexts_after(call);
        if (call->routine->kind == TERN_KIND_TEAM_SPLIT)
            tern_check_teams_after(call);
        if (tern_check_race_is_on)
            tern_check_race_after(call);
    } else if (call->routine->kind == TERN_KIND_START_PES) {
        on_exit(end_with_process, NULL);
    }
    tern_check_library_state_after(call);
}

/* Most calls need no record after they have returned. */
static bool has_after(const struct tern_call *call)
{
    return is_of(call, results) ||
           (is_of(call, waits) && tern_check_locks_is_routine(call->routine)) ||
           (tern_check_race_is_on && is_of(call, learns));
}

/* Calls that can block, or that others block on, are posted on the board. */
static bool can_block(const struct tern_call *call)
{
    return is_of(call, posted) ||
           (is_of(call, BIT(TEST)) && tern_check_locks_is_routine(call->routine));
}

/* The records need no lock where one thread makes all calls. */
static void order_collective(void (*order)(struct tern_call *, const struct tern_check_group *,
                                           uint64_t),
                             struct tern_call *call, const struct tern_check_group *group)
{
    bool is_alone = tern_check_library_state_is_alone();

    if (!is_alone)
        tern_check_records_lock();
    order(call, group, tern_check_match_number());
    if (!is_alone)
        tern_check_records_unlock();
}

/* Leaks are reported before the library ends. */
static void run(struct tern_call *call)
{
    bool is_posted = tern_check_library_state_runs() && can_block(call), is_ordered = false;
    struct tern_check_group *group = NULL;

    if (tern_check_call_filter_drops(call))
        return;
    if (is_posted) {
        tern_check_waits_enter(call);
        is_ordered = tern_check_match_before(call, &group) && tern_check_race_is_on;
    }
    if (tern_check_library_state_is_last(call)) {
        report_end();
        tern_check_result_print(misses_accesses());
    }
    if (group && tern_check_collect_is(call->routine))
        tern_check_collect_before(call, group, tern_check_match_number());
    if (is_ordered)
        order_collective(tern_check_collective_order_enter, call, group);
    tern_check_call_filter_run(call);
    if (is_ordered)
        order_collective(tern_check_collective_order_leave, call, group);
    if (is_posted) {
        if (group && tern_check_collect_is(call->routine))
            tern_check_collect_after(call, group, tern_check_match_number());
        tern_check_match_after(call);
        tern_check_waits_leave(call);
    }
}

/* The usual case: the library runs, and no other thread makes calls. */
static void call_alone(struct tern_call *call)
{
    before(call);
    if (!has_after(call) && !can_block(call)) {
        tern_run(call);
        return;
    }
    run(call);
    if (has_after(call))
        after(call);
}

/*
 * A call that the thread level forbids. A collective one counts all the same: the other PEs make it
 * too.
 */
static void run_forbidden(struct tern_call *call)
{
    if (tern_check_library_state_runs() && is_of(call, posted) &&
        !tern_check_library_state_is_last(call))
        run(call);
    else
        tern_run(call);
}

/* Other threads may make calls, or the thread level is not known yet. */
static void call_shared(struct tern_call *call)
{
    bool is_known;

    tern_check_records_lock();
    is_known = tern_check_library_state_before(call);
    if (is_known && tern_check_library_state_runs())
        before(call);
    tern_check_records_unlock();
    if (!is_known) {
        run_forbidden(call);
        return;
    }
    run(call);
    tern_check_records_lock();
    after(call);
    tern_check_records_unlock();
}

/*
 * Whether the wrappers may make this thread's transfers directly, if these stay within the block
 * that is known.
 */
static bool may_be_quick(void)
{
    return tern_check_library_state_runs() && tern_check_library_state_is_alone() &&
           !tern_check_work_arrays_in_use;
}

bool tern_tool_call(struct tern_call *call)
{
    bool was_running = tern_check_library_state_runs();

    tern_check_findings_begin_call();
    if (is_init(call->routine->kind))
        tern_check_waits_start();
    if (tern_check_library_state_is_alone())
        call_alone(call);
    else
        call_shared(call);
    if (was_running != tern_check_library_state_runs())
        change(call->routine->kind);
    tern_check_findings_begin_call(); /* the next ones may bypass the tool */
    return may_be_quick();
}

static void __attribute__((constructor)) start(void)
{
    tern_check_findings_start();
    tern_check_static_objects_start();
    tern_check_private_extents_start();
    on_exit(report_at_exit, NULL);
}
