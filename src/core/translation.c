/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates addresses off the fast path: maps images on first use, explains wrong addresses. */
#include "core/translation.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/asan.h"
#include "base/atomics.h"
#include "base/log.h"
#include "core/constant.h"
#include "core/inline_route.h"
#include "core/job.h"
#include "core/route.h"
#include "mem/static_data.h"

/*
 * Images of peers, mapped when static data is first used remotely: most programs of a thousand PEs
 * never do, and a million mappings take their time. When all are there, route.image_bytes opens the
 * fast path to them.
 */
#define MAP_ALL_AT_ONCE 128

enum image_state { UNMAPPED, MAPPED, UNMAPPABLE };

static TERN_PE_LOCAL struct {
    pthread_mutex_t lock;
    char *base;            /* reserved addresses, NULL if none */
    unsigned shift;        /* image i is at base + (i << shift) */
    unsigned char *states; /* by node PE: enum image_state */
    uint32_t n_mapped;
    int error;    /* errno of the last call that failed */
    size_t bytes; /* that every PE of the node has; 0 until first use */
} images = {.lock = PTHREAD_MUTEX_INITIALIZER};

/*
 * The shortest length of the images of PEs that have one, and the longest; they differ if PEs run
 * different programs.
 */
static size_t common_image_bytes(const struct tern_boot *boot, size_t *most)
{
    size_t least = tern_static_data_own()->bytes; /* the slots are for others to write as well */

    *most = least;
    for (int i = 0; i < boot->node_n_pes; i++) {
        size_t bytes = tern_load_acquire(&tern_boot_slot(boot, i)->image_bytes);

        bytes = bytes < TERN_IMAGE_STRIDE ? bytes : TERN_IMAGE_STRIDE;
        least = bytes && bytes < least ? bytes : least;
        *most = bytes > *most ? bytes : *most;
    }
    return least;
}

/* The distance from PE to PE of this node; 1 where there is only one. */
static uint32_t stride_of_node(const struct tern_boot *boot)
{
    return boot->node_n_pes == 1 ? 1 : (uint32_t)boot->nodes[boot->node].stride;
}

/* In a job of one PE the peer address of static data is the address itself. */
static void open_own_image(void)
{
    const struct tern_static_data *image = tern_static_data_own();

    tern_route.image_offset = 0;
    tern_route.image_bytes = image->bytes;
}

static bool reserve_images(const struct tern_boot *boot)
{
    const struct tern_static_data *image = tern_static_data_own();
    size_t most;
    unsigned shift;

    tern_store_release(&images.bytes, common_image_bytes(boot, &most));
    if (!images.bytes)
        return false;
    images.error = -tern_static_data_reserve(boot->node_n_pes, most, &images.base, &shift);
    if (images.error)
        return false;
    images.states = calloc((size_t)boot->node_n_pes, 1);
    if (!images.states) {
        images.error = ENOMEM;
        tern_static_data_unreserve(boot->node_n_pes, images.base, shift);
        images.base = NULL;
        return false;
    }
    images.n_mapped = 0;
    images.shift = shift;
    tern_route.image_stride = tern_route_divide((size_t)1 << shift, stride_of_node(boot));
    tern_route.image_offset = (uintptr_t)images.base - image->start;
    return true;
}

void tern_translation_start(struct tern_bell *bells)
{
    const struct tern_boot *boot = tern_job.boot;
    struct tern_route *r = &tern_route;

    tern_inline_route_lock();
    r->heap = (uintptr_t)tern_job.heap_start;
    r->heap_bytes = tern_job.arena.heap_bytes - TERN_ROUTE_SLACK;
    r->heap_stride = tern_route_divide((size_t)1 << tern_job.arena.shift, stride_of_node(boot));
    r->heap_offset = -((uintptr_t)boot->node_pe << tern_job.arena.shift);
    r->image = tern_static_data_own()->start;
    r->bells = bells;
    if (boot->node_n_pes == 1)
        open_own_image();
    /* The fast path does not ask the program's sanitizer about buffers, so it stays closed. */
    if (!tern_asan_is_present())
        tern_route_open(boot->nodes[boot->node].start, stride_of_node(boot),
                        (uint32_t)boot->node_n_pes);
    tern_inline_route_update();
    tern_inline_route_unlock();
}

void tern_translation_stop(void)
{
    tern_inline_route_lock();
    tern_route_close();
    tern_inline_route_update();
    tern_inline_route_unlock();
}

static enum image_state map_image(int i)
{
    size_t bytes = tern_load_acquire(&tern_boot_slot(tern_job.boot, i)->image_bytes);
    uint64_t offset;
    int fd, r;

    if (!bytes || bytes > (size_t)1 << images.shift) /* as it was when the room was reserved */
        return UNMAPPABLE;
    fd = tern_boot_open_image(i, &offset);
    r = fd < 0 ? fd : tern_static_data_map_peer(fd, offset, i, bytes, images.base, images.shift);
    if (fd >= 0)
        close(fd);
    images.n_mapped += !r;
    if (r)
        images.error = -r;
    return r ? UNMAPPABLE : MAPPED;
}

static void map_image_once(uint32_t i)
{
    if (images.states[i] == UNMAPPED)
        images.states[i] = (unsigned char)map_image((int)i);
}

/*
 * Maps the image of that node PE, and those of all if they are few. False if that PE's image can't
 * be mapped. If another PE's can't, the fast path stays closed, and an access to it reports the
 * error.
 */
static bool open_image(uint32_t node_pe)
{
    uint32_t n = (uint32_t)tern_job.boot->node_n_pes;
    bool ok;

    pthread_mutex_lock(&images.lock);
    ok = images.base || reserve_images(tern_job.boot);
    if (ok)
        map_image_once(node_pe);
    for (uint32_t i = 0; ok && n <= MAP_ALL_AT_ONCE && i < n; i++)
        map_image_once(i);
    ok = ok && images.states[node_pe] == MAPPED;
    if (ok && images.n_mapped == n) {
        tern_store_release(&tern_route.image_bytes, images.bytes);
        tern_inline_route_lock();
        tern_inline_route_update_images();
        tern_inline_route_unlock();
    }
    pthread_mutex_unlock(&images.lock);
    return ok;
}

int tern_translation_image_error(void)
{
    int error;

    pthread_mutex_lock(&images.lock);
    error = images.error;
    pthread_mutex_unlock(&images.lock);
    return error;
}

static bool within(uintptr_t addr, size_t bytes, uintptr_t start, size_t length)
{
    return addr - start < length && bytes <= length - (addr - start);
}

static void *heap_peer_address(uintptr_t addr, size_t node_pe)
{
    return (void *)(addr + tern_route.heap_offset + (node_pe << tern_job.arena.shift));
}

void *tern_translation_resolve(const void *addr, size_t bytes, int pe)
{
    const struct tern_static_data *image = tern_static_data_own();
    const struct tern_alias *alias = tern_alias_own();
    int i = tern_job_runs() ? tern_boot_node_pe(tern_job.boot, pe) : -1;
    size_t node_pe = (size_t)i;

    if (i < 0)
        return NULL;
    if (within((uintptr_t)addr, bytes, tern_route.heap, tern_route.heap_bytes + TERN_ROUTE_SLACK))
        return heap_peer_address((uintptr_t)addr, node_pe);
    if (within((uintptr_t)addr, bytes, alias->start, alias->bytes))
        return heap_peer_address((uintptr_t)addr - alias->start + alias->heap, node_pe);
    if (!within((uintptr_t)addr, bytes, image->start, image->bytes))
        return NULL;
    if (tern_job.boot->node_n_pes > 1) {
        if (image->unshared || !open_image((uint32_t)node_pe))
            return NULL;
        if (!within((uintptr_t)addr, bytes, image->start, images.bytes))
            return NULL;
    }
    return (void *)((uintptr_t)addr + tern_route.image_offset + (node_pe << images.shift));
}

/* The bytes of static data that every PE has, as far as known. */
static size_t known_image_bytes(const struct tern_static_data *image)
{
    /* Acquire: partner of the release in reserve_images(). */
    size_t bytes = tern_load_acquire(&images.bytes);

    return bytes ? bytes : image->bytes;
}

bool tern_translation_offset(const void *addr, size_t bytes, uint64_t *offset)
{
    const struct tern_static_data *image = tern_static_data_own();
    const struct tern_alias *alias = tern_alias_own();
    uintptr_t a = (uintptr_t)addr;

    if (tern_likely(within(a, bytes, tern_route.heap, tern_route.heap_bytes + TERN_ROUTE_SLACK)))
        *offset = a - tern_route.heap;
    else if (within(a, bytes, image->start, known_image_bytes(image)))
        *offset = (a - image->start) | TERN_NET_STATIC_BIT;
    else if (within(a, bytes, alias->start, alias->bytes))
        *offset = a - alias->start + alias->heap - tern_route.heap;
    else
        return false;
    return true;
}

const char *tern_translation_explain(const void *addr, size_t bytes, bool mapped, char *text,
                                     size_t text_bytes)
{
    const struct tern_static_data *image = tern_static_data_own();
    const struct tern_alias *alias = tern_alias_own();
    uintptr_t a = (uintptr_t)addr;
    size_t heap_bytes = tern_route.heap_bytes + TERN_ROUTE_SLACK;
    const char *constant;

    if (bytes > PTRDIFF_MAX)
        return "is the start of more elements than any memory holds: check their number";
    if (a - tern_route.heap < heap_bytes) {
        if (bytes <= heap_bytes - (a - tern_route.heap))
            return NULL;
        snprintf(text, text_bytes,
                 "leaves the symmetric heap: %zu bytes from there, but the heap ends after %zu",
                 bytes, heap_bytes - (a - tern_route.heap));
        return text;
    }
    if (a - alias->start < alias->bytes) {
        if (within(a, bytes, alias->start, alias->bytes))
            return NULL;
        snprintf(text, text_bytes,
                 "leaves the memory of shmemx_heap_create: %zu bytes from there, but it ends after "
                 "%zu",
                 bytes, alias->bytes - (a - alias->start));
        return text;
    }
    if (a - image->start < image->bytes) {
        size_t common = known_image_bytes(image);

        if (mapped && image->unshared) {
            snprintf(text, text_bytes, "is static data, which is not symmetric here: %s",
                     image->unshared);
            return text;
        }
        if (within(a, bytes, image->start, common))
            return NULL;
        snprintf(text, text_bytes,
                 "leaves the static data: %zu bytes from there, but it ends after %zu", bytes,
                 image->bytes - (a - image->start));
        return text;
    }
    if (a - (uintptr_t)tern_job.arena.heaps < (size_t)tern_job.boot->node_n_pes
                                                  << tern_job.arena.shift)
        return "is an address of another PE (from shmem_ptr?): pass this PE's own address of the "
               "symmetric object" TERN_SEE("Not symmetric");
    constant = tern_constant_explain(addr, bytes, text, text_bytes);
    if (constant)
        return constant;
    return "is not symmetric: it must be static or global data of the program, or come from "
           "shmem_malloc" TERN_SEE("Not symmetric");
}
