/* SPDX-License-Identifier: BSD-3-Clause */
/* Text as launchers give and take it: words of the environment, numbers, bytes in letters. */
#ifndef TERN_BOOT_TEXT_H
#define TERN_BOOT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* getenv() for a time when libc's environ may not be set yet: the value, or NULL. */
const char *tern_text_find(char *const *envp, const char *name);

/* A whole number from 0 to `most`, and nothing else. */
bool tern_text_number(const char *text, int most, int *number);

/* Names are long and their room is short. `seed` chains several: 0 for the first. */
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
