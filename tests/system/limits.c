/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effects of limits on a program.
 *
 *     limits init             the result of shmem_init_thread, and 3 of the program's own
 *     limits room BYTES...    whether that much symmetric memory can be had, on this PE
 *     limits fork             a fork when no descriptor is left
 *     limits wait             for ever
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int word = 1;

static int init(void)
{
    int provided = -1;
    int r = shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);

    printf("%s\n", r ? "refused" : "granted");
    return r ? 3 : 0;
}

static void show_room(const char *words)
{
    size_t bytes = strtoull(words, NULL, 10);
    char *block = shmem_malloc(bytes);

    printf("%s %s\n", words, block ? "fits" : "does not fit");
    if (block)
        block[bytes - 1] = 1;
    shmem_free(block);
}

static void fork_without_descriptors(void)
{
    pid_t pid;
    int status = -1;

    while (dup(STDERR_FILENO) >= 0)
        ;
    pid = fork();
    if (pid == 0) {
        word = 2;
        _exit(0);
    }
    waitpid(pid, &status, 0);
    printf("%s\n", status == 0 && word == 1 ? "fine" : "shared");
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "init") == 0)
        return init();
    shmem_init();
    if (argc > 1 && strcmp(argv[1], "fork") == 0)
        fork_without_descriptors();
    if (argc > 1 && strcmp(argv[1], "wait") == 0)
        shmem_int_wait_until(&word, SHMEM_CMP_EQ, 0);
    for (int i = 2; i < argc; i++)
        show_room(argv[i]);
    shmem_finalize();
    return 0;
}
