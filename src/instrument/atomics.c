/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Carries out the atomic operations of C11, C++11 and the compilers' builtins. Each is sequentially
 * consistent, which includes whatever order the program asks for.
 */
#include <stdint.h>

#include "instrument/calls.h"

#define ORDER __ATOMIC_SEQ_CST

#define AROUND(address, access, operation)                                                         \
    ({                                                                                             \
        __typeof__(operation) result_;                                                             \
        TELL(atomic_begin, (const void *)(address), sizeof *(address), access, SITE);              \
        result_ = (operation);                                                                     \
        TELL(atomic_end, (const void *)(address), sizeof *(address), access);                      \
        result_;                                                                                   \
    })

#define UPDATES (TERN_LOADS | TERN_STORES)

#define FETCHES(bits, type, name)                                                                  \
    CALL(type, atomic##bits##_fetch_##name, (volatile type * word, type value, int order))         \
    {                                                                                              \
        return AROUND(word, UPDATES, FETCH_##bits(name, word, value));                             \
    }

#define ATOMICS(bits, type)                                                                        \
    CALL(type, atomic##bits##_load, (const volatile type *word, int order))                        \
    {                                                                                              \
        return AROUND(word, TERN_LOADS, LOAD_##bits(word));                                        \
    }                                                                                              \
    CALL(void, atomic##bits##_store, (volatile type * word, type value, int order))                \
    {                                                                                              \
        (void)AROUND(word, TERN_STORES, EXCHANGE_##bits(word, value));                             \
    }                                                                                              \
    CALL(type, atomic##bits##_exchange, (volatile type * word, type value, int order))             \
    {                                                                                              \
        return AROUND(word, UPDATES, EXCHANGE_##bits(word, value));                                \
    }                                                                                              \
    CALL(int, atomic##bits##_compare_exchange_strong,                                              \
         (volatile type * word, type * expected, type value, int order, int otherwise))            \
    {                                                                                              \
        type before = *expected;                                                                   \
                                                                                                   \
        *expected = AROUND(word, UPDATES, __sync_val_compare_and_swap(word, before, value));       \
        return *expected == before;                                                                \
    }                                                                                              \
    CALL(int, atomic##bits##_compare_exchange_weak,                                                \
         (volatile type * word, type * expected, type value, int order, int otherwise))            \
    {                                                                                              \
        type before = *expected;                                                                   \
                                                                                                   \
        *expected = AROUND(word, UPDATES, __sync_val_compare_and_swap(word, before, value));       \
        return *expected == before;                                                                \
    }                                                                                              \
    CALL(type, atomic##bits##_compare_exchange_val,                                                \
         (volatile type * word, type expected, type value, int order, int otherwise))              \
    {                                                                                              \
        return AROUND(word, UPDATES, __sync_val_compare_and_swap(word, expected, value));          \
    }                                                                                              \
    FETCHES(bits, type, add)                                                                       \
    FETCHES(bits, type, sub)                                                                       \
    FETCHES(bits, type, and)                                                                       \
    FETCHES(bits, type, or)                                                                        \
    FETCHES(bits, type, xor)                                                                       \
    FETCHES(bits, type, nand)

#define LOAD_8(word) __atomic_load_n(word, ORDER)
#define EXCHANGE_8(word, value) __atomic_exchange_n(word, value, ORDER)
#define FETCH_8(name, word, value) __atomic_fetch_##name(word, value, ORDER)
#define LOAD_16 LOAD_8
#define LOAD_32 LOAD_8
#define LOAD_64 LOAD_8
#define EXCHANGE_16 EXCHANGE_8
#define EXCHANGE_32 EXCHANGE_8
#define EXCHANGE_64 EXCHANGE_8
#define FETCH_16 FETCH_8
#define FETCH_32 FETCH_8
#define FETCH_64 FETCH_8

/* The builtins for 16 bytes call libatomic; __sync_val_compare_and_swap does not. */
typedef unsigned __int128 uint128_t;

#define UNTIL_SWAPPED(word, next)                                                                  \
    ({                                                                                             \
        uint128_t before_, seen_ = 0, next_;                                                       \
                                                                                                   \
        do {                                                                                       \
            before_ = seen_;                                                                       \
            next_ = (next);                                                                        \
            seen_ = __sync_val_compare_and_swap(word, before_, next_);                             \
        } while (seen_ != before_);                                                                \
        before_;                                                                                   \
    })
#define LOAD_128(word) __sync_val_compare_and_swap((uint128_t *)(uintptr_t)(word), 0, 0)
#define EXCHANGE_128(word, value) UNTIL_SWAPPED(word, value)
#define FETCH_128(name, word, value) UNTIL_SWAPPED(word, AFTER_##name(value))
#define AFTER_add(value) (before_ + (value))
#define AFTER_sub(value) (before_ - (value))
#define AFTER_and(value) (before_ & (value))
#define AFTER_or(value) (before_ | (value))
#define AFTER_xor(value) (before_ ^ (value))
#define AFTER_nand(value) (~(before_ & (value)))

/* clang-format off */
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, uint128_t)
/* clang-format on */

CALL(void, atomic_thread_fence, (int order))
{
    __atomic_thread_fence(ORDER);
}

CALL(void, atomic_signal_fence, (int order))
{
    __atomic_signal_fence(ORDER);
}
