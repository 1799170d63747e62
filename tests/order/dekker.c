/* SPDX-License-Identifier: BSD-3-Clause */
/* Two PEs each write, then look at what the other writes: with quiet between, one of them sees it.
 */
#include "harness/board.h"

enum { ROUNDS = 400 };

/* Of the pair, at both of its PEs: word [w] is written by the pair's PE number w. */
static long words[2][ROUNDS];
/* What this PE saw; the round that its partner has reached. */
static long seen[ROUNDS], reached;

enum way { BY_P, BY_OWN_STORE, BY_STORE_THROUGH_PTR, BY_ATOMIC_SET, N_WAYS };

static const char *const names[] = {"p", "own store", "store through shmem_ptr", "atomic_set"};

/* Where the words that PE number w writes are, in this way of writing. */
static int home(enum way way, int pair, int w)
{
    return way == BY_OWN_STORE ? 2 * pair + w : 2 * pair;
}

static void write_word(enum way way, int pair, int w, int round)
{
    long *theirs = way == BY_STORE_THROUGH_PTR ? shmem_ptr(&words[w][round], 2 * pair) : NULL;

    if (way == BY_OWN_STORE)
        words[w][round] = 1;
    else if (way == BY_ATOMIC_SET)
        shmem_long_atomic_set(&words[w][round], 1, home(way, pair, w));
    else if (theirs)
        *(volatile long *)theirs = 1;
    else
        shmem_long_p(&words[w][round], 1, home(way, pair, w));
}

static long read_word(enum way way, int pair, int w, int round)
{
    if (way == BY_ATOMIC_SET)
        return shmem_long_atomic_fetch(&words[w][round], home(way, pair, w));
    return shmem_long_g(&words[w][round], home(way, pair, w));
}

static void check_way(enum way way)
{
    int me = check_pe(), pair = me / 2, w = me % 2, partner = 2 * pair + 1 - w;
    bool paired = partner < check_n_pes();

    memset(words, 0, sizeof words);
    reached = -1;
    check_case("%s", names[way]);
    shmem_barrier_all();
    for (int round = 0; paired && round < ROUNDS; round++) {
        /* Starts the round together with the partner, as far as possible. */
        shmem_long_atomic_set(&reached, round, partner);
        shmem_long_wait_until(&reached, SHMEM_CMP_GE, round);

        write_word(way, pair, w, round);
        shmem_quiet();
        seen[round] = read_word(way, pair, 1 - w, round);
    }
    shmem_barrier_all();
    if (paired && w == 0) {
        long theirs[ROUNDS];

        shmem_long_get(theirs, seen, ROUNDS, partner);
        for (int round = 0; round < ROUNDS; round++)
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
    for (int way = 0; way < N_WAYS; way++)
        check_way((enum way)way);
    return check_finish();
}
