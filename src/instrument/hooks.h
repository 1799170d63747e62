/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program that was compiled with `oshcc --tern-instrument` and a tool agree on. The compiler
 * puts a call in front of each access to memory; this layer answers these calls, and passes them to
 * a tool if one is loaded that wants them.
 */
#ifndef TERN_INSTRUMENT_HOOKS_H
#define TERN_INSTRUMENT_HOOKS_H

#include <stddef.h>

enum tern_instrument_access { TERN_LOADS = 1, TERN_STORES = 2 };

/*
 * The functions of a tool. site: the address behind the call that stands in front of the access.
 * All but atomic_end() are called before the access.
 */
struct tern_instrument_hooks {
    void (*load)(const void *address, size_t bytes, const void *site);
    void (*store)(const void *address, size_t bytes, const void *site);
    void (*load_volatile)(const void *address, size_t bytes, const void *site);
    void (*store_volatile)(const void *address, size_t bytes, const void *site);
    /* Around an atomic operation. access: bits of enum tern_instrument_access. */
    void (*atomic_begin)(const void *address, size_t bytes, unsigned access, const void *site);
    void (*atomic_end)(const void *address, size_t bytes, unsigned access);
};

/*
 * A tool exports a function of this name and type. It returns NULL if the tool does not need the
 * accesses of this process. It is called before main().
 */
#define TERN_INSTRUMENT_TOOL "tern_instrument_tool"
typedef const struct tern_instrument_hooks *tern_instrument_tool_function(void);

/* The functions of the tool that is loaded, or NULL. */
extern const struct tern_instrument_hooks *tern_instrument_hooks
    __attribute__((visibility("hidden")));

#endif
