/* SPDX-License-Identifier: BSD-3-Clause */
/* A message, a fence, then a flag: a PE that sees the flag sees the message. */
#include "harness/types.h"
#include "order/operation.h"

enum { ROUNDS = 480 };

static struct route routes[MAX_ROUTES];
static int n_routes;

/* Each round has its own; in the heap for the second run. */
struct mailbox {
    struct message messages[ROUNDS];
    long flags[ROUNDS];
};

static struct mailbox static_mailbox;
static struct message sources[ROUNDS], fetched[ROUNDS];

/* The ways in which a flag may follow. */
enum flag { FLAG_ATOMIC_SET, FLAG_ATOMIC_INC, FLAG_PUT_SIGNAL, FLAG_SIGNAL_ADD, N_FLAGS };

static const char *const flag_names[] = {"atomic_set", "atomic_inc", "put_signal", "signal_add"};

static enum operation round_operation(int round)
{
    return (enum operation)(round % N_OPERATIONS);
}

static enum flag round_flag(int round)
{
    return (enum flag)(round / N_OPERATIONS % N_FLAGS);
}

static const struct route *round_route(int round)
{
    return &routes[round / (N_OPERATIONS * N_FLAGS) % n_routes];
}

static void raise_flag(enum flag flag, const struct route *route, long *word, int peer)
{
    int pe = route_pe(route, peer);

    switch (flag) {
    case FLAG_ATOMIC_INC:
        shmem_ctx_long_atomic_inc(route->ctx, word, pe);
        break;
#if SHMEM_AT_LEAST(1, 5)
    case FLAG_PUT_SIGNAL:
        shmem_ctx_putmem_signal(route->ctx, NULL, NULL, 0, (uint64_t *)word, 1, SHMEM_SIGNAL_SET,
                                pe);
        break;
#endif
#if SHMEM_AT_LEAST(1, 6)
    case FLAG_SIGNAL_ADD:
        shmem_ctx_signal_add(route->ctx, (uint64_t *)word, 1, pe);
        break;
#endif
    default:
        shmem_ctx_long_atomic_set(route->ctx, word, 1, pe);
    }
}

static void send(struct mailbox *box, int round)
{
    const struct route *route = round_route(round);
    int peer = route_peer(route, 1);

    sources[round] = operation_message(check_pe(), round);
    operation_start(round_operation(round), route, &box->messages[round], &sources[round],
                    &fetched[round], peer);
    route_fence(route);
    raise_flag(round_flag(round), route, &box->flags[round], peer);
}

static void receive(struct mailbox *box, int round)
{
    int sender = route_peer_before(round_route(round), 1);
    struct message expected = operation_message(sender, round);

    check_case("round %d from PE %d: %s, fence, %s, %s", round, sender,
               operation_name(round_operation(round)), flag_names[round_flag(round)],
               round_route(round)->name);
    if (round % 2)
        shmem_long_wait_until(&box->flags[round], SHMEM_CMP_EQ, 1);
    else
        while (!shmem_long_test(&box->flags[round], SHMEM_CMP_EQ, 1))
            ;
    check_array(box->messages[round].words, expected.words, MESSAGE,
                "fence-orders-before-what-follows");
}

/* Nobody waits for anybody but through the flags, so that messages are on their way all the time.
 */
static void check_messages(struct mailbox *box)
{
    memset(box, 0, sizeof *box);
    shmem_barrier_all();
    for (int round = 0; round < ROUNDS; round++) {
        send(box, round);
        receive(box, round);
    }
    for (int r = 0; r < n_routes; r++)
        route_quiet(&routes[r]);
    shmem_barrier_all();
}

/* A chain of writes to one word with fences between ends with the last. */
static void check_same_word(void)
{
    static long word;
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;

    check_case("writes to one word, fences between");
    word = -1;
    shmem_barrier_all();
    for (int round = 0; round < 40; round++) {
        const long values[] = {ORACLE(long, me, 2 * round, SALT_OTHER)};

        shmem_long_put_nbi(&word, values, 1, next);
        shmem_fence();
        shmem_long_p(&word, ORACLE(long, me, 2 * round + 1, SALT_OTHER), next);
        shmem_fence();
        shmem_long_atomic_set(&word, 10 * me + round, next);
        shmem_quiet();
        check_equal(shmem_long_g(&word, next), 10 * me + round, "fence-orders-writes-to-one-word");
    }
    shmem_barrier_all();
    check_equal(word, 10 * before + 39, "fence-orders-writes-to-one-word");
    shmem_barrier_all();
}

/* The update of a nonblocking AMO comes before a later one; its fetched value is another matter. */
static void check_nbi_amo_update(void)
{
#if SHMEM_AT_LEAST(1, 5)
    static long word;
    long olds[2 * 20];
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n;

    check_case("nonblocking swap, fence, nonblocking fetch_add");
    word = 0;
    shmem_barrier_all();
    for (int round = 0; round < 20; round++) {
        shmem_long_atomic_swap_nbi(&olds[2 * round], &word, 100 * round, next);
        shmem_fence();
        shmem_long_atomic_fetch_add_nbi(&olds[2 * round + 1], &word, 1, next);
        shmem_fence();
    }
    shmem_quiet();
    for (int round = 0; round < 20; round++) {
        check_equal(olds[2 * round], round ? 100 * (round - 1) + 1 : 0,
                    "fence-orders-updates-of-nbi-amos");
        check_equal(olds[2 * round + 1], 100 * round, "fence-orders-updates-of-nbi-amos");
    }
    shmem_barrier_all();
#endif
}

int main(void)
{
    check_init("order/fence");
    struct mailbox *heap_mailbox = shmem_malloc(sizeof *heap_mailbox);

    n_routes = routes_open(routes);
    check_messages(&static_mailbox);
    check_messages(heap_mailbox);
    check_same_word();
    check_nbi_amo_update();
#if SHMEM_AT_LEAST(1, 5)
    check_case("fence on the invalid context");
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    check_reached("fence-on-invalid-ctx-returns");
#endif
    routes_close(routes, n_routes);
    shmem_free(heap_mailbox);
    return check_finish();
}
