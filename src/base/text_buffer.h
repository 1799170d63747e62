/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a text in an array, for the library, the programs and the tools: no object file. */
#ifndef TERN_BASE_TEXT_BUFFER_H
#define TERN_BASE_TEXT_BUFFER_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"

/* Appends to the text in a buffer of `size` bytes; what has no room is cut off. */
static inline void tern_text_buffer_add_list(char *buffer, size_t size, const char *format,
                                             va_list list)
{
    size_t length = strlen(buffer);

    vsnprintf(buffer + length, size - length, format, list);
}

static inline void TERN_PRINTF(3, 4)
    tern_text_buffer_add(char *buffer, size_t size, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    tern_text_buffer_add_list(buffer, size, format, list);
    va_end(list);
}

#endif
