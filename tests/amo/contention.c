/* SPDX-License-Identifier: BSD-3-Clause */
/* All PEs update the same words at once, through all routes: no update is lost or seen in part. */
#include "amo/wrap.h"
#include "harness/board.h"
#include "harness/types.h"

static struct route routes[MAX_ROUTES];
static int n_routes;

/* Operations of one kind by one PE on one word. */
enum { ROUNDS = 24 };

/* A route that knows the PE: the one of this number, or the next that does. */
static const struct route *pick_route(int number, int pe)
{
    while (route_pe(&routes[number % n_routes], pe) < 0)
        number++;
    return &routes[number % n_routes];
}

#define TEMPLATE "amo/contention_integer.inc"
#include "harness/each_amo_type.inc"
#undef TEMPLATE
#define TEMPLATE "amo/contention_bitwise.inc"
#include "harness/each_bitwise_type.inc"
#undef TEMPLATE
#define TEMPLATE "amo/contention_set.inc"
#include "harness/each_set_type.inc"

/* size_t, unsigned long and uint64_t are one type here, and so are int and int32_t, and so on. */
static void check_aliases(int home)
{
    static uint64_t wide;
    static uint32_t narrow;
    const int n = check_n_pes();

    _Static_assert(sizeof(size_t) == sizeof(unsigned long), "two names of one type");
    check_case("equal types of different names, at PE %d", home);
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++) {
        shmem_size_atomic_inc((size_t *)&wide, home);
        shmem_ulong_atomic_add((unsigned long *)&wide, 2, home);
        shmem_uint64_atomic_fetch_add(&wide, 3, home);
        shmem_uint_atomic_inc(&narrow, home);
        shmem_uint32_atomic_add(&narrow, 4, home);
    }
    shmem_barrier_all();
    if (check_pe() == home) {
        check_equal(wide, (uint64_t)(6 * ROUNDS * n), "amo-equal-types-interoperate");
        check_equal(narrow, (uint32_t)(5 * ROUNDS * n), "amo-equal-types-interoperate");
        wide = narrow = 0;
    }
    shmem_barrier_all();
}

/*
 * Others swap a word between two values that differ in every byte, while its owner tests for the
 * mixtures of the two.
 */
static void check_never_half_done(int home)
{
    static uint64_t word, finished;
    const uint64_t mixtures[] = {UINT64_C(0xffffffff), UINT64_C(0xffffffff00000000), 1, 0xffff};
    int me = check_pe(), n = check_n_pes();

    check_case("two values alternate at PE %d", home);
    word = finished = 0;
    shmem_barrier_all();
    if (me == home) {
        do {
            for (int i = 0; i < 4; i++)
                check(!shmem_uint64_test(&word, SHMEM_CMP_EQ, mixtures[i]),
                      "amo-is-never-seen-half-done", "saw %#llx", (unsigned long long)mixtures[i]);
        } while (!shmem_uint64_test(&finished, SHMEM_CMP_EQ, (uint64_t)(n - 1)));
    } else {
        for (int i = 0; i < 4 * ROUNDS; i++) {
            shmem_uint64_atomic_set(&word, i % 2 ? 0 : UINT64_MAX, home);
            shmem_uint64_atomic_xor(&word, UINT64_MAX, home);
        }
        shmem_quiet();
        shmem_uint64_atomic_inc(&finished, home);
    }
    shmem_barrier_all();
}

#if SHMEM_AT_LEAST(1, 5)

/* A domain of its own: contexts on the shared team and on a team split from it. */
static void check_shared_domain(void)
{
    static unsigned long word;
    shmem_team_t child;
    shmem_ctx_t ctxs[2];
    int size = shmem_team_n_pes(SHMEM_TEAM_SHARED);

    check_case("contexts on the shared team and its child");
    check_equal(shmem_team_split_strided(SHMEM_TEAM_SHARED, 0, size > 1, size, NULL, 0, &child), 0,
                "team-is-split");
    check_equal(shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &ctxs[0]), 0, "ctx-is-created");
    check_equal(shmem_team_create_ctx(child, 0, &ctxs[1]), 0, "ctx-is-created");
    for (int i = 0; i < 2 * ROUNDS; i++)
        shmem_ctx_ulong_atomic_add(ctxs[i % 2], &word, 3, size - 1);
    shmem_ctx_destroy(ctxs[1]);
    shmem_ctx_destroy(ctxs[0]);
    shmem_team_sync(child);
    if (shmem_team_my_pe(child) == size - 1)
        check_equal(word, 6ul * ROUNDS * (unsigned)size, "amos-are-exclusive-in-the-shared-domain");
    shmem_team_destroy(child);
}

#else

static void check_shared_domain(void)
{
}

#endif

/* With a barrier between them AMOs, puts and the owner's loads and stores work on one word. */
static void check_mixed_with_barriers(void)
{
    static long word;
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;

    check_case("one word, several kinds of access, barriers between");
    word = me;
    shmem_barrier_all();
    check_equal(shmem_long_atomic_fetch_add(&word, 10, next), next, "amo-mixes-across-barriers");
    shmem_barrier_all();
    check_equal(word, me + 10, "amo-mixes-across-barriers");
    shmem_barrier_all();
    shmem_long_p(&word, 100 + me, next);
    shmem_barrier_all();
    check_equal(shmem_long_atomic_swap(&word, 5, next), 100 + me, "amo-mixes-across-barriers");
    shmem_barrier_all();
    word += before;
    shmem_barrier_all();
    check_equal(shmem_long_g(&word, next), 5 + me, "amo-mixes-across-barriers");
    shmem_barrier_all();
}

int main(void)
{
    check_init("amo/contention");
    int last = check_n_pes() - 1;

    n_routes = routes_open(routes);
#define X(name, type)                                                                              \
    check_integer_##name(0);                                                                       \
    check_integer_##name(last);
    AMO_TYPES(X)
#undef X
#define X(name, type)                                                                              \
    check_bitwise_##name(0);                                                                       \
    check_bitwise_##name(last);
    BITWISE_TYPES(X)
#undef X
#define X(name, type)                                                                              \
    check_set_##name(0);                                                                           \
    check_set_##name(last);
    SET_TYPES(X)
#undef X
    check_aliases(0);
    check_aliases(last);
    check_never_half_done(0);
    check_never_half_done(last);
    check_shared_domain();
    check_mixed_with_barriers();
    routes_close(routes, n_routes);
    return check_finish();
}
