/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts of blocks that lie apart at the target: a request with all of them. */
#include "net/ofi/scatter.h"

#include "net/ofi/engine.h"
#include "net/ofi/message.h"
#include "net/ofi/op.h"
#include "net/ofi/peer.h"
#include "net/ofi/request.h"
#include "net/ofi/wire.h"

void ofi_scatter(struct tern_net_channel *channel, uint64_t dest, size_t dst, const void *source,
                 size_t bytes, size_t n, int pe)
{
    struct ofi_frame_scatter scatter = {
        .offset = tern_net_distance_of(dest),
        .stride = dst,
        .block = (uint32_t)bytes,
        .n = (uint32_t)n,
    };
    struct ofi_op *frame;
    uint8_t epoch;

    if (ofi_peer_is_lost(pe))
        return;
    channel = ofi_channel(channel);
    epoch = ofi_request_begin(channel);
    frame = ofi_message_room(pe, sizeof scatter + n * bytes);
    scatter.request = ofi_request_name(ofi_request_make(channel, epoch, pe));
    ofi_message_fill(frame, OFI_FRAME_SCATTER, &scatter, sizeof scatter);
    ofi_message_append(frame, source, n * bytes);
    ofi_message_head(frame)->segment = (uint8_t)tern_net_segment_of(dest);
    ofi_message_post(frame);
    pthread_mutex_unlock(&OFI_DEFAULT->lock);
}
