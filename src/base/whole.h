/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers as users write them, for the library, the programs and the tools: no object file.
 */
#ifndef TERN_BASE_WHOLE_H
#define TERN_BASE_WHOLE_H

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* A whole number in decimal digits, and nothing else: 0, -EINVAL, or -ERANGE if above most. */
static inline int tern_whole_read(const char *text, uint64_t most, uint64_t *value)
{
    uint64_t whole = 0;

    if (!*text || text[strspn(text, "0123456789")])
        return -EINVAL;
    for (; *text; text++) {
        unsigned digit = (unsigned)(*text - '0');

        if (whole > (most - digit) / 10)
            return -ERANGE;
        whole = 10 * whole + digit;
    }
    *value = whole;
    return 0;
}

#endif
