/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts, gets and scatters: every byte arrives, and no other byte changes. */
#include <stdlib.h>
#include <string.h>

#include "net/subjects.h"

/* Around the object nothing may have changed. */
#define GUARD 64

static void prepare_target(unsigned char *dest, size_t bytes, int pe)
{
    memset((char *)rig_real(dest, pe) - GUARD, 0xee, bytes + 2 * GUARD);
}

static void check_target(unsigned char *dest, size_t bytes, unsigned seed, int pe, const char *what)
{
    unsigned char *real = rig_real(dest, pe);

    check_pattern(real, bytes, seed, what);
    for (int i = 0; i < GUARD; i++)
        CHECK(real[-1 - i] == 0xee && real[bytes + (size_t)i] == 0xee, "%s of %zu bytes: overrun",
              what, bytes);
}

static void put_sizes(struct tern_net_channel *channel, unsigned char *source)
{
    int pe = next_pe();

    for (size_t s = 0; s < N_SIZES; s++) {
        size_t bytes = sizes[s], shift = s % 5;
        unsigned char *dest = target(shift);

        prepare_target(dest, bytes, pe);
        fill(source, bytes, (unsigned)s);
        rig_net->put(channel, rig_offset(dest), source, bytes, pe);
        memset(source, 0, bytes); /* it may be reused */
        rig_net->quiet(channel);
        check_target(dest, bytes, (unsigned)s, pe, "put");

        prepare_target(dest, bytes, pe);
        fill(source, bytes, (unsigned)s + 1);
        rig_net->put_nbi(channel, rig_offset(dest), source, bytes, pe);
        rig_net->quiet(channel);
        check_target(dest, bytes, (unsigned)s + 1, pe, "put_nbi");
    }
}

static void get_sizes(struct tern_net_channel *channel, unsigned char *dest)
{
    int pe = next_pe();

    for (size_t s = 0; s < N_SIZES; s++) {
        size_t bytes = sizes[s], shift = s % 5;
        unsigned char *source = target(shift);

        fill(rig_real(source, pe), bytes, (unsigned)s);
        memset(dest, 0, bytes);
        rig_net->get(channel, dest, rig_offset(source), bytes, pe);
        check_pattern(dest, bytes, (unsigned)s, "get");
        memset(dest, 0, bytes);
        rig_net->get_nbi(channel, dest, rig_offset(source), bytes, pe);
        rig_net->quiet(channel);
        check_pattern(dest, bytes, (unsigned)s, "get_nbi");
    }
}

static void on_channel(struct tern_net_channel *channel)
{
    unsigned char *private = malloc(4 * MIB);

    put_sizes(channel, private + 3);
    put_sizes(channel, own(1));
    get_sizes(channel, private + 1);
    get_sizes(channel, own(2));
    free(private);
}

void test_rma(void)
{
    on_channel(NULL);
}

void test_channel(void)
{
    struct tern_net_channel *channel = rig_net->channel_open();

    CHECK(channel, "no channel");
    on_channel(channel);
    rig_net->channel_close(channel);
}

void test_static(void)
{
    long *word = (long *)rig_static + 5;
    long back = 0, value = 1000 + rig_pe;

    rig_net->put(NULL, rig_offset(word), &value, sizeof value, next_pe());
    rig_net->quiet(NULL);
    CHECK(*(long *)rig_real(word, next_pe()) == value, "static put");
    rig_net->get(NULL, &back, rig_offset(word), sizeof back, next_pe());
    CHECK(back == value, "static get");
    rig_net->update(NULL, TERN_NET_ADD, 8, rig_offset(word), 5, next_pe());
    rig_net->quiet(NULL);
    CHECK(*(long *)rig_real(word, next_pe()) == value + 5, "static add");
}

/* A burst of puts that overwrite each other's neighbours, then one quiet. */
void test_burst(void)
{
    enum { N = 20000 };
    uint64_t *words = (uint64_t *)target(0), *values = malloc(N * sizeof *values);
    int pe = next_pe();

    for (uint64_t i = 0; i < N; i++) {
        values[i] = i * 77 + (uint64_t)rig_pe;
        rig_net->put_nbi(NULL, rig_offset(&words[i]), &values[i], sizeof *values, pe);
    }
    rig_net->quiet(NULL);
    for (uint64_t i = 0; i < N; i++)
        CHECK(((uint64_t *)rig_real(words, pe))[i] == values[i], "word %d", (int)i);
    for (uint64_t i = 0; i < N; i++)
        rig_net->update(NULL, TERN_NET_ADD, 8, rig_offset(&words[i % 7]), 1, pe);
    rig_net->quiet(NULL);
    for (uint64_t i = 0; i < 7; i++)
        CHECK(((uint64_t *)rig_real(words, pe))[i] == values[i] + (N - i + 6) / 7, "sum %d",
              (int)i);
    free(values);
}

/* ---- blocks ---- */

static const struct {
    size_t bytes, dst, n;
} shapes[] = {{1, 1, 1},      {1, 2, 8192},    {8, 16, 1024},   {8, 8, 1000}, {4, 20, 3},
              {3, 1000, 700}, {1000, 1001, 8}, {8192, 9000, 1}, {2, 7, 4096}};

/* All blocks, and only they. */
static void check_blocks(const unsigned char *at, size_t shape, unsigned seed)
{
    size_t bytes = shapes[shape].bytes, dst = shapes[shape].dst, n = shapes[shape].n;

    for (size_t i = 0; i < n * dst; i++) {
        size_t block = i / dst, byte = i % dst;
        bool inside = byte < bytes;

        CHECK(at[i] == (inside ? pattern(block * bytes + byte, seed) : 0xee),
              "shape %zu: byte %zu of block %zu", shape, byte, block);
    }
    CHECK(at[n * dst] == 0xee && at[-1] == 0xee, "shape %zu: overrun", shape);
}

static void scatter_shapes(struct tern_net_channel *channel)
{
    unsigned char *source = malloc(TERN_NET_MESSAGE_BYTES), *dest = target(16);
    int pe = next_pe();

    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        unsigned seed = (unsigned)(s + (size_t)rig_pe);
        unsigned char *real = rig_real(dest, pe);

        memset(real - 1, 0xee, shapes[s].n * shapes[s].dst + 2);
        fill(source, shapes[s].bytes * shapes[s].n, seed);
        rig_net->scatter(channel, rig_offset(dest), shapes[s].dst, source, shapes[s].bytes,
                         shapes[s].n, pe);
        memset(source, 0, TERN_NET_MESSAGE_BYTES);
        rig_net->quiet(channel);
        check_blocks(real, s, seed);
    }
    rig_meet();
    free(source);
}

void test_scatter(void)
{
    struct tern_net_channel *channel = rig_net->channel_open();

    scatter_shapes(NULL);
    scatter_shapes(channel);
    rig_net->channel_close(channel);
}
