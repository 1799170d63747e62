/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries out the frames of peers. What a frame says is not trusted. */
#include <string.h>

#include "net/apply.h"
#include "net/gather/gather.h"

/* The object that an entry names, or NULL if it is outside of the segment. */
static void *find(const struct tern_net_host *host, const struct tern_entry *entry)
{
    size_t length = host->segments[entry->segment].bytes;

    if (entry->distance > length || entry->bytes > length - entry->distance)
        return NULL;
    return (char *)host->segments[entry->segment].start + entry->distance;
}

static uint64_t apply(const struct tern_entry *entry, void *at, const uint64_t *body)
{
    uint64_t compare = entry->op == TERN_NET_COMPARE_SWAP ? body[1] : 0;
    enum tern_net_op op = (enum tern_net_op)entry->op;

    if (entry->bytes == 4)
        return tern_net_apply32(op, at, (uint32_t)body[0], (uint32_t)compare);
    return tern_net_apply64(op, at, body[0], compare);
}

static bool is_valid(const struct tern_entry *entry, const void *at)
{
    if (!at || entry->op > TERN_ENTRY_GET)
        return false;
    if (entry->op >= TERN_ENTRY_PUT)
        return entry->bytes && entry->bytes <= TERN_ENTRY_BYTES &&
               entry->fetches == (entry->op == TERN_ENTRY_GET);
    return (entry->bytes == 4 || entry->bytes == 8) && (uintptr_t)at % entry->bytes == 0;
}

size_t tern_gather_carry_out(const struct tern_net_host *host, const void *frame, size_t bytes,
                             void *answer)
{
    const uint64_t *word = frame, *end = word + bytes / 8;
    uint64_t *result = answer, *room = result + TERN_NET_MESSAGE_BYTES / 8;
    size_t n = 0;

    while (word < end) {
        struct tern_entry entry = tern_entry_unpack(*word++);
        size_t body = tern_entry_body(entry.op, entry.bytes);
        size_t results = entry.fetches ? tern_entry_words(entry.bytes) : 0;
        void *at = find(host, &entry);

        if (!is_valid(&entry, at) || body > (size_t)(end - word) ||
            results > (size_t)(room - result))
            break;
        if (entry.op == TERN_ENTRY_PUT) {
            tern_fence_stores(); /* after the entries before it: partner is a wait's acquire */
            tern_net_store(at, word, entry.bytes);
        } else if (entry.op == TERN_ENTRY_GET) {
            result[results - 1] = 0; /* pads the last word */
            tern_net_store(result, at, entry.bytes);
        } else {
            uint64_t old = apply(&entry, at, word);

            if (results)
                *result = old;
        }
        word += body;
        result += results;
        n++;
    }
    tern_store_relaxed(&tern_gather_served, tern_gather_served + n);
    return (size_t)((char *)result - (char *)answer);
}
