/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE for the tests of launchers: prints the properties of its job, and ends as its arguments say.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long from_left = -1; /* static data */

/* How many PEs' heaps can be loaded from. */
static int count_shared(const long *heap)
{
    int n = 0;

    for (int pe = 0; pe < shmem_n_pes(); pe++)
        n += shmem_ptr(heap, pe) != NULL;
    return n;
}

/* Puts to the right neighbour's static data and heap; -1 if the left one's did not come. */
static int turn_the_ring(long *heap)
{
    int me = shmem_my_pe(), n = shmem_n_pes(), left = (me + n - 1) % n;

    *heap = -1;
    shmem_barrier_all();
    shmem_long_p(&from_left, me, (me + 1) % n);
    shmem_long_p(heap, me, (me + 1) % n);
    shmem_barrier_all();
    return from_left == left && *heap == left ? 0 : -1;
}

static void hello(void)
{
    long *heap = shmem_malloc(sizeof *heap);

    if (turn_the_ring(heap) != 0)
        printf("PE %d: the ring is broken\n", shmem_my_pe());
    printf("PE %d of %d shares memory with %d\n", shmem_my_pe(), shmem_n_pes(), count_shared(heap));
    shmem_free(heap);
}

/* PE 1 goes; the others would wait for ever. */
static void wait_for_pe_1(void)
{
    static long never;

    printf("PE %d waits\n", shmem_my_pe());
    shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
}

/* The descriptor by which others map this PE's static data. */
static void close_image(void)
{
    char path[40], target[40];

    for (int fd = 3; fd < 100; fd++) {
        ssize_t n;

        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        if (strncmp(target, "/memfd:tern-image", 17) == 0)
            close(fd);
    }
}

/* PE 0 puts to the static data of PE 1, then to that of PE 2, which can't be reached. */
static void put_to_statics(bool closed)
{
    int me = shmem_my_pe();

    if (closed && me == 2)
        close_image();
    shmem_barrier_all();
    if (me == 0) {
        shmem_long_p(&from_left, 7, 1);
        printf("PE 1 has %ld\n", shmem_long_g(&from_left, 1));
        shmem_long_p(&from_left, 7, 2);
    }
    wait_for_pe_1();
}

static void *make_mistake(void *unused)
{
    static long word;

    shmem_long_p(&word, 0, -1);
    return NULL;
}

/* Both threads of PE 1 end the job. */
static void end_twice(void)
{
    pthread_t other;

    if (shmem_my_pe() == 1 && pthread_create(&other, NULL, make_mistake, NULL) == 0)
        make_mistake(NULL);
    wait_for_pe_1();
}

static void act(const char *what, int number)
{
    int me = shmem_my_pe();
    long *heap;

    if (strcmp(what, "later") == 0) {
        sleep(3);
        exit(number);
    } else if (strcmp(what, "exit") == 0) {
        heap = shmem_malloc(sizeof *heap);
        if (me == 1)
            exit(number);
        wait_for_pe_1();
    } else if (strcmp(what, "global_exit") == 0) {
        if (me == 1) {
            printf("PE 1 ends the job");
            shmem_global_exit(number);
        }
        wait_for_pe_1();
    } else if (strcmp(what, "misuse") == 0) {
        static long word;

        if (me == 1)
            shmem_long_p(&word, 0, shmem_n_pes() + 1);
        wait_for_pe_1();
    } else if (strcmp(what, "statics") == 0) {
        put_to_statics(number);
    } else if (strcmp(what, "two_ends") == 0) {
        end_twice();
    } else if (strcmp(what, "crash") == 0) {
        if (me == 1)
            abort();
        wait_for_pe_1();
    } else if (strcmp(what, "finalize") == 0) {
        if (me == 1)
            return; /* to shmem_finalize, whose barrier meets the others' next one */
        shmem_barrier_all();
        if (!number)
            wait_for_pe_1();
    } else if (strcmp(what, "wait") == 0) {
        wait_for_pe_1();
    } else {
        hello();
    }
}

/* Each of these words goes before the rest: what happens before shmem_init. */
static char **prepare(char **argv)
{
    for (;; argv++) {
        if (*argv && strcmp(*argv, "again") == 0) { /* another program takes this one's place */
            char *self = "/proc/self/exe";

            *argv = self;
            execv(self, argv);
            _exit(127);
        } else if (*argv && strcmp(*argv, "child") == 0) {
            fflush(stdout);
            if (system("/proc/$PPID/exe hello") != 0)
                exit(EXIT_FAILURE);
        } else {
            return argv;
        }
    }
}

int main(int argc, char **argv)
{
    argv = prepare(argv + (argc > 0));
    shmem_init();
    act(*argv ? *argv : "hello", *argv && argv[1] ? atoi(argv[1]) : 0);
    if (*argv && argv[1] && strcmp(argv[1], "child") == 0)
        prepare(argv + 1);
    shmem_finalize();
    return *argv && strcmp(*argv, "status") == 0 ? atoi(argv[1]) : 0;
}
