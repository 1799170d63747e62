/* SPDX-License-Identifier: BSD-3-Clause */
/* After quiet a third PE finds the message at its target; other effects of quiet and pe_quiet. */
#include "harness/types.h"
#include "order/operation.h"

enum { ROUNDS = 264 };

static struct route routes[MAX_ROUTES];
static int n_routes;

static struct message messages[ROUNDS], sources[ROUNDS], fetched[ROUNDS];
static long told[ROUNDS];

static enum operation round_operation(int round)
{
    return (enum operation)(round % N_OPERATIONS);
}

static const struct route *round_route(int round)
{
    return &routes[round / N_OPERATIONS % n_routes];
}

/* Every other time by pe_quiet on the PE in question, among others. */
static void complete(const struct route *route, bool by_pe, int peer)
{
#if SHMEM_AT_LEAST(1, 6)
    const int pes[] = {route_pe(route, check_pe()), route_pe(route, peer), route_pe(route, peer)};

    if (by_pe && route->plain)
        shmem_pe_quiet(pes, 3);
    else if (by_pe)
        shmem_ctx_pe_quiet(route->ctx, pes + 1, 1);
    else
        route_quiet(route);
#else
    (void)by_pe;
    (void)peer;
    route_quiet(route);
#endif
}

static bool round_by_pe(int round)
{
    return SHMEM_AT_LEAST(1, 6) && round / (N_OPERATIONS * n_routes) % 2;
}

/* Writes to the next PE of the route, then tells the one after it by the default context. */
static void send(int round)
{
    const struct route *route = round_route(round);
    int target = route_peer(route, 1), reader = route_peer(route, 2);

    sources[round] = operation_message(check_pe(), round);
    operation_start(round_operation(round), route, &messages[round], &sources[round],
                    &fetched[round], target);
    complete(route, round_by_pe(round), target);
    shmem_long_atomic_set(&told[round], 1, reader);
}

/* Reads the message of the PE two before at the PE between. */
static void receive(int round)
{
    const struct route *route = round_route(round);
    int sender = route_peer_before(route, 2), target = route_peer_before(route, 1);
    struct message expected = operation_message(sender, round), got;

    check_case("round %d: PE %d to PE %d: %s, %s, %s", round, sender, target,
               operation_name(round_operation(round)), round_by_pe(round) ? "pe_quiet" : "quiet",
               route->name);
    shmem_long_wait_until(&told[round], SHMEM_CMP_EQ, 1);
    shmem_long_get(got.words, messages[round].words, MESSAGE, target);
    check_array(got.words, expected.words, MESSAGE,
                round_by_pe(round) ? "pe-quiet-makes-visible-to-all"
                                   : "quiet-makes-visible-to-all");
}

/* A PE's own stores to its symmetric memory are for others to get after its quiet. */
static void check_own_stores(void)
{
    static struct message box[40];
    static long flags[40];
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    struct message expected, got;

    memset(box, 0, sizeof box);
    memset(flags, 0, sizeof flags);
    shmem_barrier_all();
    for (int round = 0; round < 40; round++) {
        check_case("round %d: own store, quiet", round);
        box[round] = operation_message(me, round);
        shmem_quiet();
        shmem_long_atomic_set(&flags[round], 1, next);
        shmem_long_wait_until(&flags[round], SHMEM_CMP_EQ, 1);
        expected = operation_message(before, round);
        shmem_long_get(got.words, box[round].words, MESSAGE, before);
        check_array(got.words, expected.words, MESSAGE, "quiet-covers-own-stores");
    }
    shmem_barrier_all();
}

#if SHMEM_AT_LEAST(1, 6)

/* What was started towards the PEs that are listed is complete, fetches included. */
static void check_pe_quiet(void)
{
    static long word;
    int me = check_pe();

    word = ORACLE(long, me, 0, SALT_OTHER);
    shmem_barrier_all();
    for (int r = 0; r < n_routes; r++) {
        for (int steps = 0; steps < board_steps(&routes[r]); steps++) {
            int peer = route_peer(&routes[r], steps);
            const int pe = route_pe(&routes[r], peer);
            long value = 0, old = 0;

            check_case("%s, PE %d", routes[r].name, peer);
            shmem_ctx_long_get_nbi(routes[r].ctx, &value, &word, 1, pe);
            shmem_ctx_long_atomic_fetch_nbi(routes[r].ctx, &old, &word, pe);
            if (routes[r].plain)
                shmem_pe_quiet(&pe, 1);
            else
                shmem_ctx_pe_quiet(routes[r].ctx, &pe, 1);
            check_equal(value, ORACLE(long, peer, 0, SALT_OTHER), "pe-quiet-completes-nbi-gets");
            check_equal(old, ORACLE(long, peer, 0, SALT_OTHER), "pe-quiet-completes-nbi-amos");
        }
    }
    shmem_barrier_all();

    check_case("no PEs, and the invalid context");
    const int all[] = {0};

    shmem_pe_quiet(NULL, 0);
    shmem_pe_quiet(all, 0);
    shmem_ctx_pe_quiet(routes[n_routes - 1].ctx, NULL, 0);
    check_reached("pe-quiet-of-no-pes-returns");
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, all, 1);
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, NULL, 0);
    check_reached("pe-quiet-on-invalid-ctx-returns");
}

#else

static void check_pe_quiet(void)
{
}

#endif

int main(void)
{
    check_init("order/quiet");
    n_routes = routes_open(routes);
    for (int round = 0; round < ROUNDS; round++) {
        send(round);
        receive(round);
    }
    shmem_barrier_all();
    check_own_stores();
    check_pe_quiet();
#if SHMEM_AT_LEAST(1, 5)
    check_case("quiet on the invalid context");
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    check_reached("quiet-on-invalid-ctx-returns");
#endif
    routes_close(routes, n_routes);
    return check_finish();
}
