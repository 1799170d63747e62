/* SPDX-License-Identifier: BSD-3-Clause */
/* Static data of all sizes, with and without initial values, in and out of functions. */
#include "harness/board.h"

#include <stdlib.h>

#define LARGE (4 << 20)

static char a_char = 'c';
static short a_short;
int an_int = 77;
static long a_long, longs[1000] = {1, 2, 3};
static _Alignas(4096) unsigned char page[4096];
static unsigned char large[LARGE], initialized[100000] = {9};

static void check_bytes(const char *what, void *object, size_t bytes)
{
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    unsigned char *mine = malloc(bytes), *theirs = malloc(bytes), *back = malloc(bytes);

    check_case("%s, %zu bytes", what, bytes);
    oracle_fill_bytes(mine, bytes, me, SALT_SENT);
    oracle_fill_bytes(theirs, bytes, before, SALT_SENT);
    shmem_barrier_all();
    shmem_putmem(object, mine, bytes, next);
    shmem_barrier_all();
    check(memcmp(object, theirs, bytes) == 0, "statics-are-put", "other bytes arrived");
    shmem_getmem(back, object, bytes, next);
    check(memcmp(back, mine, bytes) == 0, "statics-are-got", "other bytes arrived");
    check_equal(shmem_addr_accessible(object, next), 1, "statics-are-accessible");
    shmem_barrier_all();
    free(back);
    free(theirs);
    free(mine);
}

static void check_initial_values(void)
{
    check_case("initial values");
    for (int pe = 0; pe < check_n_pes(); pe++) {
        check_equal(shmem_char_g(&a_char, pe), 'c', "statics-begin-as-written");
        check_equal(shmem_int_g(&an_int, pe), 77, "statics-begin-as-written");
        check_equal(shmem_long_g(&longs[2], pe), 3, "statics-begin-as-written");
        check_equal(shmem_long_g(&longs[999], pe), 0, "statics-begin-as-written");
        check_equal(shmem_uchar_g(&large[LARGE - 1], pe), 0, "statics-begin-as-written");
    }
    shmem_barrier_all();
}

static void check_atomics(void)
{
    static uint32_t count32;
    static uint64_t count64;

    check_case("atomics");
    for (int pe = 0; pe < check_n_pes(); pe++) {
        shmem_uint32_atomic_inc(&count32, pe);
        shmem_uint64_atomic_fetch_add(&count64, 3, pe);
    }
    shmem_barrier_all();
    check_equal(count32, (uint32_t)check_n_pes(), "statics-are-atomic");
    check_equal(count64, 3 * (uint64_t)check_n_pes(), "statics-are-atomic");
}

int main(void)
{
    static double of_a_function[3] = {0.5};

    check_init("remote/statics");
    check_initial_values();
    check_bytes("char", &a_char, sizeof a_char);
    check_bytes("short", &a_short, sizeof a_short);
    check_bytes("int", &an_int, sizeof an_int);
    check_bytes("long", &a_long, sizeof a_long);
    check_bytes("longs", longs, sizeof longs);
    check_bytes("a function's", of_a_function, sizeof of_a_function);
    check_bytes("a page", page, sizeof page);
    check_bytes("initialized", initialized, sizeof initialized);
    check_bytes("large", large, sizeof large);
    check_atomics();
    return check_finish();
}
