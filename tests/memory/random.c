/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A long random sequence of allocations: blocks never overlap, and have the same offset on all PEs.
 */
#include "harness/check.h"
#include "harness/oracle.h"

#define STEPS 1500
#define LIVE 64

struct block {
    unsigned char *bytes;
    size_t size;
    unsigned salt;
};

static struct block blocks[LIVE];

/* A neighbour filled it, through its own address of the block. */
static void check_contents(const struct block *block, size_t size)
{
    int before = (check_pe() + check_n_pes() - 1) % check_n_pes();
    size_t same = 0;

    while (same < size &&
           block->bytes[same] == (unsigned char)oracle_bits(before, same, block->salt))
        same++;
    check_equal(same, size, "blocks-apart");
}

static void fill(struct block *block, unsigned salt)
{
    static unsigned char source[30000];

    block->salt = salt;
    oracle_fill_bytes(source, block->size, check_pe(), salt);
    shmem_putmem(block->bytes, source, block->size, (check_pe() + 1) % check_n_pes());
}

static size_t draw_size(uint64_t bits)
{
    static const size_t limits[] = {16, 100, 100, 1000, 1000, 4000, 4000, 30000};

    return 1 + (bits >> 3) % limits[bits & 7];
}

int main(void)
{
    check_init("memory/random");
    for (unsigned s = 0; s < STEPS; s++) {
        uint64_t bits = oracle_bits(0, s, 1);
        struct block *block = &blocks[bits % LIVE];
        size_t size = draw_size(bits >> 16);
        unsigned action = bits >> 50 & 3;

        check_case("step %u: block %d, %zu bytes, action %u", s, (int)(bits % LIVE), size, action);
        if (!block->bytes) {
            if (action == 0)
                block->bytes = shmem_align((size_t)8 << (bits >> 40 & 7), size);
            else if (action == 1)
                block->bytes = shmem_malloc_with_hints(size, SHMEM_MALLOC_ATOMICS_REMOTE);
            else
                block->bytes = shmem_malloc(size);
            block->size = size;
        } else if (action == 0) {
            size_t kept = size < block->size ? size : block->size;

            shmem_barrier_all();
            block->bytes = shmem_realloc(block->bytes, size);
            check_contents(block, kept);
            block->size = size;
            /* The neighbour may still be looking. */
            shmem_barrier_all();
        } else {
            shmem_barrier_all();
            check_contents(block, block->size);
            shmem_free(block->bytes);
            block->bytes = NULL;
            continue;
        }
        if (!check(block->bytes != NULL, "random-satisfied", "no memory"))
            break;
        fill(block, s + 2);
    }
    check_case("the last blocks");
    shmem_barrier_all();
    for (int i = 0; i < LIVE; i++) {
        if (blocks[i].bytes)
            check_contents(&blocks[i], blocks[i].size);
        shmem_free(blocks[i].bytes);
    }
    return check_finish();
}
