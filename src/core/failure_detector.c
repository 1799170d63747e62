/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that watch launcher and peers, and end the job when one is lost. */
#include "core/failure_detector.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/compat.h"
#include "base/interfaces.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/os.h"
#include "base/settings.h"
#include "core/exit.h"
#include "core/job.h"
#include "core/network.h"
#include "net/net.h"

#define LOST_AFTER_S 8

/* Heartbeats sent in the time of silence that counts as a loss, so that a few may be late. */
#define BEATS 8

/* The launcher may be about to end the job, and knows the reason better than this PE. */
#define GRACE_MS 500

/* If a PE ends without failing, the PEs that wait for it explain it better: core/deadlock.c. */
#define LEFT_MS 2000

#define NS_PER_MS UINT64_C(1000000)

/*
 * All nodes learn of a loss at about the same time, or find each other unreachable. The first node
 * prints it, notifies the others that it has, and ends the job. The others print it if neither has
 * reached them after a while: each waits longer than the one before.
 */
#define NEXT_NODE_MS 300
#define NODES_IN_TURN 3

/* How a loss was noticed. */
enum loss {
    ENDED,     /* by the end of a process, or of a connection */
    UNREACHED, /* in shmem_init, by the network */
    SILENT,    /* by missing heartbeats: no launcher notices that earlier */
    JOB_ENDS,  /* no loss: the PE ends the job, and the others follow */
};

/* A loss, as it is printed here and sent to the other nodes; or a PE that ends the job. */
struct notice {
    struct tern_message head;
    int32_t lost;    /* the PE, -1 in a heartbeat */
    int32_t how;     /* enum loss */
    int32_t printed; /* by the sending node */
    int32_t status;  /* of the job that ends */
    char why[176];
};

enum state { OFF, STARTING, WATCHING, LEAVING };

static TERN_PE_LOCAL struct {
    pthread_mutex_t lock; /* of notice, and of changes of tern_failure_detector_has_lost */
    bool printed;         /* by this PE */
    struct notice notice;
    uint32_t state;      /* enum state; changed by the thread that initializes and finalizes */
    uint64_t heard;      /* when the node before this one was last heard of */
    bool beats;          /* this PE sends and expects heartbeats */
    uint64_t silence_ns; /* that counts as a loss, 0: none does */
    uint64_t left_at; /* when the network lost a peer after the start of the last barrier, or 0 */
    int left;         /* that peer; with its lock */
    bool unwatched;   /* the threads could not be started */
} detector = {.lock = PTHREAD_MUTEX_INITIALIZER};

TERN_PE_LOCAL uint32_t tern_failure_detector_has_lost;

/* Keeps the first loss; the detector's thread acts on it. */
static void keep(int pe, const char *why, enum loss how)
{
    pthread_mutex_lock(&detector.lock);
    if (!tern_failure_detector_has_lost) {
        detector.notice = (struct notice){.head.kind = TERN_MESSAGE_LOSS, .lost = pe, .how = how};
        snprintf(detector.notice.why, sizeof detector.notice.why, "%s", why);
        /* Partner: the acquires of both threads, and of those that wait for results. */
        tern_store_release(&tern_failure_detector_has_lost, 1);
    }
    pthread_mutex_unlock(&detector.lock);
}

static void note(int pe, const char *why)
{
    keep(pe, why, ENDED);
}

/* ---- from the network ---- */

/* It may leave, if it has passed the barrier that this PE is in. */
static void note_left(int pe)
{
    pthread_mutex_lock(&detector.lock);
    if (!detector.left_at) {
        detector.left = pe;
        tern_store_release(&detector.left_at, tern_os_now_ns()); /* partner: check_left() */
    }
    pthread_mutex_unlock(&detector.lock);
}

static void lost_peer(int pe, const char *why)
{
    uint32_t state = tern_load_acquire(&detector.state);

    if (state == STARTING || state == WATCHING)
        keep(pe, why, state == STARTING ? UNREACHED : ENDED);
    else if (state == LEAVING)
        note_left(pe);
}

/* No PE of this node has to print the loss. */
static void note_printed(void)
{
    uint32_t nobody = 0;

    if (tern_job.boot->area)
        __atomic_compare_exchange_n(&tern_job.boot->area->loss_reported, &nobody, 1, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void take_notice(int from, const void *message, size_t bytes)
{
    struct notice notice;

    if (bytes != sizeof notice)
        return;
    memcpy(&notice, message, sizeof notice);
    notice.why[sizeof notice.why - 1] = '\0';
    if (notice.lost < 0) {
        tern_store_release(&detector.heard, tern_os_now_ns());
    } else if (notice.lost >= tern_job.n_pes || tern_load_acquire(&detector.state) == OFF) {
        return;
    } else if (notice.how == JOB_ENDS) {
        tern_exit_note(notice.lost, notice.status);
    } else {
        if (notice.printed)
            note_printed();
        keep(notice.lost, notice.why, (enum loss)notice.how);
    }
}

/* ---- to the network ---- */

static int first_of_node(const struct tern_boot *boot, int node)
{
    return boot->nodes[(node + boot->n_nodes) % boot->n_nodes].start;
}

static void send_to_other_nodes(const struct tern_boot *boot, const struct notice *notice)
{
    for (int i = 1; i < boot->n_nodes; i++)
        tern_net->send(first_of_node(boot, boot->node + i), notice, sizeof *notice);
}

static void tell_other_nodes(const struct tern_boot *boot, bool printed)
{
    struct notice notice = detector.notice;

    notice.printed = printed;
    send_to_other_nodes(boot, &notice);
}

/* Once: a launcher may take seconds to end PEs, which would take the end of this one for a loss. */
static void tell_of_end(const struct tern_boot *boot)
{
    static TERN_PE_LOCAL bool told;
    struct notice notice = {.head.kind = TERN_MESSAGE_LOSS, .how = JOB_ENDS};

    if (told || !tern_exit_is_noted(&notice.lost, &notice.status) ||
        tern_boot_node_pe(boot, notice.lost) < 0)
        return;
    told = true;
    send_to_other_nodes(boot, &notice);
}

static uint64_t patience_ns(void)
{
    return detector.silence_ns ? detector.silence_ns : LOST_AFTER_S * 1000 * NS_PER_MS;
}

/* Runs in a thread of its own, because sending may wait for a peer that is gone. */
static void *beat(void *unused)
{
    const struct tern_boot *boot = tern_job.boot;
    const struct notice heartbeat = {.head.kind = TERN_MESSAGE_LOSS, .lost = -1};
    useconds_t period = (useconds_t)(patience_ns() / BEATS / 1000);

    while (!tern_load_acquire(&tern_failure_detector_has_lost)) {
        if (detector.beats && tern_load_acquire(&detector.state) >= WATCHING)
            tern_net->send(first_of_node(boot, boot->node + 1), &heartbeat, sizeof heartbeat);
        for (useconds_t slept = 0;
             slept < period && !tern_load_acquire(&tern_failure_detector_has_lost);
             slept += 50000) {
            usleep(50000);
            tell_of_end(boot);
        }
    }
    tell_of_end(boot);
    tell_other_nodes(boot, false);
    while (!tern_load_acquire(&detector.printed)) { /* partner: report_and_end() */
        usleep(10000);
        tell_of_end(boot);
    }
    tell_other_nodes(boot, true);
    return NULL;
}

/* ---- the watch ---- */

/* Whether the process ended in order, or may still do so. */
static bool left_in_order(const struct tern_slot *slot)
{
    return tern_load_acquire(&slot->phase) == TERN_SLOT_FINALIZED ||
           tern_load_acquire(&slot->exiting) == TERN_EXITING;
}

static bool is_short_of_descriptors(int error)
{
    return error == -EMFILE || error == -ENFILE || error == -ENOMEM;
}

/*
 * The next PE of the node that runs: its number on the node and its process's descriptor; or -1. If
 * no descriptor can be had at the moment, `process` is negative, and the caller tries again.
 */
static int watch_neighbour(const struct tern_boot *boot, int after, int *process)
{
    *process = -1;
    for (int i = after + 1; i < after + boot->node_n_pes; i++) {
        int node_pe = i % boot->node_n_pes;
        const struct tern_slot *slot = tern_boot_slot(boot, node_pe);
        int32_t pid = tern_load_acquire(&slot->pid);

        if (node_pe == boot->node_pe)
            return -1;
        if (pid <= 0)
            continue;
        *process = tern_compat_open_process(pid);
        if (*process >= 0 || is_short_of_descriptors(*process))
            return node_pe;
        if (*process == -ESRCH && !left_in_order(slot))
            note(tern_boot_world_pe(boot, node_pe), "its process has ended without shmem_finalize");
    }
    return -1;
}

/* Whether the lost PE has ended in order; oshrun reports that for PEs of other nodes too. */
static bool lost_one_has_left(const struct tern_boot *boot)
{
    int pe = detector.notice.lost;
    const struct tern_slot *slot =
        boot->area && pe < boot->n_pes ? tern_boot_slot_of(boot, pe) : NULL;

    return slot && left_in_order(slot);
}

static void say(const struct notice *notice)
{
    if (notice->how == UNREACHED)
        tern_error("shmem_init: PE %d can't be reached: %s: check that this network works between "
                   "the hosts and no firewall blocks it, or choose another by SHMEM_INTERFACE or "
                   "SHMEM_PROVIDER" TERN_SEE("Networks"),
                   notice->lost, notice->why);
    else
        tern_error("PE %d was lost: %s", notice->lost, notice->why);
}

/*
 * A host without a network can't reach the launcher, which the first node's host is assumed to
 * have. The other hosts print that they have lost this one.
 */
static bool is_cut_off(const struct tern_boot *boot)
{
    return boot->node > 0 && boot->machine_n_pes < boot->n_pes && !tern_interfaces_any_runs();
}

/* One PE of the node prints the message, if no other node has. */
static void report_and_end(const struct tern_boot *boot)
{
    uint32_t nobody = 0;
    bool first =
        !boot->area || __atomic_compare_exchange_n(&boot->area->loss_reported, &nobody, 1, false,
                                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);

    if (first && is_cut_off(boot)) {
        tern_debug("PE %d was lost: %s: not printed, since this host has no network",
                   detector.notice.lost, detector.notice.why);
    } else if (first) {
        say(&detector.notice);
        tern_store_release(&detector.printed, true); /* partner: beat() */
    }
    tern_boot_set_reported();
    tern_exit_abort(1);
    _exit(1);
}

/* How long this node leaves it to those before it to print the loss. */
static int turn_ms(const struct tern_boot *boot)
{
    int before = boot->node < NODES_IN_TURN ? boot->node : NODES_IN_TURN;

    return is_cut_off(boot) ? 0 : before * NEXT_NODE_MS;
}

static int grace_ms(const struct tern_boot *boot)
{
    if (lost_one_has_left(boot))
        return LEFT_MS;
    return detector.notice.how == SILENT ? 0 : GRACE_MS;
}

/* No thread watches: one that waits for results ends the PE. */
static void end_unwatched(const struct tern_boot *boot)
{
    if (!detector.unwatched)
        return;
    usleep(GRACE_MS * 1000);
    report_and_end(boot);
}

static bool may_end(void)
{
    uint32_t state = tern_load_acquire(&detector.state);

    return tern_load_acquire(&tern_failure_detector_has_lost) &&
           (state == STARTING || state == WATCHING);
}

/* A PE that has ended in order is another matter: the next wait for it explains that better. */
void tern_failure_detector_hold(void)
{
    const struct tern_boot *boot = tern_job.boot;

    usleep(10000); /* an engine counts a loss before it reports it */
    while (may_end() && !lost_one_has_left(boot)) {
        end_unwatched(boot);
        usleep(10000);
    }
}

static void end_after_grace(const struct tern_boot *boot)
{
    int turn = turn_ms(boot), pe, status;

    /* That the lost PE has left may become known meanwhile. */
    for (int ms = 0; ms < turn + grace_ms(boot); ms += 10) {
        usleep(10000);
        if (tern_load_acquire(&detector.state) == OFF)
            return; /* all is well: the job has ended in the meantime */
        if (tern_exit_is_noted(&pe, &status))
            return; /* this PE follows */
    }
    report_and_end(boot);
}

static void check_silence(const struct tern_boot *boot)
{
    uint64_t silent = tern_os_now_ns() - tern_load_acquire(&detector.heard);
    char why[128];

    if (!detector.beats || !detector.silence_ns || tern_load_relaxed(&detector.state) < WATCHING ||
        silent < detector.silence_ns)
        return;
    snprintf(why, sizeof why,
             "nothing was heard from its node for %u s (SHMEM_LOST_AFTER)" TERN_SEE("Networks"),
             (unsigned)(silent / (1000 * NS_PER_MS)));
    keep(first_of_node(boot, boot->node - 1), why, SILENT);
}

/* A peer that has left the last barrier has sent its part of it: this PE must follow soon. */
static void check_left(void)
{
    uint64_t left_at = tern_load_acquire(&detector.left_at); /* partner: note_left() */

    if (left_at && tern_load_relaxed(&detector.state) == LEAVING &&
        tern_os_now_ns() - left_at > patience_ns())
        note(detector.left,
             "it has ended, while shmem_finalize waits for it: all PEs must make the "
             "same collective calls" TERN_SEE("A hang"));
}

static void *watch(void *unused)
{
    const struct tern_boot *boot = tern_job.boot;
    int launcher = tern_boot_watch_fd(), neighbour = -1, process = -1;

    prctl(PR_SET_NAME, "tern-detector");
    if (boot->area && !boot->area->launcher_pid)
        neighbour = watch_neighbour(boot, boot->node_pe, &process);
    for (;;) {
        struct pollfd fds[2] = {{.fd = tern_compat_poll_fd(launcher), .events = POLLIN},
                                {.fd = tern_compat_poll_fd(process), .events = POLLIN}};

        poll(fds, 2, 100);
        if (tern_load_acquire(&detector.state) == OFF) {
            usleep(10000); /* finalized: a descriptor that has hung up stays so */
            tern_store_release(&detector.heard, tern_os_now_ns());
            continue;
        }
        if (tern_compat_process_has_ended(launcher))
            note(tern_job.pe, "its launcher is gone");
        if (neighbour >= 0 && process < 0) {
            neighbour = watch_neighbour(boot, neighbour - 1, &process);
        } else if (tern_compat_process_has_ended(process)) {
            if (!left_in_order(tern_boot_slot(boot, neighbour)))
                note(tern_boot_world_pe(boot, neighbour),
                     "its process has ended without shmem_finalize");
            close(process);
            neighbour = watch_neighbour(boot, neighbour, &process);
        }
        check_silence(boot);
        check_left();
        tern_exit_follow();
        if (tern_load_acquire(&tern_failure_detector_has_lost))
            end_after_grace(boot);
    }
    return NULL;
}

/* ---- life ---- */

static int start_thread(void *(*run)(void *))
{
    sigset_t all, before;
    pthread_t thread;
    int e;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    e = pthread_create(&thread, NULL, run, NULL);
    if (!e)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return e;
}

/* The job can run without these threads, until something is lost. */
static void warn(int error)
{
    char limit[TERN_LIMIT_BYTES];

    tern_limit_explain(TERN_LIMIT_THREADS, 0, limit);
    tern_warn(
        "no thread for the failure detector: %s: %s: if a PE or a machine is lost, the others "
        "may wait for ever",
        strerror(error), limit);
}

static void start_threads(const struct tern_boot *boot)
{
    long seconds = tern_settings()->lost_after;
    bool by_oshrun = boot->area && boot->area->launcher_pid;
    int e = 0;

    detector.silence_ns = (uint64_t)(seconds < 0 ? LOST_AFTER_S : seconds) * 1000 * NS_PER_MS;
    detector.beats = boot->n_nodes > 1 && !by_oshrun && boot->node_pe == 0;
    if (boot->n_nodes > 1 && !by_oshrun)
        e = start_thread(beat);
    if (!e)
        e = start_thread(watch);
    detector.unwatched = e != 0;
    if (e)
        warn(e);
}

void tern_failure_detector_listen(void)
{
    tern_network_on_message(TERN_MESSAGE_LOSS, take_notice);
    tern_network_on_lost(lost_peer, tern_failure_detector_hold);
}

/* On one node oshrun observes everything; PEs that are threads end together. */
static bool is_needed(const struct tern_boot *boot)
{
    return !boot->alone && !boot->object &&
           (boot->n_nodes > 1 || !boot->area || !boot->area->launcher_pid);
}

void tern_failure_detector_start(void)
{
    static TERN_PE_LOCAL bool runs;
    const struct tern_boot *boot = tern_job.boot;

    if (!is_needed(boot))
        return;
    tern_store_release(&detector.state, STARTING); /* partner: the acquires of the threads */
    if (!runs)
        start_threads(boot);
    runs = true;
}

void tern_failure_detector_watch(void)
{
    if (tern_load_relaxed(&detector.state) == OFF)
        return;
    tern_store_release(&detector.heard, tern_os_now_ns());
    tern_store_release(&detector.left_at, 0);
    tern_store_release(&detector.state, WATCHING);
}

void tern_failure_detector_expect_leave(void)
{
    if (tern_load_relaxed(&detector.state) != OFF)
        tern_store_release(&detector.state, LEAVING);
}

void tern_failure_detector_stop(void)
{
    tern_store_release(&detector.state, OFF);
}
