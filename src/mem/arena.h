/* SPDX-License-Identifier: BSD-3-Clause */
/* The arena: one mapping that holds the shared control data and the heaps of all PEs of the node.
 */
#ifndef TERN_MEM_ARENA_H
#define TERN_MEM_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/os.h"
#include "boot/boot.h"

/*
 * The most bytes of heap, and of static data that began as zeros, in a core file: dumping allocates
 * pages that were never touched, and has to end soon.
 */
#define TERN_DUMP_MOST ((size_t)64 << 20)

/* Heaps begin at multiples of a huge page, so this is the largest alignment of a block. */
#define TERN_ARENA_ALIGNMENT ((size_t)2 << 20)

/*
 *     base            heaps                heaps + (1 << shift)
 *     | control | ... | heap of node PE 0 | heap of node PE 1 | ...
 *
 * The heap of PE i is at heaps + (i << shift), so that translating an address is arithmetic and
 * costs one mapping however many peers there are. The object is sparse: a page costs memory when it
 * is first touched.
 */
struct tern_arena {
    char *base; /* at boot->offset of the node's object */
    size_t bytes;
    char *control; /* control_bytes of zeros, shared, page aligned */
    size_t control_bytes;
    char *heaps;
    unsigned shift;
    size_t heap_bytes; /* usable bytes of each PE's stride */
};

struct tern_arena_options {
    size_t control_bytes;
    uint64_t heap_bytes; /* 0: chosen by the PE's share of memory, see boot/boot.h */
    uint64_t least;      /* at least so many bytes of heap, if chosen */
    bool prefault;       /* touch this PE's heap now rather than at first use */
    bool huge_pages;     /* request them from the system */
};

/* Bytes of heap a PE gets by default when n PEs share a machine with these limits. */
uint64_t tern_arena_default_heap(const struct tern_os_memory_limits *limits, int n);

/*
 * Maps the arena for the first time in this process. 0, or -errno after the reason was printed: a
 * size above a limit of the machine, or PEs that disagree about it.
 */
int tern_arena_map(struct tern_arena *arena, const struct tern_boot *boot,
                   const struct tern_arena_options *options);

/*
 * Frees the memory behind this PE's heap, of which only the first `used` bytes were ever touched.
 * They read as zeros afterwards.
 */
void tern_arena_discard_heap(const struct tern_arena *arena, const struct tern_boot *boot,
                             size_t used);

/* Includes the first `used` bytes of this PE's heap in its core files, up to a bound. */
void tern_arena_dump_heap(const struct tern_arena *arena, int node_pe, size_t used);

#endif
