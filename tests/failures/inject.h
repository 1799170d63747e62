/* SPDX-License-Identifier: BSD-3-Clause */
/* What the wrappers of failing calls share: the decision whether this call fails. */
#ifndef TERN_TESTS_FAILURES_INJECT_H
#define TERN_TESTS_FAILURES_INJECT_H

#include <stdbool.h>

/* The program names the phase that begins, if this library is there. */
void failures_phase(const char *phase);

/* Whether calls that return to `caller` count: those of oshrun and Tern's libraries. */
bool inject_counts(const void *caller);

/*
 * Counts a call of `function`, which returns to `caller`. Returns true if this one has to fail.
 * Keeps errno.
 */
bool inject_now(const char *function, const void *caller);

/* The same, with the caller of the function that contains it. */
#define FAILS(function) inject_now(function, __builtin_return_address(0))

#endif
