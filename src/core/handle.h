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
    uintptr_t kept; /* the stale handle of an object that waits for reuse; 0: none */
    struct tern_handle_entry **chunks;
};

#define TERN_HANDLE_CHUNKS ((1u << TERN_HANDLE_INDEX_BITS) / TERN_HANDLE_CHUNK)

/*
 * The chunks of a table before its first handle. A table of its own, in the library's data, would
 * be 8 KiB between variables that each start touches: so it is allocated when it is needed.
 */
extern struct tern_handle_entry *const tern_handle_no_chunks[TERN_HANDLE_CHUNKS];

#define TERN_HANDLES_INIT                                                                          \
    {                                                                                              \
        .lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, .used = TERN_HANDLE_FIRST,                 \
        .chunks = (struct tern_handle_entry **)tern_handle_no_chunks                               \
    }

/* A handle for the object, or 0 if memory or numbers are exhausted. */
uintptr_t tern_handle_add(struct tern_handles *handles, void *object);

/* Removes a live handle, which is stale from then on; or one that was stale and kept. */
void tern_handle_remove(struct tern_handles *handles, uintptr_t handle);

/* Whether the handle was valid once and has been removed. */
bool tern_handle_is_stale(struct tern_handles *handles, uintptr_t handle);

/*
 * Calls visit for each live object; visit may remove that object. Meanwhile other threads can
 * neither add nor remove handles, so no object disappears while it is visited.
 */
void tern_handle_each(struct tern_handles *handles, void (*visit)(void *object, void *arg),
                      void *arg);

/* The entry of the handle's index, or NULL if no handle ever had it. */
TERN_INLINE struct tern_handle_entry *tern_handle_entry(const struct tern_handles *handles,
                                                        uintptr_t handle)
{
    uint32_t index = (uint32_t)(handle & ((1u << TERN_HANDLE_INDEX_BITS) - 1));
    struct tern_handle_entry **chunks = __atomic_load_n(&handles->chunks, __ATOMIC_ACQUIRE);
    struct tern_handle_entry *chunk =
        __atomic_load_n(&chunks[index / TERN_HANDLE_CHUNK], __ATOMIC_ACQUIRE);

    return tern_likely(chunk) ? &chunk[index % TERN_HANDLE_CHUNK] : NULL;
}

/* The object, or NULL if the handle is stale or never existed. */
TERN_INLINE void *tern_handle_find(const struct tern_handles *handles, uintptr_t handle)
{
    const struct tern_handle_entry *e = tern_handle_entry(handles, handle);

    /* Acquire: partner of the release in tern_handle_publish(), for handles passed between threads.
     */
    if (tern_unlikely(!e || __atomic_load_n(&e->handle, __ATOMIC_ACQUIRE) != handle || !handle))
        return NULL;
    return e->object;
}

/* `is_shared`: several threads of this PE may use the table at the same time. */
TERN_INLINE uintptr_t tern_handle_swap_kept(struct tern_handles *handles, uintptr_t handle,
                                            bool is_shared)
{
    uintptr_t before;

    if (is_shared) /* acquire and release: partner of itself, the object passes between threads */
        return __atomic_exchange_n(&handles->kept, handle, __ATOMIC_ACQ_REL);
    before = handles->kept;
    handles->kept = handle;
    return before;
}

/*
 * Makes a live handle stale, and keeps its object for tern_handle_reuse(), which takes no lock. The
 * table keeps one: returns the stale handle of the one before, for tern_handle_remove(), or 0.
 */
TERN_INLINE uintptr_t tern_handle_keep(struct tern_handles *handles, uintptr_t handle,
                                       bool is_shared)
{
    /* Release: as in tern_handle_remove(). */
    __atomic_store_n(&tern_handle_entry(handles, handle)->handle, 0, __ATOMIC_RELEASE);
    return tern_handle_swap_kept(handles, handle, is_shared);
}

/* The object that is kept and its new handle, which names nothing yet; NULL: none. */
TERN_INLINE void *tern_handle_reuse(struct tern_handles *handles, uintptr_t *handle, bool is_shared)
{
    uintptr_t kept = tern_handle_swap_kept(handles, 0, is_shared);
    struct tern_handle_entry *e;

    if (!kept)
        return NULL;
    e = tern_handle_entry(handles, kept);
    *handle = (uintptr_t)++e->generation << TERN_HANDLE_INDEX_BITS |
              (kept & ((1u << TERN_HANDLE_INDEX_BITS) - 1));
    return e->object;
}

/* From now on the handle names its object. */
TERN_INLINE void tern_handle_publish(struct tern_handles *handles, uintptr_t handle)
{
    /* Release: partner of the acquire in tern_handle_find() and tern_handle_each(). */
    __atomic_store_n(&tern_handle_entry(handles, handle)->handle, handle, __ATOMIC_RELEASE);
}

#endif
