/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions of REAL*16, for which C has no routine: its long double is another format on x86-64.
 * Every PE fetches the arrays of all others and combines them in the order of the active set, so
 * all have the same result. It is not optimized: programs reduce few numbers of 16 bytes.
 */
#include <float.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

#include "fortran/fortran.h"

#if LDBL_MANT_DIG == 113
typedef long double quad;
#else
typedef __float128 quad;
#endif

#define CHUNK 512 /* elements fetched at a time, on the stack */

typedef void combine(quad *into, const quad *from, int n);

static void combine_max(quad *into, const quad *from, int n)
{
    for (int i = 0; i < n; i++)
        if (from[i] > into[i])
            into[i] = from[i];
}

static void combine_min(quad *into, const quad *from, int n)
{
    for (int i = 0; i < n; i++)
        if (from[i] < into[i])
            into[i] = from[i];
}

static void combine_sum(quad *into, const quad *from, int n)
{
    for (int i = 0; i < n; i++)
        into[i] += from[i];
}

static void combine_prod(quad *into, const quad *from, int n)
{
    for (int i = 0; i < n; i++)
        into[i] *= from[i];
}

struct set {
    int start, log_stride, size;
    void *psync;
};

static void combine_all(quad *result, const quad *source, int n, const struct set *set, combine *op)
{
    quad theirs[CHUNK];

    shmem_getmem(result, source, (size_t)n * sizeof *source, set->start);
    for (int member = 1; member < set->size; member++) {
        for (int at = 0; at < n; at += CHUNK) {
            int some = n - at < CHUNK ? n - at : CHUNK;

            shmem_getmem(theirs, source + at, (size_t)some * sizeof *source,
                         set->start + (member << set->log_stride));
            op(result + at, theirs, some);
        }
    }
}

/*
 * After the first sync all sources are ready. After the second all have been read, so dest may be
 * source.
 */
static void reduce(void *dest, const void *source, int nreduce, const struct set *set, combine *op,
                   const char *routine)
{
    size_t n = tern_fortran_count(nreduce, "nreduce", routine);
    quad *result = malloc((n + !n) * sizeof *result);

    if (!result)
        tern_client_fatal(routine, "out of memory");
    shmem_sync(set->start, set->log_stride, set->size, set->psync);
    if (n)
        combine_all(result, source, nreduce, set, op);
    shmem_sync(set->start, set->log_stride, set->size, set->psync);
    memcpy(dest, result, n * sizeof *result);
    free(result);
}

#define REDUCTION(op, OP)                                                                          \
    TERN_FORTRAN(void, shmem_real16_##op##_to_all, SHMEM_REAL16_##OP##_TO_ALL)                     \
    (void *dest, const void *source, const int *nreduce, const int *PE_start,                      \
     const int *logPE_stride, const int *PE_size, void *pWrk, void *pSync)                         \
    {                                                                                              \
        struct set set = {*PE_start, *logPE_stride, *PE_size, pSync};                              \
                                                                                                   \
        reduce(dest, source, *nreduce, &set, combine_##op, "shmem_real16_" #op "_to_all");         \
    }

REDUCTION(max, MAX)
REDUCTION(min, MIN)
REDUCTION(sum, SUM)
REDUCTION(prod, PROD)
