/* SPDX-License-Identifier: BSD-3-Clause */
/* signal_add, signal_set, signal_fetch and signal_wait_until, and signals under contention. */
#include "harness/board.h"
#include "harness/types.h"

#if SHMEM_AT_LEAST(1, 5)

static struct route routes[MAX_ROUTES];
static int n_routes;

enum { ROUNDS = 200 };

#define NAME uint64
#define TYPE uint64_t
#include "harness/holds.inc"

static const int comparisons[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT,
                                  SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};

/* A word that satisfies the condition already is returned at once, compared without sign. */
static void check_satisfied_wait(void)
{
    static uint64_t word;
    const uint64_t values[] = {0, 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX};

    for (int c = 0; c < 6; c++) {
        for (int v = 0; v < 5; v++) {
            for (int t = 0; t < 5; t++) {
                if (!holds_uint64(comparisons[c], values[v], values[t]))
                    continue;
                check_case("comparison %d of value %d and %d", c, v, t);
                word = values[v];
                check_equal(shmem_signal_wait_until(&word, comparisons[c], values[t]), values[v],
                            "signal-wait-until-compares-unsigned");
            }
        }
    }
    shmem_barrier_all();
}

/* An empty put with signal is a signal alone. */
static void add_by_put(const struct route *route, uint64_t *word, uint64_t value, int pe)
{
    if (route->plain)
        shmem_putmem_signal(NULL, NULL, 0, word, value, SHMEM_SIGNAL_ADD, pe);
    else
        shmem_ctx_putmem_signal_nbi(route->ctx, NULL, NULL, 0, word, value, SHMEM_SIGNAL_ADD, pe);
}

/* All PEs add to one word of each; its owner waits for growing values, none of which is lost. */
static void check_contention(uint64_t *word)
{
    int me = check_pe(), n = check_n_pes();
    const uint64_t start = UINT64_MAX - 100, total = (uint64_t)ROUNDS * (uint64_t)n * 4;
    uint64_t seen = 0;

    check_case("all PEs add to a word of each PE");
    *word = start;
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++) {
        for (int steps = 0; steps < n; steps++) {
            const struct route *route = &routes[i % n_routes];
            int pe = route_pe(route, (me + steps) % n);

            if (pe < 0)
                add_by_put(&routes[0], word, 4, (me + steps) % n);
            else if (i % 3)
                add_by_put(route, word, 4, pe);
#if SHMEM_AT_LEAST(1, 6)
            else if (route->plain)
                shmem_signal_add(word, 4, pe);
            else
                shmem_ctx_signal_add(route->ctx, word, 4, pe);
#else
            else
                add_by_put(route, word, 4, pe);
#endif
        }
    }
    for (uint64_t i = 1; i < total; i += total / 7 + 1) {
        uint64_t got = shmem_signal_wait_until(word, SHMEM_CMP_NE, start + seen) - start;

        check(got > seen && got % 4 == 0 && got <= total, "added-signals-are-atomic",
              "saw a sum of %llu after %llu", (unsigned long long)got, (unsigned long long)seen);
        seen = got;
        if (seen == total)
            break;
    }
    check_equal(shmem_signal_wait_until(word, SHMEM_CMP_EQ, start + total), start + total,
                "no-added-signal-is-lost");
    for (int r = 0; r < n_routes; r++)
        route_quiet(&routes[r]);
    shmem_barrier_all();
    check_equal(shmem_signal_fetch(word), start + total, "no-added-signal-is-lost");
    shmem_barrier_all();
}

/*
 * Two values differ in all bytes; a value that mixes them must never be seen. The word ends at the
 * third value, which the same PE sets last.
 */
static void check_set_is_whole(uint64_t *word)
{
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n;
    const uint64_t last = 12345;
    uint64_t seen = 0;

    check_case("two values alternate in the word of the next PE");
    *word = 0;
    shmem_barrier_all();
    for (int i = 0; i < ROUNDS; i++) {
        shmem_putmem_signal(NULL, NULL, 0, word, i % 2 ? 0 : UINT64_MAX, SHMEM_SIGNAL_SET, next);
        shmem_fence();
        seen = shmem_signal_fetch(word);
        check(seen == 0 || seen == UINT64_MAX || seen == last, "set-signals-are-atomic",
              "fetched %llx", (unsigned long long)seen);
    }
#if SHMEM_AT_LEAST(1, 6)
    shmem_signal_set(word, last, next);
#else
    shmem_putmem_signal(NULL, NULL, 0, word, last, SHMEM_SIGNAL_SET, next);
#endif
    while (seen != last) {
        seen = shmem_signal_wait_until(word, SHMEM_CMP_NE, seen);
        check(seen == 0 || seen == UINT64_MAX || seen == last, "set-signals-are-atomic",
              "waited for %llx", (unsigned long long)seen);
    }
    shmem_barrier_all();
}

#if SHMEM_AT_LEAST(1, 6)

/* On the PE that is named, through every route, and seen by a waiter. */
static void check_add_and_set(uint64_t *words)
{
    int me = check_pe();
    const size_t n_words = MAX_ROUTES * BOARD_STEPS * 4;

    for (size_t i = 0; i < n_words; i++)
        words[i] = oracle_bits(me, i, SALT_GUARD);
    shmem_barrier_all();
    for (int r = 0; r < n_routes; r++) {
        for (int steps = 0; steps < board_steps(&routes[r]); steps++) {
            size_t at = (size_t)(r * BOARD_STEPS + steps) * 4;
            int pe = route_pe(&routes[r], route_peer(&routes[r], steps));
            uint64_t value = oracle_bits(me, at, SALT_SENT);

            if (routes[r].plain) {
                shmem_signal_add(&words[at], value, pe);
                shmem_signal_set(&words[at + 2], value, pe);
            } else {
                shmem_ctx_signal_add(routes[r].ctx, &words[at], value, pe);
                shmem_ctx_signal_set(routes[r].ctx, &words[at + 2], value, pe);
            }
        }
    }
    for (int r = 0; r < n_routes; r++) {
        for (int steps = 0; steps < board_steps(&routes[r]); steps++) {
            size_t at = (size_t)(r * BOARD_STEPS + steps) * 4;
            int sender = route_peer_before(&routes[r], steps);
            uint64_t value = oracle_bits(sender, at, SALT_SENT);
            const uint64_t expected[4] = {oracle_bits(me, at, SALT_GUARD) + value,
                                          oracle_bits(me, at + 1, SALT_GUARD), value,
                                          oracle_bits(me, at + 3, SALT_GUARD)};

            check_case("%s, from PE %d", routes[r].name, sender);
            check_equal(shmem_signal_wait_until(&words[at], SHMEM_CMP_EQ, expected[0]), expected[0],
                        "signal-wait-until-sees-signal-add");
            check_equal(shmem_signal_wait_until(&words[at + 2], SHMEM_CMP_EQ, value), value,
                        "signal-wait-until-sees-signal-set");
            check_array(&words[at], expected, 4, "signal-add-and-set-act-on-the-remote-pe");
        }
        route_quiet(&routes[r]);
    }
    shmem_barrier_all();
}

#else

static void check_add_and_set(uint64_t *words)
{
    (void)words;
}

#endif

int main(void)
{
    static uint64_t static_words[MAX_ROUTES * BOARD_STEPS * 4];

    check_init("signal/words");
    uint64_t *heap_words = shmem_malloc(sizeof static_words);

    n_routes = routes_open(routes);
    check_satisfied_wait();
    check_contention(heap_words);
    check_contention(static_words);
    check_set_is_whole(heap_words);
    check_set_is_whole(static_words);
    check_add_and_set(heap_words);
    check_add_and_set(static_words);
    routes_close(routes, n_routes);
    shmem_free(heap_words);
    return check_finish();
}

#else

int main(void)
{
    return 0;
}

#endif
