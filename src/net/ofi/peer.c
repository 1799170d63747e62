/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers: addresses are resolved on first use; a loss is told once. */
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
    ofi.host->lost(pe, why);
    tern_fetch_add(&ofi.losses, 1); /* last: it ends the waits for that peer */
    ofi.host->landed();
}

/* ---- doubts ---- */

#define ANSWER_MS 50              /* a host that refuses does so at once */
#define GIVE_UP_NS 60000000000ull /* for a peer that was never met */

/* Whether the provider's addresses are TCP's. */
static socklen_t tcp_address_bytes(void)
{
    const char *name = ofi.info->fabric_attr->prov_name;

    if (strncmp(name, "tcp", 3) && strncmp(name, "net", 3))
        return 0;
    if (ofi.info->addr_format == FI_SOCKADDR_IN)
        return sizeof(struct sockaddr_in);
    return ofi.info->addr_format == FI_SOCKADDR_IN6 ? sizeof(struct sockaddr_in6) : 0;
}

/* What the peer's host says to a connection: 0 or an errno. */
static int try_to_connect(const struct sockaddr *address, socklen_t bytes)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    socklen_t length = sizeof errno;
    int r;

    if (fd < 0)
        return 0;
    r = connect(fd, address, bytes) ? errno : 0;
    if (r == EINPROGRESS) {
        r = 0;
        if (poll(&wait, 1, ANSWER_MS) > 0)
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &r, &length);
    }
    close(fd);
    return r;
}

static void ask_tcp(int pe, socklen_t bytes)
{
    struct sockaddr_storage address = {0};
    int r;

    memcpy(&address, ofi_card_address(pe), bytes);
    r = try_to_connect((const struct sockaddr *)&address, bytes);
    if (r == ECONNREFUSED || r == EHOSTUNREACH || r == ENETUNREACH || r == EHOSTDOWN)
        ofi_peer_lost(pe, strerror(r));
}

void ofi_peer_doubt(int pe, uint64_t since)
{
    socklen_t tcp = tcp_address_bytes();

    if (ofi_peer_is_lost(pe))
        return;
    if (tcp)
        ask_tcp(pe, tcp);
    if (!tern_load_relaxed(&ofi.peers[pe].met) && ofi_now_ns() - since > GIVE_UP_NS)
        ofi_peer_lost(pe, "it has not accepted a connection for a minute");
    ofi_rma_probe(pe);
}
