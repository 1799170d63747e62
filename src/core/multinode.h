/* SPDX-License-Identifier: BSD-3-Clause */
/* Multinode teams: their parts, rounds of all members, and exchanges between the parts. */
#ifndef TERN_CORE_MULTINODE_H
#define TERN_CORE_MULTINODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/messages.h"
#include "core/team.h"

/*
 * The members on one node are a part. Nodes are ranges of PEs, so parts are ranges of the team, and
 * a team keeps one range for each part. A part's first member is its leader. Leaders exchange
 * messages; the other members synchronize with their leader in shared memory.
 */
struct tern_multinode {
    struct tern_team *part;      /* this node's members: a team of its own, on one node */
    int n_parts, me;             /* parts are in the order of their leaders in the team */
    int largest;                 /* members of the largest part */
    bool interleaves;            /* some part is not a run of consecutive members */
    struct tern_pe_range *parts; /* as numbers in the team */
    struct tern_message_key key;
    struct tern_message_queue *queue; /* NULL until this PE waits for a message */
    uint64_t number;                  /* rounds and broadcasts so far, the same on all members */
};

/* The kinds of keys. Keys of split teams also contain a number that the parent gave. */
enum tern_multinode_kind { TERN_MULTINODE_WORLD, TERN_MULTINODE_SPLIT, TERN_MULTINODE_SET };

/* Whether any of these PEs, which include this one, are on another node. */
bool tern_multinode_is_needed(const struct tern_pe_range *pes);

/*
 * Makes a multinode team of the team; `part` becomes the team of its members on this node, still
 * without shared memory. The caller has set pes and me. 0 or -ENOMEM.
 */
int tern_multinode_open(struct tern_team *team, struct tern_team *part);

void tern_multinode_close(struct tern_team *team);

/* The members on this node as a team: of a team on one node, the team itself. */
TERN_INLINE struct tern_team *tern_team_local(struct tern_team *team)
{
    return team->multinode ? team->multinode->part : team;
}

TERN_INLINE bool tern_multinode_leads(const struct tern_team *team)
{
    return team->multinode->part->me == 0;
}

/* The PE that leads a part. */
TERN_INLINE int tern_multinode_leader(const struct tern_team *team, int part)
{
    return tern_pe_range_world(&team->pes, team->multinode->parts[part].start);
}

/* The part that a member of the team belongs to. */
int tern_multinode_part_of(const struct tern_team *team, int member);

/*
 * A round: each member publishes `bytes` to its own part. When all members of a part have arrived,
 * its leader calls lead(arg); when lead returns, the members return. They read the published bytes
 * by tern_sync_payload() of the part, as after a round of the part.
 */
void tern_multinode_round(struct tern_team *team, const void *mine, size_t bytes,
                          void (*lead)(void *arg), void *arg, const char *routine);

/*
 * Exchanges of leaders in a round. All leaders call the same ones, each at most once a round.
 *
 * barrier: returns when all leaders have called it. Each sends `bytes` to the next leader and
 * receives those of the leader before it in `theirs`, which has room for TERN_SYNC_PAYLOAD or is
 * NULL.
 */
void tern_multinode_barrier(struct tern_team *team, const void *mine, size_t bytes, void *theirs,
                            const char *routine);

/*
 * allreduce: value, aligned for its type, becomes the combination of the values of all parts.
 * combine stores a op b to out, which is a or b. All parts get the same bits, because the order is
 * that of tern_multinode_combine_all().
 */
typedef void tern_multinode_combine(void *out, const void *a, const void *b, const void *arg);
void tern_multinode_allreduce(struct tern_team *team, void *value, size_t bytes,
                              tern_multinode_combine *combine, const void *arg,
                              const char *routine);

/* The same on local values: the result is in the first, the others are overwritten. */
void tern_multinode_combine_all(void *values[], int n, tern_multinode_combine *combine,
                                const void *arg);

/*
 * allgather: a block of any length from each part. The caller reads the blocks by
 * tern_multinode_next(), then frees `bytes`.
 */
struct tern_multinode_blocks {
    int n_parts, first; /* the first block is that part's; the others follow cyclically */
    size_t used, room;
    unsigned char *bytes;
};

struct tern_multinode_block {
    int part;
    size_t bytes, next; /* next: the offset of the following block */
    const void *data;
};

void tern_multinode_allgather(struct tern_team *team, const void *mine, size_t bytes,
                              struct tern_multinode_blocks *blocks, const char *routine);

/* Advances to the next block, from an all-zero struct to the first; false after the last. */
bool tern_multinode_next(const struct tern_multinode_blocks *blocks,
                         struct tern_multinode_block *block);

/*
 * The data of a block that has to have `bytes`, as the caller knows; else the program ends: the
 * sender's length is not trusted.
 */
const void *tern_multinode_data(const struct tern_multinode_block *block, size_t bytes,
                                const char *routine);

/*
 * Single messages within a round or a broadcast, from the member that acts for its part to a PE;
 * step is TERN_MULTINODE_STEPS or more. await waits for a message and returns its length; the
 * caller then has to read it, into data with room for `bytes`.
 */
enum { TERN_MULTINODE_STEPS = 256 };

void tern_multinode_send(struct tern_team *team, int pe, uint32_t step, const void *data,
                         size_t bytes);
size_t tern_multinode_await(struct tern_team *team, int part, uint32_t step, const char *routine);
void tern_multinode_read(struct tern_team *team, int part, uint32_t step, void *data, size_t bytes,
                         const char *routine);

/* A barrier of the members; their earlier stores are visible after it. */
void tern_multinode_sync(struct tern_team *team, const char *routine);

TERN_INLINE void tern_team_sync(struct tern_team *team, const char *routine)
{
    if (tern_unlikely(team->multinode))
        tern_multinode_sync(team, routine);
    else
        tern_sync_barrier(&team->sync, routine);
}

/*
 * The same; in addition compare() gets this member's value and that of another member, whose world
 * number is pe. If no comparison on any member finds a difference, all values are equal. `bytes` is
 * TERN_SYNC_PAYLOAD at most.
 */
typedef void tern_team_compare(const void *mine, const void *theirs, int pe);
void tern_team_sync_compared(struct tern_team *team, const void *mine, size_t bytes,
                             tern_team_compare *compare, const char *routine);

#endif
