/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that need no look at them, of which a tool knows beforehand that it has nothing to say: the
 * wrappers make these at once, without a record. They are, on the default context or without one,
 * - puts and gets, blocking or not, without strides or a signal, between known symmetric memory and
 *   private memory;
 * - atomic operations, but for nonblocking ones, on known symmetric memory;
 * - fences and quiets, and queries without arguments.
 * The first call of each routine comes to the tool all the same. A tool that never says that it has
 * nothing to say sees every call.
 */
#ifndef TERN_TOOLS_QUICK_H
#define TERN_TOOLS_QUICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a thread does. */
enum tern_thread_state {
    TERN_OUTSIDE, /* of all calls: the next one is the program's, and for the tool to see */
    TERN_QUICK,   /* the same, but for the tool only if it is none of those above */
    TERN_INSIDE,  /* the library or the tool: what it calls is not the program's */
};
extern __thread unsigned char tern_thread_state __attribute__((tls_model("initial-exec")));

struct tern_span {
    uintptr_t start;
    size_t size;
};

/* What threads that are TERN_QUICK compare their calls with; the tool's to fill in. */
struct tern_quick {
    int n_pes;              /* of the world */
    struct tern_span known; /* symmetric memory that calls may reach; empty if nothing is known */
    struct tern_span heap, program; /* local arguments in these are not for others to judge */
};
extern struct tern_quick tern_quick;

static inline bool tern_span_has(const struct tern_span *span, uintptr_t address)
{
    return address - span->start < span->size;
}

/* So many bytes from the address on. */
static inline bool tern_span_holds(const struct tern_span *span, uintptr_t address, size_t bytes)
{
    return tern_span_has(span, address) && bytes <= span->size - (address - span->start);
}

/* n elements in what is known of symmetric memory. */
static inline bool tern_quick_knows(const void *symmetric, size_t n, size_t element,
                                    size_t alignment)
{
    uintptr_t address = (uintptr_t)symmetric;

    return n <= tern_quick.known.size && /* and so the product is no more than it seems */
           tern_span_holds(&tern_quick.known, address, n * element) &&
           (address & (alignment - 1)) == 0;
}

/* The same of a PE of the world, by a thread that may. */
static inline bool tern_quick_reaches(const void *symmetric, size_t n, size_t element,
                                      size_t alignment, int pe)
{
    return tern_thread_state == TERN_QUICK && (unsigned)pe < (unsigned)tern_quick.n_pes &&
           tern_quick_knows(symmetric, n, element, alignment);
}

/* The other side of a transfer. */
static inline bool tern_quick_is_private(const void *local, size_t alignment)
{
    uintptr_t address = (uintptr_t)local;

    return address && (address & (alignment - 1)) == 0 &&
           !tern_span_has(&tern_quick.heap, address) &&
           !tern_span_has(&tern_quick.program, address);
}

#endif
