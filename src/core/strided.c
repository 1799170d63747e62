/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Few long transfers instead of many short ones, where the blocks' layout at the target allows it.
 */
#include "core/strided.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What is packed or unpacked at a time. */
#define PACK_BYTES ((size_t)128 << 10)

/* Blocks that are shorter go together in a message, which the target takes apart. */
#define SCATTER_BYTES 1024

/* A get of so many bytes that nobody wants costs less than a get more. */
#define GAP_BYTES 1024

static bool is_one(const struct tern_strided *b)
{
    return b->n == 1 || (b->dst == b->bytes && b->sst == b->bytes);
}

/* The first `n` of the blocks, which are then the rest. */
static struct tern_strided take(struct tern_strided *rest, size_t n)
{
    struct tern_strided first = *rest;

    first.n = n;
    rest->n -= n;
    rest->dest += n * rest->dst;
    rest->source += n * rest->sst;
    return first;
}

/* How many blocks that are `stride` apart there are in a pack. */
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

/* Their places at the target are adjacent: one put takes a pack of them. */
static void put_packed(struct tern_net_channel *channel, struct tern_strided rest, char *pack,
                       int pe)
{
    while (rest.n) {
        struct tern_strided b = take(&rest, in_pack(rest.bytes, rest.n));

        copy_blocks(pack, b.bytes, b.source, b.sst, b.bytes, b.n);
        tern_net->put(channel, b.dest, pack, b.n * b.bytes, pe);
    }
}

/* Their places at the target are apart, but they are short. */
static void put_scattered(struct tern_net_channel *channel, struct tern_strided rest, int pe)
{
    char pack[TERN_NET_MESSAGE_BYTES];
    size_t most = sizeof pack / rest.bytes;

    while (rest.n) {
        struct tern_strided b = take(&rest, rest.n < most ? rest.n : most);
        bool adjacent = b.sst == b.bytes;

        if (!adjacent)
            copy_blocks(pack, b.bytes, b.source, b.sst, b.bytes, b.n);
        tern_net->scatter(channel, b.dest, b.dst, adjacent ? b.source : pack, b.bytes, b.n, pe);
    }
}

static void put_each(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    for (size_t i = 0; i < b->n; i++)
        tern_net->put_nbi(channel, b->dest + i * b->dst, b->source + i * b->sst, b->bytes, pe);
    tern_net->quiet(channel);
}

void tern_strided_put(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    bool adjacent = b->dst == b->bytes && b->bytes <= PACK_BYTES / 2;
    char *pack = NULL;

    if (is_one(b))
        tern_net->put(channel, b->dest, b->source, b->n * b->bytes, pe);
    else if (adjacent && (pack = malloc(PACK_BYTES)))
        put_packed(channel, *b, pack, pe);
    else if (b->bytes <= SCATTER_BYTES)
        put_scattered(channel, *b, pe);
    else
        put_each(channel, b, pe);
    free(pack);
}

/* One get takes a pack of blocks with what is between them. */
static void get_packed(struct tern_net_channel *channel, struct tern_strided rest, char *pack,
                       int pe)
{
    while (rest.n) {
        struct tern_strided b = take(&rest, in_pack(rest.sst, rest.n));

        tern_net->get(channel, pack, b.source, (b.n - 1) * b.sst + b.bytes, pe);
        copy_blocks(b.dest, b.dst, pack, b.sst, b.bytes, b.n);
    }
}

static void get_each(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    for (size_t i = 0; i < b->n; i++)
        tern_net->get_nbi(channel, b->dest + i * b->dst, b->source + i * b->sst, b->bytes, pe);
    tern_net->quiet(channel);
}

void tern_strided_get(struct tern_net_channel *channel, const struct tern_strided *b, int pe)
{
    bool close = b->sst - b->bytes <= GAP_BYTES && b->sst <= PACK_BYTES / 2;
    char *pack;

    if (is_one(b)) {
        tern_net->get(channel, b->dest, b->source, b->n * b->bytes, pe);
        return;
    }
    pack = close ? malloc(PACK_BYTES) : NULL;
    if (pack)
        get_packed(channel, *b, pack, pe);
    else
        get_each(channel, b, pe);
    free(pack);
}
