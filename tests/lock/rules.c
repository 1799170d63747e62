/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of test_lock, independent locks, and what clear_lock completes. */
#include "harness/check.h"
#include "harness/oracle.h"

#define N_LOCKS 40
#define ROUNDS 40
#define LETTER 200

static long static_locks[N_LOCKS], one_lock;
static long letter[LETTER], n_letters;

/* One PE after the other holds it while all others are refused, at once. */
static void test_answers(long *lock)
{
    for (int holder = 0; holder < check_n_pes(); holder++) {
        check_case("PE %d holds the lock", holder);
        if (check_pe() == holder)
            check_equal(shmem_test_lock(lock), 0, "test-lock-takes");
        shmem_barrier_all();
        for (int i = 0; i < 3 && check_pe() != holder; i++)
            check_equal(shmem_test_lock(lock), 1, "test-lock-refused");
        shmem_barrier_all();
        if (check_pe() == holder)
            shmem_clear_lock(lock);
        shmem_barrier_all();
    }
    check_case("after refusals");
    for (int holder = 0; holder < check_n_pes(); holder++) {
        if (check_pe() == holder) {
            shmem_set_lock(lock);
            shmem_clear_lock(lock);
            check_equal(shmem_test_lock(lock), 0, "free-after-clear");
            shmem_clear_lock(lock);
        }
        shmem_barrier_all();
    }
}

/* All PEs hold one of the locks at the same time, then each in turn holds all of them. */
static void test_independent(long *locks)
{
    int mine = check_pe() % N_LOCKS;

    check_case("each PE its own lock");
    if (check_pe() < N_LOCKS)
        shmem_set_lock(&locks[mine]);
    shmem_barrier_all();
    if (check_pe() < N_LOCKS)
        shmem_clear_lock(&locks[mine]);
    shmem_barrier_all();

    check_case("one PE all locks");
    for (int holder = 0; holder < check_n_pes(); holder += 1 + check_n_pes() / 8) {
        if (check_pe() == holder)
            for (int k = 0; k < N_LOCKS; k++)
                shmem_set_lock(&locks[k * 7 % N_LOCKS]);
        shmem_barrier_all();
        if (check_pe() == (holder + 1) % check_n_pes() && check_n_pes() > 1)
            for (int k = 0; k < N_LOCKS; k++)
                check_equal(shmem_test_lock(&locks[k]), 1, "locks-independent");
        shmem_barrier_all();
        if (check_pe() == holder)
            for (int k = 0; k < N_LOCKS; k++)
                shmem_clear_lock(&locks[k]);
        shmem_barrier_all();
    }
}

/* Each holder leaves a long letter on PE 0 without quiet; the next one must find all of it. */
static void test_clear_completes(void)
{
    long mine[LETTER], found[LETTER];

    check_case("letters");
    for (int round = 0; round < ROUNDS; round++) {
        long count;
        size_t right = 0;

        shmem_set_lock(&one_lock);
        shmem_long_get(found, letter, LETTER, 0);
        count = shmem_long_g(&n_letters, 0);
        for (size_t i = 0; i < LETTER; i++)
            right += found[i] == (count ? ORACLE(long, (int)found[0], i, 3) : 0) || i == 0;
        check(right == LETTER, "clear-quiets", "%zu of %d words of letter %ld", right, LETTER,
              count);
        mine[0] = check_pe();
        for (size_t i = 1; i < LETTER; i++)
            mine[i] = ORACLE(long, check_pe(), i, 3);
        shmem_long_put_nbi(letter, mine, LETTER, 0);
        shmem_long_p(&n_letters, count + 1, 0);
        shmem_clear_lock(&one_lock);
    }
    shmem_barrier_all();
    if (check_pe() == 0)
        check_equal(n_letters, (long)ROUNDS * check_n_pes(), "clear-quiets");
}

int main(void)
{
    long *heap_locks;

    check_init("lock/rules");
    heap_locks = shmem_calloc(N_LOCKS, sizeof(long));
    test_answers(&static_locks[3]);
    test_answers(&heap_locks[5]);
    test_independent(static_locks);
    test_independent(heap_locks);
    test_clear_completes();
    shmem_free(heap_locks);
    return check_finish();
}
