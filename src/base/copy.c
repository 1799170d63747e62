/* SPDX-License-Identifier: BSD-3-Clause */
/* The out-of-line part of copying: a few bytes, wide vectors up to 16 KiB, then memcpy(). */
#include "base/copy.h"

#include "base/vectors.h"

/*
 * Measured on a core with AVX-512 against memcpy() of glibc 2.36: the call into another library
 * costs 1 ns, as much as a copy of 64 bytes. From 1 to 8 KiB the loop below takes 5 to 15 % less
 * time than the `rep movsb` that glibc uses there. From 16 KiB on `rep movsb` is the fastest.
 */
#define WIDE_MOST ((size_t)16384)

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
#else
static void copy_wide(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif

void tern_copy_long(void *to, const void *from, size_t bytes)
{
    if (tern_likely(bytes <= WIDE_MOST) && tern_likely(tern_vectors == TERN_VECTORS_AVX512))
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
