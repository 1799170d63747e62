/* SPDX-License-Identifier: BSD-3-Clause */
/* Environment variables, numbers, hashes, base64. */
#include "boot/text.h"

#include <errno.h>
#include <string.h>

#include "base/environment.h"
#include "base/hash.h"
#include "base/parse_uint.h"

const char *tern_text_find(char *const *envp, const char *name)
{
    return tern_environment_find(envp, name, strlen(name));
}

bool tern_text_number(const char *text, int most, int *number)
{
    uint64_t value;

    if (most < 0 || tern_parse_uint(text, (uint64_t)most, &value) != 0)
        return false;
    *number = (int)value;
    return true;
}

/* With the null that ends the text: "ab", "c" and "a", "bc" have different hashes. */
uint64_t tern_text_hash(uint64_t seed, const char *text)
{
    return tern_hash_add_bytes(seed ? seed : TERN_HASH_START, text, strlen(text) + 1);
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void tern_text_pack(const void *bytes, size_t n, char *text)
{
    const unsigned char *b = bytes;
    uint32_t bits = 0;
    unsigned held = 0;

    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | b[i];
        for (held += 8; held >= 6; held -= 6)
            *text++ = letters[bits >> (held - 6) & 63];
    }
    if (held)
        *text++ = letters[bits << (6 - held) & 63];
    *text = '\0';
}

int tern_text_unpack(const char *text, void *bytes, size_t n)
{
    unsigned char *b = bytes;
    uint32_t bits = 0;
    unsigned held = 0;

    if (strlen(text) != tern_text_packed(n))
        return -EPROTO;
    for (; *text; text++) {
        const char *letter = strchr(letters, *text);

        if (!letter)
            return -EPROTO;
        bits = bits << 6 | (uint32_t)(letter - letters);
        held += 6;
        if (held >= 8) {
            held -= 8;
            *b++ = (unsigned char)(bits >> held);
        }
    }
    return 0;
}
