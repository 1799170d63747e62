/* SPDX-License-Identifier: BSD-3-Clause */
/* A load and a store as routines of a shared library. */
#include "by_hand.h"

void by_hand_store(long *to, long value)
{
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

long by_hand_load(const long *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

void by_hand_store_int(unsigned *to, unsigned value)
{
    __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

unsigned by_hand_load_int(const unsigned *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}
