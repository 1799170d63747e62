/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in what C99 and C++11 have in common, compiled as each of them. */
#include "harness/check.h"

static long psync[SHMEM_SYNC_SIZE];
static double work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static shmem_ctx_t no_ctx = SHMEM_CTX_INVALID;
static shmem_team_t no_team = SHMEM_TEAM_INVALID;

/* Only integer constant expressions may be labels. */
static const char *comparison(int cmp)
{
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return "EQ";
    case SHMEM_CMP_NE:
        return "NE";
    case SHMEM_CMP_GT:
        return "GT";
    case SHMEM_CMP_GE:
        return "GE";
    case SHMEM_CMP_LT:
        return "LT";
    case SHMEM_CMP_LE:
        return "LE";
    default:
        return "?";
    }
}

static int operation(int signal_operation)
{
    switch (signal_operation) {
    case SHMEM_SIGNAL_SET:
        return 1;
    case SHMEM_SIGNAL_ADD:
        return 2;
    default:
        return 0;
    }
}

static void check_constants(void)
{
    check_case("constants");
    check(comparison(SHMEM_CMP_LE)[1] == 'E', "constants-are-switch-labels", "not LE");
    check_equal(operation(SHMEM_SIGNAL_ADD), 2, "constants-are-switch-labels");
    psync[SHMEM_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE;
    work[SHMEM_REDUCE_MIN_WRKDATA_SIZE - 1] = 0.5;
    check_equal(psync[SHMEM_SYNC_SIZE - 1], SHMEM_SYNC_VALUE, "constants-are-array-bounds");
    check_equal(work[SHMEM_REDUCE_MIN_WRKDATA_SIZE - 1], 0.5, "constants-are-array-bounds");
    check(no_ctx == SHMEM_CTX_INVALID && no_team == SHMEM_TEAM_INVALID,
          "invalid-handles-are-constants", "they differ");
}

static void check_calls(void)
{
    static int number;
    static long double wide[2];
    static uint64_t flag;
    static double sum, part;
    const long double source[2] = {1.5L, -2.5L};
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    int *heap = (int *)shmem_malloc(2 * sizeof *heap);

    check_case("calls");
    shmem_int_p(&number, me + 1, next);
    shmem_longdouble_put_signal(wide, source, 2, &flag, 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&flag, SHMEM_CMP_EQ, 1);
    check_array(wide, source, 2, "functions-from-this-language");
    shmem_barrier_all();
    check_equal(number, before + 1, "functions-from-this-language");

    check_equal(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx), 0, "functions-from-this-language");
    heap[0] = heap[1] = 0;
    shmem_barrier_all();
    shmem_ctx_int_atomic_add(ctx, &heap[1], me + 1, 0);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_sync_all();
    check_equal(shmem_int_atomic_fetch(&heap[1], 0), n * (n + 1) / 2,
                "functions-from-this-language");

    part = me + 1;
    check_equal(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &part, 1), 0,
                "functions-from-this-language");
    check_equal(sum, n * (n + 1) / 2.0, "functions-from-this-language");
    shmem_free(heap);
}

int main(void)
{
    check_init("lang/" LANGUAGE);
    check_constants();
    check_calls();
    return check_finish();
}
