/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions are hints: operations, ordering and completion are the same with every hint. */
#include "harness/board.h"

#if SHMEM_AT_LEAST(1, 6)

enum { N_WORDS = 24 };

static int me, n, next, before;
static long words[N_WORDS], counter, told;
static long sources[N_WORDS];
static uint64_t signal_word;

/* Each of these is a way to begin, as far as the standard says none of them is an error. */
enum { N_BEGINNINGS = 7 };

static void begin(shmem_ctx_t ctx, int beginning)
{
    const shmem_ctx_session_config_t few = {.total_ops = 2}, many = {.total_ops = 1000000};

    switch (beginning) {
    case 0:
        shmem_ctx_session_start(ctx, 0, NULL, 0);
        break;
    case 1:
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
        break;
    case 2:
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &many, SHMEM_CTX_SESSION_TOTAL_OPS);
        break;
    case 3: /* fewer than follow */
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &few, SHMEM_CTX_SESSION_TOTAL_OPS);
        break;
    case 4: /* a session in a session, with more options */
        shmem_ctx_session_start(ctx, 0, &few, SHMEM_CTX_SESSION_TOTAL_OPS);
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
        shmem_ctx_session_start(ctx, 0, &many, SHMEM_CTX_SESSION_TOTAL_OPS);
        break;
    case 5: /* bits that mean nothing */
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH | 1L << 28, NULL, 0);
        break;
    default: /* none at all */
        break;
    }
}

static void clear(void)
{
    memset(words, 0, sizeof words);
    counter = told = 0;
    signal_word = 0;
    for (int i = 0; i < N_WORDS; i++)
        sources[i] = ORACLE(long, me, i, SALT_SENT);
    shmem_barrier_all();
}

static void check_words(int from, const char *name)
{
    long expected[N_WORDS];

    ORACLE_FILL(long, expected, N_WORDS, from, SALT_SENT);
    check_array(words, expected, N_WORDS, name);
}

/* Many small operations, then quiet; the third PE finds all of them. */
static void check_quiet(shmem_ctx_t ctx)
{
    long got[N_WORDS], expected[N_WORDS];
    int two_before = (before + n - 1) % n;

    clear();
    for (int i = 0; i < N_WORDS; i++) {
        shmem_ctx_long_put_nbi(ctx, &words[i], &sources[i], 1, next);
        shmem_ctx_long_atomic_inc(ctx, &counter, next);
    }
    shmem_ctx_quiet(ctx);
    shmem_long_atomic_set(&told, 1, (next + 1) % n);
    shmem_long_wait_until(&told, SHMEM_CMP_EQ, 1);
    ORACLE_FILL(long, expected, N_WORDS, two_before, SALT_SENT);
    shmem_long_get(got, words, N_WORDS, before);
    check_array(got, expected, N_WORDS, "quiet-completes-in-a-session");
    check_equal(shmem_long_atomic_fetch(&counter, before), N_WORDS, "quiet-completes-in-a-session");
    shmem_barrier_all();
}

static void check_fence(shmem_ctx_t ctx)
{
    clear();
    for (int i = 0; i < N_WORDS; i++)
        shmem_ctx_long_p(ctx, &words[i], sources[i], next);
    shmem_ctx_fence(ctx);
    shmem_ctx_long_atomic_set(ctx, &told, 1, next);
    shmem_long_wait_until(&told, SHMEM_CMP_EQ, 1);
    check_words(before, "fence-orders-in-a-session");
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
}

/* The owner of the batch makes no call of this context after it, and waits for an answer. */
static void check_nothing_is_held_back(shmem_ctx_t ctx)
{
    clear();
    for (int i = 0; i < N_WORDS - 1; i++)
        shmem_ctx_long_put_nbi(ctx, &words[i], &sources[i], 1, next);
    shmem_ctx_fence(ctx);
    shmem_ctx_long_put_signal_nbi(ctx, &words[N_WORDS - 1], &sources[N_WORDS - 1], 1, &signal_word,
                                  7, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 7);
    check_words(before, "partner-is-not-left-waiting-for-a-batch");
    shmem_long_atomic_set(&told, 1, before);
    shmem_long_wait_until(&told, SHMEM_CMP_EQ, 1);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
}

/* Blocking operations keep their meaning at once. */
static void check_blocking(shmem_ctx_t ctx)
{
    long got[N_WORDS], expected[N_WORDS];

    clear();
    ORACLE_FILL(long, words, N_WORDS, me, SALT_OTHER);
    shmem_barrier_all();
    shmem_ctx_long_get(ctx, got, words, N_WORDS, next);
    ORACLE_FILL(long, expected, N_WORDS, next, SALT_OTHER);
    check_array(got, expected, N_WORDS, "blocking-calls-in-a-session");
    check_equal(shmem_ctx_long_atomic_fetch_add(ctx, &counter, 5, next), 0,
                "blocking-calls-in-a-session");
    shmem_barrier_all();
    shmem_ctx_long_put(ctx, words, sources, N_WORDS, me);
    memset(sources, 0, sizeof sources);
    shmem_ctx_quiet(ctx);
    check_words(me, "blocking-calls-in-a-session");
    shmem_barrier_all();
}

static void check_ctx(const char *name, shmem_ctx_t ctx)
{
    for (int beginning = 0; beginning < N_BEGINNINGS; beginning++) {
        check_case("%s, beginning %d", name, beginning);
        begin(ctx, beginning);
        check_quiet(ctx);
        check_fence(ctx);
        check_nothing_is_held_back(ctx);
        check_blocking(ctx);
        shmem_ctx_session_stop(ctx);
        check_quiet(ctx);
        /* One more has no effect, whatever number of starts there was. */
        shmem_ctx_session_stop(ctx);
        check_reached("stop-without-session-has-no-effect");
        check_fence(ctx);
    }
}

/* barrier_all and the end of a context complete what a session holds. */
static void check_flushes(void)
{
    shmem_ctx_t ctx;

    check_case("barrier_all in a session of the default context");
    clear();
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmem_long_put_nbi(words, sources, N_WORDS, next);
    shmem_barrier_all();
    check_words(before, "barrier-completes-in-a-session");
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    shmem_barrier_all();

    check_case("a context that ends in a session");
    clear();
    shmem_ctx_create(0, &ctx);
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmem_ctx_long_put_nbi(ctx, words, sources, N_WORDS, next);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    check_words(before, "destroy-completes-in-a-session");
    shmem_barrier_all();
}

int main(void)
{
    shmem_ctx_t own;

    check_init("ctx/sessions");
    me = check_pe();
    n = check_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_ctx("default context", SHMEM_CTX_DEFAULT);
    check_equal(shmem_ctx_create(0, &own), 0, "ctx-is-created");
    check_ctx("own context", own);
    shmem_ctx_destroy(own);
    check_flushes();

    const shmem_ctx_session_config_t config = {.total_ops = 1};

    check_case("the invalid context");
    shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, &config,
                            SHMEM_CTX_SESSION_TOTAL_OPS);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
    check_reached("session-on-invalid-ctx-returns");
    return check_finish();
}

#else

int main(void)
{
    return 0;
}

#endif
