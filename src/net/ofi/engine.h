/* SPDX-License-Identifier: BSD-3-Clause */
/* What all files of the libfabric engine share. */
#ifndef TERN_NET_OFI_ENGINE_H
#define TERN_NET_OFI_ENGINE_H

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"
#include "net/ofi/channel.h"

/* The version of libfabric's interface that the engine uses; newer libraries support it. */
#define OFI_VERSION FI_VERSION(1, 14)

struct ofi_peer;

/* What several files use; each group is written by the file that it names, and read by all. */
struct ofi_engine {
    /* engine.c, while the engine is opened */
    const struct tern_net_host *host;
    struct ofi_peer *peers; /* an entry belongs to peer.c; its frames' numbers to message.c */

    /* endpoint.c, when it starts a provider */
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_mr *mr[TERN_NET_SEGMENTS];
    bool local_mr;     /* local memory must be registered */
    bool ordered_puts; /* puts of one channel to one peer land in order */
    bool multi_recv;
    size_t max_rma; /* bytes in one operation */

    /* peer.c */
    uint32_t losses;

    /* channel.c; the default channel: engine.c */
    int n_channels; /* entries of the table that have ever been used */
    struct tern_net_channel channels[OFI_CHANNELS];
};

extern struct ofi_engine ofi;

/* For tests: the provider is used as if it had these limits. Nothing sets them in the plug-in. */
struct ofi_test_limits {
    bool local_mr, no_multi_recv, no_descriptor, unordered;
    size_t max_rma; /* 0: as it is */
};

extern struct ofi_test_limits ofi_test_limits;

#define OFI_DEFAULT (&ofi.channels[0])

static inline struct tern_net_channel *ofi_channel(struct tern_net_channel *channel)
{
    return channel ? channel : OFI_DEFAULT;
}

#endif
