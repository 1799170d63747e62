/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that wraps routines of every family sees each of its own calls once, and no internal
 * call of the library.
 */
#include <pshmem.h>

#include "harness/check.h"

#include <stdarg.h>
#include <string.h>

enum {
    INIT,
    FINALIZE,
    MY_PE,
    MALLOC,
    FREE,
    CALLOC,
    ALIGN,
    REALLOC,
    SHMALLOC,
    BARRIER_ALL,
    SYNC_ALL,
    TEAM_SYNC,
    QUIET,
    FENCE,
    LONG_P,
    LONG_G,
    PUTMEM,
    GETMEM,
    INT_PUT_NBI,
    CTX_QUIET,
    ATOMIC_ADD,
    ATOMIC_FETCH_INC,
    LONG_FADD,
    WAIT_UNTIL,
    SUM_REDUCE,
    BROADCASTMEM,
    SUM_TO_ALL,
    BARRIER,
    SET_LOCK,
    CLEAR_LOCK,
    SPLIT,
    TEAM_DESTROY,
    CTX_CREATE,
    CTX_DESTROY,
    PTR,
    PCONTROL,
    N_ROUTINES
};

static int calls[N_ROUTINES];

#define WRAP(routine, result, name, parameters, arguments)                                         \
    result shmem_##name parameters                                                                 \
    {                                                                                              \
        calls[routine]++;                                                                          \
        return pshmem_##name arguments;                                                            \
    }

#define WRAP_VOID(routine, name, parameters, arguments)                                            \
    void shmem_##name parameters                                                                   \
    {                                                                                              \
        calls[routine]++;                                                                          \
        pshmem_##name arguments;                                                                   \
    }

WRAP_VOID(INIT, init, (void), ())
WRAP_VOID(FINALIZE, finalize, (void), ())
WRAP(MY_PE, int, my_pe, (void), ())
WRAP(MALLOC, void *, malloc, (size_t size), (size))
WRAP_VOID(FREE, free, (void *ptr), (ptr))
WRAP(CALLOC, void *, calloc, (size_t count, size_t size), (count, size))
WRAP(ALIGN, void *, align, (size_t alignment, size_t size), (alignment, size))
WRAP(REALLOC, void *, realloc, (void *ptr, size_t size), (ptr, size))
WRAP_VOID(BARRIER_ALL, barrier_all, (void), ())
WRAP_VOID(SYNC_ALL, sync_all, (void), ())
WRAP(TEAM_SYNC, int, team_sync, (shmem_team_t team), (team))
WRAP_VOID(QUIET, quiet, (void), ())
WRAP_VOID(FENCE, fence, (void), ())
WRAP_VOID(LONG_P, long_p, (long *dest, long value, int pe), (dest, value, pe))
WRAP(LONG_G, long, long_g, (const long *source, int pe), (source, pe))
WRAP_VOID(PUTMEM, putmem, (void *dest, const void *source, size_t nelems, int pe),
          (dest, source, nelems, pe))
WRAP_VOID(GETMEM, getmem, (void *dest, const void *source, size_t nelems, int pe),
          (dest, source, nelems, pe))
WRAP_VOID(INT_PUT_NBI, int_put_nbi, (int *dest, const int *source, size_t nelems, int pe),
          (dest, source, nelems, pe))
WRAP_VOID(CTX_QUIET, ctx_quiet, (shmem_ctx_t ctx), (ctx))
WRAP_VOID(ATOMIC_ADD, long_atomic_add, (long *dest, long value, int pe), (dest, value, pe))
WRAP(ATOMIC_FETCH_INC, long, long_atomic_fetch_inc, (long *dest, int pe), (dest, pe))
WRAP(LONG_FADD, long, long_fadd, (long *dest, long value, int pe), (dest, value, pe))
WRAP_VOID(WAIT_UNTIL, long_wait_until, (long *ivar, int cmp, long value), (ivar, cmp, value))
WRAP(SUM_REDUCE, int, long_sum_reduce,
     (shmem_team_t team, long *dest, const long *source, size_t nreduce),
     (team, dest, source, nreduce))
WRAP(BROADCASTMEM, int, broadcastmem,
     (shmem_team_t team, void *dest, const void *source, size_t nelems, int root),
     (team, dest, source, nelems, root))
WRAP_VOID(SUM_TO_ALL, long_sum_to_all,
          (long *dest, const long *source, int nreduce, int start, int stride, int size, long *pwrk,
           long *psync),
          (dest, source, nreduce, start, stride, size, pwrk, psync))
WRAP_VOID(BARRIER, barrier, (int start, int stride, int size, long *psync),
          (start, stride, size, psync))
WRAP_VOID(SET_LOCK, set_lock, (long *lock), (lock))
WRAP_VOID(CLEAR_LOCK, clear_lock, (long *lock), (lock))
WRAP(SPLIT, int, team_split_strided,
     (shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t *config,
      long mask, shmem_team_t *team),
     (parent, start, stride, size, config, mask, team))
WRAP_VOID(TEAM_DESTROY, team_destroy, (shmem_team_t team), (team))
WRAP(CTX_CREATE, int, ctx_create, (long options, shmem_ctx_t *ctx), (options, ctx))
WRAP_VOID(CTX_DESTROY, ctx_destroy, (shmem_ctx_t ctx), (ctx))
WRAP(PTR, void *, ptr, (const void *dest, int pe), (dest, pe))

/* An old name without the prefix, and one with a variable number of arguments. */
void *shmalloc(size_t size)
{
    calls[SHMALLOC]++;
    return pshmalloc(size);
}

void shmem_pcontrol(int level, ...)
{
    va_list args;

    calls[PCONTROL]++;
    va_start(args, level);
    pshmem_pcontrol(level, va_arg(args, int));
    va_end(args);
}

/* The calls since the last check_calls must have been `times` of the one routine. */
static void check_calls(int routine, int times, const char *name)
{
    for (int i = 0; i < N_ROUTINES; i++)
        check(calls[i] == (i == routine ? times : 0), name, "routine %d was called %d times", i,
              calls[i]);
    memset(calls, 0, sizeof calls);
}

static long word, source = 1, lock, psync[SHMEM_SYNC_SIZE], pwrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int number;

static void test_memory(void)
{
    void *block = shmem_malloc(100);

    check_calls(MALLOC, 1, "wrapped-malloc");
    block = shmem_realloc(block, 5000);
    check_calls(REALLOC, 1, "wrapped-realloc");
    shmem_free(block);
    check_calls(FREE, 1, "wrapped-free");
    block = shmem_calloc(10, 10);
    check_calls(CALLOC, 1, "wrapped-calloc");
    shmem_free(block);
    check_calls(FREE, 1, "wrapped-free");
    block = shmem_align(64, 10);
    check_calls(ALIGN, 1, "wrapped-align");
    shmem_free(block);
    check_calls(FREE, 1, "wrapped-free");
    block = shmalloc(10);
    check_calls(SHMALLOC, 1, "wrapped-old-names");
    shfree(block);
    check_calls(FREE, 0, "wrapped-old-names");
}

static void test_access(int pe)
{
    shmem_long_p(&word, 5, pe);
    check_calls(LONG_P, 1, "wrapped-rma");
    shmem_quiet();
    check_calls(QUIET, 1, "wrapped-ordering");
    shmem_fence();
    check_calls(FENCE, 1, "wrapped-ordering");
    check_equal(shmem_long_g(&word, pe), 5, "wrapper-reaches-library");
    check_calls(LONG_G, 1, "wrapped-rma");
    shmem_putmem(&word, &source, sizeof word, pe);
    check_calls(PUTMEM, 1, "wrapped-rma");
    shmem_getmem(&source, &word, sizeof word, pe);
    check_calls(GETMEM, 1, "wrapped-rma");
    shmem_int_put_nbi(&number, &(int){3}, 1, pe);
    check_calls(INT_PUT_NBI, 1, "wrapped-rma");
    shmem_long_atomic_add(&word, 1, pe);
    check_calls(ATOMIC_ADD, 1, "wrapped-atomics");
    shmem_long_atomic_fetch_inc(&word, pe);
    check_calls(ATOMIC_FETCH_INC, 1, "wrapped-atomics");
    shmem_long_fadd(&word, 1, pe);
    check_calls(LONG_FADD, 1, "wrapped-old-names");
    check(shmem_ptr(&word, pe) == pshmem_ptr(&word, pe), "wrapper-reaches-library",
          "another pointer");
    check_calls(PTR, 1, "wrapped-rma");
    pshmem_barrier_all();
    shmem_long_wait_until(&word, SHMEM_CMP_GE, 1);
    check_calls(WAIT_UNTIL, 1, "wrapped-wait");
    shmem_set_lock(&lock);
    check_calls(SET_LOCK, 1, "wrapped-locks");
    shmem_clear_lock(&lock);
    check_calls(CLEAR_LOCK, 1, "wrapped-locks");
}

static void test_collectives(void)
{
    int n = pshmem_n_pes();
    shmem_team_t team;
    shmem_ctx_t ctx;

    shmem_barrier_all();
    check_calls(BARRIER_ALL, 1, "wrapped-collectives");
    shmem_sync_all();
    check_calls(SYNC_ALL, 1, "wrapped-collectives");
    check_equal(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team), 0,
                "wrapper-reaches-library");
    check_calls(SPLIT, 1, "wrapped-teams");
    shmem_team_sync(team);
    check_calls(TEAM_SYNC, 1, "wrapped-collectives");
    source = 1;
    shmem_long_sum_reduce(team, &word, &source, 1);
    check_equal(word, n, "wrapper-reaches-library");
    check_calls(SUM_REDUCE, 1, "wrapped-collectives");
    pshmem_barrier_all();
    shmem_broadcastmem(team, &word, &source, sizeof word, n - 1);
    check_calls(BROADCASTMEM, 1, "wrapped-collectives");
    shmem_team_destroy(team);
    check_calls(TEAM_DESTROY, 1, "wrapped-teams");
    shmem_ctx_create(0, &ctx);
    check_calls(CTX_CREATE, 1, "wrapped-contexts");
    shmem_ctx_quiet(ctx);
    check_calls(CTX_QUIET, 1, "wrapped-contexts");
    shmem_ctx_destroy(ctx);
    check_calls(CTX_DESTROY, 1, "wrapped-contexts");
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    pshmem_barrier_all();
    shmem_long_sum_to_all(&word, &source, 1, 0, 0, n, pwrk, psync);
    check_calls(SUM_TO_ALL, 1, "wrapped-old-names");
    pshmem_barrier_all();
    shmem_barrier(0, 0, n, psync);
    check_calls(BARRIER, 1, "wrapped-old-names");
    shmem_pcontrol(2, 77);
    check_calls(PCONTROL, 1, "wrapped-pcontrol");
}

int main(void)
{
    shmem_init();
    check_calls(INIT, 1, "wrapped-init");
    check_attach("profiling/wrap");
    memset(calls, 0, sizeof calls);
    check_case("wrappers");
    check_equal(shmem_my_pe(), pshmem_my_pe(), "wrapper-reaches-library");
    check_calls(MY_PE, 1, "wrapped-init");
    test_memory();
    test_access((check_pe() + 1) % check_n_pes());
    test_collectives();
    /* An inner finalize, which is a barrier inside. */
    pshmem_init();
    shmem_finalize();
    check_calls(FINALIZE, 1, "wrapped-finalize");
    check_report();
    memset(calls, 0, sizeof calls);
    shmem_finalize();
    check_calls(FINALIZE, 1, "wrapped-finalize");
    return check_status();
}
