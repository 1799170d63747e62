/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts built in an array. */
#ifndef TERN_CHECK_TEXT_H
#define TERN_CHECK_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends to the text, cut off at the array's size. */
static inline void __attribute__((format(printf, 3, 4)))
tern_check_text_add(char *text, size_t size, const char *format, ...)
{
    size_t n = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + n, size - n, format, list);
    va_end(list);
}

#endif
