/* SPDX-License-Identifier: BSD-3-Clause */
/* The barrier of a group of PEs, and a small allgather that uses the same cache lines. */
#ifndef TERN_CORE_SYNC_H
#define TERN_CORE_SYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wait.h"

/* What a member may publish in one round: the rest of the cache line that holds its flag. */
#define TERN_SYNC_PAYLOAD 56

/* The most bytes of a broadcast that travels in its team's stream (coll/node_broadcast.h). */
#define TERN_SYNC_MOST_STREAMED ((size_t)8192)

/*
 * How groups synchronize, and how many bytes of a collective travel in cells. Chosen by the numbers
 * of members and cores, or forced for the whole job by tern_sync_force() before groups are made.
 */
struct tern_sync_choice {
    enum { TERN_SYNC_BY_NUMBERS, TERN_SYNC_BY_CELLS, TERN_SYNC_BY_COUNTER } meet;
    size_t most_in_cells;
    enum { TERN_STREAM_BY_NUMBERS, TERN_STREAM_NEVER, TERN_STREAM_ALWAYS } stream;
    bool finish; /* the last member works for all, whatever the size, where it releases them */
};

extern TERN_PE_LOCAL struct tern_sync_choice tern_sync_choice;

/*
 * `words` is a list with commas of cells, counter, stream, large, finish; NULL forces nothing. 0
 * or -EINVAL.
 */
int tern_sync_force(const char *words);

/* Whether a collective's data travels in the cells of its round. */
TERN_INLINE bool tern_sync_in_cells(size_t bytes)
{
    return bytes <= tern_sync_choice.most_in_cells;
}

struct tern_sync_cell {
    uint64_t round; /* written last, with release */
    unsigned char payload[TERN_SYNC_PAYLOAD];
} TERN_ALIGNED(TERN_LINE);

/*
 * Two cells per member: round r uses cell r % 2. A member writes cells of round r + 2 only after
 * round r + 1 is complete, that is after every member has begun it and so has read those of round
 * r.
 */
struct tern_sync_member {
    struct tern_sync_cell cells[2];
    uint64_t readers TERN_ALIGNED(TERN_LINE); /* of the member's sources, of all rounds together */
};

/*
 * Shared by the members, zero before the first round. Rounds only count up, so nothing is ever
 * reset, and a group can be left and entered again.
 */
struct tern_sync_shared {
    struct tern_bell bell TERN_ALIGNED(TERN_LINE);
    uint64_t arrived TERN_ALIGNED(TERN_LINE); /* arrivals of all rounds together */
    uint64_t round TERN_ALIGNED(TERN_LINE);   /* complete rounds */
    struct tern_sync_member members[];
};

/* Bytes of shared memory for a group of n. */
size_t tern_sync_shared_bytes(int n);

/* One member's private state. */
struct tern_sync {
    struct tern_sync_shared *shared;
    uint64_t round; /* the last one begun */
    int me, n;
    /*
     * A few members on as many cores poll each other's cells: one cache-line transfer a round.
     * Otherwise they count arrivals, and the last member releases all: one wake for the group, and
     * one yield for each member.
     */
    bool by_counter;
    size_t most_finished;              /* see tern_sync_allgather_finish() */
    uint64_t readers;                  /* of this member's sources that were waited for */
    const struct tern_pe_range *group; /* for messages, may be NULL */
};

void tern_sync_init(struct tern_sync *sync, struct tern_sync_shared *shared, int me, int n,
                    int cores, const struct tern_pe_range *group);

/* Returns when all members have called it; their earlier stores are visible after it. */
void tern_sync_barrier(struct tern_sync *sync, const char *routine);

/*
 * A barrier in which each member publishes `bytes` (TERN_SYNC_PAYLOAD at most). The caller reads
 * the members' bytes by tern_sync_payload() until it begins its next round.
 */
void tern_sync_allgather(struct tern_sync *sync, const void *mine, size_t bytes,
                         const char *routine);

/*
 * The same; but if the last member to arrive releases the others, it first calls finish(arg), while
 * no other member reads the payloads. So one member reads n cache lines instead of all n members.
 * tern_sync_finishes() returns on all members alike whether finish is called. For up to
 * most_finished bytes of each member, the last member takes less time for all members' work than a
 * further round; 0 if finish is not called.
 */
void tern_sync_allgather_finish(struct tern_sync *sync, const void *mine, size_t bytes,
                                void (*finish)(void *arg), void *arg, const char *routine);

/*
 * The same, but when all members have arrived the first member calls lead(arg); the others return
 * after lead has returned. For parts of multinode teams, whose leader acts for the others.
 */
void tern_sync_led(struct tern_sync *sync, const void *mine, size_t bytes, void (*lead)(void *arg),
                   void *arg, const char *routine);

/*
 * The most bytes of a broadcast that its root copies for the readers instead of waiting for them.
 * The copy moves the data from core to core, which takes longer than a short wait; but with more
 * members than cores, a wait is a change of processes.
 */
size_t tern_sync_most_streamed(const struct tern_sync *sync);

/*
 * An allgather in three steps: a member arrives, may use what others have published that have
 * arrived, and waits for all.
 */
void tern_sync_arrive(struct tern_sync *sync, const void *mine, size_t bytes);
void tern_sync_await(struct tern_sync *sync, const char *routine);

TERN_INLINE bool tern_sync_has_arrived(const struct tern_sync *sync, int member)
{
    /* Acquire: partner of the release in tern_sync_arrive(). */
    return tern_load_acquire(&sync->shared->members[member].cells[sync->round % 2].round) >=
           sync->round;
}

TERN_INLINE bool tern_sync_finishes(const struct tern_sync *sync)
{
    return sync->by_counter;
}

/* The same, for finish() to write to. */
TERN_INLINE void *tern_sync_payload_to_change(const struct tern_sync *sync, int member)
{
    return sync->shared->members[member].cells[sync->round % 2].payload;
}

TERN_INLINE const void *tern_sync_payload(const struct tern_sync *sync, int member)
{
    return tern_sync_payload_to_change(sync, member);
}

#endif
