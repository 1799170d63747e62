/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with a mistaken access, or the same without it: see cases.h. */
#define SHMEM_CLASSIC
#include "cases.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pshmem.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 10 };

static long edge[N], corner[N], count;
static uint64_t arrived[2];

/* ---- past the end ---- */

static void past_block(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[N + 1] = {0};

    shmem_long_put(block, values, right ? N : N + 1, next); /* past_block */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_often(void)
{
    long values[N + 1] = {0};

    for (int i = 0; i < 1000; i++)
        shmem_long_put(edge, values, right ? N : N + 1, next); /* past_often */
}

static void __attribute__((noinline)) put_too_much(long *block)
{
    long values[N + 1] = {0};

    shmem_long_put(block, values, right ? N : N + 1, me); /* past_in_child */
}

/* First a child of PE 0, which is none and which the library ends, then the last PE. */
static void past_in_child(void)
{
    long *block = shmem_malloc(N * sizeof *block);
    pid_t child = me == 0 && !right ? fork() : -1;

    if (child == 0) {
        put_too_much(block);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    shmem_barrier_all();
    if (me == last)
        put_too_much(block);
    shmem_free(block);
}

/* One PE goes wrong with its dest, the next one with its source. */
static void past_either(void)
{
    long *dest = shmem_malloc(N * sizeof *dest), *source = shmem_calloc(N, sizeof *source);
    int odd = me % 2;

    shmem_long_put(dest + !odd, source + odd, right ? N - 1 : N, next); /* past_either */
    shmem_barrier_all();
    shmem_free(source);
    shmem_free(dest);
}

static void past_static(void)
{
    long values[N + 1] = {0};

    shmem_long_put(edge, values, right ? N : N + 1, next); /* past_static */
}

/* Where the check keeps a block of its own. */
static void before_first_block(void)
{
    long *block = shmem_malloc(N * sizeof *block);

    shmem_long_p(right ? block : block - 512, 1, next); /* before_first_block */
    shmem_barrier_all();
    shmem_free(block);
}

static void far_behind_blocks(void)
{
    long *block = shmem_malloc(N * sizeof *block), *far = block + (8 << 20) / sizeof *block;

    shmem_long_p(right ? block : far, 1, next); /* far_behind_blocks */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_source_in_heap(void)
{
    long *block = shmem_malloc(N * sizeof *block);

    shmem_long_put(edge, right ? block : block - 1, 1, next); /* past_source_in_heap */
    shmem_barrier_all();
    shmem_free(block);
}

/* A block that the profiling interface has allocated is unknown to the check, and may be any. */
static void past_beside_unseen(void)
{
    long *block = pshmem_malloc(N * sizeof *block), *other = shmem_malloc(N * sizeof *other);

    shmem_long_p(block, 1, next);
    shmem_barrier_all();
    shmem_long_put(other, block, right ? N : N + 1, next); /* past_beside_unseen */
    pshmem_free(block);
    shmem_free(other);
}

static void past_in_the_middle(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[N] = {0};

    shmem_long_get(values, block + 4, right ? N - 4 : N - 3, next); /* past_in_the_middle */
    shmem_free(block);
}

static void past_by_stride(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[4] = {0};

    shmem_long_iput(block, values, right ? 3 : 4, 1, 4, next); /* past_by_stride */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_by_blocks(void)
{
    long *block = shmem_malloc(N * sizeof *block), values[6] = {0};

    shmem_long_ibget(values, block, 2, right ? 4 : 5, 2, 3, next); /* past_by_blocks */
    shmem_free(block);
}

static void past_one(void)
{
    long *block = shmem_malloc(N * sizeof *block);

    shmem_long_p(&block[right ? N - 1 : N], 1, next); /* past_one */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_atomic(void)
{
    int *block = shmem_malloc(6);

    shmem_int_atomic_inc(&block[!right], next); /* past_atomic */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_local(void)
{
    long *block = shmem_malloc(N * sizeof *block), *own = shmem_malloc(4 * sizeof *own);

    memset(own, 0, 4 * sizeof *own);
    shmem_long_put(block, own, right ? 4 : 5, next); /* past_local */
    shmem_barrier_all();
    shmem_free(own);
    shmem_free(block);
}

static void past_gathered(void)
{
    long *all = shmem_malloc((size_t)n * 2 * sizeof *all), *some = shmem_calloc(4, sizeof *some);

    shmem_long_fcollect(SHMEM_TEAM_WORLD, all, some, right ? 2 : 3); /* past_gathered */
    shmem_free(some);
    shmem_free(all);
}

/* Contributions differ, so that no PE knows the size of dest. */
static void past_collected(void)
{
    int mine = me == 0 ? N - 2 : right ? 1 : 3;

    shmem_long_collect(SHMEM_TEAM_WORLD, edge, corner, (size_t)mine); /* past_collected */
}

static void past_reduced(void)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, edge, corner + 1, right ? N - 1 : N); /* past_reduced */
}

static void negative_count(void)
{
    shmem_long_put(edge, corner, right ? 1 : (size_t)-1, next); /* negative_count */
}

static void past_signal(void)
{
    char *block = shmem_calloc(1, 20);
    uint64_t *signal = (uint64_t *)block;

    shmem_signal_set(&signal[right ? 1 : 2], 1, next); /* past_signal */
    shmem_barrier_all();
    shmem_free(block);
}

static void past_awaited(void)
{
    int *flags = shmem_calloc(3, sizeof *flags);

    shmem_int_test_any(flags, right ? 3 : 4, NULL, SHMEM_CMP_EQ, 1); /* past_awaited */
    shmem_free(flags);
}

static void behind_blocks(void)
{
    long *block = shmem_malloc(N * sizeof *block), *last = shmem_malloc(N * sizeof *last);

    shmem_long_p(right ? block : block + N, 1, next); /* behind_blocks */
    shmem_barrier_all();
    shmem_free(last);
    shmem_free(block);
}

/* ---- past the end of private memory ---- */

/* Of the calls of a loop, all but the first may bypass the check. */
static void short_source(void)
{
    long *block = shmem_malloc((N + 1) * sizeof *block), *values = calloc(N, sizeof *values);

    for (size_t n_values = 1; n_values <= N + !right; n_values++)
        shmem_long_put(block, values, n_values, next); /* short_source */
    shmem_barrier_all();
    shmem_free(block);
    free(values);
}

static void short_dest(void)
{
    long *values = malloc(N * sizeof *values);

    shmem_long_get_nbi(values + 1, edge, right ? N - 1 : N, next); /* short_dest */
    shmem_quiet();
    free(values);
}

/* Far from the block's start, where smaller blocks were before. */
static void short_far_in(void)
{
    enum { BYTES = 3000000, SMALL = 3000, LAST = BYTES / sizeof(long) - 1 };
    void *small[SMALL];
    long *values;

    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    for (int i = 0; i < SMALL; i++)
        small[i] = malloc(1000);
    for (int i = 0; i < SMALL; i++)
        free(small[i]);
    values = calloc(1, BYTES);
    shmem_long_put(edge, values + LAST, right ? 1 : 2, next); /* short_far_in */
    shmem_barrier_all();
    free(values);
}

static void short_moved(void)
{
    long *values = calloc(N, sizeof *values), *other = calloc(2, sizeof *other);

    values = realloc(values, (N - 1) * sizeof *values);
    other = realloc(other, N * sizeof *other);
    memset(other, 0, N * sizeof *other);
    shmem_long_put(edge, right ? other : values, N, next); /* short_moved */
    shmem_barrier_all();
    free(other);
    free(values);
}

static void short_strided(void)
{
    long *values = aligned_alloc(64, (N - 1) * sizeof *values);

    memset(values, 0, (N - 1) * sizeof *values);
    shmem_long_iput(edge, values, 1, 3, right ? 3 : 4, next); /* short_strided */
    shmem_barrier_all();
    free(values);
}

static void short_fetch(void)
{
    void *fetched = malloc(right ? sizeof(long) : sizeof(int));

    shmem_long_atomic_fetch_nbi(fetched, &count, next); /* short_fetch */
    shmem_quiet();
    free(fetched);
}

/* A block may have more bytes than were asked for. They are the program's if it asks how many. */
static void short_unless_asked(void)
{
    long *values = malloc(20);
    size_t n_values = right ? malloc_usable_size(values) / sizeof *values : 3;

    memset(values, 0, 20);
    shmem_long_put(edge, values, n_values, next); /* short_unless_asked */
    shmem_barrier_all();
    free(values);
}

static void *churn(void *is_over)
{
    void *blocks[64] = {NULL};

    for (unsigned i = 0, size = 1; !__atomic_load_n((int *)is_over, __ATOMIC_RELAXED); i++) {
        size = size * 1103515245 + 12345;
        free(blocks[i % 64]);
        blocks[i % 64] = malloc(size >> 16 & 511);
    }
    for (int i = 0; i < 64; i++)
        free(blocks[i]);
    return NULL;
}

/* Another thread allocates and frees at the same time. */
static void short_in_crowd(void)
{
    enum { ROUNDS = 20000 };
    int is_over = 0;
    pthread_t thread;

    pthread_create(&thread, NULL, churn, &is_over);
    for (size_t i = 0; i < ROUNDS; i++) {
        size_t size = i % (N - 1) + 1, excess = i == ROUNDS - 1 && !right;
        long *values = calloc(size, sizeof *values);

        shmem_long_put(edge, values, size + excess, next); /* short_in_crowd */
        free(values);
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

static void short_in_library(void)
{
    const long *names = dlsym(RTLD_DEFAULT, "tzname"); /* an array of two pointers */

    shmem_long_put(edge, names, right ? 2 : 3, next); /* short_in_library */
}

/* ---- freed, private, NULL, not aligned, overlapping ---- */

static void freed_block(void)
{
    long *block = shmem_malloc(N * sizeof *block), *other = shmem_malloc(N * sizeof *other);

    shmem_free(block);
    shmem_long_p(right ? other : block + 1, 1, next); /* freed_block */
    shmem_barrier_all();
    shmem_free(other);
}

static void moved_block(void)
{
    long *block = shmem_malloc(N * sizeof *block), *before = block;
    long *wall = shmem_malloc(N * sizeof *wall), value;

    block = shmem_realloc(block, 5000 * sizeof *block);
    value = shmem_long_g(right ? block : before, next); /* moved_block */
    (void)value;
    shmem_free(wall);
    shmem_free(block);
}

static void from_shmem_ptr(void)
{
    long *block = shmem_calloc(N, sizeof *block), *other = shmem_ptr(block, next);

    shmem_long_p(right ? block : other, 1, next); /* from_shmem_ptr */
    shmem_barrier_all();
    shmem_free(block);
}

static void on_stack(void)
{
    long *block = shmem_malloc(sizeof *block), private = 0;

    if (right)
        shmem_long_p(block, 1, next);
    else
        shmem_long_p(&private, 1, next); /* on_stack */
    shmem_barrier_all();
    shmem_free(block);
}

static void on_stack_lock(void)
{
    long lock = 0;

    if (shmem_test_lock(right ? &count : &lock) == 0) /* on_stack_lock */
        shmem_clear_lock(&count);
}

static void in_malloc(void)
{
    long *block = malloc(sizeof *block);

    shmem_long_atomic_add(right ? &count : block, 1, next); /* in_malloc */
    shmem_barrier_all();
    free(block);
}

static void null_source(void)
{
    shmem_long_put(edge, NULL, right ? 0 : 2, next); /* null_source */
}

static void null_values(void)
{
    long values[N] = {0}, *given = right ? values : NULL;

    shmem_long_test_any_vector(edge, N, NULL, SHMEM_CMP_EQ, given); /* null_values */
}

static void no_such_pe(void)
{
    shmem_long_p(&count, 1, right ? next : shmem_n_pes()); /* no_such_pe */
}

/* PEs of a context are those of its team. */
static void ctx_without_pe(void)
{
    shmem_team_t first;
    shmem_ctx_t ctx;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &first);
    if (me != 0)
        return;
    shmem_team_create_ctx(first, 0, &ctx);
    shmem_ctx_long_atomic_add(ctx, &count, 1, right ? 0 : 1); /* ctx_without_pe */
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(first);
}

static void not_aligned(void)
{
    char *block = shmem_calloc(2, sizeof(long));

    shmem_long_p((long *)(block + (right ? 8 : 4)), 1, next); /* not_aligned */
    shmem_barrier_all();
    shmem_free(block);
}

static void onto_itself(void)
{
    shmem_long_put(edge + (right ? 5 : 2), edge, 4, me); /* onto_itself */
}

static void in_place_broadcast(void)
{
    long *dest = right ? corner : edge;

    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, edge, N, 0); /* in_place_broadcast */
}

static void half_in_place(void)
{
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, edge + !right, edge, N - 1); /* half_in_place */
}

static void signal_in_data(void)
{
    uint64_t from[2] = {0, 0}, *to = arrived;
    size_t nelems = right ? 1 : 2;

    shmem_uint64_put_signal(to, from, nelems, &to[1], 1, 0, next); /* signal_in_data */
}

int main(int argc, char **argv)
{
    static const struct mistake_case cases[] = {
        CASE(past_block),         CASE(past_often),
        CASE(past_in_child),      CASE(past_either),
        CASE(past_static),        CASE(past_in_the_middle),
        CASE(past_by_stride),     CASE(past_by_blocks),
        CASE(past_one),           CASE(past_atomic),
        CASE(past_local),         CASE(past_gathered),
        CASE(past_collected),     CASE(past_reduced),
        CASE(negative_count),     CASE(past_signal),
        CASE(past_awaited),       CASE(before_first_block),
        CASE(far_behind_blocks),  CASE(past_source_in_heap),
        CASE(past_beside_unseen), CASE(behind_blocks),
        CASE(freed_block),        CASE(moved_block),
        CASE(on_stack),           CASE(from_shmem_ptr),
        CASE(on_stack_lock),      CASE(in_malloc),
        CASE(null_source),        CASE(null_values),
        CASE(no_such_pe),         CASE(ctx_without_pe),
        CASE(not_aligned),        CASE(onto_itself),
        CASE(in_place_broadcast), CASE(half_in_place),
        CASE(signal_in_data),     CASE(short_source),
        CASE(short_dest),         CASE(short_far_in),
        CASE(short_moved),        CASE(short_strided),
        CASE(short_fetch),        CASE(short_unless_asked),
        CASE(short_in_library),   CASE_AT(short_in_crowd, SHMEM_THREAD_FUNNELED),
    };

    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
