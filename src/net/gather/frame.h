/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A frame of gathered operations on the PEs of a node: entries of whole 64-bit words, carried out
 * one after the other. The first word of an entry names the object and the operation:
 *
 *   bits 0-50   the PE's number on its node, above the distance from the start of the segment
 *   bit 51      the segment: set for static data
 *   bits 52-55  the operation, see below
 *   bits 56-63  length in bytes less one; of an atomic operation 3 or 7
 *
 * Then come the operand, and for a compare-and-swap the other value; or the bytes of a put. The
 * answer has the results in the order of their entries, each in whole words, and nothing else.
 *
 * An atomic operation other than compare-and-swap is a short entry of one word, if its operand is
 * small and its object is aligned and not too far from the start of the segment:
 *
 *   bits 0-31   the PE's number on its node, above the distance in units of the object's length
 *   bits 32-50  the operand, signed
 *   bits 51-55  as above
 *   bits 56-62  length in bytes less one
 *   bit 63      set; in the long entry of an atomic operation it is clear
 */
#ifndef TERN_NET_GATHER_FRAME_H
#define TERN_NET_GATHER_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/pe_range.h"
#include "net/net.h"

/*
 * An operation: an enum tern_net_op, and TERN_ENTRY_FETCHES if the old value is sent back. A fetch
 * without a result and a set with one make no sense; their numbers are those of put and get.
 */
#define TERN_ENTRY_FETCHES 8
#define TERN_ENTRY_PUT TERN_NET_FETCH
#define TERN_ENTRY_GET (TERN_NET_SET | TERN_ENTRY_FETCHES)

/* The longest put and the longest get that are gathered. */
#define TERN_ENTRY_PUT_BYTES 256
#define TERN_ENTRY_GET_BYTES 128

#define TERN_ENTRY_SEGMENT 51
#define TERN_ENTRY_OP 52
#define TERN_ENTRY_LENGTH 56

#define TERN_ENTRY_SHORT_PLACE 32 /* bits */
#define TERN_ENTRY_OPERAND 19     /* bits */
#define TERN_ENTRY_SHORT 63

#define TERN_FRAME_WORDS (TERN_NET_FRAME_BYTES / 8)

TERN_INLINE uint32_t tern_entry_words(size_t bytes)
{
    return (uint32_t)((bytes + 7) / 8);
}

/* place: the PE's number on its node, above the distance. */
TERN_INLINE uint64_t tern_entry_pack(uint64_t place, uint64_t offset, unsigned op, size_t bytes)
{
    return (place + tern_net_distance_of(offset)) |
           (uint64_t)tern_net_segment_of(offset) << TERN_ENTRY_SEGMENT |
           (uint64_t)op << TERN_ENTRY_OP | (uint64_t)(bytes - 1) << TERN_ENTRY_LENGTH;
}

/*
 * A short entry, or 0 if the operation does not fit. op is not a compare-and-swap; bytes is 4 or 8,
 * and of an operand of 4 bytes the upper half is ignored.
 */
TERN_INLINE uint64_t tern_entry_pack_short(uint64_t place, unsigned distance_bits, uint64_t offset,
                                           unsigned op, size_t bytes, uint64_t operand)
{
    unsigned saved = TERN_ENTRY_SEGMENT - TERN_ENTRY_SHORT_PLACE;
    uint64_t distance = tern_net_distance_of(offset);
    uint64_t unit = distance >> (bytes == 8 ? 3 : 2);
    uint64_t value = bytes == 8 ? operand : (uint64_t)(int64_t)(int32_t)operand;
    uint64_t half = UINT64_C(1) << (TERN_ENTRY_OPERAND - 1);

    if (tern_unlikely(unit >> (distance_bits - saved) || distance & (bytes - 1)) ||
        (value + half) >> TERN_ENTRY_OPERAND)
        return 0;
    return ((place >> saved) + unit) | (value & (2 * half - 1)) << TERN_ENTRY_SHORT_PLACE |
           (uint64_t)tern_net_segment_of(offset) << TERN_ENTRY_SEGMENT |
           (uint64_t)op << TERN_ENTRY_OP | (uint64_t)(bytes - 1) << TERN_ENTRY_LENGTH |
           UINT64_C(1) << TERN_ENTRY_SHORT;
}

TERN_INLINE unsigned tern_entry_op(uint64_t word)
{
    return word >> TERN_ENTRY_OP & 15;
}

TERN_INLINE bool tern_entry_is_short(uint64_t word)
{
    unsigned op = tern_entry_op(word);

    return word >> TERN_ENTRY_SHORT && op != TERN_ENTRY_PUT && op != TERN_ENTRY_GET;
}

TERN_INLINE uint32_t tern_entry_length(uint64_t word)
{
    uint32_t length = (uint32_t)(word >> TERN_ENTRY_LENGTH);

    return (tern_entry_is_short(word) ? length & 127 : length) + 1;
}

/* The PE's number on its node. */
TERN_INLINE uint64_t tern_entry_pe(uint64_t word, unsigned distance_bits)
{
    if (tern_entry_is_short(word))
        return (word & UINT32_MAX) >> (distance_bits + TERN_ENTRY_SHORT_PLACE - TERN_ENTRY_SEGMENT);
    return (word & ((UINT64_C(1) << TERN_ENTRY_SEGMENT) - 1)) >> distance_bits;
}

/* The distance from the start of the segment. */
TERN_INLINE uint64_t tern_entry_distance(uint64_t word, unsigned distance_bits)
{
    unsigned saved = TERN_ENTRY_SEGMENT - TERN_ENTRY_SHORT_PLACE;

    if (tern_entry_is_short(word))
        return (word & ((UINT64_C(1) << (distance_bits - saved)) - 1)) * tern_entry_length(word);
    return word & ((UINT64_C(1) << distance_bits) - 1);
}

/* The operand of a short entry. */
TERN_INLINE uint64_t tern_entry_operand(uint64_t word)
{
    uint64_t sign = UINT64_C(1) << (TERN_ENTRY_OPERAND - 1);

    return ((word >> TERN_ENTRY_SHORT_PLACE & (2 * sign - 1)) ^ sign) - sign;
}

/* Words after the first one. */
TERN_INLINE uint32_t tern_entry_body(uint64_t word)
{
    unsigned op = tern_entry_op(word);

    if (op == TERN_ENTRY_PUT)
        return tern_entry_words(tern_entry_length(word));
    if (op == TERN_ENTRY_GET || tern_entry_is_short(word))
        return 0;
    return (op & ~(unsigned)TERN_ENTRY_FETCHES) == TERN_NET_COMPARE_SWAP ? 2 : 1;
}

/*
 * The bits of a distance: the PEs of the largest node take those above it. All PEs of a job compute
 * the same.
 */
static inline unsigned tern_entry_distance_bits(const struct tern_pe_range *nodes, int n)
{
    unsigned bits = TERN_ENTRY_SEGMENT;
    int largest = 1;

    for (int i = 0; i < n; i++)
        largest = nodes[i].size > largest ? nodes[i].size : largest;
    for (; largest > 1; largest = (largest + 1) / 2)
        bits--;
    return bits;
}

#endif
