/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames that PEs with this PE's card send it: two bytes of length, then the frame. Its number is
 * relative to the one that is due, and its token is the right one.
 */
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>

#include "fuzz/target.h"
#include "net/ofi/address.h"
#include "net/ofi/card.h"
#include "net/ofi/endpoint.h"
#include "net/ofi/engine.h"
#include "net/ofi/log.h"
#include "net/ofi/message.h"
#include "net/ofi/order.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"
#include "net/ofi/request.h"
#include "net/ofi/rma.h"
#include "net/ofi/service.h"

enum { PES = 4, BYTES = 256, REQUESTS = 8 };

struct ofi_engine ofi;

static struct ofi_peer peers[PES];
static unsigned char card[TERN_NET_CARD_BYTES];
static uint64_t fetched[REQUESTS];

/* ---- the provider, which accepts what it is given and says no more ---- */

static int get_name(fid_t fid, void *addr, size_t *bytes)
{
    memset(addr, 1, *bytes);
    return 0;
}

static ssize_t receive(struct fid_ep *ep, const struct fi_msg *msg, uint64_t flags)
{
    return 0;
}

/* ---- the parts of the engine that frames do not reach ---- */

bool ofi_peer_reach(int pe, fi_addr_t *addr)
{
    return false;
}

void ofi_peer_lost(int pe, const char *why)
{
}

void ofi_wait_unlocked(struct tern_net_channel *channel, struct ofi_wait *wait)
{
    abort();
}

void ofi_order_before_request(struct tern_net_channel *channel)
{
}

void ofi_rma_count_down(struct ofi_group *group)
{
}

int ofi_endpoint_register(void *memory, size_t bytes, struct fid_mr **mr)
{
    abort();
}

bool ofi_address_is_ip(uint32_t format)
{
    return true;
}

void ofi_log(void (*to)(const char *text), const char *format, ...)
{
}

void ofi_log_explain(int code, char text[TERN_LIMIT_ERROR_BYTES])
{
    text[0] = '\0';
}

uint64_t ofi_now_ns(void)
{
    return 1;
}

const char *fi_strerror(int code)
{
    return "";
}

/* ---- the library ---- */

static const void *card_of(int pe)
{
    return card;
}

/* Reads all bytes, so that the sanitizer sees those that are not there. */
static void received(int from, const void *message, size_t bytes)
{
    char copy[TERN_NET_FRAME_BYTES];

    if (from < 0 || from >= PES || bytes > sizeof copy)
        abort();
    memcpy(copy, message, bytes);
}

static size_t carry_out(const void *frame, size_t bytes, void *answer)
{
    if ((uintptr_t)frame % 8 || (uintptr_t)answer % 8)
        abort();
    memcpy(answer, frame, bytes);
    return bytes;
}

static TERN_NORETURN void no_memory(const char *routine, const char *what, size_t bytes)
{
    abort();
}

static void start(void)
{
    static struct fi_ops_cm cm = {.getname = get_name};
    static struct fi_ops_msg msg = {.recvmsg = receive};
    static struct fid_ep ep = {.cm = &cm, .msg = &msg};
    static struct fi_domain_attr domain;
    static struct fi_fabric_attr fabric = {.prov_name = (char *)"tcp"};
    static struct fi_info info = {.domain_attr = &domain, .fabric_attr = &fabric};
    static struct tern_net_host host = {
        .n_pes = PES,
        .card = card_of,
        .received = received,
        .carry_out = carry_out,
        .answered = received,
        .no_memory = no_memory,
    };

    for (int i = 0; i < TERN_NET_SEGMENTS; i++) {
        host.segments[i].start = aligned_alloc(64, BYTES);
        host.segments[i].bytes = BYTES;
        memset(host.segments[i].start, 0, BYTES);
    }
    ofi.host = &host;
    ofi.peers = peers;
    ofi.info = &info;
    pthread_mutex_init(&OFI_DEFAULT->lock, NULL);
    OFI_DEFAULT->ep = &ep;
    if (ofi_card_write(card) != 0)
        abort();
}

/* So that answers find requests: one to each peer fetches, the others are acknowledged. */
static void make_requests(void)
{
    for (int i = 0; i < REQUESTS; i++) {
        uint8_t epoch = ofi_request_begin(OFI_DEFAULT);
        struct ofi_request *request = ofi_request_make(OFI_DEFAULT, epoch, i % PES);

        request->fetch = i < PES ? &fetched[i] : NULL;
        request->width = i % 2 ? 4 : 8;
        pthread_mutex_unlock(&OFI_DEFAULT->lock);
    }
}

static void take(const uint8_t *frame, size_t bytes)
{
    struct ofi_op *op = ofi_op_take_more(OFI_DEFAULT, NULL, -1);
    uint8_t *copy = malloc(bytes ? bytes : 1); /* of its exact length */
    struct ofi_frame head;

    if (!copy)
        abort();
    memcpy(copy, frame, bytes);
    if (bytes >= sizeof head) {
        memcpy(&head, frame, sizeof head);
        head.token = ofi_card_token(0);
        if (head.from < PES)
            head.number += peers[head.from].taken;
        memcpy(copy, &head, sizeof head);
    }
    op->dest = copy;
    ofi_message_take(op, copy, bytes, 0);
    free(copy);
    ofi_service_answer();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (!ofi.host)
        start();
    memset(peers, 0, sizeof peers);
    if (ofi_message_start() != 0 || ofi_request_start() != 0)
        abort();
    make_requests();
    while (bytes >= 2) {
        size_t length = (size_t)(data[0] | data[1] << 8) % (TERN_NET_FRAME_BYTES + 64);

        data += 2;
        bytes -= 2;
        length = length < bytes ? length : bytes;
        take(data, length);
        data += length;
        bytes -= length;
    }
    ofi_message_stop();
    ofi_request_stop();
    ofi_op_free_all(OFI_DEFAULT);
    return 0;
}
