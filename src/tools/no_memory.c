/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints one line by one write, and ends the job through the library. */
#include "tools/no_memory.h"

#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/call.h"

void tern_tool_no_memory(const char *tool, const char *what, size_t bytes)
{
    char pe[48] = "";
    int is_up = 0;

    tern_call_stay_inside();
    if (tern_has("shmem_query_initialized"))
        TERN_REAL(shmem_query_initialized)(&is_up);
    if (is_up)
        snprintf(pe, sizeof pe, "PE %d of %d: ", TERN_REAL(shmem_my_pe)(),
                 TERN_REAL(shmem_n_pes)());
    dprintf(STDERR_FILENO,
            "tern: %s%s: no memory for %s, %zu bytes: the limit may be ulimit -v, the machine, or "
            "its container\n",
            pe, tool, what, bytes);
    if (is_up && tern_has("shmem_global_exit"))
        TERN_REAL(shmem_global_exit)(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}
