/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads libsma.so as accelerator libraries do, looks all symbols up, and calls routines of each
 * group.
 */
#include "extensions/backend.h"

#include <dlfcn.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *library;
static int checks, failures;
int me, n, next, previous;
char *heap;
shmem_team_t world, shared, node;

void backend_check(bool holds, const char *what, const char *file, int line)
{
    checks++;
    if (holds)
        return;
    failures++;
    fprintf(stderr, "%s:%d: PE %d of %d: %s\n", file, line, me, n, what);
}

void *backend_find(const char *name)
{
    void *symbol = dlsym(library, name);

    if (symbol)
        return symbol;
    fprintf(stderr, "%s is not in the library\n", name);
    exit(1);
}

/* Lines of a name and a word; # begins a comment. */
static void find_all(const char *path)
{
    FILE *list = fopen(path, "r");
    char line[256], name[128];
    int found = 0;

    while (list && fgets(line, sizeof line, list))
        if (line[0] != '#' && sscanf(line, "%127s", name) == 1 && backend_find(name))
            found++;
    if (list)
        fclose(list);
    CHECK(found == 389);
}

/* The heap is this library's own memory, as that of an accelerator would be. */
static void start(void)
{
    size_t bytes = 4 << 20;
    int provided = -1;

    heap = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(heap != MAP_FAILED);
    if (!strcmp(getenv("BACKEND_PREINIT"), "plain"))
        FIND(shmemx_heap_preinit)();
    else
        CHECK(FIND(shmemx_heap_preinit_thread)(SHMEM_THREAD_MULTIPLE, &provided) == 0 &&
              provided == SHMEM_THREAD_MULTIPLE);
    me = FIND(shmem_my_pe)();
    n = FIND(shmem_n_pes)();
    next = (me + 1) % n;
    previous = (me + n - 1) % n;
    FIND(shmemx_heap_create)(heap, bytes, SHMEMX_EXTERNAL_HEAP_ZE, 0);
    FIND(shmemx_heap_postinit)();
}

static void teams(void)
{
    shmem_team_t pairs = SHMEM_TEAM_INVALID, rows, columns;

    memcpy(&world, backend_find("SHMEM_TEAM_WORLD"), sizeof world);
    memcpy(&shared, backend_find("SHMEM_TEAM_SHARED"), sizeof shared);
    memcpy(&node, backend_find("SHMEMX_TEAM_NODE"), sizeof node);
    CHECK(FIND(shmem_team_n_pes)(world) == n && FIND(shmem_team_my_pe)(world) == me);
    CHECK(FIND(shmem_team_n_pes)(shared) >= 1);
    CHECK(FIND(shmem_team_n_pes)(node) == FIND(shmem_team_n_pes)(shared));
    CHECK(FIND(shmem_team_translate_pe)(world, me, node) == FIND(shmem_team_my_pe)(node));
    CHECK(FIND(shmem_team_split_strided)(world, 0, 2, (n + 1) / 2, NULL, 0, &pairs) == 0);
    CHECK((pairs == SHMEM_TEAM_INVALID) == (me % 2 == 1));
    if (pairs != SHMEM_TEAM_INVALID) {
        CHECK(FIND(shmem_team_sync)(pairs) == 0);
        FIND(shmem_team_destroy)(pairs);
    }
    CHECK(FIND(shmem_team_split_2d)(world, 2, NULL, 0, &rows, NULL, 0, &columns) == 0);
    CHECK(FIND(shmem_team_my_pe)(rows) == me % 2 && FIND(shmem_team_my_pe)(columns) == me / 2);
}

static void memory(void)
{
    long *block = FIND(shmem_malloc)(100 * sizeof *block);
    long *zeros = FIND(shmem_calloc)(100, sizeof *zeros);

    CHECK(block && zeros && zeros[99] == 0);
    CHECK(FIND(shmem_addr_accessible)(block, next) == 1);
    CHECK(FIND(shmem_addr_accessible)(heap, next) == 1);
    FIND(shmem_free)(zeros);
    FIND(shmem_free)(block);
}

/* The bytes that PE pe sends. */
static uint8_t byte_of(int pe, size_t i)
{
    return (uint8_t)(pe * 31 + (int)i * 7 + 1);
}

enum { BYTES = 3000 };

static void begin(uint8_t *to, uint8_t *from)
{
    memset(to, 0, BYTES * (size_t)n);
    for (size_t i = 0; i < BYTES; i++)
        from[i] = byte_of(me, i);
    FIND(shmem_barrier_all)();
}

static void check_bytes(const uint8_t *got, int pe, const char *what, int line)
{
    size_t i = 0;

    while (i < BYTES && got[i] == byte_of(pe, i))
        i++;
    backend_check(i == BYTES, what, __FILE__, line);
}

static void transfers(void)
{
    uint8_t *to = (uint8_t *)heap, *from = to + (1 << 20);
    uint64_t *signal = (uint64_t *)(heap + (2 << 20));

    begin(to, from);
    FIND(shmem_uint8_put)(to, from, BYTES, next);
    FIND(shmem_barrier_all)();
    check_bytes(to, previous, "put", __LINE__);
    begin(to, from);
    FIND(shmem_uint8_put_nbi)(to, from, BYTES, next);
    FIND(shmem_quiet)();
    FIND(shmem_barrier_all)();
    check_bytes(to, previous, "put_nbi", __LINE__);
    begin(to, from);
    FIND(shmem_uint8_get)(to, from, BYTES, next);
    check_bytes(to, next, "get", __LINE__);
    begin(to, from);
    FIND(shmem_uint8_get_nbi)(to, from, BYTES, next);
    FIND(shmem_quiet)();
    check_bytes(to, next, "get_nbi", __LINE__);
    *signal = 0;
    begin(to, from);
    FIND(shmem_uint8_put_signal)(to, from, BYTES, signal, 3, SHMEM_SIGNAL_ADD, next);
    CHECK(FIND(shmem_signal_wait_until)(signal, SHMEM_CMP_GE, 3) == 3);
    check_bytes(to, previous, "put_signal", __LINE__);
    begin(to, from);
    FIND(shmem_uint8_put_signal_nbi)(to, from, BYTES, signal, 9, SHMEM_SIGNAL_SET, next);
    FIND(shmem_signal_wait_until)(signal, SHMEM_CMP_EQ, 9);
    CHECK(FIND(shmem_signal_fetch)(signal) == 9);
    check_bytes(to, previous, "put_signal_nbi", __LINE__);
    FIND(shmem_fence)();
    FIND(shmem_barrier_all)();
}

static void moving_collectives(void)
{
    uint8_t *to = (uint8_t *)heap, *from = to + (1 << 20);

    begin(to, from);
    CHECK(FIND(shmem_uint8_broadcast)(world, to, from, BYTES, n - 1) == 0);
    check_bytes(to, n - 1, "broadcast", __LINE__);
    begin(to, from);
    CHECK(FIND(shmem_uint8_fcollect)(world, to, from, BYTES) == 0);
    for (int pe = 0; pe < n; pe++)
        check_bytes(to + pe * BYTES, pe, "fcollect", __LINE__);
    begin(to, from);
    CHECK(FIND(shmem_uint8_collect)(world, to, from, BYTES) == 0);
    for (int pe = 0; pe < n; pe++)
        check_bytes(to + pe * BYTES, pe, "collect", __LINE__);
    begin(to, from);
    for (int pe = 0; pe < n; pe++)
        from[pe] = (uint8_t)(me * 16 + pe);
    CHECK(FIND(shmem_uint8_alltoall)(world, to, from, 1) == 0);
    for (int pe = 0; pe < n; pe++)
        CHECK(to[pe] == (uint8_t)(pe * 16 + me));
    FIND(shmem_sync_all)();
}

int main(int argc, char **argv)
{
    library = dlopen(argc > 1 ? argv[1] : "libsma.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    if (argc > 2)
        find_all(argv[2]);
    start();
    teams();
    memory();
    transfers();
    moving_collectives();
    backend_types();
    FIND(shmem_barrier_all)();
    if (me == 0 && !failures)
        printf("backend: %d checks on PE 0 of %d passed\n", checks, n);
    if (failures)
        FIND(shmem_global_exit)(1);
    FIND(shmem_finalize)();
    return 0;
}
