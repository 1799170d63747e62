/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses who has started this process, and is the way to it for the rest of the library. */
#include "boot/boot.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "boot/join.h"
#include "boot/launcher.h"
#include "boot/misuse_hint.h"
#include "boot/oshrun.h"
#include "boot/pe_lock.h"
#include "boot/text.h"

static TERN_PE_LOCAL struct tern_boot boot;
static TERN_PE_LOCAL bool boot_attached;
static TERN_PE_LOCAL struct tern_start_error start_error;

/* NULL: oshrun, or none. */
static TERN_PE_LOCAL const struct tern_launcher *launcher;

/*
 * Whether the launcher is to learn how this PE ends. Several threads may want to tell it at the
 * same time: the program's, which exits, one that made a mistake, and the failure detector's. One
 * of them does.
 */
enum connection {
    NOT_CONNECTED,
    CONNECTED, /* the launcher has been spoken to */
    ENDING,    /* a thread ends the connection, or the job */
    ENDED,
};

static TERN_PE_LOCAL uint32_t connection; /* enum connection */

/* The process that has the place: its forked children inherit the exit handler. */
static TERN_PE_LOCAL int boot_pid;

/* shmem_global_exit has been called: the job ends with this PE, whatever its status. */
static TERN_PE_LOCAL bool ends_for_all;

/* ---- who speaks ---- */

/* For the line of another PE to be out. */
#define COMPLAINT_MS 100

/* An error while PEs start is that of the job: see job_area.h. */
static bool may_complain(void)
{
    uint32_t me = (uint32_t)boot.pe + 1, who = 0;

    if (!boot.area || tern_load_relaxed(&boot.slot->phase) != TERN_SLOT_CLAIMED ||
        __atomic_compare_exchange_n(&boot.area->complaint, &who, me, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        (who & ~TERN_COMPLAINED) == me)
        return true;
    for (int i = 0; i < COMPLAINT_MS && !(who & TERN_COMPLAINED); i++) {
        usleep(1000);
        who = tern_load_acquire(&boot.area->complaint);
    }
    return false;
}

static void has_complained(void)
{
    uint32_t me = (uint32_t)boot.pe + 1;

    if (boot.area)
        __atomic_compare_exchange_n(&boot.area->complaint, &me, me | TERN_COMPLAINED, false,
                                    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

bool tern_boot_warns_first(enum tern_boot_warning warning)
{
    static TERN_PE_LOCAL uint32_t alone;
    uint32_t *warned = boot.area ? &boot.area->warned : &alone;
    uint32_t bit = UINT32_C(1) << warning;

    /* Partner: the same operation of other PEs: one of them finds the bit clear. */
    return !(__atomic_fetch_or(warned, bit, __ATOMIC_RELAXED) & bit);
}

/* From the first message on it is clear who speaks, and the launcher need not repeat it. */
static void introduce(void)
{
    tern_log_identify_pe("PE", boot.pe, boot.n_pes);
    tern_log_on_fatal(tern_boot_set_told);
    tern_log_on_end(tern_boot_abort);
    tern_log_on_error(may_complain, has_complained);
}

/* ---- the end of the process ---- */

/* For those who wait for this PE; where oshrun is not, nobody else tells them. */
static void note_departure(struct tern_slot *slot)
{
    tern_store_relaxed(&boot.area->last_departed, (uint32_t)(slot - boot.area->slots));
    tern_fetch_add(&boot.area->departed, 1);
}

static void leave_slot(struct tern_slot *slot, int status)
{
    tern_store_release(&slot->exiting, TERN_EXITING | ((uint32_t)status & 0xff));
    if (launcher && status == 0)
        note_departure(slot);
    if (launcher || tern_load_relaxed(&slot->phase) != TERN_SLOT_CLAIMED)
        return;
    /* It has not used OpenSHMEM: a later program of the same wrapper may be the PE. */
    tern_store_release(&slot->phase, TERN_SLOT_FREE);
    tern_store_release(&slot->pid, 0);
}

/* The first PE to end the job counts. */
static void note_end(int status)
{
    uint32_t none = 0, word = (uint32_t)boot.pe << TERN_GLOBAL_EXIT_PE_SHIFT | TERN_GLOBAL_EXIT |
                              ((uint32_t)status & 0xff);

    if (boot.area)
        __atomic_compare_exchange_n(&boot.area->global_exit, &none, word, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
}

/* Whether the others are not to go on without this PE. */
static bool ends_the_job(int status)
{
    bool finalized = boot.slot && tern_load_relaxed(&boot.slot->phase) == TERN_SLOT_FINALIZED;

    return ends_for_all || (status != 0 && !finalized);
}

/*
 * A launcher that is asked to end the job does so at once, and may lose what PEs have written just
 * before, above all why the job ends.
 */
#define LAST_WORDS_US 100000

/* For the node's PEs to see that the job ends, and with which status: see tern_boot_follow(). */
#define OTHERS_END_US 500000

static bool others_have_ended(void)
{
    for (int i = 0; i < boot.node_n_pes; i++) {
        const struct tern_slot *slot = tern_boot_slot(&boot, i);

        if (slot != boot.slot && !tern_load_acquire(&slot->exiting))
            return false;
    }
    return true;
}

/* Whether they have: all of the job, in time. */
static bool await_others(void)
{
    bool ended = false;

    for (int us = 0; boot.slot && !ended && us < OTHERS_END_US; us += 10000) {
        usleep(10000);
        ended = boot.n_nodes == 1 && others_have_ended();
    }
    return ended;
}

/* A launcher that is out of reach ends nothing, and its library may wait for an answer for ever. */
#define LAUNCHER_ENDS_US 1000000

static void *end_anyway(void *status)
{
    usleep(LAUNCHER_ENDS_US);
    _exit((int)(intptr_t)status);
}

/* True for one caller: the acquire's partner is the release of tern_boot_join(). */
static bool begin_end(void)
{
    uint32_t connected = CONNECTED;

    return __atomic_compare_exchange_n(&connection, &connected, ENDING, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/*
 * For the other callers: they leave it to the first to end the connection, and mostly the process
 * as well, for as long as that may take.
 */
static void await_end(void)
{
    for (int us = 0; tern_load_acquire(&connection) == ENDING; us += 10000) {
        if (us >= LAST_WORDS_US + OTHERS_END_US + LAUNCHER_ENDS_US)
            return;
        usleep(10000);
    }
}

static void abort_in_time(int status)
{
    char limit[TERN_LIMIT_BYTES];
    pthread_t thread;
    int e = pthread_create(&thread, NULL, end_anyway, (void *)(intptr_t)status);

    if (e) {
        tern_limit_explain(TERN_LIMIT_THREADS, 0, limit);
        tern_warn("no thread to end this PE in case the launcher is out of reach: %s: %s",
                  strerror(e), limit);
    }
    launcher->abort(status);
}

static void end_job(int status)
{
    note_end(status);
    if (launcher->abort_keeps(status)) {
        usleep(LAST_WORDS_US);
        abort_in_time(status);
    } else if (await_others()) {
        launcher->leave();
    } else {
        abort_in_time(status);
    }
}

/* Says once to the launcher how this PE ends. */
static void leave_launcher(int status, void *unused)
{
    if (boot_pid != getpid())
        return;
    if (!begin_end()) {
        await_end();
        return;
    }
    if (ends_the_job(status)) {
        tern_log_flush();
        end_job(status);
    } else {
        launcher->leave();
    }
    tern_store_release(&connection, ENDED); /* partner: await_end() */
}

/* The first of all handlers, so that it runs last, after those of MPI. */
static void at_exit(int status, void *unused)
{
    if (boot_pid != getpid())
        return;
    if (boot.slot)
        leave_slot(boot.slot, status);
    leave_launcher(status, NULL);
}

/* ---- before main ---- */

static const struct tern_launcher *const launchers[] = {&tern_launcher_pmi, &tern_launcher_pmix};

#define N_LAUNCHERS (sizeof launchers / sizeof launchers[0])

static void be_alone(void)
{
    boot = (struct tern_boot){
        .n_pes = 1,
        .machine_n_pes = 1,
        .system_n_pes = 1,
        .alone = true,
        .image_fd = -1,
        .fd = -1,
    };
}

/*
 * oshrun takes these launchers' words out of the environment of its PEs, so where they are, they
 * are newer than oshrun's.
 */
static bool find_launcher(char *const *envp, struct tern_launcher_place *place)
{
    for (size_t i = 0; i < N_LAUNCHERS; i++)
        if (launchers[i]->find(envp, place, &start_error)) {
            start_error = (struct tern_start_error){0};
            launcher = launchers[i];
            return true;
        }
    return false;
}

/* What a PE starts has the words as well, but not the place: it is a job of its own. */
static void attach_to_launcher(const struct tern_launcher_place *place)
{
    if (!tern_pe_lock_take(place->lock_key)) {
        launcher = NULL;
        return;
    }
    boot.pe = place->pe;
    boot.n_pes = place->n_pes;
    boot.shares = place->n_pes != 1;
    boot.alone = false;
}

const struct tern_boot *tern_boot_attach(char *const *envp)
{
    struct tern_launcher_place place = {0};

    if (boot_attached)
        return &boot;
    boot_attached = true;
    be_alone();
    if (find_launcher(envp, &place))
        attach_to_launcher(&place);
    else if (!tern_oshrun_attach(envp, &boot, &start_error))
        tern_misuse_hint_find(envp, &start_error);
    if (!boot.alone) {
        boot_pid = getpid();
        on_exit(at_exit, NULL);
    }
    introduce();
    return &boot;
}

#ifdef TERN_PES_ARE_THREADS
/* No slot is claimed: all threads have one pid, and who starts them numbers them. */
void tern_boot_be_thread(int pe, int n_pes, int fd, void *object)
{
    struct tern_job_area *area = object;

    boot = (struct tern_boot){
        .pe = pe,
        .n_pes = n_pes,
        .machine_n_pes = n_pes,
        .system_n_pes = n_pes,
        .shares = true,
        .image_fd = fd,
        .fd = fd,
        .offset = tern_job_head_bytes((uint32_t)n_pes, (uint32_t)n_pes),
        .area = area,
        .slot = &area->slots[pe],
        .object = object,
    };
    boot_attached = true;
    introduce();
}
#endif

/* ---- at the first init ---- */

/* 0, or -errno after the reason has been printed. */
static int tell_problem(void)
{
    if (start_error.warning[0])
        tern_warn("%s", start_error.warning);
    start_error.warning[0] = '\0';
    if (!start_error.error[0])
        return 0;
    tern_error("%s", start_error.error);
    return -EPROTO;
}

uint64_t tern_boot_find_out(uint64_t *word, uint64_t (*find_out)(void))
{
    uint64_t known = word ? tern_load_acquire(word) : 0, mine;

    if (known)
        return known;
    mine = find_out();
    if (word &&
        !__atomic_compare_exchange_n(word, &known, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return known;
    return mine;
}

int tern_boot_join(const struct tern_boot_request *request)
{
    int r = tell_problem();

    if (r || boot.n_nodes)
        return r;
    if (!launcher)
        return tern_oshrun_lay_out(&boot, request);
    tern_store_release(&connection, CONNECTED); /* partner: begin_end() */
    if (launcher->is_library)
        on_exit(leave_launcher, NULL);
    r = tern_join_meet(&boot, launcher, request);
    introduce();
    return r;
}

int tern_boot_node_of(int pe)
{
    for (int j = 0; j < boot.n_nodes; j++)
        if (tern_pe_range_find(&boot.nodes[j], pe) >= 0)
            return j;
    return -1;
}

int tern_boot_exchange(const void *card, size_t bytes)
{
    return launcher ? tern_join_exchange(&boot, card, bytes)
                    : tern_oshrun_exchange(&boot, card, bytes);
}

const void *tern_boot_card(int pe)
{
    return launcher ? tern_join_card(pe) : tern_oshrun_card(&boot, pe);
}

int tern_boot_open_image(int node_pe, uint64_t *offset)
{
    const struct tern_slot *slot = tern_boot_slot(&boot, node_pe);

    *offset = 0;
    return launcher ? tern_join_open_image(node_pe, slot)
                    : tern_oshrun_open_image(&boot, slot, offset);
}

/* ---- what others see of this PE ---- */

void tern_boot_set_phase(enum tern_slot_phase phase)
{
    if (boot.slot)
        tern_store_release(&boot.slot->phase, (uint32_t)phase);
}

void tern_boot_set_told(void)
{
    if (boot.slot)
        tern_store_release(&boot.slot->told, 1);
}

void tern_boot_set_global_exit(int status)
{
    ends_for_all = true;
    note_end(status);
}

/* Where the launcher kills for a status: whether it has had the time. */
static bool launcher_is_late(void)
{
    static TERN_PE_LOCAL uint64_t since;

    if (!since)
        since = tern_os_now_ns();
    return tern_os_now_ns() - since > LAUNCHER_ENDS_US * UINT64_C(1000);
}

void tern_boot_follow(void)
{
    uint32_t word = boot.area ? tern_load_acquire(&boot.area->global_exit) : 0;
    int status = (int)(word & 0xff);
    bool kills;

    if (!word || tern_load_acquire(&connection) != CONNECTED ||
        (int)(word >> TERN_GLOBAL_EXIT_PE_SHIFT) == boot.pe)
        return;
    kills = launcher->abort_keeps(status);
    if (kills && !launcher_is_late())
        return;
    if (!begin_end())
        return;
    tern_log_flush();
    if (!kills)
        launcher->leave();
    leave_slot(boot.slot, status);
    _exit(status);
}

int tern_boot_watch_fd(void)
{
    return launcher ? launcher->watch() : -1; /* oshrun's PEs hang on its lifeline */
}

void tern_boot_abort(int status)
{
    if (begin_end())
        end_job(status); /* it remains to the caller to end this process; others wait for that */
    else
        await_end(); /* or it is oshrun, which sees how its PEs end */
}

void tern_boot_forget(void)
{
    if (boot.forked)
        return;
    tern_log_identify_pe("child of PE", boot.pe, boot.n_pes);
    tern_pe_lock_forget();
    be_alone();
    launcher = NULL;
    tern_store_relaxed(&connection, NOT_CONNECTED);
    boot.forked = true;
}
