/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: numbers that name teams and contexts, and that a stale or random value never matches. */
#ifndef TERN_CORE_HANDLE_H
#define TERN_CORE_HANDLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

/*
 * A handle is (generation << 20 | index). Looking one up takes no lock and follows no pointer that
 * the user gave; a slot is reused with a new generation. Numbers below TERN_HANDLE_FIRST are left
 * to the constants of the standard's header.
 */
#define TERN_HANDLE_FIRST 16u
#define TERN_HANDLE_INDEX_BITS 20
#define TERN_HANDLE_CHUNK 1024u

struct tern_handle_entry {
    uintptr_t handle; /* 0 while free */
    void *object;
    uint32_t generation;
    uint32_t next_free;
};

struct tern_handles {
    pthread_mutex_t lock; /* recursive: tern_handle_each() holds it while a visitor removes */
    uint32_t used;        /* indexes ever given out */
    uint32_t first_free;
    struct tern_handle_entry *chunks[(1u << TERN_HANDLE_INDEX_BITS) / TERN_HANDLE_CHUNK];
};

#define TERN_HANDLES_INIT                                                                          \
    {                                                                                              \
        .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .used = TERN_HANDLE_FIRST                  \
    }

/* A handle for the object, or 0 if memory or numbers are exhausted. */
uintptr_t tern_handle_add(struct tern_handles *handles, void *object);

/* Removes a live handle; it is stale from then on. */
void tern_handle_remove(struct tern_handles *handles, uintptr_t handle);

/* Whether the handle was valid once and has been removed. */
bool tern_handle_is_stale(struct tern_handles *handles, uintptr_t handle);

/*
 * Calls visit for each live object; visit may remove that object. Meanwhile other threads can
 * neither add nor remove handles, so no object disappears while it is visited.
 */
void tern_handle_each(struct tern_handles *handles, void (*visit)(void *object, void *arg),
                      void *arg);

/* The object, or NULL if the handle is stale or never existed. */
TERN_INLINE void *tern_handle_find(const struct tern_handles *handles, uintptr_t handle)
{
    uint32_t index = (uint32_t)(handle & ((1u << TERN_HANDLE_INDEX_BITS) - 1));
    const struct tern_handle_entry *chunk =
        __atomic_load_n(&handles->chunks[index / TERN_HANDLE_CHUNK], __ATOMIC_ACQUIRE);
    const struct tern_handle_entry *e;

    if (tern_unlikely(!chunk))
        return NULL;
    e = &chunk[index % TERN_HANDLE_CHUNK];
    /* Acquire: partner of the release in tern_handle_add(), for handles passed between threads. */
    if (tern_unlikely(__atomic_load_n(&e->handle, __ATOMIC_ACQUIRE) != handle || !handle))
        return NULL;
    return e->object;
}

#endif
