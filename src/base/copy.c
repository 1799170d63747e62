/* SPDX-License-Identifier: BSD-3-Clause */
/* The out-of-line part of copying: a few bytes, loops of vectors, then memcpy(). */
#include "base/copy.h"

#include "base/vectors.h"

/*
 * Measured on a core with AVX-512 against memcpy() of glibc 2.36: the call into another library
 * costs 1 ns, as much as a copy of 64 bytes.
 *
 * Intel's Sapphire Rapids: from 1 to 8 KiB a loop of wide vectors takes 5 to 15 % less time than
 * the `rep movsb` that glibc uses there. From 16 KiB on `rep movsb` is the fastest.
 *
 * AMD's Zen 4: from 512 bytes to 1 MiB a loop of narrow vectors takes up to 30 % less time than
 * either. If dest is 1 to 63 bytes ahead of source in its page, `rep movsb` takes 16 to 60 times as
 * long. Above, glibc uses a loop, or stores past the caches.
 */
#define WIDE_MOST ((size_t)16384)
#define WIDE_MOST_BEFORE_NARROW ((size_t)512)
#define NARROW_MOST ((size_t)1 << 20)

#ifdef __x86_64__
/* The names of these registers are unknown to a compiler that targets other processors. */
#ifdef __AVX512F__
#define WIDE_REGISTERS , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23"
#else
#define WIDE_REGISTERS
#endif

/*
 * Copies twice 128 bytes, or twice 256. All loads precede all stores, because a load waits for an
 * earlier store to the same offset in another page. Registers from zmm16 on do not slow down later
 * code with shorter vectors.
 */
TERN_INLINE void move_four(char *to, char *to2, const char *from, const char *from2)
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
                     : "memory" WIDE_REGISTERS);
}

TERN_INLINE void move_eight(char *to, char *to2, const char *from, const char *from2)
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
                     : "memory" WIDE_REGISTERS);
}

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

/*
 * Up to 512 bytes, copies both ends, which overlap. Above, copies aligned parts in a loop, then the
 * last 256 bytes.
 */
static void copy_wide(char *to, const char *from, size_t bytes)
{
    char *end = to + bytes;
    const char *from_end = from + bytes;

    if (bytes <= 128) {
        move_two(to, end - 64, from, from_end - 64);
    } else if (bytes <= 256) {
        move_four(to, end - 128, from, from_end - 128);
    } else if (bytes <= 512) {
        move_eight(to, end - 256, from, from_end - 256);
    } else {
        size_t skip = 64 - ((uintptr_t)to & 63);

        move_two(to, to, from, from);
        for (to += skip, from += skip; to < end - 256; to += 256, from += 256)
            move_four(to, to + 128, from, from + 128);
        move_four(end - 256, end - 128, from_end - 256, from_end - 128);
    }
}

/* Copies 128 bytes. */
TERN_INLINE void move_narrow(char *to, const char *from)
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
 * More than 256 bytes. Stores to parts of two cache lines take twice as long, so that the loop
 * begins at a line; the bytes before it, and the last 128, are copied apart.
 */
static void copy_narrow(char *to, const char *from, size_t bytes)
{
    size_t skip = -(uintptr_t)to & 63;
    char *end = to + bytes;
    const char *from_end = from + bytes;

    if (skip)
        move_narrow(to, from);
    for (to += skip, from += skip; to < end - 128; to += 128, from += 128)
        move_narrow(to, from);
    move_narrow(end - 128, from_end - 128);
    __asm__ volatile("vzeroupper" ::: "xmm0", "xmm1", "xmm2", "xmm3"); /* for code with SSE */
}
#else
static void copy_wide(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static void copy_narrow(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif

void tern_copy_long(void *to, const void *from, size_t bytes)
{
    bool narrow = tern_vectors_for_copies;

    if (bytes <= (narrow ? WIDE_MOST_BEFORE_NARROW : WIDE_MOST) &&
        tern_likely(tern_vectors == TERN_VECTORS_AVX512))
        copy_wide(to, from, bytes);
    else if (narrow && tern_vectors != TERN_VECTORS_PLAIN && bytes > WIDE_MOST_BEFORE_NARROW &&
             bytes <= NARROW_MOST)
        copy_narrow(to, from, bytes);
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
