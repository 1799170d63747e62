/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams that span nodes: their parts, the rounds that all members take part in, and what the parts
 * tell each other in them. */
#ifndef TERN_CORE_MULTINODE_H
#define TERN_CORE_MULTINODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/messages.h"
#include "core/team.h"

/*
 * The members on one node are a part. Nodes are ranges of PEs, so parts are ranges of the team, and
 * nothing is listed but one range a part. A part's first member is its leader, whose messages keep
 * the parts together; the others meet it in shared memory.
 */
struct tern_multinode {
    struct tern_team *part; /* this node's members: a team in its own right, which spans nothing */
    int n_parts, me;        /* parts are in the order of their leaders in the team */
    int largest;            /* members of the largest part */
    bool interleaves;       /* some part is not a run of consecutive members */
    struct tern_pe_range *parts; /* as numbers in the team */
    struct tern_message_key key;
    struct tern_message_queue *queue; /* NULL until this PE waits for a message */
    uint64_t number;                  /* rounds and broadcasts so far, the same on all members */
};

/* The kinds of keys. Those of teams that are split off have a number of their parent's as well. */
enum tern_multinode_kind { TERN_MULTINODE_WORLD, TERN_MULTINODE_SPLIT, TERN_MULTINODE_SET };

/* Whether any of these PEs, among which this one is, are on another node. */
bool tern_multinode_is_needed(const struct tern_pe_range *pes);

/*
 * Makes the team span its nodes; `part` becomes the team of those on this one, still without its
 * shared memory. pes and me are set already. 0 or -ENOMEM.
 */
int tern_multinode_open(struct tern_team *team, struct tern_team *part);

void tern_multinode_close(struct tern_team *team);

/* The members on this node, as a team that spans nothing: the team itself, if it does not. */
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
 * A round: each member publishes `bytes` to its own part; when a part's members are there its
 * leader calls lead(arg), and when that returns they go on. They read what was published by
 * tern_sync_payload() of the part, as after a round of its own.
 */
void tern_multinode_round(struct tern_team *team, const void *mine, size_t bytes,
                          void (*lead)(void *arg), void *arg, const char *routine);

/*
 * What leaders do in a round, all alike; each at most once a round.
 *
 * barrier: returns when all have called it. Each sends `bytes` to the next leader and has those of
 * the one before in `theirs`.
 */
void tern_multinode_barrier(struct tern_team *team, const void *mine, size_t bytes, void *theirs,
                            const char *routine);

/*
 * allreduce: value, aligned for what it holds, becomes the combination of the values of all parts.
 * combine puts a op b into out, which is one of them. All have the same bits: the order is that of
 * tern_multinode_combine_all().
 */
typedef void tern_multinode_combine(void *out, const void *a, const void *b, const void *arg);
void tern_multinode_allreduce(struct tern_team *team, void *value, size_t bytes,
                              tern_multinode_combine *combine, const void *arg,
                              const char *routine);

/* The same on values that are all here: the result is in the first, the others are overwritten. */
void tern_multinode_combine_all(void *values[], int n, tern_multinode_combine *combine,
                                const void *arg);

/*
 * allgather: what each part has given, of any length. Read it by tern_multinode_next(), then free
 * it.
 */
struct tern_multinode_blocks {
    int n_parts, first; /* that part's is the first block, then they go round */
    size_t used, room;
    unsigned char *bytes;
};

struct tern_multinode_block {
    int part;
    size_t bytes, next; /* next: where the one after it begins */
    const void *data;
};

void tern_multinode_allgather(struct tern_team *team, const void *mine, size_t bytes,
                              struct tern_multinode_blocks *blocks, const char *routine);

/* From a block that is all zero to the first one, and so on; false after the last. */
bool tern_multinode_next(const struct tern_multinode_blocks *blocks,
                         struct tern_multinode_block *block);

/*
 * Single messages within a round or a broadcast, from a member that speaks for its part to a PE;
 * step is TERN_MULTINODE_STEPS or more. receive waits and returns the length, which has to be read
 * then.
 */
enum { TERN_MULTINODE_STEPS = 256 };

void tern_multinode_send(struct tern_team *team, int pe, uint32_t step, const void *data,
                         size_t bytes);
size_t tern_multinode_await(struct tern_team *team, int part, uint32_t step, const char *routine);
void tern_multinode_read(struct tern_team *team, int part, uint32_t step, void *data,
                         const char *routine);

/* All members wait for all; what they stored before is visible after. */
void tern_multinode_sync(struct tern_team *team, const char *routine);

TERN_INLINE void tern_team_sync(struct tern_team *team, const char *routine)
{
    if (tern_unlikely(team->multinode))
        tern_multinode_sync(team, routine);
    else
        tern_sync_barrier(&team->sync, routine);
}

/*
 * The same, and each member's value is compared with others', so that all are equal if none differs
 * from those it is compared with. `bytes` is TERN_SYNC_PAYLOAD at most; pe is of the world.
 */
typedef void tern_team_compare(const void *mine, const void *theirs, int pe);
void tern_team_sync_compared(struct tern_team *team, const void *mine, size_t bytes,
                             tern_team_compare *compare, const char *routine);

#endif
