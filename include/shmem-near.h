/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls that are compiled in line (shmem-inline.h) have to know, and from whom. */
#ifndef SHMEM_NEAR_H
#define SHMEM_NEAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Where the memory of PEs is, as seen from this one. The library fills it in at init, and empties
 * it at finalize; as long as it is empty, all calls go to the library. A library that arranges
 * memory otherwise leaves it empty, so programs need not be compiled anew. Another arrangement has
 * another number in its names: files that were compiled for both may be in one program.
 */
struct shmemi_near_1 {
    uintptr_t heap;             /* of this PE */
    size_t heap_bytes;          /* where an element may begin */
    uintptr_t heap_offset;      /* from an address to the same object's at the first near PE */
    size_t heap_stride;         /* from PE to PE */
    const uint32_t (*bells)[2]; /* of each PE: whether to wake somebody after a store */
    int32_t first;              /* the first PE that is near */
    uint32_t n_pes;             /* that many are; 0: empty */
    uintptr_t image;            /* the same for static data */
    size_t image_bytes;         /* 0 until it has been mapped; written last */
    uintptr_t image_offset;
    size_t image_stride;
    void *next; /* the library's: the structures that it keeps are a list */
} __attribute__((__aligned__(64), __may_alias__));

/* Has the library keep a structure up to date, unless it does not know that number; ends that. */
void shmemi_near_open(void *near, unsigned number);
void shmemi_near_close(void *near, unsigned number);

/* Wakes whoever waits at a PE. */
void shmemi_near_wake(int pe);

#ifdef __cplusplus
}
#endif

#endif
