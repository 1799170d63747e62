/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that lets the network go on while the PE computes. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "net/ofi/ofi.h"

/*
 * It sleeps on the queues' descriptors, so that what comes from peers is served at once. A PE that
 * waits looks after the network itself, and each event would wake the thread for nothing: as long
 * as there were many looks lately, or a wake found nothing left to do, it only naps.
 */
#define NAP_NS 1000000
#define BUSY_LOOKS 32 /* in a nap: a PE that sleeps and wakes again looks less often */
#define IDLE_MS 1000

static struct {
    pthread_t thread;
    bool runs;
    uint32_t stop;
    int bell; /* an eventfd that ends its sleep */
    TERN_ALIGNED(TERN_LINE) uint32_t looks;
} state = {.bell = -1};

void ofi_thread_polled(void)
{
    /* Threads may lose counts to each other. */
    tern_store_relaxed(&state.looks, tern_load_relaxed(&state.looks) + 1);
}

static bool progress_all(void)
{
    bool something = false;

    for (int i = 0; i < tern_load_acquire(&ofi.n_channels); i++)
        something |= ofi_progress(&ofi.channels[i]);
    return something;
}

/* The descriptors to sleep on, or 0 if somebody is at work or there is something to do. */
static int prepare(struct pollfd *fds)
{
    int n = 0;

    fds[n++] = (struct pollfd){.fd = state.bell, .events = POLLIN};
    for (int i = 0; i < tern_load_acquire(&ofi.n_channels); i++) {
        struct tern_net_channel *channel = &ofi.channels[i];
        bool ok;

        if (pthread_mutex_trylock(&channel->lock))
            return 0;
        ok = !channel->cq || (channel->fd >= 0 && ofi_progress_may_sleep(channel));
        if (ok && channel->cq)
            fds[n++] = (struct pollfd){.fd = channel->fd, .events = POLLIN};
        pthread_mutex_unlock(&channel->lock);
        if (!ok)
            return 0;
    }
    return n;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

static void *run(void *unused)
{
    struct pollfd fds[OFI_CHANNELS + 1];
    uint32_t before = 0;

    while (!tern_load_acquire(&state.stop)) {
        uint32_t looks = tern_load_relaxed(&state.looks);
        bool looked_after = looks - before > BUSY_LOOKS;
        int n;

        before = looks;
        if (looked_after) {
            nap();
            continue;
        }
        if (progress_all())
            continue;
        n = prepare(fds);
        if (!n) {
            nap();
            continue;
        }
        if (poll(fds, (nfds_t)n, IDLE_MS) > 0) {
            progress_all();
            ofi.host->landed(); /* puts of peers come without an event */
        }
    }
    return NULL;
}

int ofi_thread_start(void)
{
    sigset_t all, before;
    int r;

    state.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (state.bell < 0)
        return -errno;
    state.stop = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r = pthread_create(&state.thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    state.runs = r == 0;
    return -r;
}

static void ring(void)
{
    uint64_t one = 1;

    if (write(state.bell, &one, sizeof one) < 0)
        return; /* it is full: it rings */
}

void ofi_thread_stop(void)
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

void ofi_thread_channels_changed(void)
{
    ring();
}
