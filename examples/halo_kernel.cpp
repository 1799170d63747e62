/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A halo exchange inside a kernel, with Intel SHMEM and SYCL: heat spreads in a plate whose rows
 * are dealt out to the PEs. One work-group computes a PE's rows, one work-item for each column. The
 * group puts its outermost rows beside those of its neighbours, with a signal that says which step
 * they are for. So the kernels of different PEs wait for their neighbours only, and the host waits
 * once.
 *
 *     oshc++ -std=c++17 --tern-sycl -O2 halo_kernel.cpp -o halo_kernel && oshrun -n 4 ./halo_kernel
 */
#include <cstdint>
#include <cstdio>
#include <ishmem.h>
#include <ishmemx.h>

constexpr int ROWS = 12, COLUMNS = 32, STEPS = 200; /* ROWS: of each PE */
constexpr double HOT = 100.0; /* the plate's upper edge; the others are at 0 */

/* Row 0 and row ROWS + 1 are the neighbours', or edges of the plate. */
static size_t at(int row, int column)
{
    return size_t(row) * COLUMNS + size_t(column);
}

int main()
{
    ishmem_init();
    sycl::queue q;
    int me = ishmem_my_pe(), n_pes = ishmem_n_pes();
    size_t bytes = (ROWS + 2) * COLUMNS * sizeof(double);
    /* Two states, so that a neighbour that is a step ahead does not disturb the present one. */
    double *even = static_cast<double *>(ishmem_calloc(1, bytes));
    double *odd = static_cast<double *>(ishmem_calloc(1, bytes));
    double *sums = static_cast<double *>(ishmem_calloc(2, sizeof(double)));
    uint64_t *from_above = static_cast<uint64_t *>(ishmem_calloc(2, sizeof(uint64_t)));
    uint64_t *from_below = from_above + 1;

    q.parallel_for(sycl::nd_range<1>{COLUMNS, COLUMNS}, [=](sycl::nd_item<1> item) {
         auto group = item.get_group();
         int column = int(item.get_local_id(0));
         bool inside = column > 0 && column < COLUMNS - 1;

         if (me == 0)
             even[at(0, column)] = odd[at(0, column)] = HOT;
         for (int step = 0; step < STEPS; step++) {
             double *now = step % 2 ? odd : even, *then = step % 2 ? even : odd;
             uint64_t number = uint64_t(step) + 1;

             if (me > 0)
                 ishmemx_put_signal_work_group(&now[at(ROWS + 1, 0)], &now[at(1, 0)], COLUMNS,
                                               from_below, number, ISHMEM_SIGNAL_SET, me - 1,
                                               group);
             if (me < n_pes - 1)
                 ishmemx_put_signal_work_group(&now[at(0, 0)], &now[at(ROWS, 0)], COLUMNS,
                                               from_above, number, ISHMEM_SIGNAL_SET, me + 1,
                                               group);
             if (me > 0)
                 ishmemx_signal_wait_until_work_group(from_above, ISHMEM_CMP_GE, number, group);
             if (me < n_pes - 1)
                 ishmemx_signal_wait_until_work_group(from_below, ISHMEM_CMP_GE, number, group);
             for (int row = 1; row <= ROWS && inside; row++)
                 then[at(row, column)] = (now[at(row - 1, column)] + now[at(row + 1, column)] +
                                          now[at(row, column - 1)] + now[at(row, column + 1)]) /
                                         4;
             sycl::group_barrier(group);
         }
         double sum = 0;
         for (int row = 1; row <= ROWS; row++)
             sum += even[at(row, column)];
         sum = sycl::reduce_over_group(group, sum, sycl::plus<double>());
         if (group.leader())
             sums[0] = sum;
         ishmemx_sum_reduce_work_group(&sums[1], &sums[0], 1, group);
     }).wait();
    if (me == 0)
        std::printf("%d rows: the mean is %.4f\n", ROWS * n_pes,
                    sums[1] / (ROWS * n_pes * COLUMNS));
    ishmem_free(from_above);
    ishmem_free(sums);
    ishmem_free(odd);
    ishmem_free(even);
    ishmem_finalize();
}
