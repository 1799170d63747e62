/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constants, handles and types have the values that the standard requires, and its uses of them
 * compile: C and C++.
 */
#include <limits.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
#define CHECK(condition) static_assert(condition, #condition)
#elif __STDC_VERSION__ >= 201112L
#define CHECK(condition) _Static_assert(condition, #condition)
#else
#define CHECK_AT(condition, line) extern int check_at_##line[(condition) ? 1 : -1]
#define CHECK_IN(condition, line) CHECK_AT(condition, line)
#define CHECK(condition) CHECK_IN(condition, __LINE__)
#endif

#define ONE_BIT(x) ((x) > 0 && ((x) & ((x)-1)) == 0)

/* 6 Library constants */
CHECK(SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 6);
CHECK(_SHMEM_MAJOR_VERSION == 1 && _SHMEM_MINOR_VERSION == 6);
CHECK(sizeof SHMEM_VENDOR_STRING <= SHMEM_MAX_NAME_LEN && sizeof SHMEM_VENDOR_STRING > 1);
CHECK(_SHMEM_MAX_NAME_LEN == SHMEM_MAX_NAME_LEN);
CHECK(sizeof _SHMEM_VENDOR_STRING == sizeof SHMEM_VENDOR_STRING);

CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED);
CHECK(SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED);
CHECK(SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);

CHECK(ONE_BIT(SHMEM_CTX_SERIALIZED) && ONE_BIT(SHMEM_CTX_PRIVATE) && ONE_BIT(SHMEM_CTX_NOSTORE));
CHECK(SHMEM_CTX_SERIALIZED != SHMEM_CTX_PRIVATE && SHMEM_CTX_PRIVATE != SHMEM_CTX_NOSTORE);
CHECK(SHMEM_CTX_SERIALIZED != SHMEM_CTX_NOSTORE);
CHECK(ONE_BIT(SHMEM_CTX_SESSION_TOTAL_OPS) && ONE_BIT(SHMEM_CTX_SESSION_BATCH));
CHECK(ONE_BIT(SHMEM_TEAM_NUM_CONTEXTS));
CHECK(ONE_BIT(SHMEM_MALLOC_ATOMICS_REMOTE) && ONE_BIT(SHMEM_MALLOC_SIGNAL_REMOTE));
CHECK(SHMEM_MALLOC_ATOMICS_REMOTE != SHMEM_MALLOC_SIGNAL_REMOTE);
CHECK(SHMEM_SIGNAL_SET != SHMEM_SIGNAL_ADD);

CHECK(_SHMEM_CMP_EQ == SHMEM_CMP_EQ && _SHMEM_CMP_NE == SHMEM_CMP_NE);
CHECK(_SHMEM_CMP_GT == SHMEM_CMP_GT && _SHMEM_CMP_GE == SHMEM_CMP_GE);
CHECK(_SHMEM_CMP_LT == SHMEM_CMP_LT && _SHMEM_CMP_LE == SHMEM_CMP_LE);

#define SYNC_SIZE(size) CHECK((size) > 0 && (size) <= SHMEM_SYNC_SIZE)
SYNC_SIZE(SHMEM_BARRIER_SYNC_SIZE);
SYNC_SIZE(SHMEM_BCAST_SYNC_SIZE);
SYNC_SIZE(SHMEM_COLLECT_SYNC_SIZE);
SYNC_SIZE(SHMEM_REDUCE_SYNC_SIZE);
SYNC_SIZE(SHMEM_ALLTOALL_SYNC_SIZE);
SYNC_SIZE(SHMEM_ALLTOALLS_SYNC_SIZE);
CHECK(_SHMEM_BARRIER_SYNC_SIZE == SHMEM_BARRIER_SYNC_SIZE);
CHECK(_SHMEM_BCAST_SYNC_SIZE == SHMEM_BCAST_SYNC_SIZE);
CHECK(_SHMEM_COLLECT_SYNC_SIZE == SHMEM_COLLECT_SYNC_SIZE);
CHECK(_SHMEM_REDUCE_SYNC_SIZE == SHMEM_REDUCE_SYNC_SIZE);
CHECK(_SHMEM_ALLTOALL_SYNC_SIZE == SHMEM_ALLTOALL_SYNC_SIZE);
CHECK(_SHMEM_ALLTOALLS_SYNC_SIZE == SHMEM_ALLTOALLS_SYNC_SIZE);
CHECK(SHMEM_REDUCE_MIN_WRKDATA_SIZE > 0);
CHECK(_SHMEM_REDUCE_MIN_WRKDATA_SIZE == SHMEM_REDUCE_MIN_WRKDATA_SIZE);
CHECK(_SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE);

/* What shmem.h makes visible besides; programs know a library by the macros. */
#if !defined SHMEM_DEF_H || !defined SHMEM_FUNCTION_ATTRIBUTES
#error "the macros of Sandia OpenSHMEM are defined"
#endif
CHECK(SIZE_MAX == (size_t)-1 && sizeof(ptrdiff_t) == sizeof(size_t) && sizeof(uint64_t) == 8);

/* 7 Library handles: constant initializers, different from each other */
static shmem_ctx_t contexts[] = {SHMEM_CTX_INVALID, SHMEM_CTX_DEFAULT};
static shmem_team_t teams[] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED};
static long psync[SHMEM_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
static shmem_team_config_t team_config = {INT_MAX};
static shmem_ctx_session_config_t session_config = {SIZE_MAX};

static int distinct_comparisons(int cmp)
{
    switch (cmp) { /* does not compile unless the six differ */
    case SHMEM_CMP_EQ:
    case SHMEM_CMP_NE:
    case SHMEM_CMP_GT:
    case SHMEM_CMP_GE:
    case SHMEM_CMP_LT:
    case SHMEM_CMP_LE:
        return 1;
    default:
        return 0;
    }
}

int main(void)
{
    char name[SHMEM_MAX_NAME_LEN] = SHMEM_VENDOR_STRING;
    int *num_contexts = &team_config.num_contexts;
    size_t *total_ops = &session_config.total_ops;
    int ok = contexts[0] != contexts[1] && teams[0] != teams[1] && teams[1] != teams[2] &&
             teams[0] != teams[2] && psync[SHMEM_SYNC_SIZE - 1] == SHMEM_SYNC_VALUE &&
             strcmp(name, _SHMEM_VENDOR_STRING) == 0 && *num_contexts == INT_MAX &&
             *total_ops == SIZE_MAX && distinct_comparisons(SHMEM_CMP_LE);

    puts(ok ? "constants: ok" : "constants: wrong");
    return !ok;
}
