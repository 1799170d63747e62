/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines for elements of 8 to 128 bits and for bytes: contiguous, nonblocking, strided, in
 * blocks.
 */
#include "harness/board.h"
#include "rma/shape.h"

#include <stdlib.h>

typedef void (*put_fn)(void *, const void *, size_t, int);
typedef void (*ctx_put_fn)(shmem_ctx_t, void *, const void *, size_t, int);
typedef void (*iput_fn)(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, int);
typedef void (*ctx_iput_fn)(shmem_ctx_t, void *, const void *, ptrdiff_t, ptrdiff_t, size_t, int);
typedef void (*ibput_fn)(void *, const void *, ptrdiff_t, ptrdiff_t, size_t, size_t, int);
typedef void (*ctx_ibput_fn)(shmem_ctx_t, void *, const void *, ptrdiff_t, ptrdiff_t, size_t,
                             size_t, int);

/* Put and get have the same parameters, so one row type serves both directions. */
struct direction {
    put_fn block, nbi;
    ctx_put_fn ctx_block, ctx_nbi;
    iput_fn strided;
    ctx_iput_fn ctx_strided;
    ibput_fn blocks;
    ctx_ibput_fn ctx_blocks;
};

struct size {
    const char *name;
    size_t bytes;
    struct direction put, get;
};

#if SHMEM_AT_LEAST(1, 6)
#define BLOCK_ROUTINES(verb, bits) shmem_ib##verb##bits, shmem_ctx_ib##verb##bits
#else
#define BLOCK_ROUTINES(verb, bits) NULL, NULL
#endif

#define DIRECTION(verb, bits)                                                                      \
    {                                                                                              \
        shmem_##verb##bits, shmem_##verb##bits##_nbi, shmem_ctx_##verb##bits,                      \
            shmem_ctx_##verb##bits##_nbi, shmem_i##verb##bits, shmem_ctx_i##verb##bits,            \
            BLOCK_ROUTINES(verb, bits)                                                             \
    }

#define SIZE(bits, bytes)                                                                          \
    {                                                                                              \
#bits, bytes, DIRECTION(put, bits), DIRECTION(get, bits)                                   \
    }

static const struct size sizes[] = {
    SIZE(8, 1),
    SIZE(16, 2),
    SIZE(32, 4),
    SIZE(64, 8),
    SIZE(128, 16),
    {"mem",
     1,
     {shmem_putmem, shmem_putmem_nbi, shmem_ctx_putmem, shmem_ctx_putmem_nbi, NULL, NULL, NULL,
      NULL},
     {shmem_getmem, shmem_getmem_nbi, shmem_ctx_getmem, shmem_ctx_getmem_nbi, NULL, NULL, NULL,
      NULL}},
};

/* What is tried with each size. */
enum form { BLOCK, NBI, STRIDED, BLOCKS };

static const struct {
    enum form form;
    const char *put_name, *get_name;
    struct shape (*shape)(int route, int steps);
} forms[] = {
    {BLOCK, "sized-put-lands", "sized-get-lands", contiguous_shape},
    {NBI, "sized-put-nbi-complete-after-quiet", "sized-get-nbi-complete-after-quiet",
     contiguous_shape},
    {STRIDED, "sized-iput-places-elements", "sized-iget-places-elements", element_shape},
    {BLOCKS, "sized-ibput-places-blocks", "sized-ibget-places-blocks", block_shape},
};

enum { BOARD_BYTES = BOARD_NELEMS * 16 };

static struct route routes[MAX_ROUTES];
static int n_routes;

static _Alignas(16) unsigned char static_board[BOARD_BYTES];
static _Alignas(16) unsigned char static_local[BOARD_BYTES];
static unsigned char picture[BOARD_BYTES];

static bool has_form(const struct size *size, enum form form)
{
    switch (form) {
    case STRIDED:
        return size->put.strided;
    case BLOCKS:
        return size->put.blocks;
    default:
        return true;
    }
}

static void transfer(const struct direction *with, enum form form, const struct route *route,
                     struct shape s, void *dest, const void *source, int peer)
{
    int pe = route_pe(route, peer);

    dest = NULL_IF_EMPTY(dest, s.nelems);
    source = NULL_IF_EMPTY(source, s.nelems);
    switch (form) {
    case BLOCK:
        if (route->plain)
            with->block(dest, source, s.nelems, pe);
        else
            with->ctx_block(route->ctx, dest, source, s.nelems, pe);
        break;
    case NBI:
        if (route->plain)
            with->nbi(dest, source, s.nelems, pe);
        else
            with->ctx_nbi(route->ctx, dest, source, s.nelems, pe);
        break;
    case STRIDED:
        if (route->plain)
            with->strided(dest, source, s.dst, s.sst, s.nelems, pe);
        else
            with->ctx_strided(route->ctx, dest, source, s.dst, s.sst, s.nelems, pe);
        break;
    case BLOCKS:
        if (route->plain)
            with->blocks(dest, source, s.dst, s.sst, s.bsize, s.nelems, pe);
        else
            with->ctx_blocks(route->ctx, dest, source, s.dst, s.sst, s.bsize, s.nelems, pe);
        break;
    }
}

/* Paints what a transfer with this shape from the slot's PE leaves in the slot at `first`. */
static void paint(struct shape s, size_t bytes, size_t first, int sender)
{
    for (size_t i = 0; i < s.nelems * s.bsize; i++)
        for (size_t b = 0; b < bytes; b++)
            picture[first + place(s, s.dst, i) * bytes + b] = (unsigned char)oracle_bits(
                sender, first + place(s, s.sst, i) * bytes + b, SALT_SENT);
}

/* Every slot starts with an element that must not change; so mem starts at an odd address. */
static void check_size(const struct size *size, int f, bool put, unsigned char *dest,
                       unsigned char *source)
{
    int me = check_pe();
    size_t nbytes = BOARD_NELEMS * size->bytes;
    const struct direction *with = put ? &size->put : &size->get;

    oracle_fill_bytes(dest, nbytes, me, SALT_GUARD);
    oracle_fill_bytes(source, nbytes, me, SALT_SENT);
    oracle_fill_bytes(picture, nbytes, me, SALT_GUARD);
    shmem_barrier_all();
    for (int r = 0; r < n_routes; r++) {
        for (int steps = 0; steps < board_steps(&routes[r]); steps++) {
            struct shape shape = forms[f].shape(r, steps);
            size_t first = board_slot(r, steps) * size->bytes + size->bytes;

            transfer(with, forms[f].form, &routes[r], shape, dest + first, source + first,
                     route_peer(&routes[r], steps));
            paint(shape, size->bytes, first,
                  put ? route_peer_before(&routes[r], steps) : route_peer(&routes[r], steps));
        }
        route_quiet(&routes[r]);
    }
    if (put) {
        oracle_fill_bytes(source, nbytes, me, SALT_SCRIBBLE);
        shmem_barrier_all();
    }
    for (int r = 0; r < n_routes; r++) {
        for (int steps = 0; steps < board_steps(&routes[r]); steps++) {
            struct shape shape = forms[f].shape(r, steps);
            size_t first = board_slot(r, steps) * size->bytes;

            check_case("%s, %s, %zu of %zu every %td from every %td, %d PEs away", size->name,
                       routes[r].name, shape.nelems, shape.bsize, shape.dst, shape.sst, steps);
            check_array(dest + first, picture + first, BOARD_SLOT * size->bytes,
                        put ? forms[f].put_name : forms[f].get_name);
        }
    }
    /* Gets may still be reading this PE's source. */
    if (!put)
        shmem_barrier_all();
}

int main(void)
{
    check_init("rma/sized");
    n_routes = routes_open(routes);

    unsigned char *heap_board = shmem_align(16, BOARD_BYTES);
    unsigned char *private_board = aligned_alloc(16, BOARD_BYTES);

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int f = 0; f < 4; f++) {
            if (!has_form(&sizes[i], forms[f].form))
                continue;
            check_size(&sizes[i], f, true, heap_board, static_local);
            check_size(&sizes[i], f, true, static_board, private_board);
            check_size(&sizes[i], f, false, private_board, static_board);
            check_size(&sizes[i], f, false, static_local, heap_board);
        }
    }

    shmem_barrier_all();
    shmem_free(heap_board);
    free(private_board);
    routes_close(routes, n_routes);
    return check_finish();
}
