/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A static program that takes its libc for glibc 2.28. The heap and a fork work; with an argument
 * it puts to static data.
 */
#include <shmem.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static long word = 1;

/* In place of libc's. */
const char *gnu_get_libc_version(void);
const char *gnu_get_libc_version(void)
{
    return "2.28";
}

static int status_of_child(void)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        word = 5;
        _exit(7);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    long *heap;
    int me;

    shmem_init();
    me = shmem_my_pe();
    heap = shmem_calloc(1, sizeof *heap);
    shmem_long_p(heap, 100 + me, (me + 1) % 2);
    shmem_barrier_all();
    if (argc > 1)
        shmem_long_p(&word, 2, (me + 1) % 2);
    if (*heap == 101 - me && status_of_child() == 7 && word == 1)
        puts("older_libc: fine");
    shmem_finalize();
    return 0;
}
