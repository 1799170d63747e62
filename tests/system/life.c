/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lives of a PE.
 *
 *     life cycles              initializes and finalizes again and again
 *     life nested              several times in each other
 *     life unfinished HOW      ends without shmem_finalize: return, exit, _exit, exec
 *     life implicit            start_pes, and children that exit
 *     life left                PE 1 exits without shmem_finalize, the others go on
 *     life early HOW WAIT      PE 1 ends too soon (finalize, exit, _exit), the others wait for it
 *                              (barrier, finalize, wait)
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "system/objects.h"

#define CYCLES 12
#define BLOCK ((size_t)4 << 20)

static long kept = 100, cycles[CYCLES];
static int me, n;

static void pause_for(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

static long memory_of_job(void)
{
    const char *boot = getenv("TERN_BOOT");
    struct stat object = {0};
    int fd;

    if (boot && sscanf(boot, "oshrun:%d", &fd) == 1)
        fstat(fd, &object);
    return object.st_blocks * 512;
}

/* Static data keeps its value from one life to the next, the heap begins with zeros. */
static void live(int cycle)
{
    shmem_team_t team;
    shmem_ctx_t ctx;
    size_t bytes =
        cycle % 2 ? BLOCK : 1000; /* one that is given back at the end, or just cleared */
    char *block;
    int initialized = -1;

    shmem_query_initialized(&initialized);
    require(initialized == 0, "not initialized");
    pause_for((me * 7 + cycle * 13) % 5 * 300); /* out of step */
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    require(kept == 100 + cycle, "static data is kept");
    block = shmem_malloc(bytes);
    require(block[0] == 0 && block[bytes - 1] == 0, "the heap begins with zeros");
    memset(block, 1, bytes);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    shmem_team_create_ctx(team, 0, &ctx);
    shmem_ctx_long_atomic_add(ctx, &kept, 1, (me + 1) % n);
    shmem_long_p(&cycles[cycle], me + 1, (me + 1) % n);
    shmem_team_sync(team);
    shmem_barrier_all();
    require(kept == 101 + cycle, "an addition");
    shmem_finalize(); /* destroys what is left */
    require(cycles[cycle] == (me + n - 1) % n + 1, "what was put is there");
}

static void cycle(void)
{
    for (int i = 0; i < CYCLES; i++)
        live(i);
    pause_for(100000); /* for the last one to finalize */
    require(memory_of_job() < (3L << 20) * n, "memory of earlier lives is given back");
    if (me == 0)
        puts("fine");
}

static void nest(void)
{
    int provided, initialized;
    long *block;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    block = shmem_calloc(1, sizeof *block);
    for (int i = 0; i < 5; i++) {
        require(shmem_init_thread(SHMEM_THREAD_SERIALIZED, &provided) == 0, "inner init");
        shmem_long_atomic_inc(block, (me + 1) % n);
    }
    for (int i = 0; i < 5; i++) {
        shmem_finalize();
        shmem_query_initialized(&initialized);
        require(initialized == 1, "still initialized");
        shmem_long_atomic_inc(block, (me + 1) % n);
    }
    shmem_barrier_all();
    require(*block == 10, "the heap outlives inner finalizes");
    shmem_finalize();
    shmem_query_initialized(&initialized);
    require(initialized == 0, "finalized");
    live(0);
    if (me == 0)
        puts("fine");
}

static void leave(const char *how)
{
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "exec") == 0)
        execlp("echo", "echo", "replaced", (char *)NULL);
}

static void live_unfinished(const char *how)
{
    shmem_init();
    shmem_barrier_all();
    leave(how);
}

/* Only the PE itself finalizes at its end. A child of PE 0 that did so would wait for the others.
 */
static void live_implicitly(void)
{
    start_pes(0);
    for (int i = 0; i < 3 && shmem_my_pe() == 0; i++) {
        pid_t pid = fork();
        int status = -1;

        if (pid == 0)
            exit(i);
        waitpid(pid, &status, 0);
        require(status == i << 8, "the child's status");
    }
    for (int pe = 1; pe < shmem_n_pes() && shmem_my_pe() == 0; pe++)
        shmem_long_atomic_set(&kept, 1, pe);
    if (shmem_my_pe() == 0)
        pause_for(100000);
    else
        shmem_long_wait_until(&kept, SHMEM_CMP_EQ, 1);
    shmem_long_p(&cycles[0], 1, 0); /* into a PE that is still there */
}

/* PEs 0 and 2 wait for each other for so long that they look for those who have gone. */
static void go_on_without_pe_1(void)
{
    shmem_init();
    me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 1)
        return;
    if (me == 2)
        pause_for(600000);
    else
        shmem_long_wait_until(&kept, SHMEM_CMP_EQ, 1);
    shmem_long_atomic_set(&kept, 1, 2 - me);
    shmem_long_wait_until(&kept, SHMEM_CMP_EQ, 1);
    printf("%d\n", me);
}

/* With two PEs neither has a neighbour on its node where there are two nodes. */
static void end_early(const char *how, const char *wait)
{
    static int never;

    shmem_init();
    me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 1 && strcmp(how, "finalize") == 0)
        shmem_finalize();
    else if (me == 1)
        leave(how);
    if (me == 1)
        return;
    if (strcmp(how, "finalize") == 0)
        shmem_barrier_all(); /* which meets the one in PE 1's shmem_finalize */
    if (strcmp(wait, "barrier") == 0)
        shmem_barrier_all();
    else if (strcmp(wait, "finalize") == 0)
        shmem_finalize();
    else
        shmem_int_wait_until(&never, SHMEM_CMP_NE, 0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "cycles") == 0)
        cycle();
    else if (strcmp(what, "nested") == 0)
        nest();
    else if (strcmp(what, "implicit") == 0)
        live_implicitly();
    else if (strcmp(what, "left") == 0)
        go_on_without_pe_1();
    else if (argc > 3)
        end_early(argv[2], argv[3]);
    else if (argc > 2)
        live_unfinished(argv[2]);
    return 0;
}
