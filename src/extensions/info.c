/* SPDX-License-Identifier: BSD-3-Clause */
/* Time, names, levels of thread support. */
#include <unistd.h>

#include "api/check.h"
#include "base/os.h"
#include "extensions/export.h"

TERN_API(double, shmemx_wtime)(void)
{
    return (double)tern_os_now_ns() * 1e-9;
}

TERN_API(char *, shmemx_nodename)(void)
{
    static TERN_PE_LOCAL char name[256];

    require_job(TERN_ROUTINE);
    gethostname(name, sizeof name - 1);
    return name;
}

TERN_API(int, shmemx_init_thread_level)(int requested)
{
    int provided = SHMEM_THREAD_SINGLE;

    pshmem_init_thread(requested, &provided);
    return provided;
}

TERN_API(int, shmemx_query_thread)(void)
{
    int provided;

    pshmem_query_thread(&provided);
    return provided;
}
