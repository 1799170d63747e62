/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hash_table [right]: a table of keys and values that is spread over PEs. A PE claims a slot by
 * compare-and-swap and then puts the value into it.
 *
 * Bug 1: the value is read as soon as the key is there, though nothing orders value and key.
 * Bug 2: a team of the even PEs sums up, and the team is used after it was destroyed.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 128, KEYS = 40 };

struct table {
    long *keys; /* 0: free */
    long *values;
    long *ready;
};

static int me, n, right;
static long mine_sum, even_sum;

static void make(struct table *table)
{
    table->keys = shmem_calloc(SLOTS, sizeof *table->keys);
    table->values = shmem_calloc(SLOTS, sizeof *table->values);
    table->ready = shmem_calloc(SLOTS, sizeof *table->ready);
}

static void drop(struct table *table)
{
    shmem_free(table->ready);
    shmem_free(table->values);
    shmem_free(table->keys);
}

static int owner_of(long key)
{
    return (int)(key * 31 % n);
}

/* The slot of the key at its owner, which is claimed if it is free. */
static int find_slot(const struct table *table, long key)
{
    int slot = (int)(key * 17 % SLOTS), pe = owner_of(key);

    for (;;) {
        long was = shmem_long_atomic_compare_swap(&table->keys[slot], 0, key, pe);

        if (was == 0 || was == key)
            return slot;
        slot = (slot + 1) % SLOTS;
    }
}

static void insert(const struct table *table, long key, long value)
{
    int slot = find_slot(table, key), pe = owner_of(key);

    shmem_long_p(&table->values[slot], value, pe);
    if (right)
        shmem_fence();
    shmem_long_atomic_set(&table->ready[slot], 1, pe); /* bug 1: no fence before the flag */
}

/* Waits for keys that the PE before this one inserts. */
static long look_up(const struct table *table, long key)
{
    int slot = find_slot(table, key), pe = owner_of(key);

    while (shmem_long_atomic_fetch(&table->ready[slot], pe) == 0)
        continue;
    return shmem_long_g(&table->values[slot], pe);
}

static long key_of(int pe, int i)
{
    return 1 + i + (long)pe * KEYS;
}

static void sum_up(void)
{
    shmem_team_t even;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
    if (even == SHMEM_TEAM_INVALID)
        return;
    if (right)
        shmem_long_sum_reduce(even, &even_sum, &mine_sum, 1);
    shmem_team_destroy(even);
    if (!right)
        shmem_long_sum_reduce(even, &even_sum, &mine_sum, 1); /* bug 2 */
}

int main(int argc, char **argv)
{
    struct table table;
    int before, wrong = 0;

    right = argc > 1 && strcmp(argv[1], "right") == 0;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    before = (me + n - 1) % n;
    make(&table);
    for (int i = 0; i < KEYS; i++)
        insert(&table, key_of(me, i), 1000 + key_of(me, i));
    for (int i = 0; i < KEYS; i++) {
        long value = look_up(&table, key_of(before, i));

        wrong += value != 1000 + key_of(before, i);
        mine_sum += value;
    }
    shmem_barrier_all();
    sum_up();
    printf("hash_table %s\n", wrong ? "wrong" : "correct");
    drop(&table);
    shmem_finalize();
    return wrong != 0;
}
