/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers from and to local buffers of every kind, which the library has not seen before. */
#include "harness/board.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { MOST = 300000, N_SIZES = 7 };

static const size_t sizes[N_SIZES] = {1, 7, 64, 193, 4097, 70001, MOST - 64};

static unsigned char static_target[MOST];
static const unsigned char *expected; /* what every source holds */
static const unsigned char constant[] = "read-only data of the program, neither heap nor static";

static void check_put(const char *what, unsigned char *target, const void *source, size_t bytes)
{
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n;

    memset(target, 0xee, MOST);
    shmem_barrier_all();
    check_case("put of %zu bytes from %s", bytes, what);
    shmem_putmem(target + 3, source, bytes, next);
    shmem_barrier_all();
    check(memcmp(target + 3, source, bytes) == 0, "source-of-any-memory", "other bytes arrived");
    check(target[2] == 0xee && target[bytes + 3] == 0xee, "put-keeps-its-bounds", "it overran");
    memset(target, 0xee, MOST);
    shmem_barrier_all();
    check_case("put_nbi of %zu bytes from %s", bytes, what);
    shmem_putmem_nbi(target + 8, source, bytes, next);
    shmem_barrier_all();
    check(memcmp(target + 8, source, bytes) == 0, "source-of-any-memory", "other bytes arrived");
    check(target[7] == 0xee && target[bytes + 8] == 0xee, "put-keeps-its-bounds", "it overran");
    shmem_barrier_all();
}

static void check_get(const char *what, unsigned char *remote, unsigned char *dest, size_t bytes)
{
    int next = (check_pe() + 1) % check_n_pes();

    check_case("get of %zu bytes to %s", bytes, what);
    memset(dest, 0x55, bytes + 2);
    shmem_getmem(dest + 1, remote, bytes, next);
    check(memcmp(dest + 1, expected, bytes) == 0, "dest-of-any-memory", "other bytes arrived");
    check(dest[0] == 0x55 && dest[bytes + 1] == 0x55, "get-keeps-its-bounds", "it overran");
    check_case("get_nbi of %zu bytes to %s", bytes, what);
    memset(dest, 0x55, bytes + 2);
    shmem_getmem_nbi(dest + 1, remote, bytes, next);
    shmem_quiet();
    check(memcmp(dest + 1, expected, bytes) == 0, "dest-of-any-memory", "other bytes arrived");
    check(dest[0] == 0x55 && dest[bytes + 1] == 0x55, "get-keeps-its-bounds", "it overran");
}

/* Sources and dests of this PE, the first of them read-only. */
static unsigned char *map(int protection, const void *content)
{
    unsigned char *at =
        mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    memcpy(at, content, MOST);
    mprotect(at, MOST, protection);
    return at;
}

static void check_size(size_t bytes, unsigned char *heap, unsigned char *heap_source)
{
    unsigned char on_stack[70008 + 64], *in_malloc = malloc(MOST);
    unsigned char *readable = map(PROT_READ, expected),
                  *mapped = map(PROT_READ | PROT_WRITE, expected);
    bool fits = bytes + 2 <= sizeof on_stack;

    memcpy(in_malloc, expected, MOST);
    memcpy(on_stack, expected, sizeof on_stack);
    if (fits)
        check_put("the stack", heap, on_stack, bytes);
    check_put("malloc's heap", static_target, in_malloc, bytes);
    check_put("read-only pages", heap, readable, bytes);
    check_put("the symmetric heap", static_target, heap_source, bytes);
    if (bytes <= sizeof constant)
        check_put("constants", heap, constant, bytes);

    memcpy(heap, expected, MOST);
    memcpy(static_target, expected, MOST);
    shmem_barrier_all();
    if (fits)
        check_get("the stack", heap, on_stack, bytes);
    check_get("malloc's heap", static_target, in_malloc, bytes);
    check_get("mapped pages", heap, mapped, bytes);
    check_get("the symmetric heap", static_target, heap_source, bytes);
    memcpy(heap_source, expected, MOST);
    shmem_barrier_all();
    munmap(readable, MOST);
    munmap(mapped, MOST);
    free(in_malloc);
}

int main(void)
{
    unsigned char *content = malloc(MOST), *heap, *heap_source;

    check_init("remote/buffers");
    oracle_fill_bytes(content, MOST, 0, SALT_SENT);
    expected = content;
    heap = shmem_malloc(MOST);
    heap_source = shmem_malloc(MOST);
    memcpy(heap_source, expected, MOST);
    for (int i = 0; i < N_SIZES; i++)
        check_size(sizes[i], heap, heap_source);
    shmem_free(heap_source);
    shmem_free(heap);
    free(content);
    return check_finish();
}
