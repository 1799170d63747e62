/* SPDX-License-Identifier: BSD-3-Clause */
/* FNV-1a, a hash of 64 bits, for the library, the programs and the tools: no object file. */
#ifndef TERN_BASE_HASH_H
#define TERN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of nothing, with which most hashes begin. */
#define TERN_HASH_START UINT64_C(0xcbf29ce484222325)

/* Adds a number to a hash: a byte in FNV-1a proper. */
static inline uint64_t tern_hash_add(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x100000001b3);
}

static inline uint64_t tern_hash_add_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *byte = (const unsigned char *)bytes;

    for (size_t i = 0; i < n; i++)
        hash = tern_hash_add(hash, byte[i]);
    return hash;
}

#endif
