/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Posts on the board the calls that this PE's threads are blocked in, and the locks that it holds.
 */
#include "tools/check/hang/waits.h"

#include <errno.h>
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <string.h>

#include "tools/check/args/locks.h"
#include "tools/check/args/signature.h"
#include "tools/check/hang/hang_table.h"
#include "tools/check/hang/wait_text.h"
#include "tools/check/report/findings.h"
#include "tools/symmetric.h"
#include "tools/thread.h"

static struct tern_check_board *board;
static struct tern_check_slot *slot;
static pthread_key_t at_thread_end;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the slot's groups and locks */

/* this thread's element of the slot's waits, or NULL */
static __thread struct tern_check_wait *my_wait __attribute__((tls_model("initial-exec")));

/* ---- threads ---- */

static void give_back(void *given)
{
    uint32_t bit = 1u << ((struct tern_check_wait *)given - slot->waits);

    __atomic_and_fetch(&slot->threads, ~bit, __ATOMIC_RELEASE);
}

static struct tern_check_wait *take(void)
{
    for (int i = 0; i < MAX_THREADS; i++)
        if (!(__atomic_fetch_or(&slot->threads, 1u << i, __ATOMIC_ACQUIRE) & 1u << i)) {
            pthread_setspecific(at_thread_end, &slot->waits[i]);
            return &slot->waits[i];
        }
    return NULL; /* more threads than elements: this one is not shown */
}

void tern_check_waits_enter(struct tern_call *call)
{
    struct tern_check_wait *wait;

    if (!board)
        return;
    if (!my_wait)
        my_wait = take();
    wait = my_wait;
    if (!wait)
        return;
    wait->routine = (uint32_t)(call->routine - tern_routines);
    wait->site = tern_check_portable_location_site(call);
    __atomic_store_n(&wait->group, 0, __ATOMIC_RELAXED);
    for (int i = 0; i < 12; i++)
        wait->arg[i] = call->arg[i].u;
    /* partner: the loads in tern_check_wait_text_update() and in hang/hang_table.c */
    __atomic_store_n(&wait->turn, wait->turn + 1, __ATOMIC_RELEASE);
}

/* ---- locks ---- */

static void hold(uint64_t name, const void *site)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_LOCKS; i++)
        if (!slot->locks[i].name) {
            tern_check_portable_location_of(site, &slot->locks[i].location);
            __atomic_store_n(&slot->locks[i].name, name,
                             __ATOMIC_RELEASE); /* partner: hang/hang_table.c */
            break;
        }
    pthread_mutex_unlock(&lock);
}

static void release(uint64_t name)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_LOCKS; i++)
        if (slot->locks[i].name == name) {
            __atomic_store_n(&slot->locks[i].name, 0, __ATOMIC_RELAXED);
            break;
        }
    pthread_mutex_unlock(&lock);
}

static void note_lock(struct tern_call *call)
{
    uint64_t name = tern_symmetric_name(call->arg[0].p);

    if (call->routine->kind == TERN_KIND_LOCK_CLEAR)
        release(name);
    else if (call->routine->kind == TERN_KIND_WAIT || call->result.i == 0)
        hold(name, tern_check_portable_location_site(call));
}

void tern_check_waits_leave(struct tern_call *call)
{
    if (!board)
        return;
    if (my_wait) {
        /* partner: the store of describing, then load of turn, in tern_check_wait_text_update() */
        __atomic_store_n(&my_wait->turn, my_wait->turn + 1, __ATOMIC_SEQ_CST);
        tern_check_wait_text_await();
    }
    if (tern_check_locks_is_routine(call->routine))
        note_lock(call);
}

/* ---- groups ---- */

static void count(uint64_t key, uint64_t calls)
{
    int room = -1;

    for (int i = 0; i < MAX_GROUPS; i++)
        if (slot->groups[i].key == key) {
            __atomic_store_n(&slot->groups[i].count, calls, __ATOMIC_RELAXED);
            return;
        } else if (!slot->groups[i].key && room < 0)
            room = i;
    if (room >= 0) {
        __atomic_store_n(&slot->groups[room].count, calls, __ATOMIC_RELAXED);
        __atomic_store_n(&slot->groups[room].key, key, __ATOMIC_RELEASE);
    }
}

void tern_check_waits_enter_group(uint64_t key, uint64_t number, const void *record)
{
    if (!board)
        return;
    if (my_wait) {
        my_wait->number = number;
        my_wait->group_record = record;
        __atomic_store_n(&my_wait->group, key,
                         __ATOMIC_RELEASE); /* partner: copy() in hang/wait_text.c */
    }
    if (__atomic_load_n(&slot->groups[0].key, __ATOMIC_RELAXED) == key) { /* the world, usually */
        __atomic_store_n(&slot->groups[0].count, number + 1, __ATOMIC_RELAXED);
        return;
    }
    pthread_mutex_lock(&lock);
    count(key, number + 1);
    pthread_mutex_unlock(&lock);
}

void tern_check_waits_add_group(uint64_t key)
{
    if (!board)
        return;
    pthread_mutex_lock(&lock);
    count(key, 0);
    pthread_mutex_unlock(&lock);
}

void tern_check_waits_forget_group(uint64_t key)
{
    if (!board)
        return;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAX_GROUPS; i++)
        if (slot->groups[i].key == key)
            __atomic_store_n(&slot->groups[i].key, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void tern_check_waits_note_mismatch(void)
{
    if (board)
        __atomic_store_n(&board->mismatch, 1, __ATOMIC_RELAXED);
}

/* ---- begin and end ---- */

static void request_table(int unused)
{
    int before = errno;

    if (!board)
        return;
    __atomic_add_fetch(&board->wanted, 1, __ATOMIC_RELAXED);
    tern_check_board_ring(&board->bell);
    errno = before;
}

void tern_check_waits_start(void)
{
    struct sigaction ours = {.sa_handler = request_table, .sa_flags = SA_RESTART}, theirs;
    static bool started;

    if (__atomic_exchange_n(&started, true, __ATOMIC_RELAXED))
        return;
    if (sigaction(SIGQUIT, NULL, &theirs) == 0 && theirs.sa_handler == SIG_DFL)
        sigaction(SIGQUIT, &ours, NULL);
}

/* The watching thread: answers requests, and prints the table if this PE is the leader. */
static void *watch(void *unused)
{
    for (;;) {
        uint32_t bell = __atomic_load_n(&board->bell, __ATOMIC_ACQUIRE);

        if (__atomic_load_n(&slot->asked, __ATOMIC_RELAXED) != slot->answered)
            tern_check_wait_text_update(slot);
        if (__atomic_load_n(&board->leader, __ATOMIC_RELAXED) == slot - board->slots)
            tern_check_hang_table_poll(board, slot);
        tern_check_board_wait(&board->bell, bell, tern_check_hang_table_pause_ms(board, slot));
    }
    return NULL;
}

void tern_check_waits_open(struct tern_check_board *its_board, struct tern_check_slot *its_slot)
{
    bool first = !board;

    board = its_board;
    slot = its_slot;
    if (!first || !board)
        return;
    pthread_key_create(&at_thread_end, give_back);
    tern_check_hang_table_start();
    if (!tern_thread_start(watch))
        tern_check_findings_print(
            "check: hangs are not looked for: no thread can be started (see ulimit -u, and "
            "pids.max of the control group)\n");
}

void tern_check_waits_close(void)
{
    if (board)
        __atomic_store_n(&slot->state, SLOT_FINALIZED, __ATOMIC_RELEASE);
}

static bool has_ended(int i)
{
    return __atomic_load_n(&board->slots[i].state, __ATOMIC_SEQ_CST) == SLOT_ENDED;
}

/*
 * Makes the next PE that has not ended the leader. If that PE ends at the same time, then either
 * this one sees that it has ended, or it sees that it is the leader: on both sides a store comes
 * before a load.
 */
void tern_check_waits_exit(void)
{
    if (!board)
        return;
    __atomic_store_n(&slot->state, SLOT_ENDED, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&board->leader, __ATOMIC_SEQ_CST) != slot - board->slots)
        return;
    for (int next = 0; next < board->n_slots; next++) {
        if (has_ended(next))
            continue;
        __atomic_store_n(&board->leader, next, __ATOMIC_SEQ_CST);
        if (has_ended(next))
            continue;
        tern_check_board_ring(&board->bell);
        return;
    }
}
