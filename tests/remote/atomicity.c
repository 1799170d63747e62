/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PEs of the same node, PEs of other nodes and the owner change one word at the same time: no
 * update is lost.
 */
#include "harness/board.h"

enum { ROUNDS = 300 };

static uint64_t counter, bits, toggled, chain, best;
static uint32_t narrow[2]; /* neighbours in one word of 64 bits */
static uint64_t signal;
static uint8_t drawn[1 << 16]; /* at the home: which numbers were drawn */

static bool shares_memory(int pe)
{
    return shmem_ptr(&counter, pe) != NULL;
}

/* By the processor, through the pointer, where there is one. */
static void add_by_processor(int home)
{
    uint64_t *at = shmem_ptr(&counter, home);

    for (int i = 0; at && i < ROUNDS; i++)
        __atomic_fetch_add(at, 1, __ATOMIC_SEQ_CST);
}

/* Takes the word from some value to the next by compare_swap: each step is somebody's. */
static void advance(int home)
{
    for (int i = 0; i < ROUNDS / 10; i++) {
        uint64_t seen = shmem_uint64_atomic_fetch(&chain, home), was;

        while ((was = shmem_uint64_atomic_compare_swap(&chain, seen, seen + 1, home)) != seen)
            seen = was;
    }
}

static void draw_numbers(int home)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t number = shmem_uint64_atomic_fetch_inc(&best, home);

        shmem_uint8_p(&drawn[number], 1, home);
    }
}

static void change_everything(int home)
{
    int me = check_pe();
    uint64_t fetched[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        shmem_uint64_atomic_add(&counter, 1, home);
        shmem_uint32_atomic_inc(&narrow[i % 2], home);
        shmem_uint64_atomic_xor(&toggled, UINT64_C(1) << me, home);
        shmem_uint64_atomic_fetch_add_nbi(&fetched[i], &counter, 1, home);
#if SHMEM_AT_LEAST(1, 6)
        shmem_signal_add(&signal, 1, home);
#else
        shmem_uint64_atomic_add(&signal, 1, home);
#endif
    }
    shmem_uint64_atomic_or(&bits, UINT64_C(1) << me, home);
    add_by_processor(home);
    advance(home);
    draw_numbers(home);
    shmem_quiet();
    for (int i = 1; i < ROUNDS; i++)
        check(fetched[i] > fetched[i - 1], "amos-of-one-pe-are-done-in-turn",
              "fetched %llu after %llu", (unsigned long long)fetched[i],
              (unsigned long long)fetched[i - 1]);
}

static void check_home(int sharers)
{
    uint64_t n = (uint64_t)check_n_pes();
    size_t numbers = 0;

    for (size_t i = 0; i < n * ROUNDS; i++)
        numbers += drawn[i];
    check_equal(counter, 2 * n * ROUNDS + (uint64_t)sharers * ROUNDS, "no-update-is-lost");
    check_equal(narrow[0], (uint32_t)(n * ((ROUNDS + 1) / 2)), "no-update-is-lost");
    check_equal(narrow[1], (uint32_t)(n * (ROUNDS / 2)), "no-update-is-lost");
    check_equal(toggled, UINT64_C(0), "no-update-is-lost");
    check_equal(bits, (UINT64_C(1) << n) - 1, "no-update-is-lost");
    check_equal(chain, n * (ROUNDS / 10), "no-update-is-lost");
    check_equal(signal, n * ROUNDS, "no-update-is-lost");
    check_equal(numbers, (size_t)n * ROUNDS, "fetched-numbers-differ");
}

int main(void)
{
    check_init("remote/atomicity");
    for (int home = 0; home<check_n_pes(); home += check_n_pes()> 1 ? check_n_pes() - 1 : 1) {
        int sharers = 0;

        check_case("home PE %d", home);
        for (int pe = 0; pe < check_n_pes(); pe++)
            sharers += shares_memory(pe); /* of the home: all who do so with it */
        shmem_barrier_all();
        change_everything(home);
        shmem_barrier_all();
        if (check_pe() == home)
            check_home(sharers);
        else
            check_passed();
        shmem_barrier_all();
    }
    return check_finish();
}
