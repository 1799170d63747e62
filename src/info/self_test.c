/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The self-test: an OpenSHMEM program that transfers data between all pairs of its PEs, one pair at
 * a time, checks the data, and prints the times.
 */
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)
#define ROUNDS 100     /* of small operations */
#define BLOCK_ROUNDS 8 /* of blocks */
#define PEERS 8        /* peers of each PE in a large job */

/* The results of a PE's transfers to another one. */
struct result {
    double put_us, get_us, add_us, put_mb_s, get_mb_s;
    int to;
    int same_node;
    char wrong[80]; /* empty if nothing failed */
};

static char host[64];
static uint64_t word, counter;
static struct result results[PEERS];
/* The words that other PEs write, then the data that this PE gets and sends. */
static unsigned char *block;

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static unsigned char pattern(size_t i, int seed)
{
    return (unsigned char)(i * 31 + (i >> 8) + (size_t)seed * 7);
}

static bool is_right(struct result *r, const char *what, const unsigned char *data, int seed)
{
    for (size_t i = 0; i < BLOCK; i++)
        if (data[i] != pattern(i, seed)) {
            snprintf(r->wrong, sizeof r->wrong, "%s: byte %zu of %zu is %d instead of %d", what, i,
                     BLOCK, data[i], pattern(i, seed));
            return false;
        }
    return true;
}

static void try_words(struct result *r, int me)
{
    uint64_t before = shmem_uint64_atomic_fetch(&counter, r->to), got;
    double start = now_us();

    for (uint64_t i = 1; i <= ROUNDS; i++) {
        shmem_uint64_p(&word, (uint64_t)me << 32 | i, r->to);
        shmem_quiet();
    }
    r->put_us = (now_us() - start) / ROUNDS;
    start = now_us();
    for (int i = 0; i < ROUNDS; i++)
        got = shmem_uint64_g(&word, r->to);
    r->get_us = (now_us() - start) / ROUNDS;
    if (got != ((uint64_t)me << 32 | ROUNDS))
        snprintf(r->wrong, sizeof r->wrong, "get: 0x%llx instead of 0x%llx",
                 (unsigned long long)got, (unsigned long long)me << 32 | ROUNDS);
    start = now_us();
    for (int i = 0; i < ROUNDS; i++)
        got = shmem_uint64_atomic_fetch_add(&counter, 1, r->to);
    r->add_us = (now_us() - start) / ROUNDS;
    if (got != before + ROUNDS - 1)
        snprintf(r->wrong, sizeof r->wrong, "fetch_add: %llu instead of %llu",
                 (unsigned long long)got, (unsigned long long)before + ROUNDS - 1);
}

static void try_blocks(struct result *r, int me)
{
    unsigned char *mine = block + BLOCK;
    double start;

    for (size_t i = 0; i < BLOCK; i++)
        mine[i] = pattern(i, me);
    start = now_us();
    for (int i = 0; i < BLOCK_ROUNDS; i++) {
        shmem_putmem(block, mine, BLOCK, r->to);
        shmem_quiet();
    }
    r->put_mb_s = (double)BLOCK * BLOCK_ROUNDS / (now_us() - start);
    memset(mine, 0, BLOCK);
    start = now_us();
    for (int i = 0; i < BLOCK_ROUNDS; i++)
        shmem_getmem(mine, block, BLOCK, r->to);
    r->get_mb_s = (double)BLOCK * BLOCK_ROUNDS / (now_us() - start);
    is_right(r, "a block put and got back", mine, me);
}

/* The peers of a PE: all others; in a large job some neighbours and some distant ones. */
static int peer_of(int me, int n, int i)
{
    int step = n - 1 <= PEERS ? i + 1 : 1 << i;

    return i < PEERS && step < n ? (me + step) % n : -1;
}

static void print_result(int from, const struct result *r)
{
    if (r->wrong[0])
        printf("FAIL  %d -> %d: %s\n", from, r->to, r->wrong);
    else
        printf("PASS  %d -> %d%s  put %.1f us  get %.1f us  add %.1f us  put %.0f MB/s  get %.0f "
               "MB/s\n",
               from, r->to, r->same_node ? "  same node" : "", r->put_us, r->get_us, r->add_us,
               r->put_mb_s, r->get_mb_s);
    fflush(stdout);
}

/* Tests all pairs that begin with PE `from`; PE 0 prints them. Returns the number of failures. */
static int try_pairs(int from)
{
    int me = shmem_my_pe(), n = shmem_n_pes(), failed = 0, count = 0;

    for (int i = 0; peer_of(from, n, i) >= 0; i++, count++) {
        struct result *r = &results[i];

        if (me != from)
            continue;
        *r = (struct result){.to = peer_of(me, n, i)};
        r->same_node = shmem_ptr(&word, r->to) != NULL;
        try_words(r, me);
        if (!r->wrong[0])
            try_blocks(r, me);
    }
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < count; i++) {
        struct result r;

        shmem_getmem(&r, &results[i], sizeof r, from);
        print_result(from, &r);
        failed += r.wrong[0] != '\0';
    }
    shmem_barrier_all();
    return failed;
}

static void print_hosts(void)
{
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        char name[sizeof host];

        shmem_getmem(name, host, sizeof name, pe);
        printf("PE %d is on %s\n", pe, name);
    }
    fflush(stdout);
}

static double barrier_us(void)
{
    double start;

    shmem_barrier_all();
    start = now_us();
    for (int i = 0; i < ROUNDS; i++)
        shmem_barrier_all();
    return (now_us() - start) / ROUNDS;
}

int main(void)
{
    int failed = 0;
    double us;

    shmem_init();
    gethostname(host, sizeof host - 1);
    block = shmem_malloc(2 * BLOCK);
    if (!block)
        shmem_global_exit(1);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        print_hosts();
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        failed += try_pairs(pe);
    us = barrier_us();
    if (shmem_my_pe() == 0) {
        printf("PASS  barrier of %d PEs  %.1f us\n", shmem_n_pes(), us);
        printf("%s\n", failed ? "FAILED" : "All is well.");
    }
    shmem_finalize();
    return failed ? 1 : 0;
}
