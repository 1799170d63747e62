/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions, and waiting for them. */
#include "net/ofi/progress.h"

#include <errno.h>
#include <poll.h>
#include <rdma/fi_errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/atomics.h"
#include "net/ofi/engine.h"
#include "net/ofi/log.h"
#include "net/ofi/message.h"
#include "net/ofi/op.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress_thread.h"
#include "net/ofi/request.h"
#include "net/ofi/service.h"

#define COMPLETIONS 16 /* read at a time */

/* Waits poll, with a yield at intervals, and later sleep until an event. */
#define LOOKS 32 /* between two yields, which may cost a time slice: a few round trips */
#define AWAKE_NS 1000000u
#define SLEEP_MS 1
#define LOOKS_A_CHECK 4     /* whether something moves */
#define DOUBT_NS 500000000u /* after that long in vain, ask whether the peer is there */

static void explain(struct tern_net_channel *channel, const struct fi_cq_err_entry *error,
                    char *text, size_t bytes)
{
    char detail[128];
    const char *more =
        error->err_data || error->prov_errno
            ? fi_cq_strerror(channel->cq, error->prov_errno, error->err_data, detail, sizeof detail)
            : NULL;

    snprintf(text, bytes, "%s: %s%s%s%s", ofi.info->fabric_attr->prov_name, fi_strerror(error->err),
             more ? " (" : "", more ? more : "", more ? ")" : "");
}

/* A connection has broken, or its network: what becomes of its peer is noticed when it is used. */
static bool is_of_connection(int error)
{
    switch (error) {
    case FI_ECANCELED:
    case FI_ECONNRESET:
    case FI_ECONNABORTED:
    case FI_ECONNREFUSED:
    case FI_ENOTCONN:
    case FI_ESHUTDOWN:
    case FI_ETIMEDOUT:
    case FI_EHOSTDOWN:
    case FI_EHOSTUNREACH:
    case FI_ENETDOWN:
    case FI_ENETUNREACH:
    case EPIPE:
    case ENETRESET:
        return true;
    }
    return false;
}

/*
 * Nobody sends a message again that could not be received. A connection that breaks is another
 * matter: its peer is lost, or has left. So is a message that is longer than the buffers: no PE
 * sends one, but any process that reaches the port can.
 */
static void take_receive_error(int error, const char *text)
{
    char why[300];

    if (error == FI_ETRUNC || is_of_connection(error)) {
        ofi_log(ofi.host->debug, "receiving: %s", text);
        return;
    }
    snprintf(why, sizeof why, "a message to it could not be received: %s", text);
    ofi.host->lost(ofi.host->pe, why);
}

static void take_error(struct tern_net_channel *channel)
{
    struct fi_cq_err_entry error = {0};
    char text[256];
    struct ofi_op *op;

    if (fi_cq_readerr(channel->cq, &error, 0) != 1)
        return;
    op = error.op_context;
    if (!op)
        return;
    explain(channel, &error, text, sizeof text);
    if (op->pe >= 0)
        ofi_peer_lost(op->pe, text);
    else
        take_receive_error(error.err, text);
    if (op->pe < 0)
        ofi_message_take(op, NULL, 0, FI_MULTI_RECV); /* back into service */
    else
        ofi_op_finish(op, -error.err);
}

static void sweep(struct tern_net_channel *channel)
{
    ofi_op_sweep(channel);
    if (channel == OFI_DEFAULT)
        ofi_request_sweep();
}

bool ofi_progress_locked(struct tern_net_channel *channel)
{
    struct fi_cq_data_entry entries[COMPLETIONS];
    ssize_t n = fi_cq_read(channel->cq, entries, COMPLETIONS);
    bool something = n > 0;

    for (ssize_t i = 0; i < n; i++) {
        struct ofi_op *op = entries[i].op_context;

        if (op->pe < 0)
            ofi_message_take(op, entries[i].buf, entries[i].len, entries[i].flags);
        else {
            ofi_peer_contacted(op->pe);
            ofi_op_finish(op, 0);
        }
    }
    if (tern_unlikely(n == -FI_EAVAIL)) {
        take_error(channel);
        something = true;
    }
    if (channel == OFI_DEFAULT) {
        ofi_service_answer();
        something |= ofi_message_flush();
    }
    if (tern_unlikely(channel->swept != tern_load_relaxed(&ofi.losses)))
        sweep(channel);
    return something;
}

bool ofi_progress(struct tern_net_channel *channel)
{
    bool something;

    if (pthread_mutex_trylock(&channel->lock))
        return false; /* another thread is polling this channel */
    something = channel->cq && ofi_progress_locked(channel);
    pthread_mutex_unlock(&channel->lock);
    if (something)
        ofi.host->landed();
    return something;
}

/* Whether a channel has operations that need progress on this side. */
static bool pends(struct tern_net_channel *channel)
{
    for (int i = 0; i < 2; i++)
        if (tern_load_relaxed(&channel->pending[i].puts) ||
            tern_load_relaxed(&channel->pending[i].gets))
            return true;
    return false;
}

/*
 * Puts and gets of peers bring no completion here, but where this processor has to carry them out
 * the descriptor tells of them beforehand: who waits should not fall asleep over them.
 */
static bool is_moving(void)
{
    struct pollfd fd = {.fd = OFI_DEFAULT->fd, .events = POLLIN};

    return fd.fd >= 0 && poll(&fd, 1, 0) > 0;
}

bool ofi_progress_all(void)
{
    bool something = ofi_progress_thread_polled() % LOOKS_A_CHECK == 0 && is_moving();
    int n = tern_load_acquire(&ofi.n_channels); /* partner: ofi_channel_open() */

    something |= ofi_progress(OFI_DEFAULT);
    for (int i = 1; i < n; i++)
        if (pends(&ofi.channels[i]))
            something |= ofi_progress(&ofi.channels[i]);
    return something;
}

bool ofi_progress_may_sleep(struct tern_net_channel *channel)
{
    struct fid *fid = &channel->cq->fid;

    return fi_trywait(ofi.fabric, &fid, 1) == FI_SUCCESS;
}

static bool may_sleep(struct tern_net_channel *channel)
{
    bool ok = !pthread_mutex_trylock(&channel->lock);

    if (ok) {
        ok = ofi_progress_may_sleep(channel);
        pthread_mutex_unlock(&channel->lock);
    }
    return ok;
}

static void sleep_on(struct tern_net_channel *channel)
{
    struct pollfd fds[2] = {{.fd = OFI_DEFAULT->fd, .events = POLLIN},
                            {.fd = channel->fd, .events = POLLIN}};

    if (channel->fd < 0 || OFI_DEFAULT->fd < 0) {
        nanosleep(&(struct timespec){.tv_nsec = SLEEP_MS * 1000000 / 4}, NULL);
        return;
    }
    if (may_sleep(OFI_DEFAULT) && (channel == OFI_DEFAULT || may_sleep(channel)))
        poll(fds, channel == OFI_DEFAULT ? 1 : 2, SLEEP_MS);
    else
        sched_yield();
}

/* Whom a wait is for: the caller knows, or anybody with whom something is under way. */
static int awaited(struct tern_net_channel *channel, struct ofi_wait *wait)
{
    int pe = wait->pe;

    if (pe >= 0)
        return pe;
    pthread_mutex_lock(&channel->lock);
    pe = ofi_op_next_peer(channel, wait->suspected);
    pthread_mutex_unlock(&channel->lock);
    if (pe >= 0)
        return pe;
    pthread_mutex_lock(&OFI_DEFAULT->lock);
    pe = ofi_request_next_peer(wait->suspected);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
    return pe;
}

static void suspect(struct tern_net_channel *channel, struct ofi_wait *wait, uint64_t now)
{
    int pe;

    if (now - wait->asked < DOUBT_NS)
        return;
    wait->asked = now;
    pe = awaited(channel, wait);
    if (pe < 0)
        return;
    wait->suspected = pe;
    ofi_peer_suspect(pe, wait->since);
}

void ofi_wait_step(struct tern_net_channel *channel, struct ofi_wait *wait)
{
    bool something = ofi_progress(channel);
    uint64_t now;

    ofi_progress_thread_polled();
    if (channel != OFI_DEFAULT)
        something |= ofi_progress(OFI_DEFAULT);
    if (something)
        wait->idle_since = 0;
    if (++wait->steps % LOOKS)
        return;
    now = ofi_now_ns();
    if (!wait->since)
        wait->since = wait->asked = now;
    if (!wait->idle_since)
        wait->idle_since = now;
    suspect(channel, wait, now);
    if (now - wait->idle_since < AWAKE_NS)
        sched_yield();
    else
        sleep_on(channel);
}

void ofi_wait_unlocked(struct tern_net_channel *channel, struct ofi_wait *wait)
{
    pthread_mutex_unlock(&channel->lock);
    ofi_wait_step(channel, wait);
    pthread_mutex_lock(&channel->lock);
}

void ofi_wait_over(int pe)
{
    if (tern_unlikely(tern_load_relaxed(&ofi.losses) || (pe >= 0 && ofi_peer_is_lost(pe))))
        ofi.host->stay();
}

void ofi_wait_group(struct tern_net_channel *channel, struct ofi_group *group, int pe)
{
    struct ofi_wait wait = {.pe = pe};

    while (tern_load_acquire(&group->left)) /* partner: ofi_rma_count_down() */
        ofi_wait_step(channel, &wait);
    ofi_wait_over(pe);
}

void ofi_wait_until(int pe, bool (*done)(const void *arg), const void *arg)
{
    struct ofi_wait wait = {.pe = pe};

    while (!done(arg))
        ofi_wait_step(OFI_DEFAULT, &wait);
    ofi_wait_over(pe);
}
