/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses whole numbers, for the library, the programs and the tools: it needs no object file. */
#ifndef TERN_BASE_PARSE_UINT_H
#define TERN_BASE_PARSE_UINT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

/* The value of a digit: 0 to 9, a to f; 16 if it is none. */
static inline unsigned tern_parse_uint_digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return (unsigned)(letter - '0');
    if (letter >= 'a' && letter <= 'f')
        return (unsigned)(letter - 'a') + 10;
    return 16;
}

/*
 * Reads digits of a base up to 16 that `end` follows: 0, and *text points behind `end`, or at it if
 * it is '\0'. Otherwise -EINVAL, or -ERANGE if the number is above `most`.
 */
static inline int tern_parse_uint_until(const char **text, unsigned base, char end, uint64_t most,
                                        uint64_t *value)
{
    const char *at = *text;
    uint64_t number = 0;
    bool fits = true;

    for (; *at != end; at++) {
        unsigned digit = tern_parse_uint_digit(*at);

        if (digit >= base)
            return -EINVAL;
        fits = fits && digit <= most && number <= (most - digit) / base;
        number = fits ? base * number + digit : 0;
    }
    if (at == *text)
        return -EINVAL;
    if (!fits)
        return -ERANGE;
    *text = at + (end != '\0');
    *value = number;
    return 0;
}

/* Reads a text of decimal digits only: 0, -EINVAL, or -ERANGE if the number is above `most`. */
static inline int tern_parse_uint(const char *text, uint64_t most, uint64_t *value)
{
    return tern_parse_uint_until(&text, 10, '\0', most, value);
}

#endif
