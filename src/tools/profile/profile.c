/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool behind oshrun --profile: times each call of the program and puts it into tables. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tool_protocol.h"
#include "tools/call.h"
#include "tools/clock.h"
#include "tools/profile/tables.h"
#include "tools/profile/teams.h"
#include "tools/profile/waits.h"
#include "tools/symmetric.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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

static void save(void)
{
    const char *folder = getenv(TERN_PROFILE_VARIABLE);
    int r;

    if (!folder || !*folder)
        folder = TERN_PROFILE_FOLDER;
    r = tern_tables_write(folder, tern_clock_ns());
    if (r)
        fprintf(stderr, "tern: the profile can't be written to %s: %s\n", folder, strerror(-r));
}

/*
 * Writes the profile before the finalize, because some libraries fail in it. The time
 * that this takes does not count as the program's.
 */
static void save_before_finalize(void)
{
    uint64_t began = tern_clock_ns();

    save();
    tern_tables_spend(TERN_APART, began, tern_clock_ns());
}

static void end(void)
{
    if (is_running())
        save();
    set_running(false);
}

static void end_at_exit(void)
{
    if (!is_running())
        return;
    pthread_mutex_lock(&lock);
    end();
    pthread_mutex_unlock(&lock);
}

/* A child of fork has a copy of its parent's tables; only the parent writes the profile. */
static void stop_in_child(void)
{
    set_running(false);
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
    set_running(tern_tables_open((uint32_t)TERN_REAL(shmem_my_pe)(),
                                 (uint32_t)TERN_REAL(shmem_n_pes)(), tern_clock_ns()));
    watch_exits();
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

/* Notes an update of a word that the target PE may be waiting for. */
static void note_update(struct tern_call *call, enum tern_transfer transfer, size_t bytes, int peer)
{
    const void *word = tern_call_pointer(call, TERN_SIG_ADDR);

    if (!word && (transfer == TERN_ATOMICS || (transfer == TERN_PUTS && bytes <= 8)))
        word = tern_call_pointer(call, TERN_DEST);
    if (word && peer >= 0)
        tern_tables_word(tern_symmetric_name(word), peer, 0);
}

static void note_transfer(struct tern_call *call, size_t bytes, int peer)
{
    enum tern_transfer transfer;

    if (!moves(call->routine->kind, &transfer))
        return;
    tern_tables_transfer(transfer, bytes, peer);
    if (peer >= 0)
        note_update(call, transfer, bytes, peer);
}

static void note_wait(const void *word, uint64_t ns)
{
    pthread_mutex_lock(&lock);
    tern_tables_word(tern_symmetric_name(word), -1, ns);
    pthread_mutex_unlock(&lock);
}

static void note(struct tern_call *call, int peer, uint64_t members, uint64_t began, uint64_t ended)
{
    enum tern_kind kind = call->routine->kind;
    size_t bytes = 0;

    if (call->routine->place[TERN_DEST] || call->routine->place[TERN_SOURCE])
        bytes = bytes_of(call, members);
    tern_tables_call(tern_tables_site(call->site, call->routine->name, activity(kind)), began,
                     ended, bytes, peer);
    if (begun == n_begun)
        tern_tables_spend(activity(kind), began, ended);
    else
        tern_tables_spend_beside(began, ended);
    note_transfer(call, bytes, peer);
    if (kind == TERN_KIND_ALLOC && !tern_symmetric_heap) /* the result may be NULL */
        tern_symmetric_set_heap(call->result.p);
}

/* Called before the call is made, because the call may destroy the team. */
static bool note_meeting(struct tern_call *call, struct tern_profile_meeting *meeting)
{
    bool known;

    pthread_mutex_lock(&lock);
    known = tern_teams_meeting(call, meeting);
    if (call->routine->kind == TERN_KIND_TEAM_DESTROY)
        tern_teams_forget(tern_call_pointer(call, TERN_TEAM));
    if (call->routine->kind == TERN_KIND_FINALIZE && inits == 1)
        save_before_finalize();
    pthread_mutex_unlock(&lock);
    return known;
}

static void observe(struct tern_call *call)
{
    enum tern_kind kind = call->routine->kind;
    struct tern_profile_meeting meeting = {0};
    uint64_t began, ended;
    bool meets = false;
    int peer = -1;

    if (is_meeting(call))
        meets = note_meeting(call, &meeting);
    else if (call->routine->place[TERN_PE])
        peer = tern_teams_peer(call);

    call->result.p = NULL;
    began = tern_clock_ns();
    if (kind == TERN_KIND_WAIT)
        tern_waits_run(call, note_wait);
    else
        tern_run(call);
    ended = tern_clock_ns();

    pthread_mutex_lock(&lock);
    note(call, peer, meeting.members, began, ended);
    if (meets) {
        meeting.came = began;
        meeting.left = ended;
        tern_tables_meeting(&meeting);
    }
    if (kind == TERN_KIND_FINALIZE && --inits == 0)
        end();
    pthread_mutex_unlock(&lock);
}

bool tern_tool_call(struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_INIT:
    case TERN_KIND_INIT_THREAD:
    case TERN_KIND_START_PES:
        initialize(call);
        break;
    case TERN_KIND_EXIT:
        end_at_exit();
        tern_run(call);
        break;
    case TERN_KIND_QUERY:
    case TERN_KIND_QUERY_THREAD:
    case TERN_KIND_CONTROL:
        tern_run(call);
        break;
    default:
        if (is_running())
            observe(call);
        else
            tern_run(call);
    }
    return false;
}
