/* SPDX-License-Identifier: BSD-3-Clause */
/* Translation off the fast path: its start and end, first access to a peer, refused addresses. */
#ifndef TERN_CORE_TRANSLATION_H
#define TERN_CORE_TRANSLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct tern_bell;

/*
 * Opens translation for the job, from what tern_job holds; bells has one for each PE of the job.
 * After tern_translation_stop() every translation fails again.
 */
void tern_translation_start(struct tern_bell *bells);
void tern_translation_stop(void);

/*
 * For PEs of this node, after the fast path (core/route.h) gave NULL: maps images of peers on first
 * use and translates again. Returns NULL if loads and stores cannot access the memory.
 */
void *tern_translation_resolve(const void *addr, size_t bytes, int pe) TERN_COLD;

/* errno of the last call by which a peer's image could not be mapped, 0 if none has failed. */
int tern_translation_image_error(void) TERN_COLD;

/*
 * For PEs of other nodes: the symmetric offset of [addr, addr + bytes). False if these are not
 * symmetric on this PE; tern_translation_explain() then says why.
 */
bool tern_translation_offset(const void *addr, size_t bytes, uint64_t *offset);

/*
 * Whether [addr, addr + bytes) is symmetric on this PE: NULL if so, else what is wrong with it, in
 * words that fit after "dest 0x...". The text is in the caller's buffer or constant. `mapped` says
 * that PEs of this node are to reach it, which static data may prevent; the network always does.
 */
const char *tern_translation_explain(const void *addr, size_t bytes, bool mapped, char *text,
                                     size_t text_bytes) TERN_COLD;

#endif
