/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An all-reduce in a kernel, with Intel SHMEM and SYCL: the method of conjugate gradients solves
 * A x = b. Each step needs two sums over all PEs, which the kernel computes without a return to the
 * host. A is diagonal but for one entry beside it, within the rows of a PE.
 *
 *     oshc++ -std=c++17 --tern-sycl -O2 allreduce.cpp -o allreduce && oshrun -n 4 ./allreduce
 */
#include <cmath>
#include <cstdio>
#include <ishmem.h>
#include <ishmemx.h>

constexpr size_t ROWS = 32; /* of each PE: one for each work-item */
constexpr int MOST_STEPS = 100;

/* The sum of all work-items' values on all PEs. sums: two symmetric numbers. */
template <typename Group> static double sum_of_all(const Group &group, double value, double *sums)
{
    double sum = sycl::reduce_over_group(group, value, sycl::plus<double>());

    if (group.leader())
        sums[0] = sum;
    ishmemx_sum_reduce_work_group(&sums[1], &sums[0], 1, group);
    return sums[1];
}

int main()
{
    ishmem_init();
    sycl::queue q;
    int me = ishmem_my_pe();
    double *sums = static_cast<double *>(ishmem_calloc(2, sizeof(double)));
    double *p = sycl::malloc_shared<double>(ROWS, q), *wrong = sycl::malloc_shared<double>(1, q);
    int *steps = sycl::malloc_shared<int>(1, q);

    q.parallel_for(sycl::nd_range<1>{ROWS, ROWS}, [=](sycl::nd_item<1> item) {
         auto group = item.get_group();
         size_t i = item.get_local_id(0), other = i ^ 1;
         double diagonal = 4 + double((size_t(me) * ROWS + i) % 3), b = 1 + double(i);
         double x = 0, r = b, rr = sum_of_all(group, r * r, sums);
         int step = 0;

         p[i] = r;
         while (rr > 1e-20 && step < MOST_STEPS) {
             sycl::group_barrier(group);
             double ap = diagonal * p[i] - p[other];
             double alpha = rr / sum_of_all(group, p[i] * ap, sums);
             x += alpha * p[i];
             r -= alpha * ap;
             double next = sum_of_all(group, r * r, sums);
             sycl::group_barrier(group);
             p[i] = r + next / rr * p[i];
             rr = next;
             step++;
         }
         sycl::group_barrier(group);
         p[i] = x;
         sycl::group_barrier(group);
         double error = std::fabs(diagonal * x - p[other] - b);
         error = sycl::reduce_over_group(group, error, sycl::maximum<double>());
         if (group.leader()) {
             *steps = step;
             sums[0] = error;
         }
         ishmemx_max_reduce_work_group(&sums[1], &sums[0], 1, group);
         *wrong = sums[1];
     }).wait();
    if (me == 0)
        std::printf("%zu rows: %s\n", ROWS * size_t(ishmem_n_pes()),
                    *wrong < 1e-8 && *steps < MOST_STEPS ? "solved" : "not solved");
    sycl::free(steps, q);
    sycl::free(wrong, q);
    sycl::free(p, q);
    ishmem_free(sums);
    ishmem_finalize();
}
