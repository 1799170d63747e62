/* SPDX-License-Identifier: BSD-3-Clause */
/* A library whose constructor starts a thread, which is busy from then on. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long early_turns(void);
bool early_came_first(void);

static long turns;
static bool first = true;

static void *turn(void *unused)
{
    for (;;) {
        char *block = malloc(100 + turns % 1000);

        memset(block, 1, 100);
        free(block);
        __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED);
    }
    return unused;
}

__attribute__((constructor)) static void start(void)
{
    char line[512];
    pthread_t thread;
    FILE *maps = fopen("/proc/self/maps", "re");

    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:tern-job"))
            first = false;
    if (maps)
        fclose(maps);
    pthread_create(&thread, NULL, turn, NULL);
}

long early_turns(void)
{
    return __atomic_load_n(&turns, __ATOMIC_RELAXED);
}

/* Whether the constructor ran before Tern's. */
bool early_came_first(void)
{
    return first;
}
