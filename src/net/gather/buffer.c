/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers that no stream has. */
#include "net/gather/buffer.h"

#include <stdlib.h>

static TERN_PE_LOCAL struct {
    struct tern_buffer *free;
    size_t n; /* that exist */
} pool;

struct tern_buffer *tern_buffer_take(bool beyond)
{
    struct tern_buffer *buffer = pool.free;

    if (buffer) {
        pool.free = buffer->next;
    } else if (beyond || (pool.n + 1) * sizeof *buffer <= TERN_BUFFER_MOST_BYTES) {
        buffer = malloc(sizeof *buffer);
        pool.n += buffer != NULL;
    }
    if (buffer)
        buffer->n_places = 0;
    return buffer;
}

void tern_buffer_give(struct tern_buffer *buffer)
{
    buffer->next = pool.free;
    pool.free = buffer;
}
