/* SPDX-License-Identifier: BSD-3-Clause */
/* The address card: what peers must know to reach this PE. */
#ifndef TERN_NET_OFI_CARD_H
#define TERN_NET_OFI_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

int ofi_card_write(void *card);
/* 0, or -EPROTO after a message if that PE's card and this PE's do not fit. */
int ofi_card_check(int pe);
const void *ofi_card_address(int pe);
/* What a frame to that PE must contain, and whether one to this PE does. */
uint64_t ofi_card_token(int pe);
bool ofi_card_is_own_token(uint64_t token);

/* Whether all bytes are in a segment of this PE, and in which. */
bool ofi_card_has(const void *addr, size_t bytes, enum tern_net_segment *segment);
/* An object of a peer, as the provider names it. */
void ofi_card_remote(int pe, uint64_t offset, uint64_t *addr, uint64_t *key);
/* This PE's own memory that a peer has named, or NULL if it is outside of the segment. */
void *ofi_card_own(unsigned segment, uint64_t offset, uint64_t bytes);

#endif
