/* SPDX-License-Identifier: BSD-3-Clause */
/* Which addresses and PEs are accessible, and loads and stores through shmem_ptr. */
#include "harness/board.h"

#include <stdlib.h>

static long bss_word;
static long data_word = 7;

static void check_pe_accessible(void)
{
    int n = check_n_pes();

    for (int pe = 0; pe < n; pe++) {
        check_case("PE %d", pe);
        check_equal(shmem_pe_accessible(pe), 1, "pe-accessible-is-one");
    }
#if SHMEM_AT_LEAST(1, 5)
    const int outside[] = {-1, n, n + 100000, INT32_MIN, INT32_MAX};

    for (int i = 0; i < 5; i++) {
        check_case("PE %d", outside[i]);
        check_equal(shmem_pe_accessible(outside[i]), 0, "pe-accessible-out-of-range");
    }
#endif
}

static void check_addr_accessible(const long *heap_word)
{
    static long function_static;
    long stack_word = 0;
    long *private_word = malloc(sizeof *private_word);

    for (int pe = 0; pe < check_n_pes(); pe++) {
        check_case("PE %d", pe);
        check_equal(shmem_addr_accessible(heap_word, pe), 1, "addr-accessible-symmetric");
        check_equal(shmem_addr_accessible(heap_word + 9, pe), 1, "addr-accessible-symmetric");
        check_equal(shmem_addr_accessible(&bss_word, pe), 1, "addr-accessible-symmetric");
        check_equal(shmem_addr_accessible(&data_word, pe), 1, "addr-accessible-symmetric");
        check_equal(shmem_addr_accessible(&function_static, pe), 1, "addr-accessible-symmetric");
        check_equal(shmem_addr_accessible(&stack_word, pe), 0, "addr-accessible-private");
        check_equal(shmem_addr_accessible(private_word, pe), 0, "addr-accessible-private");
        check_equal(shmem_addr_accessible(NULL, pe), 0, "addr-accessible-private");
    }
    free(private_word);
}

/* Every PE stores into the next one's word, where it may, and reads what it finds there. */
static void check_ptr(const char *what, long *word, bool must_work)
{
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;

    check_case("%s", what);
    *word = ORACLE(long, me, 0, SALT_OTHER);
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++) {
        const long *theirs = shmem_ptr(word, pe);

        if (must_work)
            check(theirs != NULL, "ptr-reaches-heap-of-shared-team", "no pointer for PE %d", pe);
        if (theirs)
            check_equal(*theirs, ORACLE(long, pe, 0, SALT_OTHER), "ptr-loads");
    }
    shmem_barrier_all();

    long *theirs = shmem_ptr(word, next);

    if (theirs)
        *theirs = ORACLE(long, me, 1, SALT_OTHER);
    else
        shmem_long_p(word, ORACLE(long, me, 1, SALT_OTHER), next);
    shmem_barrier_all();
    check_equal(*word, ORACLE(long, before, 1, SALT_OTHER), "ptr-stores");
    check_equal(shmem_long_g(word, next), ORACLE(long, me, 1, SALT_OTHER), "ptr-stores");
    shmem_barrier_all();
}

/* Are all PEs members of SHMEM_TEAM_SHARED, so that a pointer must exist? */
static bool all_pes_share_memory(void)
{
#if SHMEM_AT_LEAST(1, 5)
    return shmem_team_n_pes(SHMEM_TEAM_SHARED) == check_n_pes();
#else
    return false;
#endif
}

#if SHMEM_AT_LEAST(1, 6)

static void check_team_ptr(long *heap_word)
{
    int n = check_n_pes();
    long *words[] = {heap_word, &bss_word, &data_word};
    shmem_team_t reversed;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reversed);
    for (int w = 0; w < 3; w++) {
        for (int pe = 0; pe < n; pe++) {
            void *pointer = shmem_ptr(words[w], pe);

            check_case("word %d, PE %d", w, pe);
            check(shmem_team_ptr(SHMEM_TEAM_WORLD, words[w], pe) == pointer,
                  "team-ptr-of-world-is-ptr", "%p is expected", pointer);
            check(shmem_team_ptr(reversed, words[w], n - 1 - pe) == pointer,
                  "team-ptr-takes-team-numbers", "%p is expected", pointer);
            check(shmem_team_ptr(SHMEM_TEAM_INVALID, words[w], pe) == NULL,
                  "team-ptr-of-invalid-team", "not NULL");
        }
        for (int pe = 0; pe < shmem_team_n_pes(SHMEM_TEAM_SHARED); pe++)
            check(shmem_team_ptr(SHMEM_TEAM_SHARED, heap_word, pe) != NULL,
                  "ptr-reaches-heap-of-shared-team", "no pointer for PE %d of the shared team", pe);
    }
    shmem_team_destroy(reversed);
}

#else

static void check_team_ptr(long *heap_word)
{
    (void)heap_word;
}

#endif

int main(void)
{
    check_init("rma/addressing");
    long *heap_words = shmem_malloc(10 * sizeof *heap_words);

    check_pe_accessible();
    check_addr_accessible(heap_words);
    check_ptr("heap", heap_words + 3, all_pes_share_memory());
    check_ptr("zeroed static", &bss_word, false);
    check_ptr("initialized static", &data_word, false);
    check_team_ptr(heap_words);
    shmem_free(heap_words);
    return check_finish();
}
