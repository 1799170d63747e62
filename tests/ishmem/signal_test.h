/* SPDX-License-Identifier: BSD-3-Clause */
/* Signaling operations: the test of each routine, whichever form it has. */
#ifndef ISHMEM_SIGNAL_TEST_H
#define ISHMEM_SIGNAL_TEST_H

#include <cstring>
#include <initializer_list>

#include "ishmem/types.h"

constexpr size_t SIGNAL_NELEMS = 9;

template <typename T> T signal_dest[SIGNAL_NELEMS];
static uint64_t flag;

template <typename E>
using put_signal = void (*)(E *, const E *, size_t, uint64_t *, uint64_t, int, int);

/* The neighbour's data is here once its signal is. */
template <typename T, typename E>
static void test(put_signal<E> put, const char *name, size_t nelems = SIGNAL_NELEMS)
{
    T source[SIGNAL_NELEMS], expected[SIGNAL_NELEMS];
    uint64_t found;

    fill(source, SIGNAL_NELEMS, me, 1);
    fill(expected, SIGNAL_NELEMS, before, 1);
    for (int op : {ISHMEM_SIGNAL_SET, ISHMEM_SIGNAL_ADD}) {
        memset(signal_dest<T>, 0, sizeof signal_dest<T>);
        flag = 100;
        ishmem_barrier_all();
        put(signal_dest<T>, source, nelems, &flag, 7, op, next);
        found = ishmem_signal_wait_until(&flag, ISHMEM_CMP_NE, 100);
        check_equal(found, op == ISHMEM_SIGNAL_SET ? 7u : 107u, name);
        check_equal(ishmem_signal_fetch(&flag), found, "signal_fetch");
        check(memcmp(signal_dest<T>, expected, sizeof expected) == 0, name,
              "the data is not there");
        ishmem_quiet();
        ishmem_barrier_all();
    }
}

#endif
