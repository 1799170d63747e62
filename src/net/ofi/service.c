/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of peers, which this PE's processor carries out in its own memory. */
#include "net/ofi/service.h"

#include <string.h>

#include "base/atomics.h"
#include "net/apply.h"
#include "net/ofi/card.h"
#include "net/ofi/engine.h"
#include "net/ofi/message.h"
#include "net/ofi/op.h"
#include "net/ofi/wire.h"

/* Requests of one peer that were carried out but not acknowledged yet. */
static struct {
    int pe;
    struct ofi_frame_done done;
} gathered = {.pe = -1};

/* The word that a peer has named; NULL if the received values are invalid. */
static void *word(unsigned segment, uint64_t offset, unsigned width)
{
    void *at = ofi_card_own(segment, offset, width);

    return (uintptr_t)at % width ? NULL : at;
}

static void answer(int pe, unsigned kind, const void *body, size_t bytes)
{
    struct ofi_op *op = ofi_op_take_more(OFI_DEFAULT, NULL, pe);

    ofi_message_fill(op, kind, body, bytes);
    ofi_message_post(op);
}

void ofi_service_answer(void)
{
    int pe = gathered.pe;

    if (pe < 0)
        return;
    gathered.pe = -1;
    answer(pe, OFI_FRAME_DONE, &gathered.done, ofi_frame_done_bytes(gathered.done.n));
}

static void acknowledge(int pe, uint16_t request)
{
    if (gathered.pe != pe || gathered.done.n == OFI_DONE_MOST) {
        ofi_service_answer();
        gathered.pe = pe;
        gathered.done.n = 0;
    }
    gathered.done.requests[gathered.done.n++] = request;
}

static void serve_amo(const struct ofi_frame *head, const void *body)
{
    struct ofi_frame_amo amo;
    struct ofi_frame_value value = {0};
    void *at;

    memcpy(&amo, body, sizeof amo);
    if (head->width != 4 && head->width != 8)
        return;
    at = word(head->segment, amo.offset, head->width);
    if (!at)
        return;
    if (head->width == 4)
        value.value = tern_net_apply32(head->op, at, (uint32_t)amo.operand, (uint32_t)amo.compare);
    else
        value.value = tern_net_apply64(head->op, at, amo.operand, amo.compare);
    value.request = amo.request;
    if (amo.fetches)
        answer((int)head->from, OFI_FRAME_VALUE, &value, sizeof value);
    else
        acknowledge((int)head->from, amo.request);
}

static void serve_signal(const struct ofi_frame *head, const void *body, size_t bytes)
{
    struct ofi_frame_signal signal;
    void *at, *to;

    memcpy(&signal, body, sizeof signal);
    at = word(head->segment, signal.offset, sizeof(uint64_t));
    to = ofi_card_own(signal.data_segment, signal.data_offset, signal.data_bytes);
    if (!at || !to || signal.data_bytes != bytes - sizeof signal)
        return;
    memcpy(to, (const char *)body + sizeof signal, signal.data_bytes);
    tern_net_apply64(head->op, at, signal.signal, 0); /* a release: after the data */
    acknowledge((int)head->from, signal.request);
}

/* One loop for each size, so that an element is moved by one store, and no PE sees a part of it. */
#define COPY_BLOCKS(size)                                                                          \
    for (uint32_t i = 0; i < s->n; i++)                                                            \
    memcpy(to + i * s->stride, from + i * (size_t)(size), size)

static void copy_blocks(const struct ofi_frame_scatter *s, char *to, const char *from)
{
    switch (s->block) {
    case 2:
        COPY_BLOCKS(2);
        break;
    case 4:
        COPY_BLOCKS(4);
        break;
    case 8:
        COPY_BLOCKS(8);
        break;
    default:
        COPY_BLOCKS(s->block);
    }
}

static void serve_scatter(const struct ofi_frame *head, const void *body, size_t bytes)
{
    struct ofi_frame_scatter scatter;
    uint64_t extent;
    char *to;

    memcpy(&scatter, body, sizeof scatter);
    if (!scatter.n || !scatter.block ||
        (uint64_t)scatter.n * scatter.block != bytes - sizeof scatter ||
        __builtin_mul_overflow(scatter.stride, scatter.n - 1, &extent) ||
        __builtin_add_overflow(extent, scatter.block, &extent))
        return;
    to = ofi_card_own(head->segment, scatter.offset, extent);
    if (!to)
        return;
    copy_blocks(&scatter, to, (const char *)body + sizeof scatter);
    acknowledge((int)head->from, scatter.request);
}

/* Requests that this PE has carried out. */
static uint64_t served;

uint64_t ofi_service_count(void)
{
    return tern_load_relaxed(&served);
}

void ofi_service_take(const struct ofi_frame *head, const void *body, size_t bytes)
{
    if (head->op > TERN_NET_XOR)
        return;
    tern_store_relaxed(&served, served + 1); /* under the default channel's lock */
    if (head->kind == OFI_FRAME_AMO && bytes == sizeof(struct ofi_frame_amo))
        serve_amo(head, body);
    else if (head->kind == OFI_FRAME_SIGNAL && bytes >= sizeof(struct ofi_frame_signal))
        serve_signal(head, body, bytes);
    else if (head->kind == OFI_FRAME_SCATTER && bytes >= sizeof(struct ofi_frame_scatter))
        serve_scatter(head, body, bytes);
}
