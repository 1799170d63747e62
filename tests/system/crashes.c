/* SPDX-License-Identifier: BSD-3-Clause */
/* crashes CASE [PE]: crashes in one PE, or in all of them. Lines that fail have their case's name.
 */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile long zero;
static long kept;

static __attribute__((noinline)) void segv(void)
{
    *(volatile int *)(16 + zero) = 1; /* here: segv */
}

static __attribute__((noinline)) void bus(void)
{
    FILE *empty = tmpfile();
    volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(empty), 0);

    zero = page[0]; /* here: bus */
}

static __attribute__((noinline)) void fpe(void)
{
#ifdef __x86_64__
    zero = 100 / zero; /* here: fpe */
#else
    raise(SIGFPE);
#endif
}

static __attribute__((noinline)) void ill(void)
{
    __builtin_trap(); /* here: ill */
}

static __attribute__((noinline)) void aborts(void)
{
    abort(); /* here: aborts */
}

static __attribute__((noinline)) void mistake(void)
{
    shmem_long_p(&kept, 1, -1); /* here: mistake */
}

static __attribute__((noinline)) void raises(void)
{
    raise(SIGSEGV); /* here: raises */
}

static __attribute__((noinline)) void call(void)
{
    ((void (*)(void))zero)(); /* here: call */
    zero = 0;
}

static __attribute__((noinline)) long overflow(long depth)
{
    volatile char room[4096];

    room[depth % 4096] = 1;
    return overflow(depth + 1) + room[depth % 4096]; /* here: overflow */
}

static void overflows(void)
{
    zero = overflow(1);
}

/* Overwrites the frames above this one, so that the unwinder follows addresses that are none. */
static __attribute__((noinline)) void damage(void)
{
    uintptr_t *frame = __builtin_frame_address(0);

    for (int i = 0; i < 8; i++)
        frame[i] = UINT64_C(0x0101010101010101);
    *(volatile int *)(16 + zero) = 1; /* here: damage */
}

static void *run(void *function)
{
    ((void (*)(void))function)();
    return NULL;
}

static void in_thread(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, run, (void *)segv);
    pthread_join(thread, NULL);
}

static void two_threads(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)segv);
    pthread_join(threads[0], NULL);
}

/* The heap's lock is held: what allocates memory would never return. */
static void in_malloc(void)
{
    char *block = malloc(100);

    memset(block, 0x41, 100000);
    free(block);
    free(malloc(5000));
    segv();
}

/* Each PE fails in a line of its own. */
static void unlike(void)
{
    static void (*const ways[])(void) = {segv, fpe, ill, aborts};

    ways[shmem_my_pe() % 4]();
}

static void own_handler(int number)
{
    static const char text[] = "the program's handler\n";

    _exit(write(STDOUT_FILENO, text, sizeof text - 1) < 0 ? 1 : 7);
}

static void handled(void)
{
    segv();
}

static const struct {
    const char *name;
    void (*fail)(void);
} cases[] = {{"segv", segv},
             {"bus", bus},
             {"fpe", fpe},
             {"ill", ill},
             {"aborts", aborts},
             {"mistake", mistake},
             {"raises", raises},
             {"call", call},
             {"overflow", overflows},
             {"damage", damage},
             {"thread", in_thread},
             {"threads", two_threads},
             {"malloc", in_malloc},
             {"unlike", unlike},
             {"handled", handled},
             {"handled_late", handled}};

int main(int argc, char **argv)
{
    const char *name = argv[1];
    int pe = argc > 2 ? atoi(argv[2]) : -1;

    if (strcmp(name, "handled") == 0)
        signal(SIGSEGV, own_handler);
    shmem_init();
    if (strcmp(name, "handled_late") == 0)
        signal(SIGSEGV, own_handler);
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(cases[i].name, name) == 0 && (pe < 0 || pe == shmem_my_pe()))
            cases[i].fail(); /* here: main */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
