/* SPDX-License-Identifier: BSD-3-Clause */
/* Static data: the executable's global and static variables, shared with the PEs of the node. */
#ifndef TERN_MEM_STATIC_DATA_H
#define TERN_MEM_STATIC_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"

/*
 * Before main, a constructor has copied the executable's writable segment into the node's object
 * and mapped the object over the segment. From then on peers can map it too: every PE's image lies
 * at a fixed offset of the object. On a node with one PE nothing is moved.
 */
struct tern_static_data_part {
    uintptr_t start;
    size_t bytes;
};

#define TERN_STATIC_DATA_MOST_CONSTANTS 4

struct tern_static_data {
    uintptr_t start;      /* of the executable's writable data in this process, 0 if unknown */
    size_t bytes;         /* whole pages */
    const char *unshared; /* NULL, or why peers cannot map it (a one-PE job needs no reason) */
    int error;            /* errno, if that is because the system refused a call */
    int fd;               /* the object that holds it, or -1 */
    uint64_t offset;

    /* The executable's constant memory, which is never shared: see core/constant.h. */
    struct tern_static_data_part constants[TERN_STATIC_DATA_MOST_CONSTANTS];
    int n_constants;
    struct tern_static_data_part relocated; /* the part that the loader has made read-only */
    uint32_t program;                       /* from the executable's build ID; 0: it has none */
};

const struct tern_static_data *tern_static_data_own(void);

/*
 * Reserves addresses for the images of n PEs, image i at base + (i << shift), without mapping them.
 * 0 or -errno.
 */
int tern_static_data_reserve(int n, size_t most_bytes, char **base, unsigned *shift);

/* Publishes the image in this PE's slot, so that peers can map it. */
void tern_static_data_publish(const struct tern_boot *boot);

/* Maps the image of node PE i, of the given length, at base + (i << shift). */
int tern_static_data_map_peer(int fd, uint64_t offset, int i, size_t bytes, char *base,
                              unsigned shift);

void tern_static_data_unreserve(int n, char *base, unsigned shift);

#endif
