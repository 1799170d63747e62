/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of copies of a few bytes, and of more than 64: loops of vectors for some processors. */
#ifndef TERN_BASE_COPY_KERNELS_H
#define TERN_BASE_COPY_KERNELS_H

#include <string.h>

#include "base/compiler.h"
#include "base/copy_words.h"

#ifdef __x86_64__
/* The names of these registers are unknown to a compiler that targets other processors. */
#ifdef __AVX512F__
#define TERN_COPY_REGISTERS , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23"
#else
#define TERN_COPY_REGISTERS
#endif

/*
 * Copies twice 128 bytes. All loads precede all stores, because a load waits for an earlier store
 * to the same offset in another page. Registers from zmm16 on do not slow down later code with
 * shorter vectors.
 */
TERN_INLINE void tern_copy_four_wide(char *to, char *to2, const char *from, const char *from2)
{
    __asm__ volatile("vmovdqu64 (%2), %%zmm16\n\t"
                     "vmovdqu64 64(%2), %%zmm17\n\t"
                     "vmovdqu64 (%3), %%zmm18\n\t"
                     "vmovdqu64 64(%3), %%zmm19\n\t"
                     "vmovdqu64 %%zmm16, (%0)\n\t"
                     "vmovdqu64 %%zmm17, 64(%0)\n\t"
                     "vmovdqu64 %%zmm18, (%1)\n\t"
                     "vmovdqu64 %%zmm19, 64(%1)"
                     :
                     : "r"(to), "r"(to2), "r"(from), "r"(from2)
                     : "memory" TERN_COPY_REGISTERS);
}

/* Copies twice 192 bytes. */
TERN_INLINE void tern_copy_six_wide(char *to, char *to2, const char *from, const char *from2)
{
    __asm__ volatile("vmovdqu64 (%2), %%zmm16\n\t"
                     "vmovdqu64 64(%2), %%zmm17\n\t"
                     "vmovdqu64 128(%2), %%zmm18\n\t"
                     "vmovdqu64 (%3), %%zmm19\n\t"
                     "vmovdqu64 64(%3), %%zmm20\n\t"
                     "vmovdqu64 128(%3), %%zmm21\n\t"
                     "vmovdqu64 %%zmm16, (%0)\n\t"
                     "vmovdqu64 %%zmm17, 64(%0)\n\t"
                     "vmovdqu64 %%zmm18, 128(%0)\n\t"
                     "vmovdqu64 %%zmm19, (%1)\n\t"
                     "vmovdqu64 %%zmm20, 64(%1)\n\t"
                     "vmovdqu64 %%zmm21, 128(%1)"
                     :
                     : "r"(to), "r"(to2), "r"(from), "r"(from2)
                     : "memory" TERN_COPY_REGISTERS);
}

/* Copies twice 256 bytes. */
TERN_INLINE void tern_copy_eight_wide(char *to, char *to2, const char *from, const char *from2)
{
    __asm__ volatile("vmovdqu64 (%2), %%zmm16\n\t"
                     "vmovdqu64 64(%2), %%zmm17\n\t"
                     "vmovdqu64 128(%2), %%zmm18\n\t"
                     "vmovdqu64 192(%2), %%zmm19\n\t"
                     "vmovdqu64 (%3), %%zmm20\n\t"
                     "vmovdqu64 64(%3), %%zmm21\n\t"
                     "vmovdqu64 128(%3), %%zmm22\n\t"
                     "vmovdqu64 192(%3), %%zmm23\n\t"
                     "vmovdqu64 %%zmm16, (%0)\n\t"
                     "vmovdqu64 %%zmm17, 64(%0)\n\t"
                     "vmovdqu64 %%zmm18, 128(%0)\n\t"
                     "vmovdqu64 %%zmm19, 192(%0)\n\t"
                     "vmovdqu64 %%zmm20, (%1)\n\t"
                     "vmovdqu64 %%zmm21, 64(%1)\n\t"
                     "vmovdqu64 %%zmm22, 128(%1)\n\t"
                     "vmovdqu64 %%zmm23, 192(%1)"
                     :
                     : "r"(to), "r"(to2), "r"(from), "r"(from2)
                     : "memory" TERN_COPY_REGISTERS);
}

/* Copies twice 64 bytes. */
TERN_INLINE void tern_copy_two_wide(char *to, char *to2, const char *from, const char *from2)
{
    __asm__ volatile("vmovdqu64 (%2), %%zmm16\n\t"
                     "vmovdqu64 (%3), %%zmm17\n\t"
                     "vmovdqu64 %%zmm16, (%0)\n\t"
                     "vmovdqu64 %%zmm17, (%1)"
                     :
                     : "r"(to), "r"(to2), "r"(from), "r"(from2)
                     : "memory" TERN_COPY_REGISTERS);
}

/* 65 to 512 bytes: both ends, which overlap. */
TERN_INLINE void tern_copy_ends(char *to, const char *from, size_t bytes)
{
    char *end = to + bytes;
    const char *from_end = from + bytes;

    if (bytes <= 128)
        tern_copy_two_wide(to, end - 64, from, from_end - 64);
    else if (bytes <= 256)
        tern_copy_four_wide(to, end - 128, from, from_end - 128);
    else if (bytes <= 384)
        tern_copy_six_wide(to, end - 192, from, from_end - 192);
    else
        tern_copy_eight_wide(to, end - 256, from, from_end - 256);
}

/* More than 64 bytes. From 513 on, aligned parts in a loop, then the last 256 bytes. */
TERN_INLINE void tern_copy_wide(char *to, const char *from, size_t bytes)
{
    char *end = to + bytes;
    const char *from_end = from + bytes;
    size_t skip = 64 - ((uintptr_t)to & 63);

    if (bytes <= 512) {
        tern_copy_ends(to, from, bytes);
        return;
    }
    tern_copy_two_wide(to, to, from, from);
    for (to += skip, from += skip; to < end - 256; to += 256, from += 256)
        tern_copy_four_wide(to, to + 128, from, from + 128);
    tern_copy_four_wide(end - 256, end - 128, from_end - 256, from_end - 128);
}

/* Copies 64 bytes. */
TERN_INLINE void tern_copy_two_narrow(char *to, const char *from)
{
    __asm__ volatile("vmovdqu (%1), %%ymm0\n\t"
                     "vmovdqu 32(%1), %%ymm1\n\t"
                     "vmovdqu %%ymm0, (%0)\n\t"
                     "vmovdqu %%ymm1, 32(%0)"
                     :
                     : "r"(to), "r"(from)
                     : "memory", "xmm0", "xmm1");
}

/* Copies 128 bytes. */
TERN_INLINE void tern_copy_four_narrow(char *to, const char *from)
{
    __asm__ volatile("vmovdqu (%1), %%ymm0\n\t"
                     "vmovdqu 32(%1), %%ymm1\n\t"
                     "vmovdqu 64(%1), %%ymm2\n\t"
                     "vmovdqu 96(%1), %%ymm3\n\t"
                     "vmovdqu %%ymm0, (%0)\n\t"
                     "vmovdqu %%ymm1, 32(%0)\n\t"
                     "vmovdqu %%ymm2, 64(%0)\n\t"
                     "vmovdqu %%ymm3, 96(%0)"
                     :
                     : "r"(to), "r"(from)
                     : "memory", "xmm0", "xmm1", "xmm2", "xmm3");
}

/*
 * More than 64 bytes. Stores to parts of two cache lines take twice as long, so that the loop
 * begins at a line; the bytes before it, and the last 128, are copied apart.
 */
TERN_INLINE void tern_copy_narrow(char *to, const char *from, size_t bytes)
{
    size_t skip = -(uintptr_t)to & 63;
    char *end = to + bytes;
    const char *from_end = from + bytes;

    if (bytes <= 128) {
        tern_copy_two_narrow(to, from);
        tern_copy_two_narrow(end - 64, from_end - 64);
    } else {
        if (skip)
            tern_copy_four_narrow(to, from);
        for (to += skip, from += skip; to < end - 128; to += 128, from += 128)
            tern_copy_four_narrow(to, from);
        tern_copy_four_narrow(end - 128, from_end - 128);
    }
    __asm__ volatile("vzeroupper" ::: "xmm0", "xmm1", "xmm2", "xmm3"); /* for code with SSE */
}
#else
TERN_INLINE void tern_copy_ends(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

TERN_INLINE void tern_copy_wide(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

TERN_INLINE void tern_copy_narrow(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif

/* Fewer than 16 bytes. */
TERN_INLINE void tern_copy_few(char *to, const char *from, size_t bytes)
{
    if (bytes >= 8)
        TERN_COPY_ENDS(tern_copy8, to, from, bytes);
    else if (bytes >= 4)
        TERN_COPY_ENDS(tern_copy4, to, from, bytes);
    else if (bytes >= 2)
        TERN_COPY_ENDS(tern_copy2, to, from, bytes);
    else if (bytes)
        *to = *from;
}

#endif
