/* SPDX-License-Identifier: BSD-3-Clause */
/* The slow path of every remote operation: first access to a peer, and PEs of other nodes. */
#ifndef TERN_CORE_REMOTE_H
#define TERN_CORE_REMOTE_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "net/net.h"

/*
 * Each is called when the translation on the fast path gave NULL. It does the operation after all
 * where that is possible (a PE on another node, or on a node whose PEs are not consecutive; a
 * peer's static data that was not mapped yet; no bytes); otherwise it ends the program with a
 * message that names routine, argument and remedy. `ctx` is a context's handle: its channel carries
 * what goes to other nodes.
 */
void tern_remote_put(void *dest, const void *source, size_t n, size_t size, int pe,
                     const char *routine, uintptr_t ctx) TERN_COLD;
void tern_remote_put_nbi(void *dest, const void *source, size_t n, size_t size, int pe,
                         const char *routine, uintptr_t ctx) TERN_COLD;
void tern_remote_get(void *dest, const void *source, size_t n, size_t size, int pe,
                     const char *routine, uintptr_t ctx) TERN_COLD;
void tern_remote_get_nbi(void *dest, const void *source, size_t n, size_t size, int pe,
                         const char *routine, uintptr_t ctx) TERN_COLD;

/* On 4 or 8 bytes. */
struct tern_remote_amo_kind {
    enum tern_net_op op;
    unsigned width;
};

/* Returns the old value. */
uint64_t tern_remote_amo(void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind,
                         uintptr_t ctx) TERN_COLD;

/* *fetch, of `width` bytes, has the old value when the context has been quieted. */
void tern_remote_amo_nbi(void *fetch, void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind,
                         uintptr_t ctx) TERN_COLD;

/* Nobody wants the old value. */
void tern_remote_amo_update(void *object, uint64_t operand, int pe, const char *routine,
                            struct tern_remote_amo_kind kind, uintptr_t ctx) TERN_COLD;

/*
 * The address of n elements at the PE for load and store, or NULL if the PE is on another node; a
 * message and the end if the arguments are wrong. argument is the name of addr in the standard.
 */
void *tern_remote_translate(const void *addr, size_t n, size_t size, int pe, const char *argument,
                            const char *routine) TERN_COLD;

/* The same for a word that others change as a whole, which has to be aligned to its width. */
void *tern_remote_translate_word(const void *addr, unsigned width, int pe, const char *argument,
                                 const char *routine) TERN_COLD;

/* The same for the source of a get, which may be a constant: it is read at this PE then. */
const void *tern_remote_translate_source(const void *source, size_t bytes, int pe,
                                         const char *routine) TERN_COLD;

#endif
