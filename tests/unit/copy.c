/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of every size and alignment, against a loop of bytes. */
#include "base/copy.h"
#include "base/copy_choice.h"
#include "base/vectors.h"

#include <string.h>

#include "unit.h"

#define ROOM 40000
#define MARGIN 256

static unsigned char from[ROOM], to[ROOM], expected[ROOM];

static void fill(uint64_t *state)
{
    for (size_t i = 0; i < ROOM; i++) {
        from[i] = (unsigned char)next_random(state);
        to[i] = expected[i] = (unsigned char)~from[i];
    }
}

/* All that surrounds dest has to stay as it was. */
static void expect_copy(size_t dest, size_t source, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        expected[dest + i] = from[source + i];
    tern_copy(to + dest, from + source, bytes);
    if (memcmp(to, expected, ROOM) != 0) {
        fprintf(stderr, "%zu bytes from %zu to %zu\n", bytes, source, dest);
        exit(EXIT_FAILURE);
    }
    memset(to + dest, 0, bytes);
    memset(expected + dest, 0, bytes);
}

static void check_copies(void)
{
    static const size_t large[] = {1023, 4096, 8191, 16383, 16384, 16385, 32768};
    uint64_t state = 1;

    fill(&state);
    for (size_t bytes = 0; bytes <= 900; bytes++)
        for (size_t i = 0; i < 4; i++)
            expect_copy(MARGIN + below(&state, 64), MARGIN + below(&state, 64), bytes);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        for (size_t offset = 0; offset < 64; offset += 7)
            expect_copy(MARGIN + offset, MARGIN + below(&state, 64), large[i]);
    tern_copy(to + MARGIN, to + MARGIN, 4096); /* onto itself */
    CHECK(memcmp(to, expected, ROOM) == 0);
}

/* A measurement chooses among the code of the level, and each size has code that can copy it. */
static void check_measurement(enum tern_vectors level)
{
    tern_copy_is_chosen = false;
    tern_copy_limits = (struct tern_copy_limits){0};
    check_copies();
    CHECK(tern_copy_is_chosen);
    CHECK(tern_copy_limits.ends <= 512);
    CHECK(level >= TERN_VECTORS_AVX2 || !tern_copy_limits.narrow);
    CHECK(level >= TERN_VECTORS_AVX512 || (!tern_copy_limits.ends && !tern_copy_limits.wide));
}

/* All code that this processor can run, each for all sizes, and then by measurement. */
int main(void)
{
    for (int level = 0; level <= (int)tern_vectors_of_processor(); level++) {
        tern_vectors = (enum tern_vectors)level;
        tern_copy_force(tern_vectors);
        check_copies();
        check_measurement(tern_vectors);
    }
    return 0;
}
