/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of this PE. */
#ifndef TERN_NET_OFI_REQUEST_H
#define TERN_NET_OFI_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "net/net.h"
#include "net/ofi/op.h"

struct ofi_request {
    struct ofi_request *next;
    struct tern_net_channel *channel; /* NULL: free */
    void *fetch;                      /* where the old value goes, or NULL */
    struct ofi_group *group;          /* of the caller that waits, or NULL */
    int pe;
    uint16_t uses; /* how often the entry was used, which tells late answers apart */
    uint8_t width, epoch;
};

int ofi_request_start(void);
void ofi_request_stop(void);
/*
 * Counts an operation as pending on the channel, in the epoch that it returns; with the default
 * channel's lock, which those below need.
 */
uint8_t ofi_request_begin(struct tern_net_channel *channel);
/* Waits for a free request; the lock is released meanwhile. */
struct ofi_request *ofi_request_make(struct tern_net_channel *channel, uint8_t epoch, int pe);
uint16_t ofi_request_name(const struct ofi_request *request); /* the answer contains it */
void ofi_request_finish(struct ofi_request *request, uint64_t value);
void ofi_request_value(int pe, const void *body, size_t bytes);
void ofi_request_done(int pe, const void *body, size_t bytes);
void ofi_request_sweep(void);      /* ends those to lost peers */
int ofi_request_next_peer(int pe); /* as ofi_op_next_peer() */

#endif
