/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The old path of the header, and the old names of set-up routines, memory routines and constants.
 */
#include <mpp/shmem.h>
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#include <mpp/shmemx.h>
#endif

#include "harness/check.h"
#include "harness/oracle.h"

#include <string.h>

/* As arrays of old programs are declared. */
static long psync[_SHMEM_BCAST_SYNC_SIZE + _SHMEM_REDUCE_SYNC_SIZE + _SHMEM_BARRIER_SYNC_SIZE +
                  _SHMEM_COLLECT_SYNC_SIZE] = {_SHMEM_SYNC_VALUE};
static int pwrk[_SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static void test_numbers(void)
{
    check_case("numbers");
    check_equal(_my_pe(), shmem_my_pe(), "my-pe");
    check_equal(_num_pes(), shmem_n_pes(), "num-pes");
}

static void test_memory(void)
{
    int n = _num_pes(), next = (_my_pe() + 1) % n, before = (_my_pe() + n - 1) % n;
    long *block = shmalloc(10 * sizeof(long)), *aligned;

    check_case("memory");
    check(block != NULL, "shmalloc", "no memory");
    shmem_long_p(&block[9], 30 + _my_pe(), next);
    shmem_barrier_all();
    check_equal(block[9], 30 + before, "shmalloc");
    block = shrealloc(block, 5000 * sizeof(long));
    check(block != NULL && block[9] == 30 + before, "shrealloc", "lost its contents");
    shmem_barrier_all();
    shmem_long_p(&block[4999], 40 + _my_pe(), next);
    shmem_barrier_all();
    check_equal(block[4999], 40 + before, "shrealloc");
    aligned = shmemalign(4096, 100);
    check(aligned != NULL && (uintptr_t)aligned % 4096 == 0, "shmemalign", "%p", (void *)aligned);
    shmem_long_p(aligned, 50 + _my_pe(), next);
    shmem_barrier_all();
    check_equal(aligned[0], 50 + before, "shmemalign");
    shfree(aligned);
    shfree(block);
    /* Old and new names go together. */
    block = shmalloc(8);
    shmem_free(block);
    block = shmem_malloc(8);
    shfree(block);
    shfree(NULL);
    check(shmalloc(0) == NULL, "shmalloc", "a block of no bytes");
}

/* The old spelling of each constant is the new one's value, and a constant itself. */
static void test_constants(void)
{
    static const struct {
        const char *name;
        long old_value, value;
    } pairs[] = {
#define PAIR(name) {#name, _##name, name}
        PAIR(SHMEM_SYNC_VALUE),
        PAIR(SHMEM_BCAST_SYNC_SIZE),
        PAIR(SHMEM_REDUCE_SYNC_SIZE),
        PAIR(SHMEM_BARRIER_SYNC_SIZE),
        PAIR(SHMEM_COLLECT_SYNC_SIZE),
        PAIR(SHMEM_REDUCE_MIN_WRKDATA_SIZE),
        PAIR(SHMEM_MAJOR_VERSION),
        PAIR(SHMEM_MINOR_VERSION),
        PAIR(SHMEM_MAX_NAME_LEN),
        PAIR(SHMEM_CMP_EQ),
        PAIR(SHMEM_CMP_NE),
        PAIR(SHMEM_CMP_GT),
        PAIR(SHMEM_CMP_GE),
        PAIR(SHMEM_CMP_LT),
        PAIR(SHMEM_CMP_LE),
#undef PAIR
    };
    static const int sizes[] = {
        SHMEM_BCAST_SYNC_SIZE,   SHMEM_REDUCE_SYNC_SIZE,   SHMEM_BARRIER_SYNC_SIZE,
        SHMEM_COLLECT_SYNC_SIZE, SHMEM_ALLTOALL_SYNC_SIZE, SHMEM_ALLTOALLS_SYNC_SIZE,
    };
    const char *old_vendor = _SHMEM_VENDOR_STRING;

    check_case("constants");
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check(pairs[i].old_value == pairs[i].value, "old-constants", "_%s is %ld, not %ld",
              pairs[i].name, pairs[i].old_value, pairs[i].value);
    check(strcmp(old_vendor, SHMEM_VENDOR_STRING) == 0, "old-constants",
          "_SHMEM_VENDOR_STRING is %s", old_vendor);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check(sizes[i] > 0 && sizes[i] <= SHMEM_SYNC_SIZE, "sync-size-is-largest", "%d > %d",
              sizes[i], SHMEM_SYNC_SIZE);
}

/* A barrier and a sum on arrays that were declared and set with the old constants. */
static void test_old_arrays(void)
{
    static int one, sum;
    int n = _num_pes();

    check_case("arrays of old constants");
    for (size_t i = 0; i < sizeof psync / sizeof psync[0]; i++)
        psync[i] = _SHMEM_SYNC_VALUE;
    one = 1 + _my_pe();
    shmem_barrier_all();
    shmem_int_sum_to_all(&sum, &one, 1, 0, 0, n, pwrk, psync);
    check_equal(sum, n * (n + 1) / 2, "old-arrays");
    shmem_barrier(0, 0, n, psync + _SHMEM_REDUCE_SYNC_SIZE);
}

int main(void)
{
    check_init("legacy/names");
    test_numbers();
    test_memory();
    test_constants();
    test_old_arrays();
    return check_finish();
}
