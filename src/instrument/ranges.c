/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the C library that access ranges of memory. The linker passes the program's calls of
 * NAME to __wrap_NAME, and those of __real_NAME to the C library. Compilers may also call
 * __tsan_memcpy and its like.
 */
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "instrument/calls.h"

#define WRAP(type, name, arguments)                                                                \
    type __real_##name arguments;                                                                  \
    type __wrap_##name arguments;                                                                  \
    type __wrap_##name arguments

#define LOADS(address, bytes) TELL(load, address, bytes, SITE)
#define STORES(address, bytes) TELL(store, address, bytes, SITE)

/* ---- memory ---- */

#define COPIES(name)                                                                               \
    WRAP(void *, name, (void *dest, const void *source, size_t n))                                 \
    {                                                                                              \
        LOADS(source, n);                                                                          \
        STORES(dest, n);                                                                           \
        return __real_##name(dest, source, n);                                                     \
    }
#define CHECKED_COPIES(name)                                                                       \
    WRAP(void *, name, (void *dest, const void *source, size_t n, size_t room))                    \
    {                                                                                              \
        LOADS(source, n);                                                                          \
        STORES(dest, n);                                                                           \
        return __real_##name(dest, source, n, room);                                               \
    }

/* clang-format off */
COPIES(memcpy)
COPIES(memmove)
COPIES(mempcpy)
CHECKED_COPIES(__memcpy_chk)
CHECKED_COPIES(__memmove_chk)
CHECKED_COPIES(__mempcpy_chk)
/* clang-format on */

WRAP(void *, memset, (void *dest, int value, size_t n))
{
    STORES(dest, n);
    return __real_memset(dest, value, n);
}

WRAP(void *, __memset_chk, (void *dest, int value, size_t n, size_t room))
{
    STORES(dest, n);
    return __real___memset_chk(dest, value, n, room);
}

WRAP(void, bzero, (void *dest, size_t n))
{
    STORES(dest, n);
    __real_memset(dest, 0, n);
}

WRAP(int, memcmp, (const void *left, const void *right, size_t n))
{
    LOADS(left, n);
    LOADS(right, n);
    return __real_memcmp(left, right, n);
}

CALL(void *, memcpy, (void *dest, const void *source, size_t n))
{
    LOADS(source, n);
    STORES(dest, n);
    return __real_memcpy(dest, source, n);
}

CALL(void *, memmove, (void *dest, const void *source, size_t n))
{
    LOADS(source, n);
    STORES(dest, n);
    return __real_memmove(dest, source, n);
}

CALL(void *, memset, (void *dest, int value, size_t n))
{
    STORES(dest, n);
    return __real_memset(dest, value, n);
}

/* ---- strings ---- */

WRAP(size_t, strlen, (const char *text))
{
    size_t n = __real_strlen(text);

    LOADS(text, n + 1);
    return n;
}

WRAP(char *, strcpy, (char *dest, const char *source))
{
    size_t n = __real_strlen(source) + 1;

    LOADS(source, n);
    STORES(dest, n);
    return __real_strcpy(dest, source);
}

WRAP(char *, __strcpy_chk, (char *dest, const char *source, size_t room))
{
    size_t n = __real_strlen(source) + 1;

    LOADS(source, n);
    STORES(dest, n);
    return __real___strcpy_chk(dest, source, room);
}

WRAP(char *, strncpy, (char *dest, const char *source, size_t n))
{
    LOADS(source, strnlen(source, n));
    STORES(dest, n);
    return __real_strncpy(dest, source, n);
}

WRAP(char *, strcat, (char *dest, const char *source))
{
    size_t n = __real_strlen(source) + 1, before = __real_strlen(dest);

    LOADS(source, n);
    LOADS(dest, before + 1);
    STORES(dest + before, n);
    return __real_strcat(dest, source);
}

WRAP(int, strcmp, (const char *left, const char *right))
{
    LOADS(left, __real_strlen(left) + 1);
    LOADS(right, __real_strlen(right) + 1);
    return __real_strcmp(left, right);
}

WRAP(int, strncmp, (const char *left, const char *right, size_t n))
{
    LOADS(left, strnlen(left, n));
    LOADS(right, strnlen(right, n));
    return __real_strncmp(left, right, n);
}

/* ---- files ---- */

WRAP(ssize_t, read, (int fd, void *dest, size_t n))
{
    ssize_t done = __real_read(fd, dest, n);

    if (done > 0)
        STORES(dest, (size_t)done);
    return done;
}

WRAP(ssize_t, write, (int fd, const void *source, size_t n))
{
    LOADS(source, n);
    return __real_write(fd, source, n);
}

WRAP(size_t, fread, (void *dest, size_t bytes, size_t n, FILE *file))
{
    size_t done = __real_fread(dest, bytes, n, file);

    STORES(dest, done * bytes);
    return done;
}

WRAP(size_t, fwrite, (const void *source, size_t bytes, size_t n, FILE *file))
{
    LOADS(source, n * bytes);
    return __real_fwrite(source, bytes, n, file);
}
