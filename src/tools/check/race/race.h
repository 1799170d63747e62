/* SPDX-License-Identifier: BSD-3-Clause */
/* Data races between library calls of the PEs of one machine. The caller holds the records lock. */
#ifndef TERN_CHECK_RACE_H
#define TERN_CHECK_RACE_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/call.h"

/* Whether races are looked for. */
extern bool tern_check_race_is_on;

/* Bytes of shared memory needed; 0 without the check of races. */
size_t tern_check_race_bytes(void);

/*
 * After each init. memory: zeroed and shared by all PEs, or NULL. speaks: this PE says so if races
 * are wanted and can't be looked for. If a later init leaves no way to name addresses for all PEs,
 * the check stops.
 */
void tern_check_race_open(void *memory, bool speaks);

/* Whether nonblocking operations have fetched words since the quiets of their contexts. */
bool tern_check_race_has_fetched(void);

/* A quiet of the context has returned: fetched words have arrived. */
void tern_check_race_learn_by_quiet(int ctx);

/* Around each call that is not collective. */
void tern_check_race_before(struct tern_call *call);
void tern_check_race_after(struct tern_call *call);

#endif
