/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the sanitizer's interface at run time: the symbols are 0 without it. */
#include "base/asan.h"

#ifdef __has_feature
#define COMPILED_WITH_ASAN __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define COMPILED_WITH_ASAN 1
#else
#define COMPILED_WITH_ASAN 0
#endif

__attribute__((weak)) void *__asan_region_is_poisoned(void *start, size_t bytes);
__attribute__((weak)) void __asan_report_load_n(void *address, long bytes);
__attribute__((weak)) void __asan_report_store_n(void *address, long bytes);

bool tern_asan_is_present(void)
{
    return !COMPILED_WITH_ASAN && __asan_region_is_poisoned && __asan_report_load_n &&
           __asan_report_store_n;
}

static void check(const char *buffer, size_t n, size_t step, size_t bytes, bool is_write)
{
    if (!tern_asan_is_present() || bytes == 0)
        return;
    for (size_t i = 0; i < n; i++, buffer += step) {
        void *bad = __asan_region_is_poisoned((void *)buffer, bytes);

        if (!bad)
            continue;
        (is_write ? __asan_report_store_n : __asan_report_load_n)(bad, (long)bytes);
        return;
    }
}

void tern_asan_check_read(const void *buffer, size_t n, size_t step, size_t bytes)
{
    check(buffer, n, step, bytes, false);
}

void tern_asan_check_write(const void *buffer, size_t n, size_t step, size_t bytes)
{
    check(buffer, n, step, bytes, true);
}
