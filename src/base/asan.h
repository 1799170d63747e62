/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers of programs that were compiled with AddressSanitizer. The library's own copies bypass the
 * sanitizer, so the library asks it about private buffers.
 */
#ifndef TERN_BASE_ASAN_H
#define TERN_BASE_ASAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the process runs under AddressSanitizer. False if the library was itself compiled with
 * it: its copies are seen then.
 */
bool tern_asan_is_present(void);

/*
 * Lets the sanitizer report an access to n blocks of `bytes` bytes, whose starts are `step` bytes
 * apart, if the program may not read (or write) all of them. That report ends the process, unless
 * the user asked the sanitizer to continue. Without the sanitizer they do nothing.
 */
void tern_asan_check_read(const void *buffer, size_t n, size_t step, size_t bytes);
void tern_asan_check_write(const void *buffer, size_t n, size_t step, size_t bytes);

#endif
