/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the mistake that the argument names, on the last PE; the others wait in a barrier. */
#include <pthread.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long word;
static int ints[4];
static uint64_t signal_word;

static void pe_too_large(void)
{
    shmem_long_p(&word, 1, shmem_n_pes());
}

static void pe_negative(void)
{
    shmem_long_g(&word, -1);
}

static void pe_of_amo(void)
{
    shmem_long_atomic_add(&word, 1, 1000);
}

static void pe_of_signal(void)
{
    shmem_int_put_signal(ints, ints, 4, &signal_word, 1, SHMEM_SIGNAL_SET, 77);
}

static void dest_on_the_stack(void)
{
    long mine = 0;

    shmem_long_put(&mine, &word, 1, 0);
}

static void dest_of_malloc(void)
{
    long *mine = malloc(sizeof *mine);

    shmem_long_p(mine, 1, 0);
}

static void dest_null(void)
{
    shmem_int_put(NULL, ints, 4, 0);
}

static void source_leaves_its_segment(void)
{
    long *buffer = malloc(1 << 20);

    shmem_getmem(buffer, &word, (size_t)1 << 40, 0);
}

static void dest_leaves_the_heap(void)
{
    shmem_putmem(shmem_malloc_with_hints(64, 0), ints, (size_t)1 << 45, 0);
}

static void wait_word_on_the_stack(void)
{
    int mine = 0;

    shmem_int_wait_until(&mine, SHMEM_CMP_EQ, 1);
}

static void wait_comparison(void)
{
    shmem_int_wait_until(ints, 99, 1);
}

static void context_invalid(void)
{
    shmem_ctx_long_p(SHMEM_CTX_INVALID, &word, 1, 0);
}

static void context_garbage(void)
{
    shmem_ctx_quiet((shmem_ctx_t)(uintptr_t)0x123450);
}

static void team_garbage(void)
{
    shmem_team_sync((shmem_team_t)(uintptr_t)0x123450);
}

static void team_predefined(void)
{
    shmem_team_destroy(SHMEM_TEAM_WORLD);
}

static void lock_that_is_free(void)
{
    shmem_clear_lock(&word);
}

static void *finalize(void *arg)
{
    shmem_finalize();
    return arg;
}

static void finalize_from_another_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, finalize, NULL);
    pthread_join(thread, NULL);
}

static void after_finalize(void)
{
    shmem_finalize();
    shmem_long_p(&word, 1, 0);
}

static void before_init(void)
{
    shmem_long_p(&word, 1, 0);
}

static void barrier_before_init(void)
{
    shmem_barrier_all();
}

static const struct mistake {
    const char *name;
    void (*make)(void);
} mistakes[] = {
#define MISTAKE(name)                                                                              \
    {                                                                                              \
#name, name                                                                                \
    }
    MISTAKE(pe_too_large),
    MISTAKE(pe_negative),
    MISTAKE(pe_of_amo),
    MISTAKE(pe_of_signal),
    MISTAKE(dest_on_the_stack),
    MISTAKE(dest_of_malloc),
    MISTAKE(dest_null),
    MISTAKE(source_leaves_its_segment),
    MISTAKE(wait_word_on_the_stack),
    MISTAKE(wait_comparison),
    MISTAKE(context_invalid),
    MISTAKE(context_garbage),
    MISTAKE(team_garbage),
    MISTAKE(team_predefined),
    MISTAKE(lock_that_is_free),
    MISTAKE(finalize_from_another_thread),
    MISTAKE(dest_leaves_the_heap),
    MISTAKE(after_finalize),
    MISTAKE(before_init),
    MISTAKE(barrier_before_init),
};

/* Those that all PEs have to make together. */
static int is_for_all(const char *name)
{
    return strcmp(name, "dest_leaves_the_heap") == 0 || strcmp(name, "after_finalize") == 0;
}

int main(int argc, char **argv)
{
    const struct mistake *m = mistakes;
    int is_last, provided;

    while (strcmp(m->name, argv[argc - 1]) != 0)
        m++;
    is_last = atoi(getenv("TERN_PE")) == atoi(getenv("TERN_N_PES")) - 1;
    if (!is_last || !strstr(m->name, "before_init"))
        shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided);
    if (is_last || is_for_all(m->name))
        m->make();
    shmem_barrier_all();
    puts("went on");
    shmem_finalize();
    return 0;
}
