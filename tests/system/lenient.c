/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mistakes that a program survives, as with other libraries. All PEs make the one that the command
 * line names, twice, and check that the rest of the state is unchanged.
 */
#include <shmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NELEMS = 4 };

static int me, n;
static int failures;

static void check(bool condition, const char *what)
{
    if (condition)
        return;
    printf("PE %d: %s\n", me, what);
    failures++;
}

/* What the compiler must not see through. */
static volatile size_t zero = 0;
static void *volatile null = NULL;

/* ---- alignments ---- */

static void align_odd(void)
{
    static const size_t alignments[][2] = {{24, 32}, {1, 8},    {3, 8},
                                           {7, 8},   {96, 128}, {4097, 8192}};

    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        char *block = shmem_align(alignments[i][0], 100);

        check(block && (uintptr_t)block % alignments[i][1] == 0, "not aligned");
        memset(block, 1, 100);
        shmem_putmem(block, block, 100, (me + 1) % n);
        shmem_free(block);
    }
}

static void align_zero(void)
{
    check(shmem_align(zero, 100) == NULL, "a block");
}

static void align_huge(void)
{
    check(shmem_align((size_t)1 << 62, 100) == NULL, "a block");
    check(shmem_align(((size_t)1 << 62) + 1, 100) == NULL, "a block");
}

/* ---- active sets of PE 0 alone ---- */

static long psync[SHMEM_COLLECT_SYNC_SIZE];
static double pwork[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static double dest[16 * NELEMS], source[16 * NELEMS];

static void prepare_data(void)
{
    for (size_t i = 0; i < sizeof psync / sizeof *psync; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    for (size_t i = 0; i < sizeof dest / sizeof *dest; i++) {
        dest[i] = -1;
        source[i] = 3;
    }
}

/* What the last call has left: nothing, of those that are not in the set. */
static void check_data(const char *name, size_t changed)
{
    for (size_t i = 0; i < sizeof dest / sizeof *dest; i++)
        check(dest[i] == (me == 0 && i < changed ? 3 : -1), name);
    for (size_t i = 0; i < sizeof psync / sizeof *psync; i++)
        check(psync[i] == SHMEM_SYNC_VALUE, name);
    prepare_data();
    shmem_barrier_all();
}

static void sets(void)
{
    static size_t offset = 0, size = sizeof source[0], got;

    got = 77;
    prepare_data();
    shmem_barrier_all();
    shmem_barrier(0, 0, 1, psync);
    shmem_sync(0, 0, 1, psync);
    shmem_broadcast64(dest, source, NELEMS, 0, 0, 0, 1, psync);
    check_data("broadcast64", 0);
    shmem_broadcast32(dest, source, NELEMS, 0, 0, 0, 1, psync);
    check_data("broadcast32", 0);
    shmem_collect64(dest, source, NELEMS, 0, 0, 1, psync);
    check_data("collect64", NELEMS);
    shmem_fcollect64(dest, source, NELEMS, 0, 0, 1, psync);
    check_data("fcollect64", NELEMS);
    shmem_alltoall64(dest, source, NELEMS, 0, 0, 1, psync);
    check_data("alltoall64", NELEMS);
    shmem_alltoalls64(dest, source, 1, 1, NELEMS, 0, 0, 1, psync);
    check_data("alltoalls64", NELEMS);
    shmem_double_sum_to_all(dest, source, NELEMS, 0, 0, 1, pwork, psync);
    check_data("sum_to_all", NELEMS);
    shmem_double_max_to_all(dest, source, NELEMS, 0, 0, 1, pwork, psync);
    check_data("max_to_all", NELEMS);
    shmem_long_and_to_all((long *)dest, (long *)source, NELEMS, 0, 0, 1, (long *)pwork, psync);
    check_data("and_to_all", NELEMS);
    shmemx_alltoallv(dest, &offset, &size, source, &offset, &size, 0, 0, 1, psync);
    check_data("alltoallv", 1);
    shmemx_alltoallv_packed(dest, sizeof dest, &got, source, &offset, &size, 0, 0, 1, psync);
    check(got == (me == 0 ? size : 77), "alltoallv_packed, size");
    check_data("alltoallv_packed", 1);
}

/* ---- no elements ---- */

static uint64_t signal_word;

/* To this PE, and to one that may be on another node. */
static void move_nothing(int pe)
{
    uint64_t signals = 0;

#define FORMS(put, get)                                                                            \
    put(null, null, zero, pe), get(null, null, zero, pe), put##_nbi(null, null, zero, pe),         \
        get##_nbi(null, null, zero, pe)
    FORMS(shmem_long_put, shmem_long_get);
    FORMS(shmem_put8, shmem_get8);
    FORMS(shmem_put128, shmem_get128);
    FORMS(shmem_putmem, shmem_getmem);
#undef FORMS
    shmem_ctx_int_put(SHMEM_CTX_DEFAULT, null, null, zero, pe);
    shmem_ctx_getmem_nbi(SHMEM_CTX_DEFAULT, null, null, zero, pe);
    shmem_int_iput(null, null, 1, 1, zero, pe);
    shmem_int_iget(null, null, 2, 3, zero, pe);
    shmem_iput64(null, null, 1, 1, zero, pe);
    shmem_int_ibput(null, null, 1, 1, 1, zero, pe);
    shmem_int_ibget(null, null, 1, 1, 1, zero, pe);
    shmem_int_ibput(null, null, 1, 1, zero, 5, pe);
    signal_word = 0;
    shmem_barrier_all();
    shmem_long_put_signal(null, null, zero, &signal_word, 1, SHMEM_SIGNAL_ADD, pe);
    shmem_putmem_signal(null, null, zero, &signal_word, 10, SHMEM_SIGNAL_ADD, pe);
    shmem_put64_signal_nbi(null, null, zero, &signal_word, 100, SHMEM_SIGNAL_ADD, pe);
    signals = shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, 111);
    check(signals == 111, "a signal without data");
    shmem_barrier_all();
}

static void nothing(void)
{
    static long one[16] = {[0 ... 15] = 5};

    move_nothing(me);
    move_nothing((me + 1) % n);
    shmem_long_broadcast(SHMEM_TEAM_WORLD, null, null, zero, 0);
    shmem_long_collect(SHMEM_TEAM_WORLD, null, null, zero);
    shmem_long_fcollect(SHMEM_TEAM_WORLD, null, null, zero);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, null, null, zero);
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, null, null, 1, 1, zero);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, null, null, zero);
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, null, null, zero);
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, null, null, zero);
    shmem_long_sum_exscan(SHMEM_TEAM_WORLD, null, null, zero);
    /* PE 0 alone has something to give. */
    shmem_long_collect(SHMEM_TEAM_WORLD, one, me == 0 ? one : null, me == 0 ? 1 : zero);
    prepare_data();
    shmem_barrier_all();
    shmem_broadcast64(null, null, zero, 0, 0, 0, n, psync);
    shmem_barrier_all();
    shmem_collect64(null, null, zero, 0, 0, n, psync);
    shmem_barrier_all();
    shmem_fcollect32(null, null, zero, 0, 0, n, psync);
    shmem_barrier_all();
    shmem_alltoall64(null, null, zero, 0, 0, n, psync);
    shmem_barrier_all();
    shmem_alltoalls64(null, null, 1, 1, zero, 0, 0, n, psync);
    shmem_barrier_all();
    shmem_double_sum_to_all(null, null, 0, 0, 0, n, pwork, psync);
    shmem_barrier_all();
    shmem_free(null);
    shmem_free(null);
}

static void end(void)
{
    shmem_finalize();
    shmem_finalize();
}

static const struct {
    const char *name;
    void (*make)(void);
} mistakes[] = {
    {"align_odd", align_odd}, {"align_zero", align_zero}, {"align_huge", align_huge},
    {"sets", sets},           {"nothing", nothing},       {"end", end},
};

int main(int argc, char **argv)
{
    int initialized = 1;

    if (argc != 2)
        return 95;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (strcmp(argv[1], mistakes[i].name) == 0)
            for (int times = 0; times < 2; times++)
                mistakes[i].make();
    shmem_query_initialized(&initialized);
    if (initialized) {
        shmem_barrier_all();
        shmem_finalize();
    }
    puts("went on");
    return failures ? 1 : 0;
}
