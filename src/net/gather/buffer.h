/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory for frames: buffers that a PE's streams share, up to a bound. */
#ifndef TERN_NET_GATHER_BUFFER_H
#define TERN_NET_GATHER_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "net/gather/frame.h"

/*
 * A frame from its first entry until it is answered. Entries grow from the start; from the end, in
 * reverse, grow the places of results: addresses with the length less one in the top byte, as user
 * space has 56 bits at most. The top bit says that the next word is the group that counts the
 * result.
 */
struct tern_buffer {
    struct tern_buffer *next;
    uint32_t n_places; /* words of places */
    uint64_t *end;     /* of words */
    uint64_t words[];
};

#define TERN_PLACE_LENGTH 56
#define TERN_PLACE_GROUP (UINT64_C(1) << 63)

_Static_assert(TERN_ENTRY_GET_BYTES <= 128, "a length less one fits below the top bit");

/*
 * The most memory for all buffers; there is at least one. Of the words in a buffer, half are for
 * entries. Returns how many these are: as many as a frame may have if n_streams streams can then
 * have two buffers each, else fewer.
 */
uint32_t tern_buffer_start(size_t most_bytes, size_t n_streams);

/*
 * Sets *taken, to NULL if the bound is reached and `beyond` does not ignore it. Returns 0, or
 * -ENOMEM if there is no memory. With the turn.
 */
int tern_buffer_take(bool beyond, struct tern_buffer **taken);
void tern_buffer_give(struct tern_buffer *buffer);

/* Whether a result's place fits. The other half is left to entries, which may come later. */
TERN_INLINE bool tern_buffer_has_room(const struct tern_buffer *buffer)
{
    return buffer->n_places + 2 <= (buffer->end - buffer->words) / 2;
}

/* Notes where the next result of the frame goes; group may be NULL. */
TERN_INLINE void tern_buffer_add_place(struct tern_buffer *buffer, void *dest, uint32_t bytes,
                                       struct tern_net_group *group)
{
    uint64_t *end = buffer->end - buffer->n_places;

    *--end = (uint64_t)(uintptr_t)dest | (uint64_t)(bytes - 1) << TERN_PLACE_LENGTH |
             (group ? TERN_PLACE_GROUP : 0);
    if (group)
        *--end = (uint64_t)(uintptr_t)group;
    buffer->n_places += group ? 2 : 1;
}

#endif
