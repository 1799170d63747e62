/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A target: what it does with one input must end in order. libFuzzer calls it (fuzz.py), and so
 * does replay.c with the seeds.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* The input as a text, without what follows a null byte; the caller frees it. */
static inline char *text_of(const uint8_t *data, size_t bytes)
{
    char *text = malloc(bytes + 1);

    if (!text)
        abort();
    if (bytes)
        memcpy(text, data, bytes);
    text[bytes] = '\0';
    return text;
}

#endif
