/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pipeline on queues, with Intel SHMEM and SYCL: blocks of numbers pass all PEs, and each PE adds
 * its part. Kernels and transfers are in an out-of-order queue. Events say what has to wait for
 * what, so a block can travel while the next one is computed. The host submits everything at
 * once, and waits once.
 *
 *     oshc++ -std=c++17 --tern-sycl -O2 pipeline.cpp -o pipeline && oshrun -n 4 ./pipeline
 */
#include <cstdint>
#include <cstdio>
#include <ishmem.h>
#include <ishmemx.h>
#include <vector>

constexpr size_t BLOCKS = 6, NELEMS = 1000;

int main()
{
    ishmem_init();
    sycl::queue compute, receive, send; /* out of order: events alone order the kernels */
    int me = ishmem_my_pe(), n_pes = ishmem_n_pes();
    long *blocks = static_cast<long *>(ishmem_calloc(BLOCKS * NELEMS, sizeof(long)));
    uint64_t *arrived = static_cast<uint64_t *>(ishmem_calloc(BLOCKS, sizeof(uint64_t)));
    std::vector<sycl::event> sent;

    for (size_t b = 0; b < BLOCKS; b++) {
        long *block = blocks + b * NELEMS;
        std::vector<sycl::event> before;

        if (me > 0)
            before.push_back(ishmemx_signal_wait_until_on_queue(&arrived[b], ISHMEM_CMP_EQ, 1,
                                                                nullptr, receive));
        sycl::event computed = compute.submit([&](sycl::handler &handler) {
            handler.depends_on(before);
            handler.parallel_for(sycl::range<1>{NELEMS},
                                 [=](sycl::id<1> i) { block[i] += long(i[0] + b) * (me + 1); });
        });
        if (me < n_pes - 1)
            sent.push_back(ishmemx_put_signal_on_queue(
                block, block, NELEMS, &arrived[b], 1, ISHMEM_SIGNAL_SET, me + 1, send, {computed}));
        else
            sent.push_back(computed);
    }
    for (sycl::event &event : sent)
        event.wait();
    ishmem_barrier_all();
    if (me == n_pes - 1) {
        long sum = 0, expected = 0;

        for (size_t b = 0; b < BLOCKS; b++)
            for (size_t i = 0; i < NELEMS; i++) {
                sum += blocks[b * NELEMS + i];
                expected += long(i + b) * n_pes * (n_pes + 1) / 2;
            }
        std::printf("%zu blocks through %d PEs: %ld, expected %ld\n", BLOCKS, n_pes, sum, expected);
    }
    ishmem_free(arrived);
    ishmem_free(blocks);
    ishmem_finalize();
}
