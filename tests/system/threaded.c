/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in which a library starts a thread before main: prints whether the thread ran first. */
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>

#include "system/objects.h"

long early_turns(void);
bool early_came_first(void);

static int word = 3;
static long zeros[1000];

int main(void)
{
    long before = early_turns();

    require(word == 3, "what the program began with");
    shmem_init();
    check_object("a word", &word, sizeof word);
    check_object("zeros", zeros, sizeof zeros);
    while (early_turns() == before)
        ;
    if (shmem_my_pe() == 0)
        puts(early_came_first() ? "before Tern" : "after Tern");
    shmem_finalize();
    return 0;
}
