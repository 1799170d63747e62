/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers as users write them, for the library, the programs and the tools: no object file.
 */
#ifndef TERN_BASE_PARSE_UINT_H
#define TERN_BASE_PARSE_UINT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

/* 16 for what is no digit; those above 9 are small letters. */
static inline unsigned tern_whole_digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return (unsigned)(letter - '0');
    if (letter >= 'a' && letter <= 'f')
        return (unsigned)(letter - 'a') + 10;
    return 16;
}

/*
 * Digits of a base up to 16, then `end`: 0, and *text is behind that, or at it if it is the text's.
 * Otherwise -EINVAL, or -ERANGE if the number is above most.
 */
static inline int tern_whole_take(const char **text, unsigned base, char end, uint64_t most,
                                  uint64_t *value)
{
    const char *at = *text;
    uint64_t whole = 0;
    bool fits = true;

    for (; *at != end; at++) {
        unsigned digit = tern_whole_digit(*at);

        if (digit >= base)
            return -EINVAL;
        fits = fits && digit <= most && whole <= (most - digit) / base;
        whole = fits ? base * whole + digit : 0;
    }
    if (at == *text)
        return -EINVAL;
    if (!fits)
        return -ERANGE;
    *text = at + (end != '\0');
    *value = whole;
    return 0;
}

/* A whole number in decimal digits, and nothing else: 0, -EINVAL, or -ERANGE if above most. */
static inline int tern_whole_read(const char *text, uint64_t most, uint64_t *value)
{
    return tern_whole_take(&text, 10, '\0', most, value);
}

#endif
