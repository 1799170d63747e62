/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps for each PE the distance of its heap and of its static data from this PE's own. */
#include "tools/check/race/peer_memory.h"

#include <stdlib.h>

#include "tools/check/shared/identity.h"

struct peer {
    uintptr_t distance;
    int pe;
    bool is_program;
};

struct tern_span tern_check_peer_memory_range;

static struct peer *peers;
static int n_peers, room;

static const struct tern_span *own_of(const struct peer *peer)
{
    return peer->is_program ? &tern_quick.program : &tern_quick.heap;
}

void tern_check_peer_memory_note_allocation(void)
{
    uintptr_t start = UINTPTR_MAX, end = 0;

    for (int i = 0; i < n_peers; i++) {
        const struct tern_span *own = own_of(&peers[i]);
        uintptr_t first = own->start + peers[i].distance;

        start = first < start ? first : start;
        end = first + own->size > end ? first + own->size : end;
    }
    tern_check_peer_memory_range = (struct tern_span){start, end > start ? end - start : 0};
}

static bool has(const struct peer *other)
{
    for (int i = 0; i < n_peers; i++)
        if (peers[i].pe == other->pe && peers[i].is_program == other->is_program)
            return true;
    return false;
}

void tern_check_peer_memory_add(const void *pointer, const void *address, int pe)
{
    struct peer peer = {(uintptr_t)pointer - (uintptr_t)address, pe,
                        tern_span_has(&tern_quick.program, (uintptr_t)address)};

    if (pe == tern_check_my_pe() || pointer == address || has(&peer))
        return;
    if (n_peers == room) {
        int more = room ? 2 * room : 16;
        struct peer *moved = reallocarray(peers, (size_t)more, sizeof *peers);

        if (!moved)
            return;
        peers = moved;
        room = more;
    }
    peers[n_peers++] = peer;
    tern_check_peer_memory_note_allocation();
}

uintptr_t tern_check_peer_memory_find(uintptr_t address, int *pe)
{
    for (int i = 0; i < n_peers; i++)
        if (tern_span_has(own_of(&peers[i]), address - peers[i].distance)) {
            *pe = peers[i].pe;
            return address - peers[i].distance;
        }
    return 0;
}
