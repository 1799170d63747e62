/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes runs of zeros as their lengths. */
#include "boot/external/card_bytes.h"

#include <string.h>

static size_t zeros_at(const unsigned char *bytes, size_t n)
{
    size_t zeros = 0;

    while (zeros < n && !bytes[zeros])
        zeros++;
    return zeros;
}

size_t tern_card_bytes_shorten(const struct tern_boot_card *card, unsigned char *bytes)
{
    const unsigned char *from = card->bytes, *end = from + sizeof card->bytes;
    unsigned char *to = bytes;

    while (from < end) {
        size_t zeros = zeros_at(from, (size_t)(end - from));

        if (zeros) {
            *to++ = 0;
            *to++ = (unsigned char)(zeros - 1);
            from += zeros;
        } else {
            *to++ = *from++;
        }
    }
    return (size_t)(to - bytes);
}

size_t tern_card_bytes_restore(const unsigned char *bytes, size_t n, struct tern_boot_card *card)
{
    const unsigned char *from = bytes, *last = bytes + n;
    unsigned char *to = card->bytes, *end = to + sizeof card->bytes;

    while (to < end && from < last) {
        unsigned char byte = *from++;
        size_t zeros = byte ? 0 : from < last ? *from++ + 1u : 0;

        if (byte) {
            *to++ = byte;
        } else if (zeros && zeros <= (size_t)(end - to)) {
            memset(to, 0, zeros);
            to += zeros;
        } else {
            return 0;
        }
    }
    return to == end ? (size_t)(from - bytes) : 0;
}

_Static_assert(TERN_BOOT_CARD_BYTES <= 256, "a byte holds the length of every run of zeros");
