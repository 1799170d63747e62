/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives out and takes back handles. */
#include "core/handle.h"

#include <stdlib.h>

struct tern_handle_entry *const tern_handle_no_chunks[TERN_HANDLE_CHUNKS];

static struct tern_handle_entry *entry_at(struct tern_handles *handles, uint32_t index)
{
    return &handles->chunks[index / TERN_HANDLE_CHUNK][index % TERN_HANDLE_CHUNK];
}

static bool has_own_chunks(struct tern_handles *handles)
{
    struct tern_handle_entry **chunks;

    if (handles->chunks != tern_handle_no_chunks)
        return true;
    chunks = calloc(TERN_HANDLE_CHUNKS, sizeof *chunks);
    if (!chunks)
        return false;
    __atomic_store_n(&handles->chunks, chunks, __ATOMIC_RELEASE);
    return true;
}

/* The index of a free entry whose chunk is allocated; 0 if there is none. */
static uint32_t take_index(struct tern_handles *handles)
{
    uint32_t index = handles->first_free;
    struct tern_handle_entry **chunk;

    if (index) {
        handles->first_free = entry_at(handles, index)->next_free;
        return index;
    }
    index = handles->used;
    if (index >> TERN_HANDLE_INDEX_BITS || !has_own_chunks(handles))
        return 0;
    chunk = &handles->chunks[index / TERN_HANDLE_CHUNK];
    if (!*chunk) {
        struct tern_handle_entry *fresh = calloc(TERN_HANDLE_CHUNK, sizeof *fresh);

        if (!fresh)
            return 0;
        __atomic_store_n(chunk, fresh, __ATOMIC_RELEASE);
    }
    handles->used++;
    return index;
}

uintptr_t tern_handle_add(struct tern_handles *handles, void *object)
{
    struct tern_handle_entry *e;
    uintptr_t handle = 0;
    uint32_t index;

    pthread_mutex_lock(&handles->lock);
    index = take_index(handles);
    if (index) {
        e = entry_at(handles, index);
        e->object = object;
        e->generation++;
        handle = (uintptr_t)e->generation << TERN_HANDLE_INDEX_BITS | index;
        tern_handle_publish(handles, handle);
    }
    pthread_mutex_unlock(&handles->lock);
    return handle;
}

void tern_handle_remove(struct tern_handles *handles, uintptr_t handle)
{
    uint32_t index = (uint32_t)(handle & ((1u << TERN_HANDLE_INDEX_BITS) - 1));
    struct tern_handle_entry *e;

    pthread_mutex_lock(&handles->lock);
    e = entry_at(handles, index);
    __atomic_store_n(&e->handle, 0, __ATOMIC_RELEASE);
    e->next_free = handles->first_free;
    handles->first_free = index;
    pthread_mutex_unlock(&handles->lock);
}

bool tern_handle_is_stale(struct tern_handles *handles, uintptr_t handle)
{
    uint32_t index = (uint32_t)(handle & ((1u << TERN_HANDLE_INDEX_BITS) - 1));
    uintptr_t generation = handle >> TERN_HANDLE_INDEX_BITS;
    const struct tern_handle_entry *e;
    bool stale = false;

    pthread_mutex_lock(&handles->lock);
    if (index >= TERN_HANDLE_FIRST && index < handles->used) {
        e = entry_at(handles, index);
        stale = generation && generation <= e->generation && e->handle != handle;
    }
    pthread_mutex_unlock(&handles->lock);
    return stale;
}

void tern_handle_each(struct tern_handles *handles, void (*visit)(void *object, void *arg),
                      void *arg)
{
    pthread_mutex_lock(&handles->lock);
    for (uint32_t index = TERN_HANDLE_FIRST; index < handles->used; index++) {
        struct tern_handle_entry *e = entry_at(handles, index);

        /* Acquire: partner of the release in tern_handle_publish(), which may take no lock. */
        if (__atomic_load_n(&e->handle, __ATOMIC_ACQUIRE))
            visit(e->object, arg);
    }
    pthread_mutex_unlock(&handles->lock);
}
