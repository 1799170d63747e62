/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that led to a point of this thread, as text. Safe in signal handlers. */
#ifndef TERN_CORE_FRAMES_H
#define TERN_CORE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/code_address.h"

#define TERN_FRAMES_MOST 48

/* The innermost call first. The first address is exact; the others are return addresses. */
struct tern_frames {
    int n;
    bool first_is_exact; /* the first address is an instruction that failed */
    struct tern_code_address code[TERN_FRAMES_MOST];
};

/* Loads what tern_frames_collect() needs, which it must not do in a signal handler. */
void tern_frames_prepare(void);

/*
 * Collect the frames of this thread: the first function begins with that of the instruction that
 * failed, the second one with the first frame that is not in this library or a tool. May crash if
 * the stack is damaged.
 */
void tern_frames_collect_from(struct tern_frames *frames, uintptr_t instruction);
void tern_frames_collect_callers(struct tern_frames *frames);

/* Equal for the same calls in different processes. */
uint64_t tern_frames_hash(const struct tern_frames *frames);

/*
 * Appends a line for each frame, down to main: "    #0  step at heat.c:42". Equal frames in a row
 * are one line. addr2line is the path of that program; if it is empty, lines have files and
 * addresses instead.
 */
void tern_frames_print(const struct tern_frames *frames, const char *addr2line, char *text,
                       size_t bytes);

#endif
