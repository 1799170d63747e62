/* SPDX-License-Identifier: BSD-3-Clause */
/* Every put with signal: a PE that sees the signal sees all of the data, and no other change. */
#include "harness/board.h"
#include "harness/types.h"
#include "rma/shape.h"

#include <stdlib.h>

#if SHMEM_AT_LEAST(1, 5)

static struct route routes[MAX_ROUTES];
static int n_routes;

/* One word for each slot of a board, with a word between that must not change. */
enum { N_SIGNALS = 2 * MAX_ROUTES * BOARD_STEPS + 1, BOARD_BYTES = BOARD_NELEMS * 16 };

static uint64_t static_signals[N_SIGNALS];
static uint64_t *heap_signals;

static size_t signal_place(int route, int steps)
{
    return (size_t)(2 * (route * BOARD_STEPS + steps) + 1);
}

/* Half of the signals are set, the others added to what is there; the sum wraps around. */
static int slot_operation(int route, int steps)
{
    return (route + steps) % 2 ? SHMEM_SIGNAL_ADD : SHMEM_SIGNAL_SET;
}

static uint64_t slot_signal(int sender, int route, int steps)
{
    return oracle_bits(sender, signal_place(route, steps), SALT_OTHER);
}

static uint64_t signal_before(int pe, size_t place)
{
    return oracle_bits(pe, place, SALT_SCRIBBLE);
}

static uint64_t signal_after(int pe, int route, int steps)
{
    uint64_t signal = slot_signal(route_peer_before(&routes[route], steps), route, steps);

    if (slot_operation(route, steps) == SHMEM_SIGNAL_SET)
        return signal;
    return signal_before(pe, signal_place(route, steps)) + signal;
}

static void fill_signals(uint64_t *signals)
{
    for (size_t i = 0; i < N_SIGNALS; i++)
        signals[i] = signal_before(check_pe(), i);
}

/* After all have arrived: each word has its value, and the words between have not changed. */
static void check_signals(const uint64_t *signals)
{
    uint64_t expected[N_SIGNALS];

    for (size_t i = 0; i < N_SIGNALS; i++)
        expected[i] = signal_before(check_pe(), i);
    for (int r = 0; r < n_routes; r++)
        for (int steps = 0; steps < board_steps(&routes[r]); steps++)
            expected[signal_place(r, steps)] = signal_after(check_pe(), r, steps);
    check_array(signals, expected, N_SIGNALS, "signal-changes-one-word");
}

/* The signals wait in an order of their own, and by all means that can wait for them. */
static void await_signal(uint64_t *signals, int route, int steps)
{
    uint64_t *word = &signals[signal_place(route, steps)];
    uint64_t value = signal_after(check_pe(), route, steps);

    switch ((route + steps) % 4) {
    case 0:
        check_equal(shmem_signal_wait_until(word, SHMEM_CMP_EQ, value), value,
                    "signal-wait-until-returns-the-value");
        break;
    case 1:
        check_equal(shmem_signal_wait_until(word, SHMEM_CMP_NE,
                                            signal_before(check_pe(), signal_place(route, steps))),
                    value, "signal-wait-until-returns-the-value");
        break;
    case 2:
        shmem_uint64_wait_until(word, SHMEM_CMP_EQ, value);
        break;
    default:
        while (!shmem_uint64_test(word, SHMEM_CMP_EQ, value))
            ;
    }
    check_equal(shmem_signal_fetch(word), value, "signal-fetch-reads-the-word");
}

#define TEMPLATE "signal/put_signal.inc"
#include "harness/each_rma_type.inc"

typedef void (*put_signal_fn)(void *, const void *, size_t, uint64_t *, uint64_t, int, int);
typedef void (*ctx_put_signal_fn)(shmem_ctx_t, void *, const void *, size_t, uint64_t *, uint64_t,
                                  int, int);

static const struct size {
    const char *name;
    size_t bytes;
    put_signal_fn plain, plain_nbi;
    ctx_put_signal_fn ctx, ctx_nbi;
} sizes[] = {
#define SIZE(bits, bytes)                                                                          \
    {                                                                                              \
#bits, bytes, shmem_put##bits##_signal, shmem_put##bits##_signal_nbi,                      \
            shmem_ctx_put##bits##_signal, shmem_ctx_put##bits##_signal_nbi                         \
    }
    SIZE(8, 1), SIZE(16, 2), SIZE(32, 4), SIZE(64, 8), SIZE(128, 16), SIZE(mem, 1),
#undef SIZE
};

static _Alignas(16) unsigned char static_bytes[BOARD_BYTES];

static void check_size(const struct size *size, bool nbi, unsigned char *dest, uint64_t *signals,
                       unsigned char *source)
{
    int me = check_pe();
    size_t nbytes = BOARD_NELEMS * size->bytes;
    unsigned char expected[BOARD_SLOT * 16];

    oracle_fill_bytes(dest, nbytes, me, SALT_GUARD);
    oracle_fill_bytes(source, nbytes, me, SALT_SENT);
    fill_signals(signals);
    shmem_barrier_all();
    for (int r = 0; r < n_routes; r++) {
        for (int steps = 0; steps < board_steps(&routes[r]); steps++) {
            size_t nelems = contiguous_shape(r, steps).nelems;
            size_t at = (board_slot(r, steps) + 1) * size->bytes;
            int pe = route_pe(&routes[r], route_peer(&routes[r], steps));
            uint64_t *word = &signals[signal_place(r, steps)], signal = slot_signal(me, r, steps);

            if (routes[r].plain)
                (nbi ? size->plain_nbi : size->plain)(dest + at, source + at, nelems, word, signal,
                                                      slot_operation(r, steps), pe);
            else
                (nbi ? size->ctx_nbi : size->ctx)(routes[r].ctx, dest + at, source + at, nelems,
                                                  word, signal, slot_operation(r, steps), pe);
        }
    }
    for (int r = 0; r < n_routes; r++) {
        for (int steps = 0; steps < board_steps(&routes[r]); steps++) {
            size_t first = board_slot(r, steps) * size->bytes;
            size_t sent = contiguous_shape(r, steps).nelems * size->bytes;
            int sender = route_peer_before(&routes[r], steps);

            check_case("%s%s, %s, %zu bytes from PE %d", size->name, nbi ? " nbi" : "",
                       routes[r].name, sent, sender);
            await_signal(signals, r, steps);
            for (size_t i = 0; i < BOARD_SLOT * size->bytes; i++)
                expected[i] = (unsigned char)(i >= size->bytes && i < size->bytes + sent
                                                  ? oracle_bits(sender, first + i, SALT_SENT)
                                                  : oracle_bits(me, first + i, SALT_GUARD));
            check_array(dest + first, expected, BOARD_SLOT * size->bytes,
                        "sized-data-is-there-with-its-signal");
        }
    }
    for (int r = 0; r < n_routes; r++)
        route_quiet(&routes[r]);
    shmem_barrier_all();
    check_signals(signals);
}

int main(void)
{
    check_init("signal/put_signal");
    unsigned char *heap_bytes = shmem_align(16, BOARD_BYTES);
    unsigned char *private_bytes = aligned_alloc(16, BOARD_BYTES);

    heap_signals = shmem_calloc(N_SIGNALS, sizeof *heap_signals);
    n_routes = routes_open(routes);
#define X(name, type) check_all_##name();
    RMA_TYPES(X)
#undef X
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        check_size(&sizes[i], false, heap_bytes, static_signals, private_bytes);
        check_size(&sizes[i], true, static_bytes, heap_signals, private_bytes);
    }
    routes_close(routes, n_routes);
    shmem_free(heap_signals);
    shmem_free(heap_bytes);
    free(private_bytes);
    return check_finish();
}

#else

int main(void)
{
    return 0;
}

#endif
