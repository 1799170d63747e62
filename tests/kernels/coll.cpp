/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in kernels, by groups and on queues. */
#include "ishmem/coll_test.h"
#include "kernels/forms.h"

#define TEAM(T) forms<int (*)(ishmem_team_t, T *, const T *, size_t)>
#define ALL(T) forms<int (*)(T *, const T *, size_t)>
#define ROOTED_TEAM(T) forms<int (*)(ishmem_team_t, T *, const T *, size_t, int)>
#define ROOTED_ALL(T) forms<int (*)(T *, const T *, size_t, int)>

/* form: a function of forms. ishmem_ and the words before and behind a verb make a name. */
#define DATA(form, T, alltoall, broadcast, collect, fcollect)                                      \
    data<T>{TEAM(T)::form<alltoall>, ROOTED_TEAM(T)::form<broadcast>, TEAM(T)::form<collect>,      \
            TEAM(T)::form<fcollect>},                                                              \
        data_of_all<T>                                                                             \
    {                                                                                              \
        ALL(T)::form<alltoall>, ROOTED_ALL(T)::form<broadcast>, ALL(T)::form<collect>,             \
            ALL(T)::form<fcollect>                                                                 \
    }

#define TEST_DATA(form, before, after, T)                                                          \
    test_data<T, T>(DATA(form, T, before##alltoall##after, before##broadcast##after,               \
                         before##collect##after, before##fcollect##after));

#define TEST_FOLDS(form, before, after, T)                                                         \
    test_folds<T>(                                                                                 \
        {TEAM(T)::form<before##max_reduce##after>, TEAM(T)::form<before##min_reduce##after>,       \
         TEAM(T)::form<before##sum_reduce##after>, TEAM(T)::form<before##prod_reduce##after>},     \
        {ALL(T)::form<before##max_reduce##after>, ALL(T)::form<before##min_reduce##after>,         \
         ALL(T)::form<before##sum_reduce##after>, ALL(T)::form<before##prod_reduce##after>});

/* There is no form for groups. */
#define TEST_SCANS(form, before, after, T)                                                         \
    test_scans<T>(                                                                                 \
        {TEAM(T)::form<before##sum_inscan##after>, TEAM(T)::form<before##sum_exscan##after>},      \
        {ALL(T)::form<before##sum_inscan##after>, ALL(T)::form<before##sum_exscan##after>});

#define TEST_LOGIC(form, before, after, T)                                                         \
    test_logic<T>(                                                                                 \
        {TEAM(T)::form<before##and_reduce##after>, TEAM(T)::form<before##or_reduce##after>,        \
         TEAM(T)::form<before##xor_reduce##after>},                                                \
        {ALL(T)::form<before##and_reduce##after>, ALL(T)::form<before##or_reduce##after>,          \
         ALL(T)::form<before##xor_reduce##after>});

#define TEST_TYPED(name, type)                                                                     \
    check_case("ishmem_%s_... in a kernel", #name);                                                \
    TEST_DATA(in_kernel, ishmem_##name##_, , type)                                                 \
    TEST_FOLDS(in_kernel, ishmem_##name##_, , type)                                                \
    TEST_SCANS(in_kernel, ishmem_##name##_, , type)                                                \
    check_case("ishmemx_%s_..._work_group", #name);                                                \
    TEST_DATA(by_group, ishmemx_##name##_, _work_group, type)                                      \
    TEST_FOLDS(by_group, ishmemx_##name##_, _work_group, type)                                     \
    check_case("ishmemx_%s_..._on_queue", #name);                                                  \
    TEST_DATA(on_queue, ishmemx_##name##_, _on_queue, type)                                        \
    TEST_FOLDS(on_queue, ishmemx_##name##_, _on_queue, type)                                       \
    TEST_SCANS(on_queue, ishmemx_##name##_, _on_queue, type)

#define TEST_TYPED_LOGIC(name, type)                                                               \
    check_case("bitwise reductions of %s", #name);                                                 \
    TEST_LOGIC(in_kernel, ishmem_##name##_, , type)                                                \
    TEST_LOGIC(by_group, ishmemx_##name##_, _work_group, type)                                     \
    TEST_LOGIC(on_queue, ishmemx_##name##_, _on_queue, type)

#define TEST_TEMPLATES(type)                                                                       \
    check_case("templates in a kernel, by a sub-group and on a queue");                            \
    TEST_DATA(in_kernel, ishmem_, , type)                                                          \
    TEST_DATA(by_sub_group, ishmemx_, _work_group, type)                                           \
    TEST_DATA(on_queue, ishmemx_, _on_queue, type)                                                 \
    TEST_FOLDS(in_kernel, ishmem_, , type)                                                         \
    TEST_FOLDS(by_sub_group, ishmemx_, _work_group, type)                                          \
    TEST_FOLDS(on_queue, ishmemx_, _on_queue, type)                                                \
    TEST_SCANS(in_kernel, ishmem_, , type)                                                         \
    TEST_SCANS(on_queue, ishmemx_, _on_queue, type)                                                \
    TEST_LOGIC(in_kernel, ishmem_, , type)                                                         \
    TEST_LOGIC(by_sub_group, ishmemx_, _work_group, type)                                          \
    TEST_LOGIC(on_queue, ishmemx_, _on_queue, type)

#define TEST_MEM(form, x, after)                                                                   \
    check_case("mem: " #form);                                                                     \
    test_data<int, void>(DATA(form, void, ishmem##x##alltoallmem##after,                           \
                              ishmem##x##broadcastmem##after, ishmem##x##collectmem##after,        \
                              ishmem##x##fcollectmem##after),                                      \
                         sizeof(int));

/* No PE leaves before all have come; a barrier completes puts that were not waited for. */
template <typename Barrier, typename Sync, typename TeamSync>
static void test_barriers(Barrier barrier, Sync sync, TeamSync team_sync)
{
    static int arrived[MAX_PES], from;
    auto everybody = [](int round) {
        for (int pe = 0; pe < n_pes; pe++)
            if (arrived[pe] < round)
                return false;
        return true;
    };

    for (int round = 1; round <= 9; round += 3) {
        for (int pe = 0; pe < n_pes; pe++)
            ishmem_p(&arrived[me], round, pe);
        ishmem_put_nbi(&from, &me, 1, next);
        barrier();
        check(everybody(round), "barrier_all", "not all PEs have arrived");
        check_equal(from, before, "barrier_all");
        for (int pe = 0; pe < n_pes; pe++)
            ishmem_p(&arrived[me], round + 1, pe);
        ishmem_quiet();
        sync();
        check(everybody(round + 1), "sync_all", "not all PEs have arrived");
        for (int pe = 0; pe < n_pes; pe++)
            ishmem_p(&arrived[me], round + 2, pe);
        ishmem_quiet();
        check_equal(team_sync(world.handle), 0, "team_sync");
        check(everybody(round + 2), "team_sync", "not all PEs have arrived");
        ishmem_barrier_all();
    }
    for (int &one : arrived)
        one = 0;
    ishmem_barrier_all();
}

static void test_all_barriers()
{
    typedef forms<void (*)()> all;
    typedef forms<int (*)(ishmem_team_t)> on_team;

    check_case("barriers in a kernel");
    test_barriers(all::in_kernel<ishmem_barrier_all>, all::in_kernel<ishmem_sync_all>,
                  on_team::in_kernel<ishmem_team_sync>);
    check_case("barriers by a group");
    test_barriers(all::by_group<ishmemx_barrier_all_work_group>,
                  all::by_sub_group<ishmemx_sync_all_work_group>,
                  on_team::by_silent_group<ishmemx_team_sync_work_group>);
    check_case("barriers on a queue");
    test_barriers(all::on_queue<ishmemx_barrier_all_on_queue>,
                  all::on_queue<ishmemx_sync_all_on_queue>,
                  on_team::on_queue<ishmemx_team_sync_on_queue>);
}

int main()
{
    start("kernels/coll");
    world = {ISHMEM_TEAM_WORLD, 0, 1, n_pes};
    every_second = {ISHMEM_TEAM_INVALID, 0, 2, (n_pes + 1) / 2};
    ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 2, every_second.size, nullptr, 0,
                              &every_second.handle);
    TEST_TYPED(schar, signed char)
    TEST_TYPED(double, double)
    TEST_TYPED_LOGIC(ushort, unsigned short)
    TEST_TEMPLATES(unsigned int)
    TEST_MEM(in_kernel, _, )
    TEST_MEM(by_group, x_, _work_group)
    TEST_MEM(on_queue, x_, _on_queue)
    test_all_barriers();
    ishmem_team_destroy(every_second.handle);
    return finish();
}
