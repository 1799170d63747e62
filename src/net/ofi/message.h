/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames between PEs. */
#ifndef TERN_NET_OFI_MESSAGE_H
#define TERN_NET_OFI_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/ofi/op.h"
#include "net/ofi/wire.h"

int ofi_message_start(void);
void ofi_message_stop(void);
/* Those up to ofi_message_under_way() need the default channel's lock, and do not wait. */
/* Makes op a frame with that body, all of it or its beginning. */
void ofi_message_fill(struct ofi_op *op, unsigned kind, const void *body, size_t bytes);
void ofi_message_append(struct ofi_op *op, const void *data, size_t bytes); /* to its body */
struct ofi_frame *ofi_message_head(struct ofi_op *op);
void ofi_message_post(struct ofi_op *op); /* now, or as soon as the provider accepts it */
bool ofi_message_flush(void);             /* tries queued frames again; true if one was sent */
int ofi_message_stuck(uint64_t *since);   /* a peer that frames did not reach since then, or -1 */
void ofi_message_take(struct ofi_op *op, const void *frame, size_t bytes, uint64_t flags);
uint32_t ofi_message_under_way(void);
bool ofi_message_lacks_buffers(void); /* some are not posted: a later poll has to try again */
/* An op for a frame with so many bytes of body. Waits; the lock is released meanwhile. */
struct ofi_op *ofi_message_room(int pe, size_t bytes);
/* The caller holds no lock. */
void ofi_message_send(int pe, const void *message, size_t bytes);
void ofi_message_frame(int pe, const void *frame, size_t bytes);

#endif
