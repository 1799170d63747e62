/* SPDX-License-Identifier: BSD-3-Clause */
/* The provider's objects: domain, registered segments, and endpoint and queue of each channel. */
#include "net/ofi/endpoint.h"

#include <errno.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "net/ofi/address.h"
#include "net/ofi/channel.h"
#include "net/ofi/engine.h"
#include "net/ofi/environment.h"
#include "net/ofi/op.h"

struct ofi_test_limits ofi_test_limits;

static void close_fid(void *object)
{
    if (object)
        fi_close(object);
}

static int open_queue(struct tern_net_channel *channel)
{
    struct fi_cq_attr attr = {.format = FI_CQ_FORMAT_DATA, .wait_obj = FI_WAIT_FD};
    int r = -FI_ENOSYS;

    channel->fd = -1;
    if (!ofi_test_limits.no_descriptor)
        r = fi_cq_open(ofi.domain, &attr, &channel->cq, NULL);
    if (r) { /* no descriptor to sleep on: waiters poll */
        attr.wait_obj = FI_WAIT_NONE;
        return fi_cq_open(ofi.domain, &attr, &channel->cq, NULL);
    }
    if (fi_control(&channel->cq->fid, FI_GETWAIT, &channel->fd))
        channel->fd = -1;
    return 0;
}

/*
 * ofi_rxm sends messages at once up to the length of its buffers, and announces longer ones. Over
 * tcp it needs no buffer on the way, so the limit may be higher.
 */
static int make_endpoint(struct tern_net_channel *channel)
{
    int r = 0;

    if (!strcmp(ofi.info->fabric_attr->prov_name, "tcp;ofi_rxm"))
        r = ofi_environment_set_eager_limit();
    if (r)
        return r;
    r = fi_endpoint(ofi.domain, ofi.info, &channel->ep, NULL);
    ofi_environment_restore();
    return r;
}

/* ofi_rxm crashes when an endpoint without addresses is closed: such a one is left behind. */
static int bind_addresses(struct tern_net_channel *channel)
{
    int r = fi_ep_bind(channel->ep, &ofi.av->fid, 0);

    if (r)
        channel->ep = NULL;
    return r;
}

int ofi_endpoint_add(struct tern_net_channel *channel)
{
    int r = open_queue(channel);

    if (!r)
        r = make_endpoint(channel);
    if (!r)
        r = bind_addresses(channel);
    if (!r)
        r = fi_ep_bind(channel->ep, &channel->cq->fid, FI_TRANSMIT | FI_RECV);
    if (!r)
        r = fi_enable(channel->ep);
    if (!r && channel == OFI_DEFAULT && ofi.multi_recv) {
        size_t room = OFI_BUFFER;

        r = fi_setopt(&channel->ep->fid, FI_OPT_ENDPOINT, FI_OPT_MIN_MULTI_RECV, &room,
                      sizeof room);
    }
    if (r)
        ofi_endpoint_remove(channel);
    return r;
}

void ofi_endpoint_remove(struct tern_net_channel *channel)
{
    close_fid(channel->ep);
    close_fid(channel->cq);
    channel->ep = NULL;
    channel->cq = NULL;
    channel->fd = -1;
    ofi_op_free_all(channel);
}

static char obstacle[200];

const char *ofi_endpoint_obstacle(void)
{
    return obstacle;
}

/* If the engine chooses the keys and they are long enough, they are random, against guessing. */
static int choose_key(int segment, uint64_t *key)
{
    if (ofi.info->domain_attr->mr_key_size < sizeof *key) {
        *key = (uint64_t)segment + 1;
        return 0;
    }
    if (getrandom(key, sizeof *key, 0) != sizeof *key) {
        snprintf(obstacle, sizeof obstacle, "the system gives no random number (getrandom): %s",
                 strerror(errno));
        return -FI_ENODATA;
    }
    *key = *key << 1 | (uint64_t)segment;
    return 0;
}

int ofi_endpoint_register(void *start, size_t bytes, struct fid_mr **mr)
{
    static uint64_t keys = TERN_NET_SEGMENTS + 1; /* peers need none, but they have to differ */

    return fi_mr_reg(ofi.domain, start, bytes, FI_READ | FI_WRITE | FI_SEND | FI_RECV, 0,
                     __atomic_fetch_add(&keys, 1, __ATOMIC_RELAXED), 0, mr, NULL);
}

static void note_obstacle(size_t bytes, int error)
{
    char limit[TERN_LIMIT_BYTES];

    ofi.host->explain(TERN_LIMIT_LOCKED, bytes, limit);
    snprintf(obstacle, sizeof obstacle, "%zu bytes can't be registered: %s: %s", bytes,
             fi_strerror(-error), limit);
}

static int register_segment(int i)
{
    void *start = ofi.host->segments[i].start;
    size_t bytes = ofi.host->segments[i].bytes;
    bool bind = ofi.info->domain_attr->mr_mode & FI_MR_ENDPOINT;
    uint64_t access = FI_REMOTE_READ | FI_REMOTE_WRITE | FI_READ | FI_WRITE | FI_SEND | FI_RECV;
    uint64_t key;
    int r;

    if (!bytes)
        return 0;
    r = choose_key(i, &key);
    if (r)
        return r;
    r = fi_mr_reg(ofi.domain, start, bytes, access, 0, key, 0, &ofi.mr[i], NULL);
    if (r)
        note_obstacle(bytes, r);
    if (!r && bind)
        r = fi_mr_bind(ofi.mr[i], &OFI_DEFAULT->ep->fid, 0);
    if (!r && bind)
        r = fi_mr_enable(ofi.mr[i]);
    return r;
}

/*
 * With shared receive buffers, ofi_rxm mixes up messages that arrive in several pieces; with a
 * buffer for each message it does not.
 */
static bool shares_buffers_well(const struct fi_info *info)
{
    return !strstr(info->fabric_attr->prov_name, "ofi_rxm");
}

static void learn(const struct fi_info *info)
{
    ofi.local_mr = (info->domain_attr->mr_mode & FI_MR_LOCAL) || ofi_test_limits.local_mr;
    ofi.multi_recv =
        (info->caps & FI_MULTI_RECV) && shares_buffers_well(info) && !ofi_test_limits.no_multi_recv;
    ofi.max_rma = ofi_test_limits.max_rma ? ofi_test_limits.max_rma : info->ep_attr->max_msg_size;
    ofi.ordered_puts = (info->tx_attr->msg_order & FI_ORDER_RMA_WAW) &&
                       info->ep_attr->max_order_waw_size >= ofi.max_rma &&
                       !ofi_test_limits.unordered;
}

/* ofi_rxm reports no error if it could not open a port, and then no peer can reach this PE. */
static int check_name(void)
{
    struct sockaddr_storage name = {0};
    size_t bytes = sizeof name;
    int r;

    if (!ofi_address_is_ip(ofi.info->addr_format))
        return 0;
    r = fi_getname(&OFI_DEFAULT->ep->fid, &name, &bytes);
    if (r)
        return r;
    return ofi_address_has_port((const struct sockaddr *)&name) ? 0 : -FI_EADDRINUSE;
}

int ofi_endpoint_start(struct fi_info *info)
{
    struct fi_av_attr av = {.type = info->domain_attr->av_type};
    int r;

    ofi.info = info;
    obstacle[0] = '\0';
    learn(info);
    r = fi_fabric(info->fabric_attr, &ofi.fabric, NULL);
    if (!r)
        r = fi_domain(ofi.fabric, info, &ofi.domain, NULL);
    if (!r)
        r = fi_av_open(ofi.domain, &av, &ofi.av, NULL);
    if (!r)
        r = ofi_endpoint_add(OFI_DEFAULT);
    if (!r)
        r = check_name();
    for (int i = 0; !r && i < TERN_NET_SEGMENTS; i++)
        r = register_segment(i);
    if (r)
        ofi_endpoint_stop();
    return r;
}

void ofi_endpoint_stop(void)
{
    for (int i = 0; i < TERN_NET_SEGMENTS; i++) {
        close_fid(ofi.mr[i]);
        ofi.mr[i] = NULL;
    }
    for (int i = OFI_CHANNELS - 1; i >= 0; i--)
        ofi_endpoint_remove(&ofi.channels[i]);
    close_fid(ofi.av);
    close_fid(ofi.domain);
    close_fid(ofi.fabric);
    ofi.av = NULL;
    ofi.domain = NULL;
    ofi.fabric = NULL;
}
