/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting and testing: every routine of every type, as it is and as a template. */
#include "ishmem/p2p_test.h"

#define TEST_TYPED(name, type)                                                                     \
    check_case("ishmem_%s_...", #name);                                                            \
    test(one<type>{ishmem_##name##_wait_until, ishmem_##name##_test});                             \
    test(many<type, type>{ishmem_##name##_wait_until_all, ishmem_##name##_wait_until_any,          \
                          ishmem_##name##_wait_until_some, ishmem_##name##_test_all,               \
                          ishmem_##name##_test_any, ishmem_##name##_test_some});                   \
    test(many<type, const type *>{                                                                 \
        ishmem_##name##_wait_until_all_vector, ishmem_##name##_wait_until_any_vector,              \
        ishmem_##name##_wait_until_some_vector, ishmem_##name##_test_all_vector,                   \
        ishmem_##name##_test_any_vector, ishmem_##name##_test_some_vector});

#define TEST_TEMPLATE(name, type)                                                                  \
    check_case("templates for %s", #type);                                                         \
    test(one<type>{ishmem_wait_until<type>, ishmem_test<type>});                                   \
    test(many<type, type>{ishmem_wait_until_all<type>, ishmem_wait_until_any<type>,                \
                          ishmem_wait_until_some<type>, ishmem_test_all<type>,                     \
                          ishmem_test_any<type>, ishmem_test_some<type>});                         \
    test(many<type, const type *>{                                                                 \
        ishmem_wait_until_all_vector<type>, ishmem_wait_until_any_vector<type>,                    \
        ishmem_wait_until_some_vector<type>, ishmem_test_all_vector<type>,                         \
        ishmem_test_any_vector<type>, ishmem_test_some_vector<type>});

int main()
{
    start("ishmem/p2p");
    EACH_AMO_TYPE(TEST_TYPED)
    EACH_AMO_TYPE(TEST_TEMPLATE)
    return finish();
}
