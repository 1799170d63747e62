/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A frame of gathered operations: entries of whole 64-bit words, carried out one after the other.
 * The first word of an entry names the object and the operation:
 *
 *   bits 0-46   distance from the start of the segment
 *   bit 47      the segment: set for static data
 *   bits 48-51  an enum tern_net_op, or one of the two below
 *   bit 52      the old value is sent back
 *   bits 53-63  length in bytes; of an atomic operation 4 or 8
 *
 * Then come the operand, and for a compare-and-swap the other value; or the bytes of a put. The
 * answer has the results in the order of their entries, each in whole words, and nothing else.
 */
#ifndef TERN_NET_GATHER_FRAME_H
#define TERN_NET_GATHER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "net/net.h"

#define TERN_ENTRY_PUT 8
#define TERN_ENTRY_GET 9

/* The longest put or get that is gathered. */
#define TERN_ENTRY_BYTES 256

#define TERN_ENTRY_STATIC 47
#define TERN_ENTRY_OP 48
#define TERN_ENTRY_FETCHES 52
#define TERN_ENTRY_LENGTH 53

struct tern_entry {
    uint64_t distance;
    enum tern_net_segment segment;
    unsigned op, bytes;
    bool fetches;
};

TERN_INLINE size_t tern_entry_words(size_t bytes)
{
    return (bytes + 7) / 8;
}

TERN_INLINE uint64_t tern_entry_pack(uint64_t offset, unsigned op, size_t bytes, bool fetches)
{
    return tern_net_distance_of(offset) |
           (uint64_t)tern_net_segment_of(offset) << TERN_ENTRY_STATIC |
           (uint64_t)op << TERN_ENTRY_OP | (uint64_t)fetches << TERN_ENTRY_FETCHES |
           (uint64_t)bytes << TERN_ENTRY_LENGTH;
}

TERN_INLINE struct tern_entry tern_entry_unpack(uint64_t word)
{
    return (struct tern_entry){
        .distance = word & ((UINT64_C(1) << TERN_ENTRY_STATIC) - 1),
        .segment = word >> TERN_ENTRY_STATIC & 1 ? TERN_NET_STATIC : TERN_NET_HEAP,
        .op = word >> TERN_ENTRY_OP & 15,
        .fetches = word >> TERN_ENTRY_FETCHES & 1,
        .bytes = (unsigned)(word >> TERN_ENTRY_LENGTH),
    };
}

/* Words after the first one. */
TERN_INLINE size_t tern_entry_body(unsigned op, size_t bytes)
{
    if (op == TERN_ENTRY_PUT)
        return tern_entry_words(bytes);
    if (op == TERN_ENTRY_GET)
        return 0;
    return op == TERN_NET_COMPARE_SWAP ? 2 : 1;
}

#endif
