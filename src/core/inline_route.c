/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates the programs' copies of the route, which accesses compiled in line use. */
#include "core/inline_route.h"

#include <pthread.h>

#include "base/atomics.h"

/* The thread that opens or closes translation also updates the copies, under the same lock. */
static TERN_PE_LOCAL struct {
    pthread_mutex_t lock;
    struct tern_route *first;
} copies = {.lock = PTHREAD_MUTEX_INITIALIZER};

/*
 * Updates a copy that may be in use. The length is stored last, because it is read first: the
 * release is the partner of the acquire in shmem-inline.h.
 */
static void show_images(struct tern_route *copy)
{
    size_t bytes = tern_route_image_bytes();

    if (!bytes)
        return;
    copy->image_offset = tern_route.image_offset;
    copy->image_stride = tern_route.image_stride;
    tern_store_release(&copy->image_bytes, bytes);
}

/* Updates a copy that is not in use. */
static void show_all(struct tern_route *copy)
{
    copy->heap = tern_route.heap;
    copy->heap_bytes = tern_route.heap_bytes;
    copy->heap_offset = tern_route.heap_offset;
    copy->heap_stride = tern_route.heap_stride;
    copy->bells = tern_route.bells;
    copy->first = tern_route.first;
    copy->image = tern_route.image;
    show_images(copy);
    copy->n_pes = tern_route.n_pes;
}

static void each_copy(void (*show)(struct tern_route *copy))
{
    for (struct tern_route *copy = copies.first; copy; copy = copy->next)
        show(copy);
}

void tern_inline_route_update(void)
{
    each_copy(show_all);
}

void tern_inline_route_update_images(void)
{
    each_copy(show_images);
}

/* The link to the copy in the list, or the last link. */
static struct tern_route **find_copy(const struct tern_route *copy)
{
    struct tern_route **link = &copies.first;

    while (*link && *link != copy)
        link = &(*link)->next;
    return link;
}

void tern_inline_route_register(struct tern_route *copy)
{
    struct tern_route **link;

    tern_inline_route_lock();
    link = find_copy(copy);
    if (!*link) {
        copy->next = NULL;
        *link = copy;
        show_all(copy);
    }
    tern_inline_route_unlock();
}

void tern_inline_route_unregister(struct tern_route *copy)
{
    struct tern_route **link;

    tern_inline_route_lock();
    link = find_copy(copy);
    if (*link) {
        *link = copy->next;
        copy->n_pes = 0;
    }
    tern_inline_route_unlock();
}

void tern_inline_route_lock(void)
{
    pthread_mutex_lock(&copies.lock);
}

void tern_inline_route_unlock(void)
{
    pthread_mutex_unlock(&copies.lock);
}
