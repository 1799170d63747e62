/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of one PE that use teams of their own, while others make and destroy some. */
#include <atomic>
#include <thread>

#include "ishmem/types.h"

constexpr int THREADS = 3, ROUNDS = 40;

static ishmem_team_t teams[THREADS];
static long sums[THREADS], parts[THREADS];
static std::atomic<int> wrong;

static void reduce(int thread)
{
    long expected = 0;

    for (int pe = 0; pe < n_pes; pe++)
        expected += pe * (thread + 1);
    parts[thread] = me * (thread + 1);
    for (int i = 0; i < ROUNDS; i++) {
        sums[thread] = -1;
        ishmem_sum_reduce(teams[thread], &sums[thread], &parts[thread], 1);
        wrong += sums[thread] != expected;
        ishmem_team_sync(teams[thread]);
    }
}

/* Splits the team of thread 0, whose turn it is then. */
static void split()
{
    for (int i = 0; i < ROUNDS; i++) {
        ishmem_team_t team;

        ishmem_team_split_strided(teams[0], 0, 1, n_pes, nullptr, 0, &team);
        wrong += ishmem_team_n_pes(team) != n_pes;
        ishmem_team_destroy(team);
    }
}

int main()
{
    int provided = -1, level = -1;
    int failed = ishmem_init_thread(ISHMEM_THREAD_MULTIPLE, &provided);

    check_attach("ishmem/threads");
    me = ishmem_my_pe();
    n_pes = ishmem_n_pes();
    check_case("levels");
    check_equal(failed, 0, "init_thread");
    check_equal(provided, ISHMEM_THREAD_MULTIPLE, "init_thread");
    ishmem_query_thread(&level);
    check_equal(level, ISHMEM_THREAD_MULTIPLE, "query_thread");
    check_equal(ishmemx_runtime_get_type(), ISHMEMX_RUNTIME_OPENSHMEM, "runtime_get_type");

    check_case("teams");
    for (ishmem_team_t &team : teams)
        ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 1, n_pes, nullptr, 0, &team);
    std::thread one(reduce, 1), two(reduce, 2);
    split();
    one.join();
    two.join();
    check_equal(wrong.load(), 0, "teams-of-threads");
    return finish();
}
