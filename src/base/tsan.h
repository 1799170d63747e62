/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains to ThreadSanitizer what it can't see: fences, and stores of whole elements. */
#ifndef TERN_BASE_TSAN_H
#define TERN_BASE_TSAN_H

/*
 * In the build for the sanitizer, a fence releases one variable of the whole job, and a read of a
 * flag that may have been put acquires it. In other builds these macros do nothing. They serve the
 * program's fences only. The library's own algorithms use no fences, so the sanitizer has to see
 * how they are ordered without this help.
 */
#ifdef __has_feature
#define TERN_TSAN __has_feature(thread_sanitizer)
#elif defined __SANITIZE_THREAD__
#define TERN_TSAN 1
#else
#define TERN_TSAN 0
#endif

#if TERN_TSAN
#include <sanitizer/tsan_interface.h>

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);

/* Never read or written: its address represents all fences. */
__attribute__((weak)) const char tern_tsan_fences = 0;

#define tern_tsan_publish() __tsan_release((void *)&tern_tsan_fences)
#define tern_tsan_take_over() __tsan_acquire((void *)&tern_tsan_fences)

/* The value of `read`, an atomic load whose partner may be a plain store. */
#define tern_tsan_read_flag(read)                                                                  \
    ({                                                                                             \
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);                                              \
        __typeof__(read) tern_tsan_value = (read);                                                 \
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);                                                \
        tern_tsan_take_over();                                                                     \
        tern_tsan_value;                                                                           \
    })
#else
#define tern_tsan_publish() ((void)0)
#define tern_tsan_take_over() ((void)0)
#define tern_tsan_read_flag(read) (read)
#endif

#endif
