/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries out the frames of peers. */
#ifndef TERN_NET_GATHER_CARRY_OUT_H
#define TERN_NET_GATHER_CARRY_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "net/gather/gather.h"

/* Before the first frame. */
void tern_carry_out_start(const struct tern_net_host *host, const struct tern_gather_job *job);

/*
 * Carries out a frame in the memory of this node's PEs. answer has room for TERN_NET_FRAME_BYTES;
 * returns its length. The engine calls it, one frame at a time.
 */
size_t tern_carry_out(const void *frame, size_t bytes, void *answer);

/* Entries that were carried out. */
uint64_t tern_carry_out_count(void);

#endif
