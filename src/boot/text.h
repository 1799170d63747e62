/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that PEs and launchers exchange: environment variables, numbers, bytes as letters. */
#ifndef TERN_BOOT_TEXT_H
#define TERN_BOOT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a variable, or NULL; does not use libc's environ, which may not be set yet. */
const char *tern_text_find(char *const *envp, const char *name);

/* Reads a number from 0 to `most`; false if the text is anything else. */
bool tern_text_number(const char *text, int most, int *number);

/* A hash. `seed` is 0, or the hash of the text before this one in a chain. */
uint64_t tern_text_hash(uint64_t seed, const char *text);

/*
 * Bytes as letters, digits, '-' and '_', which every launcher passes on unchanged (RFC 4648's
 * base64url without padding). Packing n bytes writes tern_text_packed(n) characters and a null.
 */
static inline size_t tern_text_packed(size_t n)
{
    return (n * 4 + 2) / 3;
}

void tern_text_pack(const void *bytes, size_t n, char *text);

/* 0, or -EPROTO unless the text is that of exactly n bytes. */
int tern_text_unpack(const char *text, void *bytes, size_t n);

#endif
