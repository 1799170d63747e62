/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a list of buffers being read and one of those being written. Most calls find them empty. */
#include "tools/check/race/private_buffers.h"

#define MOST 64

struct list {
    struct tern_check_private_buffer buffers[MOST];
    unsigned n, next;
    uintptr_t start, end; /* of all buffers together */
};

static struct list read, written;
struct tern_span tern_check_private_buffers_range;

static void find_range(void)
{
    uintptr_t start = UINTPTR_MAX, end = 0;

    for (const struct list *list = &read; list; list = list == &read ? &written : NULL)
        if (list->n > 0) {
            start = list->start < start ? list->start : start;
            end = list->end > end ? list->end : end;
        }
    tern_check_private_buffers_range = (struct tern_span){start, end > start ? end - start : 0};
}

static bool overlaps(const struct tern_check_private_buffer *buffer, uintptr_t start, uintptr_t end)
{
    return buffer->start < end && start < buffer->end;
}

static const struct tern_check_private_buffer *find(const struct list *list, uintptr_t start,
                                                    uintptr_t end)
{
    if (list->n == 0 || list->end <= start || end <= list->start)
        return NULL;
    for (unsigned i = 0; i < list->n; i++)
        if (overlaps(&list->buffers[i], start, end))
            return &list->buffers[i];
    return NULL;
}

const struct tern_check_private_buffer *tern_check_private_buffers_find(uintptr_t start,
                                                                        size_t bytes, bool writes)
{
    const struct tern_check_private_buffer *found = find(&written, start, start + bytes);

    return found || !writes ? found : find(&read, start, start + bytes);
}

/* Merges a buffer that continues the last one, as in a loop over an array. */
static bool extend(struct list *list, const struct tern_check_private_buffer *buffer)
{
    struct tern_check_private_buffer *last;

    if (list->n == 0)
        return false;
    last = &list->buffers[(list->next + MOST - 1) % MOST];
    if (last->end != buffer->start || last->ctx != buffer->ctx || last->site != buffer->site)
        return false;
    last->end = buffer->end;
    return true;
}

static void add(struct list *list, const struct tern_check_private_buffer *buffer)
{
    if (list->n == 0 || buffer->start < list->start)
        list->start = buffer->start;
    if (list->n == 0 || buffer->end > list->end)
        list->end = buffer->end;
    if (extend(list, buffer))
        return;
    list->buffers[list->next] = *buffer;
    list->next = (list->next + 1) % MOST;
    if (list->n < MOST)
        list->n++;
}

void tern_check_private_buffers_add(uintptr_t start, size_t bytes, bool writes, int ctx,
                                    uint32_t site)
{
    struct tern_check_private_buffer buffer = {start, start + bytes, ctx, site};

    add(writes ? &written : &read, &buffer);
    find_range();
}

static void quiet(struct list *list, int ctx)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < list->n; i++)
        if (list->buffers[i].ctx != ctx)
            list->buffers[kept++] = list->buffers[i];
    list->n = kept;
    list->next = kept % MOST;
}

void tern_check_private_buffers_quiet(int ctx)
{
    quiet(&read, ctx);
    quiet(&written, ctx);
    find_range();
}
