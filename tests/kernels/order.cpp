/* SPDX-License-Identifier: BSD-3-Clause */
/* When operations on queues run, and that waits in kernels let other work-items run. */
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "ishmem/types.h"
#include "kernels/forms.h"

constexpr size_t NELEMS = 1000;

static long source[NELEMS], dest[NELEMS];
static int gate, passed;

static bool is_complete(const sycl::event &event)
{
    return event.get_info<sycl::info::event::command_execution_status>() ==
           sycl::info::event_command_status::complete;
}

/* Long enough for a task that may run to run, on an idle machine at least. */
static void give_time()
{
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/* From a kernel to the neighbour's kernel without the host: what an in-order queue is for. */
static void test_pipeline()
{
    sycl::queue q{sycl::property::queue::in_order{}};
    long wrong[3] = {0};

    check_case("pipeline on an in-order queue");
    for (int round = 0; round < 3; round++) {
        q.parallel_for(sycl::range<1>{NELEMS},
                       [=](sycl::id<1> i) { source[i] = (round * 100 + me) * 10000 + long(i); });
        ishmemx_put_on_queue(dest, source, NELEMS, next, q);
        ishmemx_barrier_all_on_queue(q);
        q.single_task([=, &wrong] {
            for (size_t i = 0; i < NELEMS; i++)
                wrong[round] += dest[i] != (round * 100 + before) * 10000 + long(i);
        });
        ishmemx_sync_all_on_queue(q);
    }
    q.wait();
    for (long n : wrong)
        check_equal(n, 0, "queue-order");
}

/*
 * A wait on the queue stays open until this PE opens its gate. What was submitted behind it waits,
 * and so does what depends on its event; the host goes on, and other queues do.
 */
static void test_asynchronous(bool in_order)
{
    sycl::queue q = in_order ? sycl::queue{sycl::property::queue::in_order{}} : sycl::queue{};
    sycl::queue other;
    long ended = 0;
    std::atomic<int> independent = 0;

    check_case(in_order ? "asynchronous, in order" : "asynchronous, out of order");
    gate = passed = 0;
    ishmem_barrier_all();

    sycl::event waits = ishmemx_int_wait_until_on_queue(&gate, ISHMEM_CMP_EQ, 1, q);
    sycl::event behind = ishmemx_put_on_queue(&passed, &me, 1, next, q);
    sycl::event depends = ishmemx_put_on_queue(&ended, &source[0], 0, me, other, {behind});
    sycl::event kernel = other.submit([&](sycl::handler &h) {
        h.depends_on(waits);
        h.single_task([&ended] { ended = 1; });
    });

    /* Commands start in the order in which they may, so whatever may start before this has. */
    other.single_task([&independent] { independent = 1; });
    while (!independent)
        give_time();
    give_time();
    check(!is_complete(waits), "event", "it is complete before the wait has ended");
    check(!is_complete(behind), "queue-order", "the put has overtaken the wait");
    check(!is_complete(depends), "dependencies", "the call ran before its event");
    check_equal(ended, 0, "dependencies");
    ishmem_p(&gate, 1, me);
    depends.wait();
    kernel.wait();
    check(is_complete(waits) && is_complete(behind), "event", "it is not complete");
    check_equal(ended, 1, "dependencies");
    ishmem_barrier_all();
    check_equal(passed, before, "queue-order");
    ishmem_barrier_all();
}

/* The host's collectives of OpenSHMEM and a queue's on all PEs go on side by side. */
static void test_beside_host()
{
    static long sums[20], part[20], host_sum, host_part;
    sycl::queue q{sycl::property::queue::in_order{}};
    long expected = 0;

    check_case("collectives of the host beside those of a queue");
    for (int pe = 0; pe < n_pes; pe++)
        expected += pe + 1;
    for (int i = 0; i < 20; i++) {
        part[i] = (me + 1) * i;
        ishmemx_sum_reduce_on_queue(&sums[i], &part[i], 1, nullptr, q);
    }
    for (int i = 0; i < 20; i++) {
        host_part = (me + 1) * (i + 7);
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &host_sum, &host_part, 1);
        check_equal(host_sum, expected * (i + 7), "teams-do-not-mix");
        shmem_barrier_all();
    }
    q.wait();
    for (int i = 0; i < 20; i++)
        check_equal(sums[i], expected * i, "teams-do-not-mix");
    check(ishmem_team_sync(ISHMEM_TEAM_WORLD) == 0, "teams-do-not-mix", "it failed");
}

static void test_results()
{
    static int sum, one = 1;
    sycl::queue q;
    int ret = -1;

    check_case("results");
    ishmemx_sum_reduce_on_queue(&sum, &one, 1, &ret, q).wait();
    check_equal(ret, 0, "ret");
    check_equal(sum, n_pes, "ret");
    ishmemx_team_sync_on_queue(ISHMEM_TEAM_WORLD, nullptr, q).wait(); /* nobody asks */
}

/* A quiet on a queue completes what other queues have issued, if it depends on their events. */
static void test_quiet()
{
    sycl::queue q, other;
    static int flag;

    check_case("quiet on a queue");
    flag = 0;
    memset(dest, 0, sizeof dest);
    for (size_t i = 0; i < NELEMS; i++)
        source[i] = me * 5000 + long(i);
    ishmem_barrier_all();

    sycl::event put = ishmemx_put_nbi_on_queue(dest, source, NELEMS, next, q);
    sycl::event quiet = ishmemx_quiet_on_queue(other, {put});

    other
        .submit([&](sycl::handler &h) {
            h.depends_on(quiet);
            h.single_task([] { ishmem_p(&flag, 1, next); });
        })
        .wait();
    ishmem_wait_until(&flag, ISHMEM_CMP_EQ, 1);
    for (size_t i = 0; i < NELEMS; i++)
        if (dest[i] != before * 5000 + long(i))
            check(false, "quiet", "element %zu is %ld", i, dest[i]);
    ishmem_barrier_all();
}

/* All work-items have written before the group's put, and none after its fence is too early. */
static void test_group_memory()
{
    static int ready;
    static long sums[GROUP];

    check_case("memory of a group");
    memset(dest, 0, sizeof dest);
    ready = 0;
    ishmem_barrier_all();
    next_queue()
        .parallel_for(sycl::nd_range<1>{GROUP, GROUP},
                      [=](sycl::nd_item<1> item) {
                          auto group = item.get_group();
                          size_t i = item.get_local_id(0);

                          source[i] = me * 100 + long(i);
                          ishmemx_put_work_group(dest, source, GROUP, next, group);
                          ishmemx_fence_work_group(group);
                          if (i == 2)
                              ishmem_p(&ready, 1, next);
                          ishmemx_wait_until_work_group(&ready, ISHMEM_CMP_EQ, 1, group);
                          for (size_t k = 0; k < GROUP; k++)
                              sums[i] += dest[k] - long(k);
                          ishmemx_quiet_work_group(group);
                      })
        .wait();
    for (long &sum : sums) {
        check_equal(sum, before * 100 * long(GROUP), "group-memory");
        sum = 0;
    }
    ishmem_barrier_all();
}

/* The last work-item of a group, then the last of several groups, lets the first one go on. */
static void test_starvation()
{
    static int turn[16];

    check_case("waits let other work-items run");
    for (int local : {8, 1}) {
        memset(turn, 0, sizeof turn);
        ishmem_barrier_all();
        sycl::nd_range<1> range{8, size_t(local)};
        next_queue()
            .parallel_for(range,
                          [=](sycl::nd_item<1> item) {
                              int i = int(item.get_global_id(0));

                              if (i < 7)
                                  ishmem_wait_until(&turn[i + 1], ISHMEM_CMP_NE, 0);
                              ishmem_p(&turn[i], i + 1, me);
                          })
            .wait();
        for (int i = 0; i < 8; i++)
            check_equal(turn[i], i + 1, "no-starvation");
    }
}

/*
 * The first group of each PE waits in a collective call, for which other PEs are late: they wait
 * for a signal of this PE's last group.
 */
static void test_starvation_by_collectives()
{
    static uint64_t late;
    static int sum, one = 1;

    check_case("collectives let other work-groups run");
    for (int form = 0; form < 3; form++) {
        late = 0;
        sum = -1;
        ishmem_barrier_all();
        sycl::nd_range<1> range{4 * 3, 3};
        next_queue()
            .parallel_for(range,
                          [=](sycl::nd_item<1> item) {
                              auto group = item.get_group();

                              if (group.get_group_id(0) == 0) {
                                  if (me % 2)
                                      ishmemx_signal_wait_until_work_group(&late, ISHMEM_CMP_EQ, 1,
                                                                           group);
                                  if (form == 0)
                                      ishmemx_barrier_all_work_group(group);
                                  if (form == 1)
                                      ishmemx_sum_reduce_work_group(&sum, &one, 1, group);
                                  if (form == 2 && group.leader())
                                      ishmem_team_sync(ISHMEM_TEAM_WORLD);
                              } else if (item.get_global_id(0) == 11) {
                                  ishmemx_signal_set(&late, 1, next);
                              }
                          })
            .wait();
        if (form == 1)
            check_equal(sum, n_pes, "no-starvation");
        ishmem_barrier_all();
    }
}

static void test_queries()
{
    static unsigned long stamps[3];
    int found[6] = {0}, level = -1;
    void *address = nullptr;
    ishmemx_ts_handle_t handles[3];

    check_case("queries and time stamps in a kernel");
    gate = 100 + me;
    for (int i = 0; i < 3; i++)
        handles[i] = ishmemx_ts_handle(&stamps[i]);
    run_in_kernel([&] {
        ishmemx_timestamp(handles[0]);
        found[0] = ishmem_my_pe();
        found[1] = ishmem_n_pes();
        found[2] = ishmem_team_my_pe(ISHMEM_TEAM_WORLD);
        found[3] = ishmem_team_n_pes(ISHMEM_TEAM_WORLD);
        found[4] = ishmem_team_translate_pe(ISHMEM_TEAM_WORLD, next, ISHMEM_TEAM_WORLD);
        address = ishmem_ptr(&gate, me);
        ishmem_info_get_version(&found[5], &level);
        ishmemx_nop();
        ishmemx_timestamp_nbi(handles[1]);
        ishmem_quiet();
        ishmem_fence();
    });
    give_time();
    ishmemx_timestamp(handles[2]);
    check_equal(found[0], me, "my_pe");
    check_equal(found[1], n_pes, "n_pes");
    check_equal(found[2], me, "team_my_pe");
    check_equal(found[3], n_pes, "team_n_pes");
    check_equal(found[4], next, "team_translate_pe");
    check_equal(found[5], ISHMEM_MAJOR_VERSION, "info_get_version");
    check_equal(*static_cast<int *>(address), gate, "ptr");
    check(stamps[0] && stamps[1] > stamps[0], "timestamp", "%lu, then %lu", stamps[0], stamps[1]);
    /* 20 ms are more than the kernel has taken, and a stamp counts more often than each 10 us. */
    check(stamps[2] > stamps[1] + 2000, "timestamp", "%lu, 20 ms later %lu", stamps[1], stamps[2]);
    ishmem_query_thread(&level);
    check_equal(level, ISHMEM_THREAD_MULTIPLE, "init");
}

int main()
{
    start("kernels/order");
    test_pipeline();
    test_asynchronous(true);
    test_asynchronous(false);
    test_beside_host();
    test_results();
    test_quiet();
    test_group_memory();
    test_starvation();
    test_starvation_by_collectives();
    test_queries();
    return finish();
}
