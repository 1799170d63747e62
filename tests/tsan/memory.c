/* SPDX-License-Identifier: BSD-3-Clause */
/* Symmetric memory that is freed and allocated again: no PE's last store reaches the next block. */
#include "tsan/pes.h"

/* Blocks are stored to by other PEs, plainly, right before they are freed or moved. */
enum { ROUNDS = 2000, HELD = 5 };

struct held {
    long *words;
    size_t n;
};

static void store(const struct held *h, int to, long value)
{
    long *there = shmem_ptr(h->words, to);

    for (size_t i = 0; i < h->n; i++)
        there[i] = value;
}

static void check(const struct held *h, size_t n, long value, const char *name)
{
    for (size_t i = 0; i < n; i++)
        expect(h->words[i] == value, name, "word %zu is %ld, expected %ld", i, h->words[i], value);
}

static void body(void)
{
    int n = shmem_n_pes(), next = (shmem_my_pe() + 1) % n;
    struct held held[HELD] = {{0}};
    uint32_t common = 7;

    for (long round = 1; round <= pes_rounds(ROUNDS); round++) {
        struct held *h = &held[pes_random(&common) % HELD];
        size_t words = 1 + pes_random(&common) % 600;

        if (h->words && round % 2) {
            store(h, next, round);
            h->words = shmem_realloc(h->words, words * sizeof *h->words);
            check(h, words < h->n ? words : h->n, round, "realloc");
            h->n = words;
        } else {
            if (h->words)
                store(h, next, round);
            shmem_free(h->words);
            *h = (struct held){shmem_calloc(words, sizeof *h->words), words};
            check(h, words, 0, "calloc");
        }
        shmem_barrier_all();
        store(h, next, -round);
        shmem_barrier_all();
        check(h, h->n, -round, "mine");
        shmem_sync_all();
    }
}

int main(int argc, char **argv)
{
    return pes_run(argc, argv, "tsan/memory", body);
}
