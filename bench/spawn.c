/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn N PROGRAM: starts that many of it, as a launcher would, and waits for them. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0, failed = 0, status;

    for (int i = 0; i < n; i++) {
        pid_t pid;

        if (posix_spawn(&pid, argv[2], NULL, NULL, &argv[2], environ)) {
            perror(argv[2]);
            return 1;
        }
    }
    while (wait(&status) > 0)
        failed |= status;
    return failed != 0;
}
