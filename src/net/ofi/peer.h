/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers: when they are reached, and when they are lost. */
#ifndef TERN_NET_OFI_PEER_H
#define TERN_NET_OFI_PEER_H

#include <rdma/fabric.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomics.h"
#include "net/ofi/engine.h"

/* A peer's state; its constant data are in its card. */
struct ofi_peer {
    fi_addr_t addr;       /* FI_ADDR_NOTAVAIL until it is first used */
    uint32_t sent, taken; /* numbers of the next frame to it and from it */
    uint32_t queued;      /* frames to it that wait in the backlog */
    uint8_t lost;
    uint8_t stalled;   /* the provider has refused a frame to it in this pass over the backlog */
    uint8_t contacted; /* an operation to it is complete, or a frame from it has arrived */
};

/* False: the peer is lost. */
bool ofi_peer_reach(int pe, fi_addr_t *addr);
void ofi_peer_lost(int pe, const char *why);
static inline bool ofi_peer_is_lost(int pe)
{
    return tern_load_relaxed(&ofi.peers[pe].lost);
}
static inline void ofi_peer_contacted(int pe)
{
    if (tern_unlikely(!tern_load_relaxed(&ofi.peers[pe].contacted)))
        tern_store_relaxed(&ofi.peers[pe].contacted, 1);
}
/*
 * Probes a peer, so that the provider reports its loss: a provider may try for ever to connect, or
 * wait for ever for an answer. since: the start of the caller's wait. The caller holds no lock.
 */
void ofi_peer_suspect(int pe, uint64_t since);

#endif
