/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers: addresses are resolved on first use; a loss is told once. */
#include <string.h>

#include "net/ofi/ofi.h"

static bool resolve(int pe, fi_addr_t *addr)
{
    struct ofi_peer *peer = &ofi.peers[pe];
    int r = 1;

    pthread_mutex_lock(&ofi.peers_lock);
    *addr = peer->addr;
    if (*addr == FI_ADDR_NOTAVAIL) {
        r = fi_av_insert(ofi.av, ofi_card_address(pe), 1, addr, 0, NULL);
        if (r == 1)
            tern_store_release(&peer->addr, *addr); /* partner: ofi_peer_reach() */
    }
    pthread_mutex_unlock(&ofi.peers_lock);
    if (r == 1)
        return true;
    ofi_peer_lost(pe, "libfabric does not accept its address");
    return false;
}

bool ofi_peer_reach(int pe, fi_addr_t *addr)
{
    if (tern_unlikely(ofi_peer_is_lost(pe)))
        return false;
    *addr = tern_load_acquire(&ofi.peers[pe].addr); /* partner: resolve() */
    return tern_likely(*addr != FI_ADDR_NOTAVAIL) || resolve(pe, addr);
}

void ofi_peer_lost(int pe, const char *why)
{
    if (__atomic_exchange_n(&ofi.peers[pe].lost, 1, __ATOMIC_ACQ_REL))
        return;
    tern_fetch_add(&ofi.losses, 1);
    ofi.host->lost(pe, why);
    ofi.host->landed();
}
