/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffers that no stream has. */
#include "net/gather/buffer.h"

#include <errno.h>
#include <stdlib.h>

#define LEAST_WORDS 1024 /* of entries: shorter frames are much slower */

static TERN_PE_LOCAL struct {
    struct tern_buffer *free;
    size_t n, most;       /* that exist, that may exist */
    uint32_t frame_words; /* for entries */
} pool;

static size_t bytes_of(uint32_t frame_words)
{
    return sizeof(struct tern_buffer) + 2 * sizeof(uint64_t) * frame_words;
}

uint32_t tern_buffer_start(size_t most_bytes, size_t n_streams)
{
    pool.frame_words = TERN_FRAME_WORDS;
    while (pool.frame_words > LEAST_WORDS &&
           most_bytes / bytes_of(pool.frame_words) < 2 * n_streams)
        pool.frame_words /= 2;
    pool.most = most_bytes / bytes_of(pool.frame_words);
    if (!pool.most)
        pool.most = 1;
    return pool.frame_words;
}

static struct tern_buffer *make(void)
{
    struct tern_buffer *buffer = malloc(bytes_of(pool.frame_words));

    if (!buffer)
        return NULL;
    pool.n++;
    buffer->end = buffer->words + 2 * pool.frame_words;
    return buffer;
}

int tern_buffer_take(bool beyond, struct tern_buffer **taken)
{
    struct tern_buffer *buffer = pool.free;

    if (buffer) {
        pool.free = buffer->next;
    } else if (beyond || pool.n < pool.most) {
        buffer = make();
        if (!buffer)
            return -ENOMEM;
    }
    if (buffer)
        buffer->n_places = 0;
    *taken = buffer;
    return 0;
}

void tern_buffer_give(struct tern_buffer *buffer)
{
    buffer->next = pool.free;
    pool.free = buffer;
}
