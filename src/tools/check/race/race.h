/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data races between library calls of the PEs of one machine: what each call reads and writes, and
 * what it says of the order of others. The caller holds the lock of the books.
 */
#ifndef TERN_CHECK_RACE_H
#define TERN_CHECK_RACE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/call.h"

/* Races are looked for. */
extern bool tern_check_race_is_on;

/* So much shared memory is needed; 0 if races are not to be looked for. */
size_t tern_check_race_bytes(void);

/*
 * After the first init: that memory, shared by all PEs, or NULL if it is not to be had. speaks:
 * this PE says so if races are wanted and not looked for. After any other init they are looked for
 * no more if places in memory have no names that PEs share any more.
 */
void tern_check_race_open(void *memory, bool speaks);

/* A quiet of the context is over: what was fetched by it without waiting has come. */
void tern_check_race_learn_by_quiet(int ctx);

/* Around each call but collective ones. */
void tern_check_race_before(struct tern_call *call);
void tern_check_race_after(struct tern_call *call);

#endif
