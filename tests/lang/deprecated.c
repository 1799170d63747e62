/* SPDX-License-Identifier: BSD-3-Clause */
/* The generics of deprecated names: fetch, set, cswap, swap, finc, inc, fadd, add, wait; shorts. */
#include "harness/board.h"

static int next;

#define CHECK_SET(type)                                                                            \
    do {                                                                                           \
        static type words[3] = {1, 2, 3};                                                          \
        const type *source = words;                                                                \
                                                                                                   \
        check_case("%s", #type);                                                                   \
        shmem_barrier_all();                                                                       \
        check_equal(shmem_fetch(source, next), (type)1, "deprecated-generics");                    \
        shmem_set(&words[1], 7, next);                                                             \
        check_equal(shmem_swap(&words[2], 8, next), (type)3, "deprecated-generics");               \
        shmem_barrier_all();                                                                       \
        check_equal(words[1], (type)7, "deprecated-generics");                                     \
        check_equal(words[2], (type)8, "deprecated-generics");                                     \
    } while (0)

#define CHECK_INTEGER(type)                                                                        \
    do {                                                                                           \
        static type words[5] = {1, 2, 3, 4, 5};                                                    \
        const type expected[5] = {9, 3, 4, 14, 15};                                                \
                                                                                                   \
        check_case("%s", #type);                                                                   \
        shmem_barrier_all();                                                                       \
        check_equal(shmem_cswap(&words[0], 1, 9, next), (type)1, "deprecated-generics");           \
        check_equal(shmem_finc(&words[1], next), (type)2, "deprecated-generics");                  \
        shmem_inc(&words[2], next);                                                                \
        check_equal(shmem_fadd(&words[3], 10, next), (type)4, "deprecated-generics");              \
        shmem_add(&words[4], 10, next);                                                            \
        shmem_barrier_all();                                                                       \
        check_array(words, expected, 5, "deprecated-generics");                                    \
    } while (0)

/* The word becomes negative, or large, as its type says. */
#define CHECK_WAIT(type, cmp)                                                                      \
    do {                                                                                           \
        static type word = 0;                                                                      \
                                                                                                   \
        check_case("%s", #type);                                                                   \
        shmem_barrier_all();                                                                       \
        shmem_p(&word, -1, next);                                                                  \
        shmem_wait_until(&word, cmp, 0);                                                           \
        check_equal(word, (type)-1, "deprecated-generics");                                        \
        check_equal(shmem_test(&word, cmp, 1), 1, "deprecated-generics");                          \
        shmem_wait(&word, 0);                                                                      \
    } while (0)

/* Several variables of a type that has no AMOs. */
#define CHECK_MANY(type, cmp)                                                                      \
    do {                                                                                           \
        static type words[2];                                                                      \
        const type values[2] = {0, 1};                                                             \
        size_t indices[2] = {9, 9};                                                                \
                                                                                                   \
        check_case("several of %s", #type);                                                        \
        words[0] = words[1] = 0;                                                                   \
        shmem_barrier_all();                                                                       \
        check_equal(shmem_test_all(words, 2, NULL, cmp, 0), 0, "many-of-short");                   \
        check_equal(shmem_test_any(words, 2, NULL, cmp, 0), SIZE_MAX, "many-of-short");            \
        check_equal(shmem_test_some(words, 2, indices, NULL, cmp, 0), 0u, "many-of-short");        \
        shmem_barrier_all();                                                                       \
        shmem_p(&words[1], -1, next);                                                              \
        check_equal(shmem_wait_until_any(words, 2, NULL, cmp, 0), 1u, "many-of-short");            \
        check_equal(shmem_wait_until_some(words, 2, indices, NULL, cmp, 0), 1u, "many-of-short");  \
        check_equal(indices[0], 1u, "many-of-short");                                              \
        check_equal(shmem_test_any_vector(words, 2, NULL, cmp, values), 1u, "many-of-short");      \
        check_equal(shmem_test_all_vector(words, 2, NULL, cmp, values), 0, "many-of-short");       \
        shmem_barrier_all();                                                                       \
        shmem_p(&words[0], -1, next);                                                              \
        shmem_wait_until_all(words, 2, NULL, cmp, 0);                                              \
        shmem_wait_until_all_vector(words, 2, NULL, cmp, values);                                  \
        check(shmem_wait_until_any_vector(words, 2, NULL, cmp, values) < 2, "many-of-short",       \
              "no index");                                                                         \
        check_equal(shmem_wait_until_some_vector(words, 2, indices, NULL, cmp, values), 2u,        \
                    "many-of-short");                                                              \
        check_equal(shmem_test_some_vector(words, 2, indices, NULL, cmp, values), 2u,              \
                    "many-of-short");                                                              \
        check_equal(words[0], (type)-1, "many-of-short");                                          \
    } while (0)

int main(void)
{
    check_init("lang/deprecated");
    next = (check_pe() + 1) % check_n_pes();
    CHECK_SET(float);
    CHECK_SET(double);
    CHECK_SET(int);
    CHECK_SET(long);
    CHECK_SET(long long);
    CHECK_INTEGER(int);
    CHECK_INTEGER(long);
    CHECK_INTEGER(long long);
    CHECK_SET(unsigned int);
    CHECK_SET(uint64_t);
    CHECK_INTEGER(unsigned int);
    CHECK_INTEGER(unsigned long);
    CHECK_INTEGER(unsigned long long);
    CHECK_INTEGER(int32_t);
    CHECK_INTEGER(uint64_t);
    CHECK_INTEGER(size_t);
    CHECK_INTEGER(ptrdiff_t);
    CHECK_WAIT(short, SHMEM_CMP_LT);
    CHECK_WAIT(unsigned short, SHMEM_CMP_GT);
    CHECK_WAIT(long, SHMEM_CMP_LT);
    CHECK_WAIT(int, SHMEM_CMP_LT);
    CHECK_WAIT(unsigned int, SHMEM_CMP_GT);
    CHECK_WAIT(uint64_t, SHMEM_CMP_GT);
    CHECK_MANY(short, SHMEM_CMP_LT);
    CHECK_MANY(unsigned short, SHMEM_CMP_GT);
    return check_finish();
}
