/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions in front of libc's: the linker sends the calls of the library and of the test here. */
#include "large/memory.h"

#include <malloc.h>
#include <stddef.h>

static _Thread_local long held;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);

static void *add(void *memory)
{
    held += memory ? (long)malloc_usable_size(memory) : 0;
    return memory;
}

long memory_held(void)
{
    return held;
}

void *__wrap_malloc(size_t bytes)
{
    return add(__real_malloc(bytes));
}

void *__wrap_calloc(size_t n, size_t bytes)
{
    return add(__real_calloc(n, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    held -= memory ? (long)malloc_usable_size(memory) : 0;
    return add(__real_realloc(memory, bytes));
}

void __wrap_free(void *memory)
{
    held -= memory ? (long)malloc_usable_size(memory) : 0;
    __real_free(memory);
}
