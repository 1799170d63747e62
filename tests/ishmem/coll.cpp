/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of every type, with and without a team, as they are and as templates. */
#include "ishmem/coll_test.h"

#define DATA(name)                                                                                 \
    {                                                                                              \
        ishmem_##name##_alltoall, ishmem_##name##_broadcast, ishmem_##name##_collect,              \
            ishmem_##name##_fcollect                                                               \
    }
#define FOLDS(name)                                                                                \
    {                                                                                              \
        ishmem_##name##_max_reduce, ishmem_##name##_min_reduce, ishmem_##name##_sum_reduce,        \
            ishmem_##name##_prod_reduce                                                            \
    }
#define SCANS(name)                                                                                \
    {                                                                                              \
        ishmem_##name##_sum_inscan, ishmem_##name##_sum_exscan                                     \
    }
#define LOGIC(name)                                                                                \
    {                                                                                              \
        ishmem_##name##_and_reduce, ishmem_##name##_or_reduce, ishmem_##name##_xor_reduce          \
    }
#define TEMPLATE_DATA(type)                                                                        \
    {                                                                                              \
        ishmem_alltoall<type>, ishmem_broadcast<type>, ishmem_collect<type>, ishmem_fcollect<type> \
    }
#define TEMPLATE_FOLDS(type)                                                                       \
    {                                                                                              \
        ishmem_max_reduce<type>, ishmem_min_reduce<type>, ishmem_sum_reduce<type>,                 \
            ishmem_prod_reduce<type>                                                               \
    }
#define TEMPLATE_SCANS(type)                                                                       \
    {                                                                                              \
        ishmem_sum_inscan<type>, ishmem_sum_exscan<type>                                           \
    }
#define TEMPLATE_LOGIC(type)                                                                       \
    {                                                                                              \
        ishmem_and_reduce<type>, ishmem_or_reduce<type>, ishmem_xor_reduce<type>                   \
    }

#define TEST_TYPED(name, type)                                                                     \
    check_case("ishmem_%s_...", #name);                                                            \
    test_data<type, type>(DATA(name), DATA(name));                                                 \
    test_folds<type>(FOLDS(name), FOLDS(name));                                                    \
    test_scans<type>(SCANS(name), SCANS(name));

#define TEST_TEMPLATE(name, type)                                                                  \
    check_case("templates for %s", #type);                                                         \
    test_data<type, type>(TEMPLATE_DATA(type), TEMPLATE_DATA(type));                               \
    test_folds<type>(TEMPLATE_FOLDS(type), TEMPLATE_FOLDS(type));                                  \
    test_scans<type>(TEMPLATE_SCANS(type), TEMPLATE_SCANS(type));

#define TEST_LOGIC(name, type)                                                                     \
    check_case("ishmem_%s_..., bitwise, and templates", #name);                                    \
    test_logic<type>(LOGIC(name), LOGIC(name));                                                    \
    test_logic<type>(TEMPLATE_LOGIC(type), TEMPLATE_LOGIC(type));

#define MEM                                                                                        \
    {                                                                                              \
        ishmem_alltoallmem, ishmem_broadcastmem, ishmem_collectmem, ishmem_fcollectmem             \
    }

int main()
{
    start("ishmem/coll");
    world = {ISHMEM_TEAM_WORLD, 0, 1, n_pes};
    every_second = {ISHMEM_TEAM_INVALID, 0, 2, (n_pes + 1) / 2};
    ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 2, every_second.size, nullptr, 0,
                              &every_second.handle);
    EACH_TYPE(TEST_TYPED)
    EACH_TYPE(TEST_TEMPLATE)
    EACH_LOGIC_TYPE(TEST_LOGIC)
    check_case("mem");
    test_data<int, void>(MEM, MEM, sizeof(int));
    return finish();
}
