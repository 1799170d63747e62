/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that the PEs of a machine share; one of them makes it. */
#ifndef TERN_BOOT_EXTERNAL_MACHINE_MEMORY_H
#define TERN_BOOT_EXTERNAL_MACHINE_MEMORY_H

#include <stdint.h>

#include "boot/boot.h"
#include "boot/external/hello.h"

/*
 * What all PEs of a machine share, on whichever of its nodes they are: the layout of the job, and
 * the cards of all PEs.
 */
struct tern_machine_area {
    uint32_t n_pes; /* of the job */
    uint32_t n_nodes;
    uint32_t n_here; /* PEs on this machine */
    uint32_t n_near; /* PEs under its kernel, in any container */
    uint32_t
        exchanged; /* PEs of this machine that have written their cards; counts up, with release */
    uint32_t complete;   /* whether the cards of other machines are in place: see cards.c */
    uint32_t first_here; /* the lowest number of a PE on this machine */
    uint64_t memory;     /* see struct tern_boot */
    struct tern_pe_range nodes[];
};

static inline uint64_t tern_machine_cards_offset(uint32_t n_nodes)
{
    uint64_t end = sizeof(struct tern_machine_area) + n_nodes * sizeof(struct tern_pe_range);

    return (end + 63) & ~UINT64_C(63);
}

/* A node of this machine. */
struct tern_machine_node {
    int number; /* in the job */
    int fd;     /* its shared object, or -1 */
    struct tern_job_area *area;
};

/* What the server of a machine has made. */
struct tern_machine_memory {
    int machine_fd;
    uint64_t machine_bytes;
    struct tern_machine_area *machine;
    struct tern_machine_node *nodes; /* of this machine */
    int n_nodes;
};

/*
 * Makes the memory of the machine that PE `me` of n is on. 0, or -errno after a message. The caller
 * frees it in either case.
 */
int tern_machine_memory_make(struct tern_machine_memory *memory, const struct tern_hello *hellos,
                             int n, int me);

void tern_machine_memory_free(struct tern_machine_memory *memory);

/* The node of a PE of this machine, and the PE's slot there. */
struct tern_machine_node *tern_machine_memory_node_of(const struct tern_machine_memory *memory,
                                                      int pe);
struct tern_slot *tern_machine_memory_slot_of(const struct tern_machine_memory *memory,
                                              const struct tern_machine_node *node, int pe);

/* Maps the start of a shared object; NULL with errno. */
void *tern_machine_memory_map(int fd, uint64_t bytes);

#endif
