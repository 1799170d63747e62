/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of reductions with each level of vectors, against plain ones: equal bits. */
#include "coll/reduction_kernel.h"

#include <math.h>
#include <string.h>

#include "unit.h"

#define MOST 300  /* elements */
#define MARGIN 64 /* bytes behind them, which have to stay as they are */
#define BYTES (MOST * sizeof(long double) + 2 * MARGIN)

static _Alignas(64) unsigned char a[BYTES], b[BYTES], plain[BYTES], found[BYTES];

static void fill(unsigned char *bytes, uint64_t *state)
{
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)next_random(state);
}

/* Where the level could differ: unordered values, and zeros that compare equal. */
#define SPECIAL(name, type)                                                                        \
    static void name(unsigned char *bytes, uint64_t *state)                                        \
    {                                                                                              \
        static const type values[] = {(type)NAN, (type)INFINITY, (type)-INFINITY, 0, (type)-0.0};  \
                                                                                                   \
        for (size_t i = 0; i < MOST; i++) {                                                        \
            type value = (type)((double)below(state, 1000) / 7 - 70);                              \
                                                                                                   \
            if (below(state, 2))                                                                   \
                value = values[below(state, 5)];                                                   \
            memcpy(bytes + i * sizeof value, &value, sizeof value);                                \
        }                                                                                          \
    }
SPECIAL(fill_floats, float)
SPECIAL(fill_doubles, double)

static void expect_equal(const char *name, int level, size_t n, size_t offset)
{
    if (memcmp(found, plain, BYTES) != 0) {
        fprintf(stderr, "%s: %zu elements from byte %zu differ with level %d\n", name, n, offset,
                level);
        exit(EXIT_FAILURE);
    }
}

static void combine(const struct tern_reduction_kernel *kernel, int level, unsigned char *out,
                    const void *x, const void *y, size_t n)
{
    tern_vectors = (enum tern_vectors)level;
    tern_reduction_combine(kernel, out, x, y, n);
}

/* The result goes to memory of its own, over the first operand, and over the second. */
static void check(const char *name, const struct tern_reduction_kernel *kernel, int level, size_t n,
                  size_t offset)
{
    size_t at = offset * kernel->size;

    memset(plain, 1, BYTES);
    memset(found, 1, BYTES);
    combine(kernel, TERN_VECTORS_PLAIN, plain + at, a + at, b, n);
    combine(kernel, level, found + at, a + at, b, n);
    expect_equal(name, level, n, offset);
    memcpy(plain, a, BYTES);
    memcpy(found, a, BYTES);
    combine(kernel, TERN_VECTORS_PLAIN, plain + at, plain + at, b, n);
    combine(kernel, level, found + at, found + at, b, n);
    expect_equal(name, level, n, offset);
    memcpy(plain, b, BYTES);
    memcpy(found, b, BYTES);
    combine(kernel, TERN_VECTORS_PLAIN, plain, a + at, plain, n);
    combine(kernel, level, found, a + at, found, n);
    expect_equal(name, level, n, offset);
}

static void check_sizes(const char *name, const struct tern_reduction_kernel *kernel)
{
    if (!kernel->combine[TERN_VECTORS_PLAIN])
        return;
    for (int level = 1; level <= (int)tern_vectors_of_processor(); level++)
        for (size_t n = 0; n < MOST - 4; n = n < 140 ? n + 1 : n + 37)
            check(name, kernel, level, n, n % 4);
}

static void check_type(const char *name, const struct tern_reduction_kernels *kernels)
{
    char text[64];

#define CHECK_OPERATION(op)                                                                        \
    do {                                                                                           \
        snprintf(text, sizeof text, "%s of %s", #op, name);                                        \
        check_sizes(text, &kernels->op);                                                           \
    } while (0)
    CHECK_OPERATION(sum);
    CHECK_OPERATION(prod);
    CHECK_OPERATION(min);
    CHECK_OPERATION(max);
    CHECK_OPERATION(and);
    CHECK_OPERATION(or);
    CHECK_OPERATION(xor);
}

#define CHECK_TYPE(type) check_type(#type, &tern_reduction_kernels_##type)

int main(void)
{
    uint64_t state = 1;

    fill(a, &state);
    fill(b, &state);
    CHECK_TYPE(int8);
    CHECK_TYPE(int16);
    CHECK_TYPE(int32);
    CHECK_TYPE(int64);
    CHECK_TYPE(uint8);
    CHECK_TYPE(uint16);
    CHECK_TYPE(uint32);
    CHECK_TYPE(uint64);
    fill_floats(a, &state);
    fill_floats(b, &state);
    CHECK_TYPE(float);
    CHECK_TYPE(complexf);
    fill_doubles(a, &state);
    fill_doubles(b, &state);
    CHECK_TYPE(double);
    CHECK_TYPE(complexd);
    return 0;
}
