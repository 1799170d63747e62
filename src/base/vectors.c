/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the loader or the processor for vector instructions. */
#include "base/vectors.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#if __GLIBC_PREREQ(2, 33) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#elif defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/log.h"

TERN_PE_LOCAL enum tern_vectors tern_vectors;

/*
 * AVX-512 counts from the processors on that do not lower their clock for it: those with VBMI2. All
 * of them have F, BW, DQ and VL. The loader has the answers: asking the processor takes tens of
 * microseconds in a virtual machine.
 */
#ifdef CPU_FEATURE_ACTIVE
static bool has_avx2(void)
{
    return CPU_FEATURE_ACTIVE(AVX2);
}

static bool has_avx512(void)
{
    return CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512_VBMI2);
}
#elif defined(__x86_64__)
#define XCR0_AVX 0x06u    /* the system saves the registers: SSE and AVX */
#define XCR0_AVX512 0xe6u /* and the three parts of AVX-512 */
#define EBX_AVX2 (1u << 5)
#define EBX_AVX512 (1u << 16) /* F */
#define ECX_VBMI2 (1u << 6)

/* Not __builtin_cpu_supports(): not every compiler brings the library that it needs. */
static bool has(unsigned xcr0, unsigned ebx, unsigned ecx)
{
    unsigned a, b, c, d, saved, high;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return false;
    __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    return (saved & xcr0) == xcr0 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & ebx) == ebx &&
           (c & ecx) == ecx;
}

static bool has_avx2(void)
{
    return has(XCR0_AVX, EBX_AVX2, 0);
}

static bool has_avx512(void)
{
    return has(XCR0_AVX512, EBX_AVX2 | EBX_AVX512, ECX_VBMI2);
}
#else
static bool has_avx2(void)
{
    return false;
}

static bool has_avx512(void)
{
    return false;
}
#endif

enum tern_vectors tern_vectors_of_processor(void)
{
    return !has_avx2()    ? TERN_VECTORS_PLAIN
           : has_avx512() ? TERN_VECTORS_AVX512
                          : TERN_VECTORS_AVX2;
}

__attribute__((constructor)) static void choose(void)
{
    tern_vectors = tern_vectors_of_processor();
}

static int level_of(const char *word)
{
    static const char *const words[TERN_N_VECTORS] = {"plain", "avx2", "avx512"};

    for (int level = 0; level < TERN_N_VECTORS; level++)
        if (!strcmp(word, words[level]))
            return level;
    return -EINVAL;
}

int tern_vectors_force(const char *word)
{
    int most = (int)tern_vectors_of_processor(), level = word ? level_of(word) : most;

    if (level < 0) {
        tern_error("SHMEM_VECTORS is \"%s\": use plain, avx2 or avx512", word);
        return -EINVAL;
    }
    if (level > most) {
        tern_error("SHMEM_VECTORS is \"%s\", which this processor or system does not have", word);
        return -EINVAL;
    }
    tern_vectors = (enum tern_vectors)level;
    return 0;
}
