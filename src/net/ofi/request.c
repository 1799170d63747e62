/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that other PEs carry out in their memory, kept until they have answered. */
#include "net/ofi/request.h"

#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomics.h"
#include "net/ofi/engine.h"
#include "net/ofi/order.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"
#include "net/ofi/rma.h"
#include "net/ofi/wire.h"

/* The most unanswered requests, which bounds the memory of a target. A power of two. */
#define REQUESTS 512

/* Protected by the default channel's lock, as all requests. */
static struct {
    struct ofi_request *all, *free;
} requests;

int ofi_request_start(void)
{
    requests.all = calloc(REQUESTS, sizeof *requests.all);
    if (!requests.all)
        return -FI_ENOMEM;
    requests.free = NULL;
    for (int i = 0; i < REQUESTS; i++) {
        requests.all[i].next = requests.free;
        requests.free = &requests.all[i];
    }
    return 0;
}

void ofi_request_stop(void)
{
    free(requests.all);
    requests.all = requests.free = NULL;
}

uint16_t ofi_request_name(const struct ofi_request *request)
{
    return (uint16_t)(request->uses * REQUESTS + (request - requests.all));
}

/* The request that an answer names; NULL if that PE was not sent such a request. */
static struct ofi_request *find(uint16_t name, int pe)
{
    struct ofi_request *request = &requests.all[name % REQUESTS];

    return request->channel && request->pe == pe && ofi_request_name(request) == name ? request
                                                                                      : NULL;
}

uint8_t ofi_request_begin(struct tern_net_channel *channel)
{
    uint8_t epoch;

    pthread_mutex_lock(&channel->lock);
    ofi_order_before_request(channel);
    epoch = channel->epoch & 1;
    tern_fetch_add(&channel->pending[epoch].requests, 1);
    channel->writes++;
    if (channel != OFI_DEFAULT) {
        pthread_mutex_unlock(&channel->lock);
        pthread_mutex_lock(&OFI_DEFAULT->lock);
    }
    return epoch;
}

struct ofi_request *ofi_request_make(struct tern_net_channel *channel, uint8_t epoch, int pe)
{
    struct ofi_wait wait = {.pe = pe};
    struct ofi_request *request;

    while (!(request = requests.free))
        ofi_wait_unlocked(OFI_DEFAULT, &wait);
    requests.free = request->next;
    request->uses++;
    request->channel = channel;
    request->epoch = epoch;
    request->pe = pe;
    request->fetch = NULL;
    request->group = NULL;
    return request;
}

void ofi_request_finish(struct ofi_request *request, uint64_t value)
{
    struct tern_net_channel *channel = request->channel;

    if (request->fetch && request->width == 4)
        *(uint32_t *)request->fetch = (uint32_t)value;
    else if (request->fetch)
        *(uint64_t *)request->fetch = value;
    request->channel = NULL;
    request->next = requests.free;
    requests.free = request;
    ofi_rma_count_down(request->group);
    /* Release: partner is quiet's load. */
    __atomic_fetch_sub(&channel->pending[request->epoch].requests, 1, __ATOMIC_RELEASE);
}

void ofi_request_value(int pe, const void *body, size_t bytes)
{
    struct ofi_frame_value value;
    struct ofi_request *request;

    if (bytes != sizeof value)
        return;
    memcpy(&value, body, sizeof value);
    request = find(value.request, pe);
    if (request)
        ofi_request_finish(request, value.value);
}

void ofi_request_done(int pe, const void *body, size_t bytes)
{
    struct ofi_frame_done done = {0};

    if (bytes > sizeof done)
        return;
    memcpy(&done, body, bytes);
    if (done.n > OFI_DONE_MOST || bytes != ofi_frame_done_bytes(done.n))
        return;
    for (unsigned i = 0; i < done.n; i++) {
        struct ofi_request *request = find(done.requests[i], pe);

        if (request)
            ofi_request_finish(request, 0);
    }
}

void ofi_request_sweep(void)
{
    for (int i = 0; requests.all && i < REQUESTS; i++) {
        struct ofi_request *request = &requests.all[i];

        if (request->channel && ofi_peer_is_lost(request->pe))
            ofi_request_finish(request, 0);
    }
}

int ofi_request_next_peer(int pe)
{
    int n = ofi.host->n_pes, next = -1;

    for (int i = 0; i < REQUESTS; i++) {
        const struct ofi_request *request = &requests.all[i];
        int ahead = request->channel ? (request->pe - pe - 1 + n) % n : n;

        if (request->channel && (next < 0 || ahead < (next - pe - 1 + n) % n))
            next = request->pe;
    }
    return next;
}
