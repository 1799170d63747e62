/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that polls the network while the PE computes. */
#include "net/ofi/progress_thread.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomics.h"
#include "net/ofi/channel.h"
#include "net/ofi/engine.h"
#include "net/ofi/log.h"
#include "net/ofi/message.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"

/*
 * The thread sleeps on the queues' descriptors, so that requests of peers are served at once. If it
 * wakes and finds that the PE polls the network itself, it only naps from then on, because each
 * event would wake it needlessly. It returns to the descriptors when the PE has not polled during a
 * nap, or announces that it stops. While nothing arrives, a PE that polls costs the thread nothing.
 */
#define NAP_MS 1
#define SLEEP_MS 1000
#define DOUBT_NS 500000000u /* messages that could not be sent for so long: probes the peer */

/* The time slice that it requests: with a short one, a thread that wakes gets a core at once. */
#define SLICE_NS 100000

/* How long it polls after an event, and how long a yield takes if another thread needs the core. */
#define LOOK_NS 100000
#define CROWDED_NS 5000

static struct {
    pthread_t thread;
    bool runs;
    uint32_t stop;
    int bell; /* an eventfd that ends its sleep */
    TERN_ALIGNED(TERN_LINE) uint32_t looks;
    uint32_t attended; /* the PE polls the network; written by the thread, and by
                          ofi_progress_thread_take_over() */
    uint32_t napping;
    bool held;      /* the library has frames that it will send in a moment */
    uint64_t asked; /* when it last probed a peer */
} state = {.bell = -1};

uint32_t ofi_progress_thread_polled(void)
{
    uint32_t looks = tern_load_relaxed(&state.looks) + 1;

    tern_store_relaxed(&state.looks, looks); /* threads may overwrite each other's counts */
    return looks;
}

static void ring(void)
{
    uint64_t one = 1;

    if (write(state.bell, &one, sizeof one) < 0)
        return; /* the counter is full, so it wakes the thread already */
}

static void clear_bell(void)
{
    uint64_t rung;

    if (read(state.bell, &rung, sizeof rung) < 0)
        return; /* the counter was zero */
}

void ofi_progress_thread_take_over(void)
{
    /* Partner: nap(), which stores the one and loads the other in the opposite order. */
    __atomic_store_n(&state.attended, 0, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&state.napping, __ATOMIC_SEQ_CST))
        ring();
}

static void leave_to_pe(void)
{
    tern_store_relaxed(&state.attended, 1);
}

static void nap(void)
{
    struct pollfd bell = {.fd = state.bell, .events = POLLIN};
    uint32_t looks = tern_load_relaxed(&state.looks);

    __atomic_store_n(&state.napping, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&state.attended, __ATOMIC_SEQ_CST) && poll(&bell, 1, NAP_MS) > 0)
        clear_bell();
    tern_store_relaxed(&state.napping, 0);
    if (looks == tern_load_relaxed(&state.looks))
        tern_store_relaxed(&state.attended, 0);
}

static void progress_all(void)
{
    for (int i = 0; i < tern_load_acquire(&ofi.n_channels); i++)
        ofi_progress(&ofi.channels[i]);
    ofi.host->landed(); /* puts of peers cause no event */
    state.held = ofi.host->attend();
}

/* No PE waits until messages are sent, so the thread probes peers that do not accept them. */
static void see_to_messages(void)
{
    uint64_t now = ofi_now_ns(), since = now;
    int pe;

    if (!ofi_message_under_way() || now - state.asked < DOUBT_NS)
        return;
    state.asked = now;
    pthread_mutex_lock(&OFI_DEFAULT->lock);
    pe = ofi_message_stuck(&since);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
    if (pe >= 0 && now - since > DOUBT_NS)
        ofi_peer_suspect(pe, since);
}

/* The descriptors to sleep on; 0 if there is work to do, -1 if the PE does it. */
static int prepare(struct pollfd *fds)
{
    int n = 0;

    fds[n++] = (struct pollfd){.fd = state.bell, .events = POLLIN};
    for (int i = 0; i < tern_load_acquire(&ofi.n_channels); i++) {
        struct tern_net_channel *channel = &ofi.channels[i];
        bool ok;

        if (pthread_mutex_trylock(&channel->lock))
            return -1;
        ok = !channel->cq || (channel->fd >= 0 && ofi_progress_may_sleep(channel));
        if (ok && channel->cq)
            fds[n++] = (struct pollfd){.fd = channel->fd, .events = POLLIN};
        pthread_mutex_unlock(&channel->lock);
        if (!ok)
            return 0;
    }
    return n;
}

/*
 * While events follow each other, and no other thread needs the core, polling costs less than a
 * wake.
 */
static void look_on(struct pollfd *fds, int n)
{
    uint64_t now = ofi_now_ns(), before, last = now;
    uint32_t looks = tern_load_relaxed(&state.looks);

    do {
        if (poll(fds, (nfds_t)n, 0) > 0) {
            if (fds[0].revents)
                return;
            progress_all();
            last = now;
        }
        if (tern_load_relaxed(&state.looks) != looks) {
            leave_to_pe();
            return;
        }
        before = now;
        sched_yield();
        now = ofi_now_ns();
    } while (now - before < CROWDED_NS && now - last < LOOK_NS);
}

/* No event tells when frames can be sent, or buffers be posted, that the provider has refused. */
static bool is_short_sleep(void)
{
    return state.held || ofi_message_under_way() || ofi_message_lacks_buffers();
}

static void sleep_on(struct pollfd *fds, int n)
{
    if (poll(fds, (nfds_t)n, is_short_sleep() ? NAP_MS : SLEEP_MS) <= 0)
        return;
    if (fds[0].revents)
        clear_bell();
    else
        look_on(fds, n);
}

static void serve(void)
{
    struct pollfd fds[OFI_CHANNELS + 1];
    uint32_t looks = tern_load_relaxed(&state.looks);
    int n;

    progress_all();
    n = prepare(fds);
    if (n < 0 || tern_load_relaxed(&state.looks) != looks)
        leave_to_pe();
    else if (!n && OFI_DEFAULT->fd < 0)
        usleep(NAP_MS * 1000); /* polls at intervals a provider without a descriptor */
    else if (n)
        sleep_on(fds, n);
}

static void ask_for_short_slice(void)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attr = {.size = sizeof attr, .runtime = SLICE_NS};

    attr.nice = getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid));
    syscall(SYS_sched_setattr, 0, &attr, 0); /* older kernels don't support slices */
}

static void *run(void *unused)
{
    ask_for_short_slice();
    while (!tern_load_acquire(&state.stop)) {
        see_to_messages();
        if (tern_load_relaxed(&state.attended))
            nap();
        else
            serve();
        state.held = ofi.host->attend();
    }
    return NULL;
}

static void say_no_thread(int error)
{
    char limit[TERN_LIMIT_BYTES];

    ofi.host->explain(TERN_LIMIT_THREADS, 0, limit);
    ofi_log(ofi.host->error, "no thread for the network: %s: %s", strerror(error), limit);
}

int ofi_progress_thread_start(void)
{
    sigset_t all, before;
    int r;

    state.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (state.bell < 0) {
        int e = errno;

        ofi_log(ofi.host->error, "no descriptor for the network's thread: %s (see ulimit -n)",
                strerror(e));
        return -e;
    }
    state.stop = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r = pthread_create(&state.thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    state.runs = r == 0;
    if (r)
        say_no_thread(r);
    return -r;
}

void ofi_progress_thread_stop(void)
{
    if (!state.runs)
        return;
    tern_store_release(&state.stop, 1);
    ring();
    pthread_join(state.thread, NULL);
    state.runs = false;
    close(state.bell);
    state.bell = -1;
}

void ofi_progress_thread_channels_changed(void)
{
    ring();
}
