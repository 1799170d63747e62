/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers that no stream has. */
#include "net/gather/buffer.h"

#include <stdlib.h>

static TERN_PE_LOCAL struct {
    struct tern_buffer *free;
    size_t n, most; /* that exist, that may exist */
} pool;

void tern_buffer_start(size_t most_bytes)
{
    size_t most = most_bytes / sizeof(struct tern_buffer);

    pool.most = most ? most : 1;
}

struct tern_buffer *tern_buffer_take(bool beyond)
{
    struct tern_buffer *buffer = pool.free;

    if (buffer) {
        pool.free = buffer->next;
    } else if (beyond || pool.n < pool.most) {
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
