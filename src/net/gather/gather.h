/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small operations that travel together: a table of operations in front of an engine's. It gathers
 * small operations in a frame for each PE, and passes the rest to the engine.
 */
#ifndef TERN_NET_GATHER_GATHER_H
#define TERN_NET_GATHER_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include "net/gather/frame.h"
#include "net/net.h"

/* The host for the engine: that of the library, and what frames need. */
const struct tern_net_host *tern_gather_host(const struct tern_net_host *host);

/* The table in front of the engine, which is open; at most `most` operations in a frame. */
const struct tern_net_ops *tern_gather_start(const struct tern_net_ops *engine, long most);

/*
 * Carries out a frame in this PE's memory. answer has room for TERN_NET_MESSAGE_BYTES; returns its
 * length. Called by the engine, one frame at a time.
 */
size_t tern_gather_carry_out(const struct tern_net_host *host, const void *frame, size_t bytes,
                             void *answer);

/* Entries that were carried out; written by the engine's calls only. */
extern uint64_t tern_gather_served;

#endif
