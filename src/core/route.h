/* SPDX-License-Identifier: BSD-3-Clause */
/* From a symmetric address and a PE to memory that this PE can load from and store to. */
#ifndef TERN_CORE_ROUTE_H
#define TERN_CORE_ROUTE_H

#include <stddef.h>
#include <stdint.h>

#include "core/wait.h"
#include "mem/alias.h"
#include "net/net.h"

/*
 * All that the fast path needs: one cache line for the heap, one more for static data. Zero PEs
 * before init and after finalize: every translation fails then, and the slow path says why.
 *
 * A PE's distance is its number in the world minus that of the node's first PE. If the PEs of a
 * node are consecutive, n_pes is their number, and a PE is on the node if its distance is below
 * n_pes. Otherwise n_pes is zero. The PEs of the node are then `stride` numbers apart, and a PE is
 * on the node if stride divides its distance and the quotient is below n_strided. Let
 * stride = odd << shift. Multiplying a distance by the inverse of odd modulo 2^32, and rotating the
 * product right by shift, gives the quotient for multiples of stride, and a number that is too
 * large for all other distances. The strides of the segments are divided by `stride` modulo 2^64 in
 * the same way, so their product with a distance on the node is the offset of that PE's segment.
 *
 * The strides of the segments are powers of two, but the code multiplies and does not shift: on x86
 * a shift by a variable count takes three instructions, which makes a put of 8 bytes slower.
 */
struct tern_route {
    uintptr_t heap;          /* of this PE */
    size_t heap_bytes;       /* without the last TERN_ROUTE_SLACK, so that a scalar fits */
    uintptr_t heap_offset;   /* from an address in the heap to the same at node PE 0 */
    size_t heap_stride;      /* for each number of the distance */
    struct tern_bell *bells; /* by number in the world; those of this node's PEs are used */
    int32_t first;           /* the world number of node PE 0 */
    uint32_t n_pes;          /* on the node if they are consecutive, or 0 */
    uintptr_t image;         /* this PE's static data */
    size_t image_bytes;      /* 0 until the images of all peers are mapped */
    uintptr_t image_offset;  /* from an address in the image to the same at node PE 0 */
    size_t image_stride;     /* for each number of the distance */
    struct tern_route *next; /* of copies, see core/inline_route.h */
    uint32_t n_strided;      /* PEs on a node where they are not consecutive, or 0 */
    uint32_t stride_inverse; /* of the odd factor of their stride, modulo 2^32 */
    uint32_t stride_shift;   /* the exponent of two in their stride */
} TERN_ALIGNED(TERN_LINE);

_Static_assert(offsetof(struct tern_route, image_offset) == TERN_LINE, "the heap's is one line");

extern TERN_PE_LOCAL struct tern_route tern_route;

/* The largest scalar, so that one comparison of its address bounds it. */
#define TERN_ROUTE_SLACK 16

/* Tells the compiler that a peer address is never NULL, which saves a comparison. */
TERN_INLINE void *tern_route_found(uintptr_t at)
{
    if (!at)
        __builtin_unreachable();
    return (void *)at;
}

TERN_INLINE uint32_t tern_route_distance(int pe)
{
    return (uint32_t)pe - (uint32_t)tern_route.first;
}

TERN_INLINE bool tern_route_is_on_strided_node(uint32_t distance)
{
    const struct tern_route *r = &tern_route;
    uint32_t rotated = distance * r->stride_inverse;

    rotated = rotated >> r->stride_shift | rotated << (-r->stride_shift & 31);
    return rotated < r->n_strided;
}

/* Whether the PE at that distance is on this node. */
TERN_INLINE bool tern_route_is_on_node(uint32_t distance)
{
    return tern_likely(distance < tern_route.n_pes) || tern_route_is_on_strided_node(distance);
}

/* Otherwise no PE counts as on this node: there is no job, or the fast path is not to be taken. */
TERN_INLINE bool tern_route_is_open(void)
{
    return tern_route.n_pes || tern_route.n_strided;
}

TERN_INLINE void *tern_route_heap_peer_address(uintptr_t addr, uint32_t distance)
{
    const struct tern_route *r = &tern_route;

    return tern_route_found(addr + r->heap_offset + distance * r->heap_stride);
}

TERN_INLINE void *tern_route_image_peer_address(uintptr_t addr, uint32_t distance)
{
    const struct tern_route *r = &tern_route;

    return tern_route_found(addr + r->image_offset + distance * r->image_stride);
}

/* Acquire: partner of the release by which another thread of this PE opens the images. */
TERN_INLINE size_t tern_route_image_bytes(void)
{
    return tern_load_acquire(&tern_route.image_bytes);
}

/*
 * For objects of TERN_ROUTE_SLACK bytes at most: in the heap, in static data, in either. NULL: not
 * in that segment, not on this node, or an invalid address. A caller that does more than an
 * instruction or two with the result calls the first two in turn: each segment then has a path of
 * its own, and static data needs no jump back. The compiler does not repeat the comparisons of the
 * first call.
 */
TERN_INLINE void *tern_route_heap_scalar(const void *addr, int pe)
{
    const struct tern_route *r = &tern_route;
    uint32_t distance = tern_route_distance(pe);

    if (tern_unlikely(!tern_route_is_on_node(distance)) ||
        (uintptr_t)addr - r->heap >= r->heap_bytes)
        return NULL;
    return tern_route_heap_peer_address((uintptr_t)addr, distance);
}

TERN_INLINE void *tern_route_image_scalar(const void *addr, int pe)
{
    const struct tern_route *r = &tern_route;
    uint32_t distance = tern_route_distance(pe);

    if (tern_unlikely(!tern_route_is_on_node(distance)) ||
        tern_unlikely((uintptr_t)addr - r->image >= tern_route_image_bytes()))
        return NULL;
    return tern_route_image_peer_address((uintptr_t)addr, distance);
}

TERN_INLINE void *tern_route_scalar(const void *addr, int pe)
{
    void *at = tern_route_heap_scalar(addr, pe);

    return at ? at : tern_route_image_scalar(addr, pe);
}

/* The same for n elements of the given size (a constant); NULL also if they leave the segment. */
TERN_INLINE void *tern_route_array(const void *addr, size_t n, size_t size, int pe)
{
    const struct tern_route *r = &tern_route;
    uint32_t distance = tern_route_distance(pe);
    size_t offset, image_bytes;

    if (tern_unlikely(!tern_route_is_on_node(distance)))
        return NULL;
    offset = (uintptr_t)addr - r->heap;
    if (tern_likely(offset < r->heap_bytes)) {
        if (tern_unlikely(n > (r->heap_bytes + TERN_ROUTE_SLACK - offset) / size))
            return NULL;
        return tern_route_heap_peer_address((uintptr_t)addr, distance);
    }
    offset = (uintptr_t)addr - r->image;
    image_bytes = tern_route_image_bytes();
    if (tern_likely(offset < image_bytes) && tern_likely(n <= (image_bytes - offset) / size))
        return tern_route_image_peer_address((uintptr_t)addr, distance);
    return NULL;
}

/*
 * The same for a word that others change as a whole, of `width` bytes (a constant): NULL also if it
 * is not aligned, because other nodes and some processors refuse such a word.
 */
TERN_INLINE void *tern_route_word(const void *addr, size_t width, int pe)
{
    return tern_unlikely((uintptr_t)addr % width) ? NULL : tern_route_scalar(addr, pe);
}

/* Wakes the threads that wait at that PE. Call after a translation for that PE has succeeded. */
TERN_INLINE void tern_route_ring(int pe)
{
    tern_bell_ring(&tern_route.bells[(uint32_t)pe]);
}

/*
 * The symmetric offset (net/net.h) of an address of this PE. An address in the alias mapping has
 * the offset of the heap's block behind it.
 */
static inline uint64_t tern_route_symmetric_offset(const void *addr)
{
    const struct tern_alias *alias;
    size_t offset = (uintptr_t)addr - tern_route.heap;

    if (tern_likely(offset < tern_route.heap_bytes + TERN_ROUTE_SLACK))
        return offset;
    alias = tern_alias_own();
    if (tern_unlikely((uintptr_t)addr - alias->start < alias->bytes))
        return (uintptr_t)addr - alias->start + alias->heap - tern_route.heap;
    return ((uintptr_t)addr - tern_route.image) | TERN_NET_STATIC_BIT;
}

/* The address of the object on this PE. */
static inline void *tern_route_local_address(uint64_t offset)
{
    if (tern_likely(tern_net_segment_of(offset) == TERN_NET_HEAP))
        return (void *)(tern_route.heap + offset);
    return (void *)(tern_route.image + tern_net_distance_of(offset));
}

/*
 * For a job that starts: tells which PEs are on this node, `n` of them whose numbers are `stride`
 * apart, and opens the fast path. tern_route_close() lets every translation fail again.
 */
void tern_route_open(int first, uint32_t stride, uint32_t n);
void tern_route_close(void);

/* A segment's stride from PE to PE, a power of two, for each number between PEs `stride` apart. */
size_t tern_route_divide(size_t segment_stride, uint32_t stride);

#endif
