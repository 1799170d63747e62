/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers of tens of megabytes arrive complete, with all parts in place. */
#include "harness/board.h"

#include <stdlib.h>

#define MOST ((size_t)33 << 20)

/* Word i of what the PE sends. */
static uint64_t word(int pe, size_t i)
{
    return ((uint64_t)(unsigned)pe << 48) + i * UINT64_C(0x10001) + 1;
}

static void fill(uint64_t *words, size_t n, int pe)
{
    for (size_t i = 0; i < n; i++)
        words[i] = word(pe, i);
}

static void check_words(const uint64_t *words, size_t n, int pe, const char *name)
{
    size_t i = 0;

    while (i < n && words[i] == word(pe, i))
        i++;
    check(i == n, name, "word %zu of %zu is %#llx", i, n, (unsigned long long)words[i]);
    check(words[n] == 0, "large-keeps-its-bounds", "word %zu was written", n);
}

static void check_size(uint64_t *target, uint64_t *local, size_t n)
{
    int me = check_pe(), pes = check_n_pes(), next = (me + 1) % pes, before = (me + pes - 1) % pes;

    fill(local, n, me);
    memset(target, 0, (n + 1) * sizeof *target);
    shmem_barrier_all();
    check_case("put of %zu words", n);
    shmem_put64(target, local, n, next);
    memset(local, 0, (n + 1) * sizeof *local); /* put: source may be reused at once */
    shmem_barrier_all();
    check_words(target, n, before, "large-put-lands");

    check_case("get of %zu words", n);
    shmem_barrier_all();
    shmem_get64(local, target, n, next);
    check_words(local, n, me, "large-get-lands");

    check_case("put_nbi and get_nbi of %zu words", n);
    shmem_barrier_all();
    memset(target, 0, (n + 1) * sizeof *target);
    shmem_barrier_all();
    shmem_put64_nbi(target, local, n / 2, next);
    shmem_put64_nbi(target + n / 2, local + n / 2, n - n / 2, next);
    shmem_barrier_all();
    check_words(target, n, before, "large-put-lands");
    memset(local, 0, (n + 1) * sizeof *local);
    shmem_barrier_all();
    shmem_get64_nbi(local, target, n, next);
    shmem_quiet();
    check_words(local, n, me, "large-get-lands");
    shmem_barrier_all();
}

int main(void)
{
    uint64_t *target, *local = malloc(MOST + 64);

    check_init("remote/large");
    target = shmem_malloc(MOST + 64);
    if (check_n_pes() <= 3)
        check_size(target, local, MOST / 8);
    check_size(target, local, (1 << 20) / 8 + 1);
    check_size(target, local, (5 << 20) / 8 - 3);
    shmem_free(target);
    free(local);
    return check_finish();
}
