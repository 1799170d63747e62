/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that the fast path leaves: those on PEs of other nodes, and first accesses to a peer.
 */
#ifndef TERN_CORE_REMOTE_H
#define TERN_CORE_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/net.h"

/*
 * Each is called when the translation on the fast path (core/route.h) gave NULL. It passes the
 * operation to the network if the PE is on another node. On this node it does the operation after
 * all where that is possible (a peer's static data that was not mapped yet; the alias mapping; no
 * bytes). Otherwise it ends the program with a message that names routine, argument and remedy.
 * `ctx` is a context's handle: its channel carries what goes to other nodes.
 */
void tern_remote_put(void *dest, const void *source, size_t n, size_t size, bool nbi, int pe,
                     const char *routine, uintptr_t ctx);
void tern_remote_get(void *dest, const void *source, size_t n, size_t size, bool nbi, int pe,
                     const char *routine, uintptr_t ctx);

/* On 4 or 8 bytes. */
struct tern_remote_amo_kind {
    enum tern_net_op op;
    unsigned width;
};

/* Returns the old value. */
uint64_t tern_remote_amo(void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind, uintptr_t ctx);

/* *fetch, of `width` bytes, has the old value when the context has been quieted. */
void tern_remote_amo_nbi(void *fetch, void *object, uint64_t operand, uint64_t compare, int pe,
                         const char *routine, struct tern_remote_amo_kind kind, uintptr_t ctx);

/* The old value is not returned. */
void tern_remote_amo_update(void *object, uint64_t operand, int pe, const char *routine,
                            struct tern_remote_amo_kind kind, uintptr_t ctx);

/* Where a PE's object is: at an address for load and store, or on another node. */
struct tern_remote_object {
    void *address;   /* NULL: the PE is on another node, or there are no bytes */
    uint64_t offset; /* the symmetric offset; set if the PE is on another node */
};

/*
 * Finds n elements at the PE; ends the program with a message if the arguments are wrong. argument
 * is the name of addr in the standard.
 */
struct tern_remote_object tern_remote_find(const void *addr, size_t n, size_t size, int pe,
                                           const char *argument, const char *routine);

/* The same for a word that others change as a whole, which has to be aligned to its width. */
struct tern_remote_object tern_remote_find_word(const void *addr, unsigned width, int pe,
                                                const char *argument, const char *routine);

/* The same for the source of a get. A constant of the program is read from this PE's own copy. */
struct tern_remote_object tern_remote_find_source(const void *source, size_t bytes, int pe,
                                                  const char *routine);

#endif
