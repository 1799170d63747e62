/* SPDX-License-Identifier: BSD-3-Clause */
/* Peers: addresses are resolved on first use; a loss is reported once. */
#include "net/ofi/peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/fabric.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/atomics.h"
#include "net/ofi/address.h"
#include "net/ofi/card.h"
#include "net/ofi/engine.h"
#include "net/ofi/log.h"
#include "net/ofi/rma.h"

/* Held while a peer's address is resolved. */
static pthread_mutex_t peers_lock = PTHREAD_MUTEX_INITIALIZER;

static bool resolve(int pe, fi_addr_t *addr)
{
    struct ofi_peer *peer = &ofi.peers[pe];
    char why[TERN_LIMIT_ERROR_BYTES], text[sizeof why + 48];
    int r = 1;

    pthread_mutex_lock(&peers_lock);
    *addr = peer->addr;
    if (*addr == FI_ADDR_NOTAVAIL) {
        r = fi_av_insert(ofi.av, ofi_card_address(pe), 1, addr, 0, NULL);
        if (r == 1)
            tern_store_release(&peer->addr, *addr); /* partner: ofi_peer_reach() */
    }
    pthread_mutex_unlock(&peers_lock);
    if (r == 1)
        return true;
    ofi_log_explain(r < 0 ? r : -FI_EADDRNOTAVAIL, why);
    snprintf(text, sizeof text, "libfabric does not accept its address: %s", why);
    ofi_peer_lost(pe, text);
    return false;
}

bool ofi_peer_reach(int pe, fi_addr_t *addr)
{
    if (tern_unlikely(ofi_peer_is_lost(pe)))
        return false;
    *addr = tern_load_acquire(&ofi.peers[pe].addr); /* partner: resolve() */
    return tern_likely(*addr != FI_ADDR_NOTAVAIL) || resolve(pe, addr);
}

/* The address of a peer that was never reached, for the message: it may be the wrong one. */
static void add_address(int pe, const char *why, char *text, size_t bytes)
{
    const char *interface = ofi.info->domain_attr->name;
    char address[INET6_ADDRSTRLEN] = "";

    if (ofi_address_is_ip(ofi.info->addr_format))
        ofi_address_text(ofi_card_address(pe), address, sizeof address);
    snprintf(text, bytes, "no connection to %s%sover %s: %s", address, address[0] ? " " : "",
             interface, why);
}

void ofi_peer_lost(int pe, const char *why)
{
    char text[176];

    if (__atomic_exchange_n(&ofi.peers[pe].lost, 1, __ATOMIC_ACQ_REL))
        return;
    if (!tern_load_relaxed(&ofi.peers[pe].contacted)) {
        add_address(pe, why, text, sizeof text);
        why = text;
    }
    ofi.host->lost(pe, why);
    tern_fetch_add(&ofi.losses, 1); /* last: it ends the waits for that peer */
    ofi.host->landed();
}

/* ---- suspected peers ---- */

#define ANSWER_MS 50              /* a host that refuses a connection answers at once */
#define GIVE_UP_NS 60000000000ull /* for a peer that was never contacted */

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

/*
 * A connection that is being tried, to a peer that nothing was heard of: where no packet comes
 * through it takes seconds until that is certain. One peer at a time; the first that is found
 * missing ends the job anyway.
 */
static struct {
    pthread_mutex_t lock;
    int pe, fd;     /* fd is -1 if there is none */
    uint64_t since; /* when it began */
} call = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* 0 or an errno: EINPROGRESS while the host has not answered. */
static int listen_to_call(int fd, int ms)
{
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    int r = 0;
    socklen_t length = sizeof r;

    if (poll(&wait, 1, ms) <= 0)
        return EINPROGRESS;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &r, &length) ? errno : r;
}

static int begin_call(int pe, const struct sockaddr *address, socklen_t bytes)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), r;

    if (fd < 0)
        return 0; /* this error does not depend on the peer */
    r = connect(fd, address, bytes) ? errno : 0;
    if (r == EINPROGRESS)
        r = listen_to_call(fd, ANSWER_MS);
    if (r == EINPROGRESS && !tern_load_relaxed(&ofi.peers[pe].contacted)) {
        call.pe = pe;
        call.fd = fd;
        call.since = ofi_now_ns();
        return r;
    }
    close(fd);
    return r;
}

static void end_call(void)
{
    close(call.fd);
    call.fd = -1;
}

static void judge_call(int pe, int error)
{
    if (error == ECONNREFUSED || error == EHOSTUNREACH || error == ENETUNREACH ||
        error == EHOSTDOWN)
        ofi_peer_lost(pe, strerror(error));
}

/* The call that is under way, whoever it is to. */
static void go_on_with_call(void)
{
    uint64_t patience = ofi.host->first_answer_s * UINT64_C(1000000000);
    bool silent = patience && ofi_now_ns() - call.since > patience;
    int pe = call.pe, r = listen_to_call(call.fd, 0);
    char why[40];

    if (r == EINPROGRESS && !silent)
        return;
    end_call();
    if (r != EINPROGRESS) {
        judge_call(pe, r);
        return;
    }
    if (tern_load_relaxed(&ofi.peers[pe].contacted))
        return;
    snprintf(why, sizeof why, "no answer for %u s", ofi.host->first_answer_s);
    ofi_peer_lost(pe, why);
}

static void ask_tcp(int pe, socklen_t bytes)
{
    struct sockaddr_storage address = {0};

    if (pthread_mutex_trylock(&call.lock))
        return; /* another thread is probing */
    if (call.fd >= 0) {
        go_on_with_call();
    } else {
        memcpy(&address, ofi_card_address(pe), bytes);
        judge_call(pe, begin_call(pe, (const struct sockaddr *)&address, bytes));
    }
    pthread_mutex_unlock(&call.lock);
}

void ofi_peer_suspect(int pe, uint64_t since)
{
    socklen_t tcp = tcp_address_bytes();

    if (ofi_peer_is_lost(pe))
        return;
    if (tcp)
        ask_tcp(pe, tcp);
    if (!tern_load_relaxed(&ofi.peers[pe].contacted) && ofi_now_ns() - since > GIVE_UP_NS)
        ofi_peer_lost(pe, "none was accepted for a minute");
    ofi_rma_probe(pe);
}
