/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strided transfers over the network: few long transfers instead of many short ones, if the layout
 * of the remote blocks allows that.
 */
#include "core/strided.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The most that is packed or unpacked at a time. */
#define PACK_BYTES ((size_t)128 << 10)

/* Shorter blocks are sent together in a message, which the target scatters. */
#define SCATTER_BYTES 1024

/* Getting that many unneeded bytes costs less than one more get. */
#define GAP_BYTES 1024

static bool is_one(const struct tern_strided *b)
{
    return b->n == 1 || (b->remote_stride == b->bytes && b->local_stride == b->bytes);
}

/* Splits the first n blocks from the rest. */
static struct tern_strided take(struct tern_strided *rest, size_t n)
{
    struct tern_strided first = *rest;

    first.n = n;
    rest->n -= n;
    rest->remote += n * rest->remote_stride;
    rest->local += n * rest->local_stride;
    return first;
}

/* How many of n blocks, at that stride, fit into a pack. */
static size_t in_pack(size_t stride, size_t n)
{
    return PACK_BYTES / stride < n ? PACK_BYTES / stride : n;
}

static void copy_blocks(char *dest, size_t dst, const char *source, size_t sst, size_t bytes,
                        size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy(dest + i * dst, source + i * sst, bytes);
}

/* The remote blocks are adjacent: one put for each pack. */
static void put_packed(struct tern_net_channel *channel, struct tern_strided rest, char *pack,
                       int pe)
{
    while (rest.n) {
        struct tern_strided b = take(&rest, in_pack(rest.bytes, rest.n));

        copy_blocks(pack, b.bytes, b.local, b.local_stride, b.bytes, b.n);
        tern_net->put(channel, b.remote, pack, b.n * b.bytes, pe);
    }
}

/* The remote blocks are apart, but short. */
static void put_scattered(struct tern_net_channel *channel, struct tern_strided rest, int pe)
{
    char pack[TERN_NET_MESSAGE_BYTES];
    size_t most = sizeof pack / rest.bytes;

    while (rest.n) {
        struct tern_strided b = take(&rest, rest.n < most ? rest.n : most);
        bool adjacent = b.local_stride == b.bytes;

        if (!adjacent)
            copy_blocks(pack, b.bytes, b.local, b.local_stride, b.bytes, b.n);
        tern_net->scatter(channel, b.remote, b.remote_stride, adjacent ? b.local : pack, b.bytes,
                          b.n, pe);
    }
}

static void put_each(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    for (size_t i = 0; i < b->n; i++)
        tern_net->put_nbi(channel, b->remote + i * b->remote_stride, b->local + i * b->local_stride,
                          b->bytes, pe);
    tern_net->quiet(channel);
}

void tern_strided_put(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    bool adjacent = b->remote_stride == b->bytes && b->bytes <= PACK_BYTES / 2;
    char *pack = NULL;

    if (is_one(b))
        tern_net->put(channel, b->remote, b->local, b->n * b->bytes, pe);
    else if (adjacent && (pack = malloc(PACK_BYTES)))
        put_packed(channel, *b, pack, pe);
    else if (b->bytes <= SCATTER_BYTES)
        put_scattered(channel, *b, pe);
    else
        put_each(channel, b, pe);
    free(pack);
}

/* One get for each pack, including the bytes between the blocks. */
static void get_packed(struct tern_net_channel *channel, struct tern_strided rest, char *pack,
                       int pe)
{
    while (rest.n) {
        struct tern_strided b = take(&rest, in_pack(rest.remote_stride, rest.n));

        tern_net->get(channel, pack, b.remote, (b.n - 1) * b.remote_stride + b.bytes, pe);
        copy_blocks(b.local, b.local_stride, pack, b.remote_stride, b.bytes, b.n);
    }
}

static void get_each(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    for (size_t i = 0; i < b->n; i++)
        tern_net->get_nbi(channel, b->local + i * b->local_stride, b->remote + i * b->remote_stride,
                          b->bytes, pe);
    tern_net->quiet(channel);
}

void tern_strided_get(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    bool close = b->remote_stride - b->bytes <= GAP_BYTES && b->remote_stride <= PACK_BYTES / 2;
    char *pack;

    if (is_one(b)) {
        tern_net->get(channel, b->local, b->remote, b->n * b->bytes, pe);
        return;
    }
    pack = close ? malloc(PACK_BYTES) : NULL;
    if (pack)
        get_packed(channel, *b, pack, pe);
    else
        get_each(channel, b, pe);
    free(pack);
}
