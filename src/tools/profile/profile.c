/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool behind oshrun --profile: times each call of the program and puts it into tables. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/call.h"
#include "tools/clock.h"
#include "tools/profile/burst.h"
#include "tools/profile/phases.h"
#include "tools/profile/ready.h"
#include "tools/profile/sampler.h"
#include "tools/profile/tables.h"
#include "tools/profile/teams.h"
#include "tools/profile/waits.h"
#include "tools/symmetric.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct tern_profile *profile;
static bool running; /* between the first init and the last finalize; not in a child of fork */
static int inits;    /* calls of init without a finalize yet */

/*
 * The main thread is the one that called the latest init which began the library. A pthread_t may
 * be reused after its thread has ended, so each thread notes which of these inits it called.
 */
static unsigned n_begun;
static __thread unsigned begun; /* the number of this thread's latest one, from 1 on; 0: none */

static bool is_running(void)
{
    return __atomic_load_n(&running, __ATOMIC_RELAXED);
}

static void set_running(bool value)
{
    __atomic_store_n(&running, value, __ATOMIC_RELAXED);
}

/* ---- begin and end ---- */

/*
 * Completes the profile before the finalize, because some libraries fail in it. The time
 * that this takes does not count as the program's.
 */
static void save_before_finalize(void)
{
    uint64_t began = tern_clock_ns();

    tern_ready_note(profile);
    tern_tables_save(began);
    tern_tables_spend(TERN_APART, began, tern_clock_ns());
}

static void end(void)
{
    if (is_running()) {
        tern_phases_begin(profile, NULL, tern_clock_ns());
        tern_ready_note(profile);
        tern_tables_save(tern_clock_ns());
    }
    set_running(false);
    tern_sampler_stop();
}

static void end_at_exit(void)
{
    if (!is_running())
        return;
    pthread_mutex_lock(&lock);
    end();
    pthread_mutex_unlock(&lock);
}

/* A child of fork has its parent's file mapped; only the parent writes to it. */
static void stop_in_child(void)
{
    set_running(false);
    tern_sampler_stop();
}

static void watch_exits(void)
{
    static bool watches;

    if (watches)
        return;
    watches = true;
    atexit(end_at_exit);
    pthread_atfork(NULL, NULL, stop_in_child);
}

/* After an init that began the library: the heap and the teams are new. */
static void begin(void)
{
    begun = ++n_begun;
    tern_symmetric_set_heap(NULL);
    tern_teams_forget_all();
    tern_program_locate();
    tern_burst_prepare();
    profile = tern_tables_open((uint32_t)TERN_REAL(shmem_my_pe)(),
                               (uint32_t)TERN_REAL(shmem_n_pes)(), tern_clock_ns());
    set_running(profile != NULL);
    watch_exits();
    if (!profile)
        return;
    tern_ready_begin(profile);
    tern_sampler_start(profile, tern_real("shmem_my_pe"));
}

static void initialize(struct tern_call *call)
{
    tern_run(call);
    pthread_mutex_lock(&lock);
    if (inits++ == 0)
        begin();
    pthread_mutex_unlock(&lock);
}

/* ---- what a call is ---- */

static enum tern_activity activity(enum tern_kind kind)
{
    switch (kind) {
    case TERN_KIND_COLLECTIVE:
        return TERN_COLLECTIVES;
    case TERN_KIND_BARRIER:
    case TERN_KIND_SYNC:
    case TERN_KIND_WAIT:
    case TERN_KIND_TEST:
    case TERN_KIND_ALLOC:
    case TERN_KIND_TEAM_SPLIT:
    case TERN_KIND_TEAM_DESTROY:
    case TERN_KIND_FINALIZE:
        return TERN_WAITING;
    default:
        return TERN_TRANSFERS;
    }
}

/* Whether all PEs of the team, or of the job, have to make the call. */
static bool is_meeting(struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_COLLECTIVE:
    case TERN_KIND_BARRIER:
    case TERN_KIND_SYNC:
    case TERN_KIND_TEAM_SPLIT:
    case TERN_KIND_TEAM_DESTROY:
        return !call->routine->place[TERN_TEAM] ||
               tern_call_pointer(call, TERN_TEAM) != SHMEM_TEAM_INVALID;
    case TERN_KIND_ALLOC:
        return !tern_call_allocates_nothing(call);
    default:
        return call->routine->kind == TERN_KIND_FINALIZE;
    }
}

static bool moves(enum tern_kind kind, enum tern_transfer *transfer)
{
    switch (kind) {
    case TERN_KIND_PUT:
    case TERN_KIND_PUT_NBI:
    case TERN_KIND_PUT_SIGNAL:
    case TERN_KIND_PUT_SIGNAL_NBI:
        *transfer = TERN_PUTS;
        return true;
    case TERN_KIND_GET:
    case TERN_KIND_GET_NBI:
        *transfer = TERN_GETS;
        return true;
    case TERN_KIND_AMO:
    case TERN_KIND_AMO_FETCH:
    case TERN_KIND_AMO_NBI:
    case TERN_KIND_SIGNAL:
        *transfer = TERN_ATOMICS;
        return true;
    case TERN_KIND_COLLECTIVE:
        *transfer = TERN_BLOCKS;
        return true;
    default:
        return false;
    }
}

static bool is_alltoall(struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_COLLECTIVE && strstr(call->routine->name, "alltoall");
}

/* members: the number of PEs that make the call together, if it is collective. */
static size_t bytes_of(struct tern_call *call, uint64_t members)
{
    size_t n = (size_t)tern_call_number(call, TERN_NELEMS, 1) *
               (size_t)tern_call_number(call, TERN_NBLOCKS, 1) *
               (size_t)tern_call_number(call, TERN_BSIZE, 1);

    if (is_alltoall(call)) /* a block for each member */
        n *= (size_t)members;
    return n * call->routine->element;
}

/* What a call moves, and where to. */
struct move {
    bool moves;
    enum tern_transfer transfer;
    size_t bytes;
    int peer;
    uint64_t word; /* of that PE, which may be waiting for it; else 0 */
};

static struct move describe(struct tern_call *call, int peer, uint64_t members)
{
    const void *word = tern_call_pointer(call, TERN_SIG_ADDR);
    struct move m = {.peer = peer};

    if (call->routine->place[TERN_DEST] || call->routine->place[TERN_SOURCE])
        m.bytes = bytes_of(call, members);
    m.moves = moves(call->routine->kind, &m.transfer);
    if (!m.moves || peer < 0)
        return m;
    if (!word && (m.transfer == TERN_ATOMICS || (m.transfer == TERN_PUTS && m.bytes <= 8)))
        word = tern_call_pointer(call, TERN_DEST);
    if (word)
        m.word = tern_symmetric_name(word);
    return m;
}

static __thread uint64_t awaited; /* the word that ended this thread's last wait */

static void note_wait(const void *word, uint64_t ns)
{
    awaited = tern_symmetric_name(word);
    pthread_mutex_lock(&lock);
    tern_tables_wait(awaited, ns);
    pthread_mutex_unlock(&lock);
}

/* A call of this thread that was recorded: calls that bypass the tool afterwards are like it. */
struct last {
    int site;
    enum tern_activity activity;
    struct move move;
    uint64_t ended, ns; /* ns: of the call alone, without that of reading the clock */
};
static __thread struct last last;

/* Records n calls that have bypassed the tool since the thread's last recorded call. */
static void note_bypassed(const struct last *like, uint64_t n, uint64_t now)
{
    uint64_t ns = n * like->ns, bytes = n * like->move.bytes;

    if (n == 0)
        return;
    if (now > last.ended && ns > now - last.ended)
        ns = now - last.ended;
    tern_tables_calls(like->site, n, ns, bytes);
    if (begun == n_begun) {
        tern_tables_spread(like->activity, last.ended, now, ns);
        tern_phases_add(profile, like->activity, ns, n, bytes);
    } else {
        tern_tables_spend_beside(n, ns);
    }
    if (like->move.moves)
        tern_tables_transfer(like->move.transfer, like->move.bytes, like->move.peer, n);
    if (like->move.word)
        tern_tables_update(like->move.word, like->move.peer, -1, 0, 0, n);
}

#define NOT_FOUND_YET (-2)

/* An observed call, beside its record. */
struct observed {
    uint64_t bypassed; /* calls that have bypassed the tool before it */
    int site;          /* of tern_tables_site(), or NOT_FOUND_YET */
    struct move move;
    bool meets;
    struct tern_profile_meeting meeting; /* with its times, for all calls */
};

static int site_of(struct tern_call *call)
{
    return tern_tables_site(call->site, call->routine->name, activity(call->routine->kind));
}

/* Records the call, and those that have bypassed the tool before it. */
static void note(struct tern_call *call, const struct observed *seen)
{
    enum tern_kind kind = call->routine->kind;
    const struct move *move = &seen->move;
    uint64_t began = seen->meeting.came, ended = seen->meeting.left, ns = ended - began;
    struct last now = {seen->site, activity(kind), *move, ended,
                       ns > tern_burst_clock_ns() ? ns - tern_burst_clock_ns() : 1};

    note_bypassed(tern_burst_is_part(call) ? &now : &last, seen->bypassed, began);
    last = now;
    tern_tables_call(seen->site, &(struct tern_profile_call){began, ended, move->bytes, move->peer,
                                                             kind == TERN_KIND_WAIT ? awaited : 0});
    if (begun == n_begun) {
        tern_tables_spend(activity(kind), began, ended);
        tern_phases_add(profile, activity(kind), ns, 1, move->bytes);
    } else {
        tern_tables_spend_beside(1, ns);
    }
    if (move->moves)
        tern_tables_transfer(move->transfer, move->bytes, move->peer, 1);
    if (move->word)
        tern_tables_update(move->word, move->peer, seen->site, began, ended, 1);
    if (kind == TERN_KIND_ALLOC && !tern_symmetric_heap) /* the result may be NULL */
        tern_symmetric_set_heap(call->result.p);
}

/* Called before the call is made, because the call may destroy the team. */
static bool note_meeting(struct tern_call *call, struct tern_profile_meeting *meeting)
{
    bool known = tern_teams_meeting(call, meeting);

    if (call->routine->kind == TERN_KIND_TEAM_DESTROY)
        tern_teams_forget(tern_call_pointer(call, TERN_TEAM));
    if (call->routine->kind == TERN_KIND_FINALIZE && inits == 1)
        save_before_finalize();
    return known;
}

/* Before a call that may last: notes that the main thread is in it. */
static void enter(struct tern_call *call, struct observed *seen)
{
    pthread_mutex_lock(&lock);
    if (is_meeting(call))
        seen->meets = note_meeting(call, &seen->meeting);
    seen->site = site_of(call);
    seen->meeting.came = tern_clock_ns();
    if (begun == n_begun)
        tern_tables_enter(seen->site, seen->meeting.came);
    pthread_mutex_unlock(&lock);
}

static void leave(struct tern_call *call, struct observed *seen)
{
    pthread_mutex_lock(&lock);
    if (seen->site == NOT_FOUND_YET)
        seen->site = site_of(call);
    note(call, seen);
    if (begun == n_begun)
        tern_tables_leave();
    if (seen->meets)
        tern_tables_meeting(&seen->meeting);
    if (call->routine->kind == TERN_KIND_FINALIZE && --inits == 0)
        end();
    pthread_mutex_unlock(&lock);
}

static void observe(struct tern_call *call)
{
    struct observed seen = {.bypassed = tern_burst_bypassed(), .site = NOT_FOUND_YET};
    int peer = call->routine->place[TERN_PE] ? tern_teams_peer(call) : -1;

    if (activity(call->routine->kind) == TERN_TRANSFERS)
        seen.meeting.came = tern_clock_ns();
    else
        enter(call, &seen);
    seen.move = describe(call, peer, seen.meeting.members);
    call->result.p = NULL;
    awaited = 0;
    if (call->routine->kind == TERN_KIND_WAIT)
        tern_waits_run(call, note_wait);
    else
        tern_run(call);
    seen.meeting.left = tern_clock_ns();
    leave(call, &seen);
    tern_burst_next(call, seen.meeting.left);
}

/* ---- shmem_pcontrol ---- */

static uint64_t off_since; /* when the program switched the profile off; 0: it is on */

static void set_on(bool on, uint64_t now)
{
    if (on && off_since) {
        tern_tables_spend(TERN_APART, off_since, now);
        __atomic_store_n(&off_since, 0, __ATOMIC_RELAXED);
    } else if (!on && !off_since) {
        __atomic_store_n(&off_since, now, __ATOMIC_RELAXED);
    }
}

/* Levels from 3 on name a phase: 3 by its argument, the others by their number. */
static void begin_phase(struct tern_call *call, uint64_t now)
{
    char number[32];

    snprintf(number, sizeof number, "phase %lld", (long long)call->arg[0].i);
    tern_phases_begin(profile, call->arg[0].i == 3 ? call->arg[1].p : number, now);
}

static void control(struct tern_call *call)
{
    int64_t level = call->arg[0].i;
    uint64_t now = tern_clock_ns();

    tern_run(call);
    if (!is_running() || begun != n_begun)
        return;
    pthread_mutex_lock(&lock);
    note_bypassed(&last, tern_burst_bypassed(), now);
    if (level <= 2)
        set_on(level > 0, now);
    else
        begin_phase(call, now);
    if (level == 2) {
        save_before_finalize();
        tern_tables_resume();
    }
    pthread_mutex_unlock(&lock);
}

/* ---- the tool ---- */

static bool is_off(void)
{
    return __atomic_load_n(&off_since, __ATOMIC_RELAXED) != 0;
}

bool tern_tool_call(struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_INIT:
    case TERN_KIND_INIT_THREAD:
    case TERN_KIND_START_PES:
        initialize(call);
        return false;
    case TERN_KIND_EXIT:
        end_at_exit();
        tern_run(call);
        return false;
    case TERN_KIND_CONTROL:
        control(call);
        return false;
    case TERN_KIND_QUERY:
    case TERN_KIND_QUERY_THREAD:
        tern_run(call);
        return false;
    default:
        break;
    }
    if (!is_running() || (is_off() && call->routine->kind != TERN_KIND_FINALIZE)) {
        tern_run(call);
        return false;
    }
    if (call->routine->kind == TERN_KIND_FINALIZE && is_off())
        set_on(true, tern_clock_ns());
    observe(call);
    return false;
}
