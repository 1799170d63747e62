/* SPDX-License-Identifier: BSD-3-Clause */
/* `unfinished FORM`: ends without shmem_finalize, or calls it in an unusual place. */
#include <shmem.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *form = argc > 1 ? argv[1] : "";

    if (strcmp(form, "before_init") == 0)
        atexit(shmem_finalize);
    if (strcmp(form, "start_pes") == 0)
        start_pes(0);
    else
        shmem_init();
    shmem_barrier_all();
    if (strcmp(form, "after_init") == 0)
        atexit(shmem_finalize);
    if (strcmp(form, "global_exit") == 0)
        shmem_global_exit(0);
    if (strcmp(form, "one") == 0 && shmem_my_pe() != 0) {
        sleep(1); /* PE 0 has ended, then */
        shmem_finalize();
    }
    if (strcmp(form, "exit") == 0)
        exit(0);
    return strcmp(form, "fails") == 0 ? 3 : 0;
}
