/* SPDX-License-Identifier: BSD-3-Clause */
/* AMOs: requests that the target's process carries out. */
#include "net/ofi/amo.h"

#include <string.h>

#include "base/atomics.h"
#include "net/ofi/engine.h"
#include "net/ofi/message.h"
#include "net/ofi/op.h"
#include "net/ofi/peer.h"
#include "net/ofi/progress.h"
#include "net/ofi/request.h"
#include "net/ofi/wire.h"

/* fetch may be NULL; if there is a group, the caller waits for it. */
static void start_amo(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                      uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                      struct ofi_group *group, int pe)
{
    struct ofi_frame_amo amo = {
        .offset = tern_net_distance_of(dest),
        .operand = operand,
        .compare = compare,
        .fetches = fetch != NULL,
    };
    struct ofi_request *request;
    struct ofi_op *frame;
    uint8_t epoch;

    if (ofi_peer_is_lost(pe)) {
        if (fetch)
            memset(fetch, 0, width);
        return;
    }
    epoch = ofi_request_begin(channel);
    frame = ofi_message_room(pe, sizeof amo);
    request = ofi_request_make(channel, epoch, pe);
    request->fetch = fetch;
    request->group = group;
    request->width = (uint8_t)width;
    if (group)
        tern_fetch_add(&group->left, 1);
    amo.request = ofi_request_name(request);
    ofi_message_fill(frame, OFI_FRAME_AMO, &amo, sizeof amo);
    ofi_message_head(frame)->op = (uint8_t)op;
    ofi_message_head(frame)->width = (uint8_t)width;
    ofi_message_head(frame)->segment = (uint8_t)tern_net_segment_of(dest);
    ofi_message_post(frame);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}

void ofi_update(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                uint64_t dest, uint64_t operand, int pe)
{
    start_amo(ofi_channel(channel), op, width, dest, operand, 0, NULL, NULL, pe);
}

void ofi_amo(struct tern_net_channel *channel, enum tern_net_op op, unsigned width, uint64_t dest,
             uint64_t operand, uint64_t compare, uint64_t *fetch, int pe)
{
    struct ofi_group group = {0};

    *fetch = 0;
    start_amo(ofi_channel(channel), op, width, dest, operand, compare, fetch, &group, pe);
    ofi_wait_group(OFI_DEFAULT, &group, pe);
}

void ofi_amo_nbi(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                 uint64_t dest, uint64_t operand, uint64_t compare, void *fetch, int pe)
{
    start_amo(ofi_channel(channel), op, width, dest, operand, compare, fetch, NULL, pe);
}

void ofi_amo_group(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                   uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                   struct ofi_group *group, int pe)
{
    start_amo(ofi_channel(channel), op, width, dest, operand, compare, fetch, group, pe);
}
