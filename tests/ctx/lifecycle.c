/* SPDX-License-Identifier: BSD-3-Clause */
/* Creating, using, querying and destroying contexts with all options. */
#include "harness/board.h"

static int me, n, next;
static long box[8];

/* A context with these options, or with none where the library has no room for those. */
static shmem_ctx_t create(long options)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

    if (shmem_ctx_create(options, &ctx) == 0)
        return ctx;
#if SHMEM_AT_LEAST(1, 5)
    check(ctx == SHMEM_CTX_INVALID, "failed-create-gives-invalid-ctx", "it does not");
#endif
    check_equal(shmem_ctx_create(0, &ctx), 0, "create-may-be-tried-again");
    return ctx;
}

static void use(shmem_ctx_t ctx, long salt)
{
    const long source[3] = {ORACLE(long, me, 0, salt), ORACLE(long, me, 1, salt), 0};
    long old, got[3];

    shmem_ctx_long_put(ctx, box, source, 3, next);
    shmem_ctx_fence(ctx);
    old = shmem_ctx_long_atomic_fetch_add(ctx, &box[4], 1, next);
    shmem_ctx_quiet(ctx);
    shmem_ctx_long_get(ctx, got, box, 3, next);
    check_array(got, source, 3, "ctx-with-options-works");
    check_equal(shmem_ctx_long_atomic_fetch(ctx, &box[4], next), old + 1, "ctx-with-options-works");
}

static void check_options(void)
{
    const long bits[] = {SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_NOSTORE};

    for (int combination = 0; combination < 8; combination++) {
        long options = 0;
        shmem_ctx_t ctx;

        for (int i = 0; i < 3; i++)
            if (combination & 1 << i)
                options |= bits[i];
        check_case("options %#lx", options);
        ctx = create(options);
        check(ctx != SHMEM_CTX_DEFAULT, "new-ctx-is-not-the-default", "it is");
        use(ctx, 100 + combination);
        shmem_ctx_destroy(ctx);
    }
    shmem_barrier_all();
}

/* PE i makes i + 1 contexts of its own, so nobody else can be involved. */
static void check_not_collective(void)
{
    enum { MAX_OWN = 16 };
    shmem_ctx_t own[MAX_OWN];
    int count = me < MAX_OWN ? me + 1 : MAX_OWN;

    check_case("%d contexts at once", count);
    for (int i = 0; i < count; i++) {
        own[i] = create(0);
        for (int k = 0; k < i; k++)
            check(own[i] != own[k], "contexts-are-distinct", "%d and %d are equal", i, k);
    }
    for (int i = 0; i < count; i++)
        use(own[i], 200 + i);
    for (int i = 0; i < count; i += 2)
        shmem_ctx_destroy(own[i]);
    for (int i = 1; i < count; i += 2)
        use(own[i], 300 + i);
    for (int i = 1; i < count; i += 2)
        shmem_ctx_destroy(own[i]);
    check_reached("ctx-create-is-not-collective");
    shmem_barrier_all();
}

/* Whatever the limit, running into it leaves the program able to go on. */
static void check_many(void)
{
    enum { MANY = 300 };
    static shmem_ctx_t many[MANY];
    int count = 0;

    check_case("%d contexts", MANY);
    while (count < MANY && shmem_ctx_create(0, &many[count]) == 0)
        count++;
    check(count > 0, "failed-create-is-no-error-state", "not one context");
#if SHMEM_AT_LEAST(1, 5)
    check(count == MANY || many[count] == SHMEM_CTX_INVALID, "failed-create-gives-invalid-ctx",
          "the one after %d is another", count);
#endif
    use(many[count - 1], 400);
    while (count > 0)
        shmem_ctx_destroy(many[--count]);
    use(SHMEM_CTX_DEFAULT, 401);
    shmem_barrier_all();
}

/* What was started on a context is complete once it is destroyed. */
static void check_destroy_is_quiet(void)
{
    static long data[20], told[20], source[20];
    int before = (me + n - 1) % n, after_next = (next + 1) % n, two_before = (me + 2 * n - 2) % n;
    long fetched = 0;

    memset(data, 0, sizeof data);
    memset(told, 0, sizeof told);
    shmem_barrier_all();
    for (int round = 0; round < 20; round++) {
        shmem_ctx_t ctx = create(round % 2 ? SHMEM_CTX_PRIVATE : 0);

        check_case("round %d", round);
        source[round] = ORACLE(long, me, round, SALT_SENT);
        shmem_ctx_long_put_nbi(ctx, &data[round], &source[round], 1, next);
        shmem_ctx_long_get_nbi(ctx, &fetched, &source[0], 1, me);
        shmem_ctx_destroy(ctx);
        check_equal(fetched, source[0], "destroy-completes-nbi-gets");
        shmem_long_atomic_set(&told[round], 1, after_next);
        shmem_long_wait_until(&told[round], SHMEM_CMP_EQ, 1);
        check_equal(shmem_long_g(&data[round], before), ORACLE(long, two_before, round, SALT_SENT),
                    "destroy-completes-puts");
    }
    shmem_barrier_all();
}

#if SHMEM_AT_LEAST(1, 5)

/* Usable here means that they are constants to the compiler, or at least to the linker. */
static shmem_ctx_t static_invalid_ctx = SHMEM_CTX_INVALID;
static shmem_team_t static_invalid_team = SHMEM_TEAM_INVALID;

static void check_get_team(void)
{
    shmem_ctx_t ctx = create(0);
    shmem_team_t team = SHMEM_TEAM_INVALID;

    check_case("the default context");
    check_equal(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0, "get-team-of-world-contexts");
    check(team == SHMEM_TEAM_WORLD, "get-team-of-world-contexts", "not SHMEM_TEAM_WORLD");
    check_case("a context by ctx_create");
    team = SHMEM_TEAM_INVALID;
    check_equal(shmem_ctx_get_team(ctx, &team), 0, "get-team-of-world-contexts");
    check(team == SHMEM_TEAM_WORLD, "get-team-of-world-contexts", "not SHMEM_TEAM_WORLD");
    shmem_ctx_destroy(ctx);

    check_case("the invalid context");
    check(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0, "get-team-of-invalid-ctx",
          "returned 0");
    check(team == SHMEM_TEAM_INVALID, "get-team-of-invalid-ctx", "some team");
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_ctx_destroy(static_invalid_ctx);
    check_reached("destroy-of-invalid-ctx-is-ignored");
    check(static_invalid_team == SHMEM_TEAM_INVALID && static_invalid_ctx == SHMEM_CTX_INVALID,
          "invalid-handles-in-static-initializers", "they differ");
}

#else

static void check_get_team(void)
{
}

#endif

int main(void)
{
    check_init("ctx/lifecycle");
    me = check_pe();
    n = check_n_pes();
    next = (me + 1) % n;
    check_options();
    check_not_collective();
    check_many();
    check_destroy_is_quiet();
    check_get_team();
    return check_finish();
}
