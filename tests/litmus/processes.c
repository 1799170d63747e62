/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs that are processes of a job, with all reordering of the machine. */
#include "tsan/common.h"

int pes_run(int argc, char **argv, const char *name, void (*body)(void))
{
    common_start(name);
    shmem_init();
    if (common_asks_for_sleep(argc, argv))
        pes_sleep_at_once();
    body();
    shmem_finalize();
    return 0;
}

/* As many as two PEs do, shared by all. */
int pes_rounds(int native)
{
    return native * 2 / (1 + shmem_n_pes());
}
