/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on arrays of megabytes, which every algorithm moves in pieces. */
#include "harness/check.h"
#include "harness/oracle.h"
#include "team/shapes.h"

#include <stdlib.h>

/* Not a multiple of anything. */
#define NELEMS 560007
#define BLOCK 33001

static long *source, *dest;

/* Small, so that no sum overflows. */
static long value(int pe, size_t i, unsigned salt)
{
    return (long)(oracle_bits(pe, i, salt) & 0xffffff);
}

static void fill(const struct shape *shape, long *array, size_t nelems, unsigned salt)
{
    check_case("%s, %zu elements, call %u", shape->name, nelems, salt);
    for (size_t i = 0; i < nelems; i++)
        array[i] = value(shape->my_pe, i, salt);
    for (size_t i = 0; array == source && i < NELEMS; i++)
        dest[i] = -1;
    shmem_team_sync(shape->team); /* dest may be written */
}

/* One failure for the first element that differs from that of a sum over members. */
static void check_sums(size_t nelems, int members, unsigned salt, const char *name)
{
    size_t wrong = 0;

    while (wrong < nelems) {
        long sum = 0;

        for (int m = 0; m < members; m++)
            sum += value(m, wrong, salt);
        if (dest[wrong] != sum)
            break;
        wrong++;
    }
    check(wrong == nelems, name, "element %zu is %ld", wrong, dest[wrong < nelems ? wrong : 0]);
}

static void test_folds(const struct shape *shape)
{
    int me = shape->my_pe;

    fill(shape, source, NELEMS, 1);
    shmem_long_sum_reduce(shape->team, dest, source, NELEMS);
    check_sums(NELEMS, shape->n_pes, 1, "large-reduce");
    fill(shape, dest, NELEMS, 2);
    shmem_long_sum_reduce(shape->team, dest, dest, NELEMS);
    check_sums(NELEMS, shape->n_pes, 2, "large-reduce-in-place");
    fill(shape, source, NELEMS, 3);
    shmem_long_sum_inscan(shape->team, dest, source, NELEMS);
    check_sums(NELEMS, me + 1, 3, "large-inscan");
    fill(shape, dest, NELEMS, 4);
    shmem_long_sum_exscan(shape->team, dest, dest, NELEMS);
    check_sums(NELEMS, me, 4, "large-exscan-in-place");
}

static void check_block(const long *block, size_t stride, int member, size_t first, unsigned salt,
                        const char *name)
{
    size_t wrong = 0;

    while (wrong < BLOCK && block[wrong * stride] == value(member, first + wrong, salt))
        wrong++;
    check(wrong == BLOCK, name, "block %d: element %zu is %ld", member, wrong,
          block[(wrong < BLOCK ? wrong : 0) * stride]);
}

static void test_moves(const struct shape *shape)
{
    size_t n = (size_t)shape->n_pes, mine = (size_t)shape->my_pe * BLOCK;
    int root = shape->n_pes / 2;

    fill(shape, source, NELEMS, 5);
    shmem_long_broadcast(shape->team, dest, source, NELEMS, root);
    for (size_t first = 0; first + BLOCK <= NELEMS; first += BLOCK)
        check_block(dest + first, 1, root, first, 5, "large-broadcast");
    fill(shape, source, NELEMS, 6);
    shmem_long_fcollect(shape->team, dest, source, BLOCK);
    for (size_t m = 0; m < n; m++)
        check_block(dest + m * BLOCK, 1, (int)m, 0, 6, "large-fcollect");
    fill(shape, source, NELEMS, 7);
    shmem_long_alltoall(shape->team, dest, source, BLOCK);
    for (size_t m = 0; m < n; m++)
        check_block(dest + m * BLOCK, 1, (int)m, mine, 7, "large-alltoall");
}

/* Strides at which elements are close to each other, and at which they are not. */
static void test_strides(const struct shape *shape, size_t dst, size_t sst, size_t nelems)
{
    unsigned salt = (unsigned)(dst * 16 + sst);
    size_t wrong = 0;

    fill(shape, source, NELEMS, salt);
    shmem_long_alltoalls(shape->team, dest, source, (ptrdiff_t)dst, (ptrdiff_t)sst, nelems);
    for (int m = 0; m < shape->n_pes; m++)
        for (size_t i = 0; i < nelems; i++) {
            size_t from = ((size_t)shape->my_pe * nelems + i) * sst;

            wrong += dest[((size_t)m * nelems + i) * dst] != value(m, from, salt);
        }
    check(wrong == 0, "large-alltoalls", "dst %zu, sst %zu: %zu elements", dst, sst, wrong);
    for (size_t i = 0; dst > 1 && i < (size_t)shape->n_pes * nelems; i++)
        wrong += dest[i * dst + 1] != -1;
    check(wrong == 0, "large-alltoalls-gaps", "dst %zu, sst %zu: %zu gaps", dst, sst, wrong);
}

int main(void)
{
    struct shape shapes[MAX_SHAPES];
    int n_shapes;

    check_init("coll/large");
    n_shapes = shapes_open(shapes);
    source = shmem_malloc(NELEMS * sizeof(long));
    dest = shmem_malloc(NELEMS * sizeof(long));
    check(source && dest, "large-buffers", "no memory");
    for (int s = 0; s < n_shapes; s++) {
        if (shapes[s].my_pe < 0 || (s != 0 && s != n_shapes - 1))
            continue;
        test_folds(&shapes[s]);
        test_moves(&shapes[s]);
        test_strides(&shapes[s], 1, 2, 11000);
        test_strides(&shapes[s], 3, 1, 11000);
        test_strides(&shapes[s], 2, 3, 11000);
        test_strides(&shapes[s], 1, 9, 2000);
    }
    shmem_free(dest);
    shmem_free(source);
    shapes_close(shapes, n_shapes);
    return check_finish();
}
