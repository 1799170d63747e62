/* SPDX-License-Identifier: BSD-3-Clause */
/* Inlined calls: for which PEs, and when, they do not call the library. */
#define SHMEM_INLINE
#include "harness/check.h"
#include "lang/inline_far.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long number;

static void check_calls(long *there, const char *what)
{
    int n = check_n_pes(), near = (int)shmemi_near_1.n_pes, before = n_calls;

    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++)
        shmem_long_p(there, shmem_long_g(there, pe), pe);
    check_equal(n_calls - before, n - near, what);
    before = n_calls;
    put_elsewhere(there, 1, shmem_my_pe());
    check_equal(n_calls - before, near ? 0 : 1, "each-file-of-a-program");
    shmem_barrier_all();
}

static bool has_tool(void)
{
    const char *preloaded = getenv("LD_PRELOAD");

    return preloaded && strstr(preloaded, "/libtern-");
}

/* The child of a fork is no PE. */
static void check_child(void)
{
    int status;
    pid_t child = fork();

    if (child == 0)
        _exit(shmemi_near_1.n_pes != 0);
    check(child > 0 && waitpid(child, &status, 0) == child && status == 0, "child-of-fork",
          "it takes PEs for near");
}

int main(void)
{
    uint32_t before = shmemi_near_1.n_pes, after;
    long *heap;
    int near;

    check_init("lang/inline_near");
    check_equal((int)before, 0, "before-init");
    heap = shmem_calloc(1, sizeof *heap);
    /* PEs whose numbers on a node are not consecutive are the library's to find. */
    near = (int)shmemi_near_1.n_pes;
    if (has_tool())
        check_equal(near, 0, "tools-see-all-calls");
    else if (shmem_team_n_pes(SHMEM_TEAM_SHARED) == check_n_pes())
        check_equal(near, check_n_pes(), "all-are-near");
    else
        check(near == 0 || near == shmem_team_n_pes(SHMEM_TEAM_SHARED), "all-of-a-node", "%d",
              near);
    check_calls(heap, "calls-of-the-library");
    put_elsewhere(&number, 1, shmem_my_pe()); /* has images mapped */
    shmem_long_g(&number, (shmem_my_pe() + 1) % check_n_pes());
    check_calls(&number, "calls-of-the-library-static");
    check_child();
    check_equal((int)shmemi_near_1.n_pes, near, "the-parent-is-as-before");
    shmem_free(heap);
    shmem_finalize();
    after = shmemi_near_1.n_pes;
    shmem_init();
    check_equal((int)after, 0, "after-finalize");
    check_equal((int)shmemi_near_1.n_pes, near, "after-another-init");
    return check_finish();
}
