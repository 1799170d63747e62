/* SPDX-License-Identifier: BSD-3-Clause */
/* starts CASE [right]: programs that begin or end OpenSHMEM in a wrong way. */
#include <shmem.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_barrier_t both;
static int right;
static long flag, edge[4];

static void *initialize(void *unused)
{
    int level;

    pthread_barrier_wait(&both);
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    return NULL;
}

/* Two threads initialize at once, a few times until they meet. */
static void two_inits(void)
{
    pthread_t thread;
    int level;

    pthread_barrier_init(&both, NULL, 2);
    if (right)
        shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    pthread_create(&thread, NULL, initialize, NULL);
    initialize(NULL);
    pthread_join(thread, NULL);
    shmem_barrier_all();
    for (int i = 0; i < 2 + right; i++)
        shmem_finalize();
}

static void *wait_for_flag(void *unused)
{
    pthread_barrier_wait(&both);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    return NULL;
}

/* One thread ends OpenSHMEM while another waits. */
static void finalize_beside(void)
{
    pthread_t thread;
    int level;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, wait_for_flag, NULL);
    pthread_barrier_wait(&both);
    usleep(200000);
    shmem_long_p(&flag, right, shmem_my_pe());
    if (right)
        pthread_join(thread, NULL);
    shmem_finalize(); /* finalize_beside */
    _exit(0);
}

/* The last PE makes one barrier fewer than the others; the end of the process is the end of all. */
static void start_pes_ends(void)
{
    start_pes(0);
    shmem_barrier_all();
    if (right || shmem_my_pe() != shmem_n_pes() - 1)
        shmem_barrier_all(); /* start_pes_ends */
}

/* A mistake, and no shmem_finalize: the PEs end one after the other. */
static void mistaken_end(void)
{
    long values[8] = {0};

    shmem_init();
    shmem_long_put(edge, values, right ? 4 : 5, 0); /* mistaken_end */
    usleep(200000 * (useconds_t)shmem_my_pe());
    printf("PE %d ends\n", shmem_my_pe());
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"two_inits", two_inits},
                 {"finalize_beside", finalize_beside},
                 {"start_pes_ends", start_pes_ends},
                 {"mistaken_end", mistaken_end}};

    right = argc > 2 && strcmp(argv[2], "right") == 0;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            return 0;
        }
    return 2;
}
