/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The accesses to the symmetric memory of the machine's PEs that something might race with, in
 * shared memory: marks of lines, which are 64 bytes, or of pages, which are 64 lines, whichever an
 * access covers. There is room for so many, and the oldest are forgotten.
 */
#ifndef TERN_CHECK_SHADOW_H
#define TERN_CHECK_SHADOW_H

#include "tools/check/order.h"

/* Two accesses of which at least one writes, and what is missing between them. */
struct tern_check_race {
    struct tern_check_mark other; /* the earlier one, by its PE's call */
    enum tern_check_verdict why;
    uint64_t start; /* of the bytes that both reach, as a place in the target's memory */
    uint64_t bytes;
};

/* Of one call. More than these on one line are not told apart. */
#define TERN_CHECK_MOST_RACES 4

struct tern_check_races {
    int n;
    struct tern_check_race found[TERN_CHECK_MOST_RACES];
};

/* So much shared memory is needed for n PEs. */
size_t tern_check_shadow_bytes(int n);

/* The memory is zero at first. */
void tern_check_shadow_start(void *memory, int n);

/*
 * The access of n pieces of so many bytes, stride bytes apart, from a place in the target's memory
 * on: finds what races with it, and leaves its marks. mark: its mask is filled in on the way.
 */
void tern_check_shadow_touch(int target, uint64_t place, uint64_t bytes, uint64_t stride,
                             uint64_t n, struct tern_check_mark *mark,
                             struct tern_check_races *races);

/* These bytes are waited for, from now on: short writes to them are no races. */
void tern_check_shadow_await(int target, uint64_t place, uint64_t bytes, uint64_t when);

/* What was written there was seen by this PE, which learns of whoever wrote. */
void tern_check_shadow_learn(int target, uint64_t place, uint64_t bytes);

#endif
