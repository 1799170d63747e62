/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations on signed char, which OpenSHMEM lacks. They operate on the aligned 32-bit word
 * around the byte. The word is in the same page, so it is symmetric, too.
 */
#include <stdint.h>

#include "ishmem/convert.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word's first byte is its lowest");

struct place {
    const signed char *byte;
    uint32_t *word;
    unsigned shift; /* the byte's position in the word, in bits */
};

/* The byte that the calling thread operates on, or NULL. `oshrun --check` asks for it. */
static _Thread_local const signed char *current __attribute__((tls_model("initial-exec")));

const void *ishmemi_byte(void);

const void *ishmemi_byte(void)
{
    return current;
}

/* The result of a call that operates on the word for the sake of the byte. */
#define ON_WORD(place, call)                                                                       \
    ({                                                                                             \
        uint32_t result;                                                                           \
                                                                                                   \
        current = (place).byte;                                                                    \
        result = call;                                                                             \
        current = NULL;                                                                            \
        result;                                                                                    \
    })

static struct place place_of(signed char *byte)
{
    uintptr_t offset = (uintptr_t)byte % sizeof(uint32_t);

    return (struct place){
        .byte = byte, .word = (uint32_t *)(void *)(byte - offset), .shift = 8 * (unsigned)offset};
}

static signed char byte_in(uint32_t word, unsigned shift)
{
    return (signed char)(word >> shift);
}

/* Returns a word that holds the byte, and zeros elsewhere. */
static uint32_t bits(signed char byte, unsigned shift)
{
    return (uint32_t)(unsigned char)byte << shift;
}

/* Replaces the word if it still equals `seen`; otherwise stores its value to `seen`. */
static int replaced(struct place at, uint32_t *seen, signed char value, int pe)
{
    uint32_t expected = *seen;
    uint32_t wanted = (expected & ~bits(-1, at.shift)) | bits(value, at.shift);

    *seen = ON_WORD(at, shmem_uint32_atomic_compare_swap(at.word, expected, wanted, pe));
    return *seen == expected;
}

signed char ishmem_schar_atomic_fetch(signed char *source, int pe)
{
    struct place at = place_of(source);

    return byte_in(ON_WORD(at, shmem_uint32_atomic_fetch(at.word, pe)), at.shift);
}

signed char ishmem_schar_atomic_compare_swap(signed char *dest, signed char cond, signed char value,
                                             int pe)
{
    struct place at = place_of(dest);
    uint32_t seen = ON_WORD(at, shmem_uint32_atomic_fetch(at.word, pe));

    while (byte_in(seen, at.shift) == cond)
        if (replaced(at, &seen, value, pe))
            return cond;
    return byte_in(seen, at.shift);
}

signed char ishmem_schar_atomic_swap(signed char *dest, signed char value, int pe)
{
    struct place at = place_of(dest);
    uint32_t seen = ON_WORD(at, shmem_uint32_atomic_fetch(at.word, pe));

    while (!replaced(at, &seen, value, pe))
        ;
    return byte_in(seen, at.shift);
}

signed char ishmem_schar_atomic_fetch_add(signed char *dest, signed char value, int pe)
{
    struct place at = place_of(dest);
    uint32_t seen = ON_WORD(at, shmem_uint32_atomic_fetch(at.word, pe));

    while (!replaced(at, &seen, (signed char)(byte_in(seen, at.shift) + value), pe))
        ;
    return byte_in(seen, at.shift);
}

signed char ishmem_schar_atomic_fetch_inc(signed char *dest, int pe)
{
    return ishmem_schar_atomic_fetch_add(dest, 1, pe);
}

/*
 * The other bytes keep their bits: the operand of `and` has ones there, those of `or` and `xor`
 * zeros.
 */
signed char ishmem_schar_atomic_fetch_and(signed char *dest, signed char value, int pe)
{
    struct place at = place_of(dest);
    uint32_t mask = bits(value, at.shift) | ~bits(-1, at.shift);

    return byte_in(ON_WORD(at, shmem_uint32_atomic_fetch_and(at.word, mask, pe)), at.shift);
}

signed char ishmem_schar_atomic_fetch_or(signed char *dest, signed char value, int pe)
{
    struct place at = place_of(dest);
    uint32_t mask = bits(value, at.shift);

    return byte_in(ON_WORD(at, shmem_uint32_atomic_fetch_or(at.word, mask, pe)), at.shift);
}

signed char ishmem_schar_atomic_fetch_xor(signed char *dest, signed char value, int pe)
{
    struct place at = place_of(dest);
    uint32_t mask = bits(value, at.shift);

    return byte_in(ON_WORD(at, shmem_uint32_atomic_fetch_xor(at.word, mask, pe)), at.shift);
}

void ishmem_schar_atomic_set(signed char *dest, signed char value, int pe)
{
    (void)ishmem_schar_atomic_swap(dest, value, pe);
}

void ishmem_schar_atomic_add(signed char *dest, signed char value, int pe)
{
    (void)ishmem_schar_atomic_fetch_add(dest, value, pe);
}

void ishmem_schar_atomic_inc(signed char *dest, int pe)
{
    (void)ishmem_schar_atomic_fetch_add(dest, 1, pe);
}

void ishmem_schar_atomic_and(signed char *dest, signed char value, int pe)
{
    (void)ishmem_schar_atomic_fetch_and(dest, value, pe);
}

void ishmem_schar_atomic_or(signed char *dest, signed char value, int pe)
{
    (void)ishmem_schar_atomic_fetch_or(dest, value, pe);
}

void ishmem_schar_atomic_xor(signed char *dest, signed char value, int pe)
{
    (void)ishmem_schar_atomic_fetch_xor(dest, value, pe);
}
