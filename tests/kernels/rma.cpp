/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers and signaling operations in kernels, by groups and on queues. */
#include "ishmem/rma_test.h"
#include "ishmem/signal_test.h"
#include "kernels/forms.h"

/* Small and large ones, and a real one. */
#define EACH_SAMPLE(X) X(schar, signed char) X(float, float) X(size, size_t)

/* What takes all forms of the routines of a type: form is the name of a function of forms. */
#define TRANSFERS(form, T, put, get, put_nbi, get_nbi)                                             \
    contiguous<T, T>                                                                               \
    {                                                                                              \
        forms<void (*)(T *, const T *, size_t, int)>::form<put>,                                   \
            forms<void (*)(T *, const T *, size_t, int)>::form<get>,                               \
            forms<void (*)(T *, const T *, size_t, int)>::form<put_nbi>,                           \
            forms<void (*)(T *, const T *, size_t, int)>::form<get_nbi>                            \
    }
#define STRIDED(form, T, iput, iget, ibput, ibget)                                                 \
    strided<T, T>                                                                                  \
    {                                                                                              \
        forms<void (*)(T *, const T *, ptrdiff_t, ptrdiff_t, size_t, int)>::form<iput>,            \
            forms<void (*)(T *, const T *, ptrdiff_t, ptrdiff_t, size_t, int)>::form<iget>,        \
            forms<void (*)(T *, const T *, ptrdiff_t, ptrdiff_t, size_t, size_t,                   \
                           int)>::form<ibput>,                                                     \
            forms<void (*)(T *, const T *, ptrdiff_t, ptrdiff_t, size_t, size_t,                   \
                           int)>::form<ibget>                                                      \
    }
#define SIGNAL(form, T, put) forms<put_signal<T>>::form<put>

#define TEST_FORM(form, before, name, after, T, E)                                                 \
    test<T>(TRANSFERS(form, E, ishmem##before##name##put##after, ishmem##before##name##get##after, \
                      ishmem##before##name##put_nbi##after,                                        \
                      ishmem##before##name##get_nbi##after));                                      \
    test<T>(STRIDED(form, E, ishmem##before##name##iput##after, ishmem##before##name##iget##after, \
                    ishmemx_##name##ibput##after, ishmemx_##name##ibget##after));                  \
    test<T, E>(SIGNAL(form, E, ishmem##before##name##put_signal##after), "put_signal");            \
    test<T, E>(SIGNAL(form, E, ishmem##before##name##put_signal_nbi##after), "put_signal_nbi");

#define TEST_TYPED(name, type)                                                                     \
    check_case("ishmem_%s_... in a kernel", #name);                                                \
    TEST_FORM(in_kernel, _, name##_, , type, type)                                                 \
    test<type>(scalar<type>{forms<void (*)(type *, type, int)>::in_kernel<ishmem_##name##_p>,      \
                            forms<type (*)(const type *, int)>::in_kernel<ishmem_##name##_g>});    \
    check_case("ishmemx_%s_..._work_group", #name);                                                \
    TEST_FORM(by_group, x_, name##_, _work_group, type, type)                                      \
    check_case("ishmemx_%s_..._on_queue", #name);                                                  \
    TEST_FORM(on_queue, x_, name##_, _on_queue, type, type)

#define TEST_TEMPLATES(name, type)                                                                 \
    check_case("templates in a kernel, for %s", #name);                                            \
    TEST_FORM(in_kernel, _, , , type, type)                                                        \
    check_case("templates by a sub-group, for %s", #name);                                         \
    TEST_FORM(by_sub_group, x_, , _work_group, type, type)                                         \
    check_case("templates on a queue, for %s", #name);                                             \
    TEST_FORM(on_queue, x_, , _on_queue, type, type)

#define TEST_SIZED(bits)                                                                           \
    check_case("%d bits", bits);                                                                   \
    TEST_SIZED_FORM(in_kernel, _, bits, )                                                          \
    TEST_SIZED_FORM(by_group, x_, bits, _work_group)                                               \
    TEST_SIZED_FORM(on_queue, x_, bits, _on_queue)

#define TEST_SIZED_FORM(form, x, bits, after)                                                      \
    test<bytes<bits / 8>>(                                                                         \
        TRANSFERS(form, void, ishmem##x##put##bits##after, ishmem##x##get##bits##after,            \
                  ishmem##x##put##bits##_nbi##after, ishmem##x##get##bits##_nbi##after));          \
    test<bytes<bits / 8>>(STRIDED(form, void, ishmem##x##iput##bits##after,                        \
                                  ishmem##x##iget##bits##after, ishmemx_ibput##bits##after,        \
                                  ishmemx_ibget##bits##after));                                    \
    test<bytes<bits / 8>, void>(SIGNAL(form, void, ishmem##x##put##bits##_signal##after),          \
                                "put_signal");                                                     \
    test<bytes<bits / 8>, void>(SIGNAL(form, void, ishmem##x##put##bits##_signal_nbi##after),      \
                                "put_signal_nbi");

#define TEST_MEM(form, x, after)                                                                   \
    test<int>(TRANSFERS(form, void, ishmem##x##putmem##after, ishmem##x##getmem##after,            \
                        ishmem##x##putmem_nbi##after, ishmem##x##getmem_nbi##after),               \
              NELEMS * sizeof(int));                                                               \
    test<int, void>(SIGNAL(form, void, ishmem##x##putmem_signal##after), "put_signal",             \
                    SIGNAL_NELEMS * sizeof(int));                                                  \
    test<int, void>(SIGNAL(form, void, ishmem##x##putmem_signal_nbi##after), "put_signal_nbi",     \
                    SIGNAL_NELEMS * sizeof(int));

int main()
{
    start("kernels/rma");
    EACH_SAMPLE(TEST_TYPED)
    TEST_TEMPLATES(int, int)
    EACH_SIZE(TEST_SIZED)
    check_case("mem");
    TEST_MEM(in_kernel, _, )
    TEST_MEM(by_group, x_, _work_group)
    TEST_MEM(on_queue, x_, _on_queue)
    return finish();
}
