/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A long random sequence of collectives of all kinds on overlapping teams, with no synchronization
 * between them: every PE draws the same sequence and takes part where it is a member.
 */
#include "harness/check.h"
#include "harness/oracle.h"
#include "team/shapes.h"

#include <stdlib.h>

/* Results must be unused by all PEs when a call starts: each has a slot until the next barrier. */
#define SLOTS 16

struct step {
    const struct shape *shape;
    size_t nelems;
    int root;
    unsigned salt;
    long *source, *dest, *expected;
    size_t n_results;
};

/* Small, so that no sum overflows. */
static long value(int pe, size_t i, unsigned salt)
{
    return (long)(oracle_bits(pe, i, salt) & 0xffffff) - 0x800000;
}

static void fill_source(struct step *step, size_t nelems)
{
    for (size_t i = 0; i < nelems; i++)
        step->source[i] = value(check_pe(), i, step->salt);
}

static int run_broadcast(struct step *step)
{
    fill_source(step, step->nelems);
    for (size_t i = 0; i < step->nelems; i++)
        step->expected[i] = value(step->shape->members[step->root], i, step->salt);
    step->n_results = step->nelems;
    return shmem_long_broadcast(step->shape->team, step->dest, step->source, step->nelems,
                                step->root);
}

static int run_collect(struct step *step)
{
    const struct shape *shape = step->shape;
    size_t mine = 0;

    step->n_results = 0;
    for (int m = 0; m < shape->n_pes; m++) {
        size_t nelems = oracle_bits(shape->members[m], 0, step->salt) % (step->nelems + 1);

        if (m == shape->my_pe)
            mine = nelems;
        for (size_t i = 0; i < nelems; i++)
            step->expected[step->n_results++] = value(shape->members[m], i, step->salt);
    }
    fill_source(step, mine);
    return shmem_long_collect(shape->team, step->dest, step->source, mine);
}

static int run_fcollect(struct step *step)
{
    const struct shape *shape = step->shape;

    fill_source(step, step->nelems);
    step->n_results = 0;
    for (int m = 0; m < shape->n_pes; m++)
        for (size_t i = 0; i < step->nelems; i++)
            step->expected[step->n_results++] = value(shape->members[m], i, step->salt);
    return shmem_long_fcollect(shape->team, step->dest, step->source, step->nelems);
}

static int run_alltoall(struct step *step)
{
    const struct shape *shape = step->shape;
    size_t mine = (size_t)shape->my_pe * step->nelems;

    fill_source(step, step->nelems * (size_t)shape->n_pes);
    step->n_results = 0;
    for (int m = 0; m < shape->n_pes; m++)
        for (size_t i = 0; i < step->nelems; i++)
            step->expected[step->n_results++] = value(shape->members[m], mine + i, step->salt);
    return shmem_long_alltoall(shape->team, step->dest, step->source, step->nelems);
}

/* Expects the fold over the members up to `last`; of none, 0. */
static void expect_fold(struct step *step, int last, long (*combine)(long, long))
{
    const int *members = step->shape->members;

    for (size_t i = 0; i < step->nelems; i++) {
        step->expected[i] = last < 0 ? 0 : value(members[0], i, step->salt);
        for (int m = 1; m <= last; m++)
            step->expected[i] = combine(step->expected[i], value(members[m], i, step->salt));
    }
    step->n_results = step->nelems;
}

static long sum(long a, long b)
{
    return a + b;
}

static long max(long a, long b)
{
    return a > b ? a : b;
}

static int run_sum(struct step *step)
{
    fill_source(step, step->nelems);
    expect_fold(step, step->shape->n_pes - 1, sum);
    return shmem_long_sum_reduce(step->shape->team, step->dest, step->source, step->nelems);
}

static int run_max_in_place(struct step *step)
{
    step->source = step->dest;
    fill_source(step, step->nelems);
    expect_fold(step, step->shape->n_pes - 1, max);
    /* A member that is quick would otherwise write into what another is still filling. */
    shmem_team_sync(step->shape->team);
    return shmem_long_max_reduce(step->shape->team, step->dest, step->source, step->nelems);
}

static int run_inscan(struct step *step)
{
    fill_source(step, step->nelems);
    expect_fold(step, step->shape->my_pe, sum);
    return shmem_long_sum_inscan(step->shape->team, step->dest, step->source, step->nelems);
}

static int run_exscan(struct step *step)
{
    fill_source(step, step->nelems);
    expect_fold(step, step->shape->my_pe - 1, sum);
    return shmem_long_sum_exscan(step->shape->team, step->dest, step->source, step->nelems);
}

static int run_sync(struct step *step)
{
    step->n_results = 0;
    return shmem_team_sync(step->shape->team);
}

static int (*const kinds[])(struct step *) = {
    run_broadcast,    run_collect, run_fcollect, run_alltoall, run_sum,
    run_max_in_place, run_inscan,  run_exscan,   run_sync,
};
static const char *const names[] = {
    "broadcast",    "collect", "fcollect", "alltoall", "sum",
    "max in place", "inscan",  "exscan",   "sync",
};
#define N_KINDS (sizeof kinds / sizeof kinds[0])

/* Mostly small, seldom large. */
static size_t draw_nelems(uint64_t bits)
{
    static const size_t limits[] = {2, 4, 10, 10, 33, 33, 130, 1100};

    return (bits >> 3) % limits[bits & 7];
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    struct step step;
    unsigned n_steps;
    size_t slot_elems;
    long *slots, *source;
    int n_shapes;

    check_init("coll/sequence");
    n_shapes = shapes_open(shapes);
    n_steps = check_n_pes() > 16 ? 1000 : 5000;
    slot_elems = (size_t)check_n_pes() * 1100;
    slots = shmem_malloc(SLOTS * slot_elems * sizeof(long));
    source = shmem_malloc(slot_elems * sizeof(long));
    step.expected = malloc(slot_elems * sizeof(long));
    for (unsigned s = 0; s < n_steps; s++) {
        uint64_t bits = oracle_bits(0, s, 1);
        size_t kind = (bits >> 8) % N_KINDS;
        int error;

        if (s % SLOTS == 0)
            shmem_barrier_all();
        step.shape = &shapes[(bits >> 16) % (unsigned)n_shapes];
        step.nelems = draw_nelems(bits >> 24);
        step.root = (int)((bits >> 48) % (unsigned)step.shape->n_pes);
        step.salt = s + 2;
        step.source = source;
        step.dest = slots + s % SLOTS * slot_elems;
        if (step.shape->my_pe < 0)
            continue;
        check_case("step %u: %s, %s, %zu elements, root %d", s, names[kind], step.shape->name,
                   step.nelems, step.root);
        error = kinds[kind](&step);
        check_equal(error, 0, "sequence-returns-0");
        check_array(step.dest, step.expected, step.n_results, "sequence");
    }
    shmem_barrier_all();
    free(step.expected);
    shmem_free(source);
    shmem_free(slots);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
