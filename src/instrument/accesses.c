/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers the calls in front of loads and stores. */
#include "instrument/calls.h"

#define ACCESSES(bytes)                                                                            \
    CALL(void, read##bytes, (const void *address))                                                 \
    {                                                                                              \
        TELL(load, address, bytes, SITE);                                                          \
    }                                                                                              \
    CALL(void, write##bytes, (const void *address))                                                \
    {                                                                                              \
        TELL(store, address, bytes, SITE);                                                         \
    }                                                                                              \
    CALL(void, read_write##bytes, (const void *address))                                           \
    {                                                                                              \
        TELL(load, address, bytes, SITE);                                                          \
        TELL(store, address, bytes, SITE);                                                         \
    }                                                                                              \
    CALL(void, volatile_read##bytes, (const void *address))                                        \
    {                                                                                              \
        TELL(load_volatile, address, bytes, SITE);                                                 \
    }                                                                                              \
    CALL(void, volatile_write##bytes, (const void *address))                                       \
    {                                                                                              \
        TELL(store_volatile, address, bytes, SITE);                                                \
    }

/* clang-format off */
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

#define UNALIGNED_ACCESSES(bytes)                                                                  \
    CALL(void, unaligned_read##bytes, (const void *address))                                       \
    {                                                                                              \
        TELL(load, address, bytes, SITE);                                                          \
    }                                                                                              \
    CALL(void, unaligned_write##bytes, (const void *address))                                      \
    {                                                                                              \
        TELL(store, address, bytes, SITE);                                                         \
    }                                                                                              \
    CALL(void, unaligned_read_write##bytes, (const void *address))                                 \
    {                                                                                              \
        TELL(load, address, bytes, SITE);                                                          \
        TELL(store, address, bytes, SITE);                                                         \
    }                                                                                              \
    CALL(void, unaligned_volatile_read##bytes, (const void *address))                              \
    {                                                                                              \
        TELL(load_volatile, address, bytes, SITE);                                                 \
    }                                                                                              \
    CALL(void, unaligned_volatile_write##bytes, (const void *address))                             \
    {                                                                                              \
        TELL(store_volatile, address, bytes, SITE);                                                \
    }

UNALIGNED_ACCESSES(2)
UNALIGNED_ACCESSES(4)
UNALIGNED_ACCESSES(8)
UNALIGNED_ACCESSES(16)
/* clang-format on */

CALL(void, read_range, (const void *address, size_t bytes))
{
    TELL(load, address, bytes, SITE);
}

CALL(void, write_range, (const void *address, size_t bytes))
{
    TELL(store, address, bytes, SITE);
}

/* The pointer to a C++ object's virtual functions: it is stored by constructors only. */
CALL(void, vptr_read, (const void *address))
{
    TELL(load, address, sizeof(void *), SITE);
}

CALL(void, vptr_update, (const void *address, const void *value))
{
    if (*(void *const *)address != value)
        TELL(store, address, sizeof(void *), SITE);
}

/* Functions are not followed. */
CALL(void, func_entry, (const void *site))
{
}

CALL(void, func_exit, (void))
{
}

/* Annotations of programs that were written for ThreadSanitizer. */
CALL(void, acquire, (void *address))
{
    TELL(atomic_begin, address, 1, TERN_LOADS, SITE);
    TELL(atomic_end, address, 1, TERN_LOADS);
}

CALL(void, release, (void *address))
{
    TELL(atomic_begin, address, 1, TERN_STORES, SITE);
    TELL(atomic_end, address, 1, TERN_STORES);
}
