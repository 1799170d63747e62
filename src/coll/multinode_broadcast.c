/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast between nodes: down a binomial tree of parts, then within each part. */
#include "coll/multinode.h"
#include "coll/node_broadcast.h"
#include "coll/symmetric.h"
#include "core/multinode.h"
#include "net/net.h"

/*
 * The root is the speaker of its part; in the other parts the leader is. Data from another node is
 * written to the leader's dest, and sent on from there to other nodes and to the members of the
 * part.
 *
 *   up to EAGER   A message carries the data; the sender does not wait.
 *   more          A message carries the data's symmetric offset. The receiver gets the data and
 *                 confirms that. The sender waits for the confirmation: on return its source must
 *                 be reusable, and its dest belongs to the program.
 *
 * Steps: the logarithm of the number of parts. Moved per node: the data in once, and out at most
 * once a step.
 *
 * The root of small broadcasts does not wait, and may run ahead of slow receivers. A barrier after
 * every BETWEEN_BARRIERS broadcasts bounds the length of their message queues.
 */
#define EAGER ((size_t)32768)
#define BETWEEN_BARRIERS 16

enum { DATA = TERN_MULTINODE_STEPS, DONE };

/*
 * Parts are ranked from the root's part on. Rank r receives from rank r without its lowest set bit.
 */
struct tree {
    struct tern_team *team;
    int rank, root_part, root_pe;
    const char *routine;
};

static int part_of_rank(const struct tree *t, int rank)
{
    return (rank + t->root_part) % t->team->multinode->n_parts;
}

static int speaker_of_rank(const struct tree *t, int rank)
{
    return rank == 0 ? t->root_pe : tern_multinode_leader(t->team, part_of_rank(t, rank));
}

static int parent_of(int rank)
{
    return rank & (rank - 1);
}

/* A rank's children differ from it by one bit below its lowest set bit, the largest bit first. */
static int first_bit(const struct tree *t)
{
    int bit = 1;

    if (t->rank)
        return (t->rank & -t->rank) / 2;
    while (2 * bit < t->team->multinode->n_parts)
        bit *= 2;
    return bit;
}

static void tell_children(const struct tree *t, const void *data, size_t bytes)
{
    for (int bit = first_bit(t); bit; bit /= 2)
        if (t->rank + bit < t->team->multinode->n_parts)
            tern_multinode_send(t->team, speaker_of_rank(t, t->rank + bit), DATA, data, bytes);
}

static void await_children(const struct tree *t)
{
    for (int bit = first_bit(t); bit; bit /= 2)
        if (t->rank + bit < t->team->multinode->n_parts) {
            int part = part_of_rank(t, t->rank + bit);

            tern_multinode_await(t->team, part, DONE, t->routine);
            tern_multinode_read(t->team, part, DONE, NULL, 0, t->routine);
        }
}

static void take_from_parent(const struct tree *t, void *data, size_t bytes)
{
    int part = part_of_rank(t, parent_of(t->rank));

    tern_multinode_await(t->team, part, DATA, t->routine);
    tern_multinode_read(t->team, part, DATA, data, bytes, t->routine);
}

/* data: the root's source or a leader's dest; holds the data on return. */
static void pass_small(const struct tree *t, void *data, size_t bytes)
{
    if (t->rank)
        take_from_parent(t, data, bytes);
    tell_children(t, data, bytes);
}

static void pass_large(const struct tree *t, void *data, size_t bytes)
{
    uint64_t offset = tern_route_symmetric_offset(data), from;
    int parent = speaker_of_rank(t, parent_of(t->rank));

    if (t->rank) {
        take_from_parent(t, &from, sizeof from);
        tern_net->get(NULL, data, from, bytes, parent);
    }
    tell_children(t, &offset, sizeof offset);
    if (t->rank)
        tern_multinode_send(t->team, parent, DONE, NULL, 0);
}

void tern_multinode_broadcast(struct tern_team *team, void *dest, const void *source, size_t bytes,
                              int root, bool to_root, const char *routine)
{
    struct tern_multinode *multinode = team->multinode;
    struct tree t = {.team = team, .routine = routine};
    int speaker = 0; /* the speaker's number in this part */
    bool speaks, small = bytes <= EAGER;
    void *data;

    t.root_part = tern_multinode_part_of(team, root);
    t.root_pe = tern_pe_range_world(&team->pes, root);
    t.rank = (multinode->me - t.root_part + multinode->n_parts) % multinode->n_parts;
    if (t.rank == 0)
        speaker = tern_pe_range_find(&multinode->parts[multinode->me], root);
    speaks = multinode->part->me == speaker;
    data = speaks && t.rank == 0 ? (void *)source : dest;

    multinode->number++;
    if (speaks && small)
        pass_small(&t, data, bytes);
    else if (speaks)
        pass_large(&t, data, bytes);
    tern_node_broadcast(multinode->part, dest, data, bytes, speaker, to_root && t.rank == 0,
                        routine);
    if (speaks && !small)
        await_children(&t);
    if (++team->coll->broadcasts % BETWEEN_BARRIERS == 0)
        tern_multinode_sync(team, routine);
}
