/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two PEs each store, call quiet, then load the other's word: at least one of them sees the store.
 */
#include "harness/board.h"

enum { MAX_ROUNDS = 1000 };

/* Of the pair, at both of its PEs: word [w] is written by the pair's PE number w. */
static long words[2][MAX_ROUNDS];
/* What this PE saw; the round that its partner has reached. */
static long seen[MAX_ROUNDS], reached;

enum way { BY_P, BY_OWN_STORE, BY_STORE_THROUGH_PTR, BY_ATOMIC_SET, N_WAYS };

static const char *const names[] = {"p", "own store", "store through shmem_ptr", "atomic_set"};

/* What stands between the write and the read. */
enum quiet { QUIET, CTX_QUIET, PE_QUIET, CTX_PE_QUIET, N_QUIETS };

static const char *const quiet_names[] = {"quiet", "ctx_quiet", "pe_quiet", "ctx_pe_quiet"};

static shmem_ctx_t ctx;

/* Where the words that PE number w writes are, in this way of writing. */
static int home(enum way way, int pair, int w)
{
    return way == BY_OWN_STORE ? 2 * pair + w : 2 * pair;
}

/* By the context that is to be quiet then. */
static void write_word(enum way way, shmem_ctx_t by, int pair, int w, int round)
{
    long *theirs = way == BY_STORE_THROUGH_PTR ? shmem_ptr(&words[w][round], 2 * pair) : NULL;

    if (way == BY_OWN_STORE)
        words[w][round] = 1;
    else if (way == BY_ATOMIC_SET)
        shmem_ctx_long_atomic_set(by, &words[w][round], 1, home(way, pair, w));
    else if (theirs)
        *(volatile long *)theirs = 1;
    else
        shmem_ctx_long_p(by, &words[w][round], 1, home(way, pair, w));
}

static long read_word(enum way way, int pair, int w, int round)
{
    if (way == BY_ATOMIC_SET)
        return shmem_long_atomic_fetch(&words[w][round], home(way, pair, w));
    return shmem_long_g(&words[w][round], home(way, pair, w));
}

static void complete(enum quiet quiet, int pe)
{
    switch (quiet) {
    case CTX_QUIET:
        shmem_ctx_quiet(ctx);
        break;
#if SHMEM_AT_LEAST(1, 6)
    case PE_QUIET:
        shmem_pe_quiet(&pe, 1);
        break;
    case CTX_PE_QUIET:
        shmem_ctx_pe_quiet(ctx, &pe, 1);
        break;
#endif
    default:
        (void)pe;
        shmem_quiet();
    }
}

/* A pair alone is likely to have a core for each of the two; many PEs only take turns. */
static int rounds(void)
{
    return check_n_pes() == 2 ? MAX_ROUNDS : 100;
}

/* Lets one PE of the pair be late by some nanoseconds, the other in other rounds. */
static void stagger(int w, int round)
{
    int late = round % 7 - 3;

    for (volatile int i = w ? late : -late; i > 0; i--)
        ;
}

static void check_way(enum way way, enum quiet quiet)
{
    shmem_ctx_t by = quiet == CTX_QUIET || quiet == CTX_PE_QUIET ? ctx : SHMEM_CTX_DEFAULT;
    int me = check_pe(), pair = me / 2, w = me % 2, partner = 2 * pair + 1 - w;
    bool paired = partner < check_n_pes();

    memset(words, 0, sizeof words);
    reached = -1;
    check_case("%s, %s", names[way], quiet_names[quiet]);
    shmem_barrier_all();
    for (int round = 0; paired && round < rounds(); round++) {
        /* Starts the round together with the partner, as far as possible. */
        shmem_fence();
        shmem_long_atomic_set(&reached, round, partner);
        shmem_long_wait_until(&reached, SHMEM_CMP_GE, round);
        stagger(w, round);

        write_word(way, by, pair, w, round);
        complete(quiet, home(way, pair, w));
        seen[round] = read_word(way, pair, 1 - w, round);
    }
    shmem_barrier_all();
    if (paired && w == 0) {
        static long theirs[MAX_ROUNDS];

        shmem_long_get(theirs, seen, (size_t)rounds(), partner);
        for (int round = 0; round < rounds(); round++)
            check(seen[round] || theirs[round], "quiet-completes-before-later-reads",
                  "in round %d neither saw the other's word", round);
    } else {
        check_passed();
    }
    shmem_barrier_all();
}

int main(void)
{
    check_init("order/dekker");
    check_equal(shmem_ctx_create(0, &ctx), 0, "ctx-is-created");
    for (int way = 0; way < N_WAYS; way++)
        for (int quiet = 0; quiet < N_QUIETS; quiet++)
            check_way((enum way)way, (enum quiet)quiet);
    shmem_ctx_destroy(ctx);
    return check_finish();
}
