/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search [right]: breadth-first search in a graph whose vertices are dealt out to PEs. A PE puts
 * the vertices that it discovers into the inbox of their owner.
 *
 * Bug 1: the inbox is as large as the expected number of messages, not as the largest.
 * Bug 2: a PE whose frontier is empty leaves the loop by its own count, not by the sum of all.
 */
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 240, DEGREE = 3 };

static int me, n, right;
static long inbox_used, found_here, found_all;
static long *inbox;
static int level_of[VERTICES];

static int owner_of(long vertex)
{
    return (int)(vertex % n);
}

/* The graph is the same on all PEs. */
static long neighbour(long vertex, int edge)
{
    return (vertex * (2 + edge) + 7 * edge + 1) % VERTICES;
}

static size_t inbox_room(void)
{
    size_t room = VERTICES * DEGREE;

    return right ? room : 2;
}

static void send(long vertex)
{
    int to = owner_of(vertex);
    long place = shmem_long_atomic_fetch_add(&inbox_used, 1, to);

    shmem_long_p(&inbox[place], vertex, to); /* bug 1: place may be beyond the end */
}

/* Sends the neighbours of all vertices of this level that this PE has. */
static void expand(int level)
{
    for (long vertex = 0; vertex < VERTICES; vertex++)
        if (owner_of(vertex) == me && level_of[vertex] == level)
            for (int edge = 0; edge < DEGREE; edge++)
                send(neighbour(vertex, edge));
}

/* Returns how many vertices are new. */
static long receive(int level)
{
    long new = 0, used = inbox_used;

    for (long i = 0; i < used && i < (long)inbox_room(); i++)
        if (level_of[inbox[i]] < 0) {
            level_of[inbox[i]] = level;
            new ++;
        }
    inbox_used = 0;
    return new;
}

static int any_left(long new)
{
    found_here = new;
    if (!right && new == 0)
        return 0; /* bug 2: the others still call the reduction */
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &found_all, &found_here, 1);
    return found_all > 0;
}

static int search(long root)
{
    int level = 0;
    long new;

    for (long vertex = 0; vertex < VERTICES; vertex++)
        level_of[vertex] = -1;
    if (owner_of(root) == me)
        level_of[root] = 0;
    do {
        shmem_barrier_all();
        expand(level);
        shmem_barrier_all();
        new = receive(++level);
    } while (any_left(new));
    return level;
}

int main(int argc, char **argv)
{
    int levels;

    right = argc > 1 && strcmp(argv[1], "right") == 0;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    inbox = shmem_malloc(inbox_room() * sizeof *inbox);
    levels = search(5);
    shmem_barrier_all();
    if (me == 0)
        printf("search %d levels\n", levels);
    shmem_free(inbox);
    shmem_finalize();
    return 0;
}
