/* SPDX-License-Identifier: BSD-3-Clause */
/* Remote memory access: every routine of every type and size, as it is and as a template. */
#include "ishmem/rma_test.h"

#define TEST_TYPED(name, type)                                                                     \
    check_case("ishmem_%s_...", #name);                                                            \
    test<type>(contiguous<type, type>{ishmem_##name##_put, ishmem_##name##_get,                    \
                                      ishmem_##name##_put_nbi, ishmem_##name##_get_nbi});          \
    test<type>(strided<type, type>{ishmem_##name##_iput, ishmem_##name##_iget,                     \
                                   ishmemx_##name##_ibput, ishmemx_##name##_ibget});               \
    test<type>(scalar<type>{ishmem_##name##_p, ishmem_##name##_g});

#define TEST_TEMPLATE(name, type)                                                                  \
    check_case("templates for %s", #type);                                                         \
    test<type>(contiguous<type, type>{ishmem_put<type>, ishmem_get<type>, ishmem_put_nbi<type>,    \
                                      ishmem_get_nbi<type>});                                      \
    test<type>(strided<type, type>{ishmem_iput<type>, ishmem_iget<type>, ishmemx_ibput<type>,      \
                                   ishmemx_ibget<type>});                                          \
    test<type>(scalar<type>{ishmem_p<type>, ishmem_g<type>});

#define TEST_SIZED(bits)                                                                           \
    check_case("%d bits", bits);                                                                   \
    test<bytes<bits / 8>>(contiguous<void, void>{ishmem_put##bits, ishmem_get##bits,               \
                                                 ishmem_put##bits##_nbi, ishmem_get##bits##_nbi}); \
    test<bytes<bits / 8>>(strided<void, void>{ishmem_iput##bits, ishmem_iget##bits,                \
                                              ishmemx_ibput##bits, ishmemx_ibget##bits});

/* Arguments alone choose the type. */
static void test_deduction()
{
    static long numbers[2];
    const long source[] = {1, 2};

    check_case("deduction");
    ishmem_put(numbers, source, 2, next);
    ishmem_barrier_all();
    check_array(numbers, source, 2, "put");
    check_equal(ishmem_g(&numbers[1], next), 2L, "g");
    ishmem_barrier_all();
}

int main()
{
    start("ishmem/rma");
    EACH_TYPE(TEST_TYPED)
    EACH_TYPE(TEST_TEMPLATE)
    EACH_SIZE(TEST_SIZED)
    check_case("mem");
    test<int>(
        contiguous<void, void>{ishmem_putmem, ishmem_getmem, ishmem_putmem_nbi, ishmem_getmem_nbi},
        NELEMS * sizeof(int));
    test_deduction();
    return finish();
}
