/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The address card, and the frames that PEs send each other. All PEs of a job run the same build:
 * native layout.
 */
#ifndef TERN_NET_OFI_WIRE_H
#define TERN_NET_OFI_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

/* Changes with every change of what follows. */
#define OFI_PROTOCOL 4

#define OFI_CARD_MAGIC 0x4e524554u /* "TERN" */

struct ofi_card {
    uint32_t magic;
    uint16_t protocol;
    uint8_t mr_mode_virtual; /* remote addresses are addresses, not offsets */
    uint8_t address_bytes;
    uint64_t
        token; /* random: frames to this PE contain it, which shows that the sender has this card */
    char version[12];
    char provider[24];
    struct {
        uint64_t base; /* the provider's address of the segment's first byte */
        uint64_t key;
    } segments[TERN_NET_SEGMENTS];
    unsigned char address[104];
};

enum ofi_frame_kind {
    OFI_FRAME_MESSAGE,  /* followed by the library's message */
    OFI_FRAME_AMO,      /* struct ofi_frame_amo */
    OFI_FRAME_SIGNAL,   /* struct ofi_frame_signal, then data */
    OFI_FRAME_SCATTER,  /* struct ofi_frame_scatter, then the blocks */
    OFI_FRAME_VALUE,    /* struct ofi_frame_value: the answer to a fetching AMO */
    OFI_FRAME_DONE,     /* struct ofi_frame_done: requests that were carried out */
    OFI_FRAME_GATHERED, /* followed by operations that the library gathered */
    OFI_FRAME_ANSWER,   /* followed by their results */
};

/* In front of each. */
struct ofi_frame {
    uint64_t token;  /* from the receiver's card */
    uint32_t number; /* of the frame, from that PE to this one */
    uint32_t from;
    uint8_t kind;
    uint8_t op;      /* enum tern_net_op */
    uint8_t width;   /* of an AMO */
    uint8_t segment; /* of an AMO's word, a signal, or blocks */
    uint32_t reserved;
};

struct ofi_frame_amo {
    uint64_t offset;
    uint64_t operand;
    uint64_t compare;
    uint16_t request; /* the requester's, comes back with the answer */
    uint16_t fetches;
    uint32_t reserved;
};

struct ofi_frame_signal {
    uint64_t offset;
    uint64_t signal;
    uint64_t data_offset;
    uint16_t request;
    uint8_t data_segment;
    uint8_t reserved;
    uint32_t data_bytes;
};

struct ofi_frame_scatter {
    uint64_t offset; /* of the first block */
    uint64_t stride; /* from one block's start to the next one's */
    uint32_t block;  /* bytes */
    uint32_t n;
    uint16_t request;
    uint16_t reserved[3];
};

struct ofi_frame_value {
    uint64_t value;
    uint16_t request;
    uint16_t reserved[3];
};

#define OFI_DONE_MOST 22

struct ofi_frame_done {
    uint16_t n;
    uint16_t requests[OFI_DONE_MOST];
    uint16_t reserved;
};

/* The length of a body that lists n requests. */
static inline size_t ofi_frame_done_bytes(unsigned n)
{
    return offsetof(struct ofi_frame_done, requests) + n * sizeof(uint16_t);
}

#endif
