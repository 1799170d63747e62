/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel SHMEM's routines against those of OpenSHMEM that they call, a put by a work-group against a
 * put, and a put on a queue against an empty host task. PE 0 measures.
 */
#include <ishmem.h>
#include <ishmemx.h>

#define _Thread_local __thread /* in C++ */
extern "C" {
#include "bench.h"
}

static char *buffer, *block; /* symmetric */
static long *word;
static size_t size;
static int peer;
static sycl::queue *queue;

static constexpr size_t ITEMS = 16; /* of a work-group */

#define REPEAT(name, body)                                                                         \
    static void name(long times)                                                                   \
    {                                                                                              \
        for (long i = 0; i < times; i++)                                                           \
            body;                                                                                  \
    }

static volatile long sink;

REPEAT(p, ishmem_long_p(word, i, peer))
REPEAT(p_below, shmem_long_p(word, i, peer))
REPEAT(g, sink = ishmem_long_g(word, peer))
REPEAT(g_below, sink = shmem_long_g(word, peer))
REPEAT(put, ishmem_putmem(buffer, block, size, peer))
REPEAT(put_below, shmem_putmem(buffer, block, size, peer))
REPEAT(add, ishmem_long_atomic_add(word, i, peer))
REPEAT(add_below, shmem_long_atomic_add(word, i, peer))
REPEAT(test, sink = ishmem_long_test(word, ISHMEM_CMP_GE, 0))
REPEAT(test_below, sink = shmem_long_test(word, SHMEM_CMP_GE, 0))
REPEAT(fetch_add, sink = ishmem_long_atomic_fetch_add(word, i, peer))
REPEAT(fetch_add_below, sink = shmem_long_atomic_fetch_add(word, i, peer))

/* All repetitions in one kernel: its start is not measured. */
static void put_by_group(long times)
{
    queue
        ->parallel_for(sycl::nd_range<1>{ITEMS, ITEMS},
                       [=](sycl::nd_item<1> item) {
                           auto group = item.get_group();

                           for (long i = 0; i < times; i++)
                               ishmemx_putmem_work_group(buffer, block, size, peer, group);
                       })
        .wait();
}

REPEAT(put_on_queue, ishmemx_putmem_on_queue(buffer, block, size, peer, *queue).wait())
REPEAT(empty_task,
       queue->submit([](sycl::handler &handler) { handler.host_task([] {}); }).wait())

static const struct bench_row scalars[] = {
    {"p", "", 8, false, false, 0, p, "shmem_p", p_below},
    {"g", "", 8, false, false, 0, g, "shmem_g", g_below},
    {"add", "", 8, false, false, 0, add, "shmem_atomic_add", add_below},
    {"fetch_add", "", 8, false, false, 0, fetch_add, "shmem_atomic_fetch_add", fetch_add_below},
    {"test", "", 8, false, false, 0, test, "shmem_test", test_below},
};

static void measure_puts(size_t bytes)
{
    const struct bench_row rows[] = {
        {"put", "", bytes, false, false, 0, put, "shmem_put", put_below},
        {"put_work_group", "", bytes, false, false, 0, put_by_group, "shmem_put", put_below},
        {"put_on_queue", "", bytes, false, false, 0, put_on_queue, "empty host task", empty_task},
    };

    size = bytes;
    for (const bench_row &row : rows)
        if (bytes == 8 || &row == &rows[1])
            bench_measure(&row);
}

int main(int argc, char **argv)
{
    ishmem_init();
    bench_start(argc, argv, "ishmem");
    queue = new sycl::queue{sycl::property::queue::in_order{}};
    peer = bench_n > 1 ? 1 - bench_me : 0;
    buffer = static_cast<char *>(ishmem_malloc(MIB));
    block = static_cast<char *>(ishmem_malloc(MIB));
    word = static_cast<long *>(ishmem_calloc(1, sizeof(long)));
    ishmem_barrier_all();
    for (const bench_row &row : scalars)
        bench_measure(&row);
    measure_puts(8);
    measure_puts(MIB);
    ishmem_barrier_all();
    delete queue;
    bench_end();
    ishmem_finalize();
    return 0;
}
