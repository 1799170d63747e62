/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mistakes. The last PE makes the one that the command line names while the others sleep in a
 * barrier, so that the end of the whole job is seen.
 */
#include <limits.h>
#include <pthread.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define HEAP_BYTES 4096

static int word;
static _Alignas(8) int words[8];
static long lock_word, held_lock, psync[SHMEM_COLLECT_SYNC_SIZE],
    pwork[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static const int constant[4] = {1, 2, 3, 4};
static void *const addresses[] = {words, calloc};
static uint64_t signal_word;
static _Thread_local int of_a_thread;

static const struct timespec moment = {.tv_nsec = 30000000};
static int me, n;
static int *heap; /* HEAP_BYTES */
static shmem_ctx_t stale_ctx, context_of_one;
static shmem_team_t stale_team, team_of_one, invalid_team = SHMEM_TEAM_INVALID;

/* What the compiler must not see through. */
static int *volatile null = NULL;
static volatile size_t zero = 0;

static void *in_thread(void *routine)
{
    void (*call)(void) = *(void (**)(void))routine;

    call();
    return NULL;
}

static void call_in_thread(void (*call)(void))
{
    pthread_t thread;

    pthread_create(&thread, NULL, in_thread, &call);
    pthread_join(thread, NULL);
}

/* Only here are variables of the stack and of malloc() wrong; as a source they are right. */
static void put_to_stack(void)
{
    int local = 0;

    shmem_int_put(&local, words, 1, 0);
}

static void get_from_malloc(void)
{
    int *own = calloc(1, sizeof *own);

    shmem_int_get(&word, own, 1, 0);
    free(own);
}

static void wait_on_stack(void)
{
    int local = 0;

    shmem_int_wait_until(&local, SHMEM_CMP_NE, 0);
}

/* A lock with that value on all PEs. */
static long *lock_of_value(long value)
{
    static long lock;

    for (int pe = 0; pe < n; pe++)
        shmem_long_atomic_set(&lock, value, pe);
    shmem_quiet();
    return &lock;
}

static void take_and_clear(long *lock)
{
    shmem_set_lock(lock);
    shmem_clear_lock(lock);
}

static void lock_in_malloc(void)
{
    shmem_set_lock(calloc(1, sizeof(long)));
}

static void pointer_of_a_peer(void)
{
    shmem_int_p(shmem_ptr(heap, 0), 1, 0);
}

static void end_of_heap(void)
{
    size_t most = (size_t)1 << 40;

    shmem_int_put(heap, words, most, 0);
}

static void private_context_of_another_thread(void)
{
    shmem_ctx_destroy(context_of_one);
}

static void quiet_pe(int pe)
{
    shmem_pe_quiet(&pe, 1);
}

/* The thread holds the stream's lock for ever. */
static void *read_line(void *stream)
{
    char line[8];

    return fgets(line, sizeof line, stream);
}

static void put_while_a_thread_reads(void)
{
    int ends[2];
    pthread_t thread;

    if (pipe(ends) == 0)
        pthread_create(&thread, NULL, read_line, fdopen(ends[0], "r"));
    nanosleep(&moment, NULL);
    shmem_int_p(&word, 1, n);
}

/* Symmetric addresses between two words. */
static void *const odd_int = (char *)words + 2;
static void *const odd_long = (char *)words + 4;

#define CASE(name, ...)                                                                            \
    if (strcmp(what, name) == 0) {                                                                 \
        __VA_ARGS__;                                                                               \
        return;                                                                                    \
    }

/* Before shmem_init or after shmem_finalize. */
static void call_outside(const char *what)
{
    void *block = NULL;

    CASE("my_pe", shmem_my_pe())
    CASE("barrier_all", shmem_barrier_all())
    CASE("finalize", shmem_finalize())
    CASE("quiet", shmem_quiet())
    CASE("int_p", shmem_int_p(&word, 1, 0))
    CASE("int_atomic_inc", shmem_int_atomic_inc(&word, 0))
    CASE("int_wait_until", shmem_int_wait_until(&word, SHMEM_CMP_EQ, 1))
    CASE("set_lock", shmem_set_lock(&lock_word))
    CASE("team_n_pes", shmem_team_n_pes(SHMEM_TEAM_WORLD))
    CASE("ptr", block = shmem_ptr(&word, 0))
    CASE("global_exit", shmem_global_exit(0))
    CASE("malloc", block = shmem_malloc(8))
    fprintf(stderr, "no such call: %s (%p)\n", what, block);
    exit(95);
}

static void misuse(const char *what)
{
    int local[4] = {0}, value = 0;
    unsigned long fetched[1];
    shmem_ctx_t ctx;
    shmem_team_t team;

    /* PEs */
    CASE("p beyond", shmem_int_p(&word, 1, n))
    CASE("p negative", shmem_int_p(&word, 1, -1))
    CASE("p far", shmem_int_p(&word, 1, INT_MAX))
    CASE("p farthest", shmem_int_p(&word, 1, INT_MIN))
    CASE("g beyond", value = shmem_int_g(&word, n))
    CASE("put beyond", shmem_putmem(words, local, 4, n))
    CASE("put nothing beyond", shmem_putmem(words, local, zero, n))
    CASE("get negative", shmem_double_get((double *)heap, (double *)heap, 1, -2))
    CASE("iput beyond", shmem_int_iput(words, local, 1, 1, 2, n))
    CASE("fetch_add beyond", shmem_int_atomic_fetch_add(&word, 1, n))
    CASE("inc negative", shmem_long_atomic_inc(&lock_word, -1))
    CASE("put_signal beyond",
         shmem_int_put_signal(words, local, 1, &signal_word, 1, SHMEM_SIGNAL_SET, n))
    CASE("signal_add negative", shmem_signal_add(&signal_word, 1, -1))
    CASE("ptr beyond", shmem_ptr(&word, n))
    CASE("team_ptr beyond", shmem_team_ptr(team_of_one, &word, 1))
    CASE("pe_quiet beyond", quiet_pe(n))
    CASE("context of a team", shmem_ctx_int_p(context_of_one, &word, 1, 1))
    CASE("old put beyond", shmem_put32(words, local, 1, n))

    /* addresses */
    CASE("stack", put_to_stack())
    CASE("malloc", get_from_malloc())
    CASE("thread-local", shmem_int_atomic_set(&of_a_thread, 1, 0))
    CASE("null", shmem_int_p(null, 1, 0))
    CASE("text", value = shmem_int_g((const int *)(uintptr_t)strlen, 0))
    CASE("put to a constant", shmem_putmem((char *)(uintptr_t)constant, local, 4, 0))
    CASE("p to a constant", shmem_int_p((int *)(uintptr_t)constant, 1, 0))
    CASE("atomic on a constant", value = shmem_int_atomic_fetch(constant, 0))
    CASE("broadcast of a constant", shmem_int_broadcast(SHMEM_TEAM_WORLD, words, constant, 1, me))
    CASE("get of addresses", shmem_getmem(local, addresses, sizeof addresses, 0))
    CASE("get beyond constants", shmem_getmem(local, constant, (size_t)1 << 40, 0))
    CASE("pointer of a peer", pointer_of_a_peer())
    CASE("heap end", end_of_heap())
    CASE("heap wraps", shmem_putmem(heap, local, SIZE_MAX, 0))
    CASE("heap wraps elements", shmem_long_put((long *)heap, (long *)local, SIZE_MAX / 4, 0))
    CASE("static end", shmem_putmem(words, local, (size_t)1 << 40, 0))
    CASE("static wraps", shmem_int_get(local, words, SIZE_MAX / 2, 0))
    CASE("iput leaves", shmem_int_iput(heap, words, (ptrdiff_t)1 << 40, 1, 2, 0))
    CASE("wait on stack", wait_on_stack())
    CASE("test null", shmem_int_test(null, SHMEM_CMP_EQ, 1))
    CASE("lock in malloc", lock_in_malloc())
    CASE("clear null lock", shmem_clear_lock((long *)null))
    CASE("clear another's lock", shmem_clear_lock(&held_lock))
    CASE("lock with another value", shmem_set_lock(lock_of_value(LONG_MAX)))
    CASE("test of a lock with another value", shmem_test_lock(lock_of_value(LONG_MAX)))
    CASE("lock with a small value", shmem_set_lock(lock_of_value(2)))
    CASE("clear a lock that was not 0", take_and_clear(lock_of_value(100L << 33)))
    CASE("signal on stack", shmem_signal_set((uint64_t *)local, 1, 0))
    CASE("signal_fetch null", shmem_signal_fetch((uint64_t *)null))
    CASE("reduce on stack", shmem_int_sum_reduce(SHMEM_TEAM_WORLD, local, words, 1))
    CASE("broadcast from null", shmem_int_broadcast(SHMEM_TEAM_WORLD, words, null, 2, me))

    /* alignment: PE 0 may be on another node */
    CASE("odd add", shmem_int_atomic_add(odd_int, 1, 0))
    CASE("odd fetch", value = shmem_int_atomic_fetch(odd_int, 0))
    CASE("odd set", shmem_double_atomic_set(odd_long, 1, 0))
    CASE("odd swap", shmem_long_atomic_swap(odd_long, 1, 0))
    CASE("odd fetch_add_nbi", shmem_ulong_atomic_fetch_add_nbi(fetched, odd_long, 1, 0))
    CASE("odd fetch_nbi", shmem_ulong_atomic_fetch_nbi(fetched, odd_long, 0))
    CASE("odd ctx_or", shmem_ctx_uint_atomic_or(SHMEM_CTX_DEFAULT, odd_int, 1, 0))
    CASE("odd inc under its old name", shmem_int_inc(odd_int, 0))
    CASE("odd own inc", shmem_int_atomic_inc(odd_int, me))
    CASE("odd signal_add", shmem_signal_add(odd_long, 1, 0))
    CASE("odd put_signal", shmem_int_put_signal(words, local, 1, odd_long, 1, SHMEM_SIGNAL_SET, 0))
    CASE("odd put_signal_nbi",
         shmem_putmem_signal_nbi(words, local, 1, odd_long, 1, SHMEM_SIGNAL_ADD, 0))
    CASE("odd signal_fetch", shmem_signal_fetch(odd_long))
    CASE("odd signal_wait", shmem_signal_wait_until(odd_long, SHMEM_CMP_EQ, 0))
    CASE("odd wait", shmem_int_wait_until(odd_int, SHMEM_CMP_EQ, 0))
    CASE("odd short wait", shmem_short_wait_until((short *)((char *)words + 1), SHMEM_CMP_EQ, 0))
    CASE("odd wait under its old name", shmem_long_wait(odd_long, 1))
    CASE("odd test", shmem_int_test(odd_int, SHMEM_CMP_EQ, 0))
    CASE("odd wait_any", shmem_long_wait_until_any(odd_long, 2, NULL, SHMEM_CMP_EQ, 0))
    CASE("odd test_all", shmem_int_test_all(odd_int, 2, NULL, SHMEM_CMP_EQ, 0))
    CASE("odd set_lock", shmem_set_lock(odd_long))
    CASE("odd test_lock", shmem_test_lock(odd_long))
    CASE("odd clear_lock", shmem_clear_lock(odd_long))

    /* contexts and teams */
    CASE("invalid context", shmem_ctx_int_p(SHMEM_CTX_INVALID, &word, 1, 0))
    CASE("stale context", shmem_ctx_int_p(stale_ctx, &word, 1, 0))
    CASE("stale context atomic", shmem_ctx_int_atomic_inc(stale_ctx, &word, 0))
    CASE("stale context quiet", shmem_ctx_quiet(stale_ctx))
    CASE("stale context destroy", shmem_ctx_destroy(stale_ctx))
    CASE("made-up context", shmem_ctx_fence((shmem_ctx_t)words))
    CASE("default context destroy", shmem_ctx_destroy(SHMEM_CTX_DEFAULT))
    CASE("private context of another thread", call_in_thread(private_context_of_another_thread))
    CASE("invalid team sync", shmem_team_sync(invalid_team))
    CASE("invalid team reduce", shmem_int_max_reduce(invalid_team, words, words, 1))
    CASE("stale team", shmem_team_n_pes(stale_team))
    CASE("stale team sync", shmem_team_sync(stale_team))
    CASE("stale team context", shmem_team_create_ctx(stale_team, 0, &ctx))
    CASE("stale team split", shmem_team_split_strided(stale_team, 0, 1, 1, NULL, 0, &team))
    CASE("made-up team", shmem_team_my_pe((shmem_team_t)words))
    CASE("world destroy", shmem_team_destroy(SHMEM_TEAM_WORLD))
    CASE("config null",
         shmem_team_split_strided(team_of_one, 0, 1, 1, NULL, SHMEM_TEAM_NUM_CONTEXTS, &team))

    /* memory */
    CASE("free static", shmem_free(words))
    CASE("free stack", shmem_free(local))
    CASE("free inside", shmem_free(heap + 1))
    CASE("free twice", shmem_free((char *)heap + HEAP_BYTES))
    CASE("realloc static", shmem_realloc(words, 8))
    CASE("other routine", heap = shmem_malloc(64))

    /* arguments */
    CASE("cmp", shmem_int_wait_until(&word, 99, 1))
    CASE("cmp negative", shmem_long_test(&lock_word, -1, 1))
    CASE("cmp any", shmem_int_wait_until_any(words, 2, NULL, 77, 1))
    CASE("cmp signal", shmem_signal_wait_until(&signal_word, 6, 1))
    CASE("sig_op", shmem_int_put_signal(words, local, 1, &signal_word, 1, 99, 0))
    CASE("root beyond", shmem_int_broadcast(SHMEM_TEAM_WORLD, words, words, 1, n))
    CASE("root negative", shmem_int_broadcast(SHMEM_TEAM_WORLD, words, words, 1, -1))
    CASE("stride zero", shmem_int_iput(words, local, zero, 1, 2, 0))
    CASE("stride negative", shmem_int_iget(local, words, 1, -1, 2, 0))
    CASE("block stride", shmem_int_ibput(words, local, 2, 3, 3, 2, 0))
    CASE("alltoalls stride", shmem_int_alltoalls(SHMEM_TEAM_WORLD, words, words + 4, zero, 1, 1))
    CASE("set size", shmem_barrier(0, 0, 0, psync))
    CASE("set start", shmem_barrier(-1, 0, 1, psync))
    CASE("set end", shmem_barrier(0, 0, n + 1, psync))
    CASE("set stride", shmem_barrier(0, -1, n, psync))
    CASE("set stride large", shmem_sync(0, 40, 2, psync))
    CASE("set root", shmem_broadcast32(words, words + 4, 1, 1, me, 0, 1, psync))
    CASE("set psync", shmem_barrier(me, 0, 1, (long *)local))
    CASE("set count", shmem_int_sum_to_all(words, words, -1, me, 0, 1, (int *)pwork, psync))

    /* threads */
    CASE("finalize from another thread", call_in_thread(shmem_finalize))
    CASE("while a thread reads", put_while_a_thread_reads())

    fprintf(stderr, "no such mistake: %s (%d)\n", what, value);
    exit(95);
}

/* What looks like a mistake and is none. */
static void harmless(void)
{
    shmem_ctx_t ctx;

    shmem_int_put(null, null, zero, 0);
    shmem_int_get(null, null, zero, 0);
    shmem_putmem_nbi(null, null, zero, n - 1);
    shmem_int_iput(null, null, 1, 1, zero, 0);
    shmem_int_ibget(null, null, 1, 1, 1, zero, 0);
    shmem_pe_quiet(null, zero);
    shmem_int_wait_until_all(null, zero, NULL, SHMEM_CMP_EQ, 1);
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, null, null, zero);
    shmem_free(NULL);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
    shmem_team_destroy(invalid_team);
    shmem_team_create_ctx(invalid_team, 0, &ctx);
    if (shmem_malloc(0) || shmem_pe_accessible(n) || shmem_addr_accessible(null, 0))
        exit(94);
}

static void prepare(void)
{
    heap = shmem_malloc(HEAP_BYTES);
    shmem_free(shmem_malloc(64));
    shmem_ctx_create(0, &stale_ctx);
    shmem_ctx_destroy(stale_ctx);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &stale_team);
    shmem_team_destroy(stale_team);
    for (int pe = 0; pe < n; pe++) {
        shmem_team_t team;

        shmem_team_split_strided(SHMEM_TEAM_WORLD, pe, 1, 1, NULL, 0, &team);
        if (pe == me)
            team_of_one = team;
    }
    shmem_team_create_ctx(team_of_one, SHMEM_CTX_PRIVATE, &context_of_one);
    if (me == 0)
        shmem_set_lock(&held_lock);
}

/* What the launcher says, for use before shmem_init. */
static bool is_last(void)
{
    const char *pe = getenv("TERN_PE"), *n_pes = getenv("TERN_N_PES");

    return !pe || !n_pes || atoi(pe) == atoi(n_pes) - 1;
}

static void try_level(int level)
{
    int provided = -1;

    if (shmem_init_thread(level, &provided) != 0)
        puts("refused");
}

int main(int argc, char **argv)
{
    const char *when = argc > 1 ? argv[1] : "", *what = argc > 2 ? argv[2] : "";
    int provided;

    if (strcmp(when, "before") == 0 && is_last())
        call_outside(what);
    if (strcmp(when, "level") == 0) {
        try_level(atoi(what));
        return 0;
    }
    if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0)
        return 93;
    me = shmem_my_pe();
    n = shmem_n_pes();
    prepare();
    if (strcmp(when, "harmless") == 0) {
        harmless();
    } else if (strcmp(when, "during") == 0 && is_last()) {
        nanosleep(&moment, NULL); /* for the others to sleep */
        misuse(what);
    }
    shmem_barrier_all();
    shmem_finalize();
    if (strcmp(when, "after") == 0 && is_last())
        call_outside(what);
    return 0;
}
