/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine's table of operations, through which the library calls it. */
#include "net/ofi/engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "net/ofi/amo.h"
#include "net/ofi/card.h"
#include "net/ofi/channel.h"
#include "net/ofi/endpoint.h"
#include "net/ofi/log.h"
#include "net/ofi/message.h"
#include "net/ofi/op.h"
#include "net/ofi/order.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"
#include "net/ofi/progress_thread.h"
#include "net/ofi/provider.h"
#include "net/ofi/put_signal.h"
#include "net/ofi/request.h"
#include "net/ofi/rma.h"
#include "net/ofi/scatter.h"

struct ofi_engine ofi;

static char description[160];

#define LINGER_NS 2000000000u

static void forget_peers(void)
{
    free(ofi.peers);
    ofi.peers = NULL;
}

static void make_peers(int n_pes)
{
    size_t bytes = (size_t)n_pes * sizeof *ofi.peers;

    ofi.peers = calloc(1, bytes);
    if (!ofi.peers)
        ofi.host->no_memory(NULL, "the peers of this PE", bytes);
    for (int i = 0; i < n_pes; i++)
        ofi.peers[i].addr = FI_ADDR_NOTAVAIL;
}

/* Some providers need a descriptor for each peer. */
static void allow_descriptors(int n_pes)
{
    struct rlimit limit;
    rlim_t enough = (rlim_t)n_pes + 256; /* 256 for the program and the provider */

    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= enough)
        return;
    limit.rlim_cur = enough < limit.rlim_max ? enough : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static int try_provider(struct fi_info *info)
{
    int r = ofi_endpoint_start(info);

    if (r)
        return r;
    r = ofi_request_start();
    if (!r)
        r = ofi_message_start();
    if (r) {
        ofi_endpoint_stop();
        ofi_message_stop();
        ofi_request_stop();
    }
    return r;
}

static void describe_info(const struct fi_info *info)
{
    snprintf(description, sizeof description, "%s over %s", info->fabric_attr->prov_name,
             info->domain_attr->name);
}

static int engine_open(const struct tern_net_host *host, void *card)
{
    int r;

    ofi.host = host;
    for (int i = 0; i < OFI_CHANNELS; i++) {
        pthread_mutex_init(&ofi.channels[i].lock, NULL);
        ofi.channels[i].index = i;
        ofi.channels[i].fd = -1;
    }
    ofi.n_channels = 1;
    allow_descriptors(host->n_pes);
    make_peers(host->n_pes);
    r = ofi_provider_choose(host, try_provider);
    if (!r)
        r = ofi_card_write(card);
    if (r)
        return r;
    describe_info(ofi.info);
    ofi_log(host->debug, "network: %s", description);
    return 0;
}

static int engine_connect(void)
{
    for (int pe = 0; pe < ofi.host->n_pes; pe++) {
        int r = ofi_card_check(pe);

        if (r)
            return r;
    }
    return ofi_progress_thread_start();
}

/* Waits until queued messages have been sent. */
static void linger(void)
{
    uint64_t until = ofi_now_ns() + LINGER_NS;
    struct ofi_wait wait = {.pe = -1};

    while (ofi_message_under_way() && ofi_now_ns() < until)
        ofi_wait_step(OFI_DEFAULT, &wait);
}

static void engine_close(void)
{
    ofi_progress_thread_stop();
    if (!OFI_DEFAULT->ep)
        return;
    linger();
    ofi_endpoint_stop();
    ofi_message_stop();
    ofi_request_stop();
    forget_peers();
    fi_freeinfo(ofi.info);
    ofi.info = NULL;
}

static const char *engine_describe(void)
{
    return description;
}

static int engine_reaches(int pe)
{
    return ofi_peer_is_lost(pe) ? EHOSTUNREACH : 0;
}

/* A struct tern_net_group serves as a struct ofi_group: both are all zero at first. */
static void put_group(struct tern_net_channel *channel, uint64_t dest, const void *source,
                      size_t bytes, struct tern_net_group *group, int pe)
{
    ofi_rma_put_group(ofi_channel(channel), dest, source, bytes, (struct ofi_group *)group, pe);
}

static void get_group(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                      struct tern_net_group *group, int pe)
{
    ofi_rma_get_group(ofi_channel(channel), dest, source, bytes, (struct ofi_group *)group, pe);
}

static void amo_group(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                      uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                      struct tern_net_group *group, int pe)
{
    ofi_amo_group(channel, op, width, dest, operand, compare, fetch, (struct ofi_group *)group, pe);
}

/* Every operation goes out at once. */
static void engine_session(struct tern_net_channel *channel, bool on, size_t operations)
{
}

static bool engine_progress(void)
{
    return ofi_progress_all();
}

static const struct tern_net_ops ops = {
    .name = "libfabric",
    .open = engine_open,
    .connect = engine_connect,
    .close = engine_close,
    .describe = engine_describe,
    .survey = ofi_provider_survey,
    .reaches = engine_reaches,
    .channel_open = ofi_channel_open,
    .channel_close = ofi_channel_close,
    .put = ofi_rma_put,
    .put_nbi = ofi_rma_put_nbi,
    .get = ofi_rma_get,
    .get_nbi = ofi_rma_get_nbi,
    .scatter = ofi_scatter,
    .put_signal = ofi_put_signal,
    .update = ofi_update,
    .amo = ofi_amo,
    .amo_nbi = ofi_amo_nbi,
    .put_group = put_group,
    .get_group = get_group,
    .amo_group = amo_group,
    .fence = ofi_order_fence,
    .quiet = ofi_order_quiet,
    .is_quiet = ofi_order_is_quiet,
    .count = ofi_order_count,
    .session = engine_session,
    .send = ofi_message_send,
    .frame = ofi_message_frame,
    .await = ofi_wait_until,
    .progress = engine_progress,
    .rest = ofi_progress_thread_take_over,
};

extern const struct tern_net_ops *const tern_net_engine_7;

__attribute__((visibility("default"))) const struct tern_net_ops *const tern_net_engine_7 = &ops;
