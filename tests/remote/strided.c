/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided transfers of many shapes: packed or not, in one message or many, nothing but the blocks
 * changes. */
#include "harness/board.h"

#include <stdlib.h>

enum { AREA = 1 << 19 };

struct shape {
    ptrdiff_t dst, sst; /* in elements of 8 bytes */
    size_t bsize, nblocks;
};

static const struct shape shapes[] = {
    {1, 1, 1, 5000},       {2, 1, 1, 5000},    {1, 2, 1, 5000},      {3, 2, 1, 20000},
    {1, 200, 1, 300},      {200, 1, 1, 300},   {1, 5000, 1, 13},     {5000, 3000, 1, 13},
    {16, 17, 16, 3000},    {17, 16, 16, 3000}, {150, 140, 129, 400}, {1030, 1025, 1024, 60},
    {2000, 2000, 1999, 3}, {30000, 9, 9, 17},  {9, 30000, 9, 17},    {20000, 20001, 18000, 3},
    {1, 1, 1, 1},          {40000, 1, 1, 2},
};

static uint64_t area[AREA], local[AREA], expected[AREA];

static uint64_t content(int pe, size_t i)
{
    return ((uint64_t)(unsigned)(pe + 1) << 40) + i;
}

static void fill(uint64_t *words, int pe)
{
    for (size_t i = 0; i < AREA; i++)
        words[i] = content(pe, i);
}

/* What the words of `from` leave in expected. */
static void expect(const struct shape *s, int from)
{
    memset(expected, 0, sizeof expected);
    for (size_t b = 0; b < s->nblocks; b++)
        for (size_t i = 0; i < s->bsize; i++)
            expected[b * (size_t)s->dst + i] = content(from, b * (size_t)s->sst + i);
}

static void check_expected(const uint64_t *got, const char *name)
{
    size_t i = 0;

    if (memcmp(got, expected, sizeof expected) == 0)
        i = AREA;
    while (i < AREA && got[i] == expected[i])
        i++;
    check(i == AREA, name, "word %zu is %#llx", i, (unsigned long long)(i < AREA ? got[i] : 0));
}

static void check_shape(const struct shape *s)
{
    int me = check_pe(), n = check_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;

    check_case("%zu blocks of %zu, strides %td and %td", s->nblocks, s->bsize, s->dst, s->sst);
    memset(area, 0, sizeof area);
    fill(local, me);
    shmem_barrier_all();
    if (s->bsize == 1)
        shmem_uint64_iput(area, local, s->dst, s->sst, s->nblocks, next);
    else
        shmem_uint64_ibput(area, local, s->dst, s->sst, s->bsize, s->nblocks, next);
    memset(local, 0, sizeof local); /* source may be reused */
    shmem_barrier_all();
    expect(s, before);
    check_expected(area, "strided-put-lands");

    shmem_barrier_all();
    fill(area, me);
    shmem_barrier_all();
    if (s->bsize == 1)
        shmem_uint64_iget(local, area, s->dst, s->sst, s->nblocks, next);
    else
        shmem_uint64_ibget(local, area, s->dst, s->sst, s->bsize, s->nblocks, next);
    expect(s, next);
    check_expected(local, "strided-get-lands");
    shmem_barrier_all();
}

int main(void)
{
    check_init("remote/strided");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check_shape(&shapes[i]);
    return check_finish();
}
