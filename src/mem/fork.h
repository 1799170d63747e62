/* SPDX-License-Identifier: BSD-3-Clause */
/* The image at a fork: the child gets variables of its own, as in any program. */
#ifndef TERN_MEM_FORK_H
#define TERN_MEM_FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most parts that an image may have, see mem/static_data.c. */
#define TERN_FORK_MOST_PARTS 4

/* Part of the image: [start, end), whole pages, at this offset of the descriptor's object. */
struct tern_fork_part {
    uintptr_t start, end;
    uint64_t offset;
};

/*
 * Whether tern_fork_guard() works in this program. In a static program with an older glibc, a child
 * changes libc's variables before anything can separate them from its parent's.
 */
bool tern_fork_can_copy(bool is_static);

/*
 * From now on a child copies these parts before it or its parent returns from the fork. Called once
 * a process. is_static: libc's variables are in the image as well.
 */
void tern_fork_guard(const struct tern_fork_part *parts, int n_parts, int fd, bool is_static);

#endif
