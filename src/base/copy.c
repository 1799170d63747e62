/* SPDX-License-Identifier: BSD-3-Clause */
/* The out-of-line part of copying: a few bytes, wide vectors up to 16 KiB, then memcpy(). */
#include "base/copy.h"

#include <stdbool.h>

/*
 * Measured on a core with AVX-512, against memcpy() of glibc 2.36: the call into another library
 * costs 1 ns, which is as much as the copy of 64 bytes; from 1 to 8 KiB the loop below takes 5 to
 * 15 % less time, since glibc turns to `rep movsb` there; from 16 KiB on nothing beats that.
 */
#define WIDE_MOST ((size_t)16384)

/* The most bytes that wide vectors are used for: 0 where the processor has none. */
static TERN_PE_LOCAL size_t wide_most;

#ifdef __x86_64__
/* VBMI2 stands for processors whose clock does not suffer from wide vectors. */
static bool has_wide(void)
{
    return __builtin_cpu_supports("avx512vbmi2");
}

/* A compiler that is not to use them does not know their names. */
#ifdef __AVX512F__
#define WIDE_REGISTERS , "xmm16", "xmm17"
#else
#define WIDE_REGISTERS
#endif

/*
 * Two vectors of 64 bytes. Registers from zmm16 on leave nothing behind that would slow down code
 * with shorter vectors: as intrinsics this would end in a vzeroupper, which the shortest copies
 * notice.
 */
TERN_INLINE void move_two(char *to, char *to2, const char *from, const char *from2)
{
    __asm__ volatile("vmovdqu64 (%2), %%zmm16\n\t"
                     "vmovdqu64 (%3), %%zmm17\n\t"
                     "vmovdqu64 %%zmm16, (%0)\n\t"
                     "vmovdqu64 %%zmm17, (%1)"
                     :
                     : "r"(to), "r"(to2), "r"(from), "r"(from2)
                     : "memory" WIDE_REGISTERS);
}

/* The last 256 bytes, or 128. */
TERN_INLINE void move_end(char *end, const char *from_end, size_t bytes)
{
    if (bytes == 256)
        move_two(end - 256, end - 192, from_end - 256, from_end - 192);
    move_two(end - 128, end - 64, from_end - 128, from_end - 64);
}

/* Up to 512 bytes take no loop: both ends, which overlap. More are stored to aligned places. */
static void copy_wide(char *to, const char *from, size_t bytes)
{
    char *end = to + bytes;
    const char *from_end = from + bytes;

    if (bytes <= 128) {
        move_two(to, end - 64, from, from_end - 64);
        return;
    }
    move_two(to, to + 64, from, from + 64);
    if (bytes <= 256) {
        move_end(end, from_end, 128);
        return;
    }
    if (bytes <= 512) {
        move_two(to + 128, to + 192, from + 128, from + 192);
    } else {
        size_t skip = 128 - ((uintptr_t)to & 63);

        for (to += skip, from += skip; to < end - 256; to += 128, from += 128)
            move_two(to, to + 64, from, from + 64);
    }
    move_end(end, from_end, 256);
}
#else
static bool has_wide(void)
{
    return false;
}

static void copy_wide(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif

__attribute__((constructor)) static void choose(void)
{
    if (has_wide())
        wide_most = WIDE_MOST;
}

void tern_copy_long(void *to, const void *from, size_t bytes)
{
    if (tern_likely(bytes <= wide_most))
        copy_wide(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

void tern_copy_short(void *dest, const void *source, size_t bytes)
{
    char *to = dest;
    const char *from = source;

    if (bytes >= 8)
        TERN_COPY_ENDS(tern_copy8, to, from, bytes);
    else if (bytes >= 4)
        TERN_COPY_ENDS(tern_copy4, to, from, bytes);
    else if (bytes >= 2)
        TERN_COPY_ENDS(tern_copy2, to, from, bytes);
    else if (bytes)
        *to = *from;
}
