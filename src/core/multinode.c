/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of a multinode team: the leaders' exchanges, in logarithmic numbers of steps. */
#include "core/multinode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/limit.h"
#include "base/log.h"
#include "core/job.h"

bool tern_multinode_is_needed(const struct tern_pe_range *pes)
{
    const struct tern_boot *boot = tern_job.boot;

    return boot->n_nodes > 1 &&
           tern_pe_range_common(pes, &boot->nodes[boot->node]).size < pes->size;
}

static int by_start(const void *a, const void *b)
{
    const struct tern_pe_range *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

static void find_parts(struct tern_multinode *multinode, const struct tern_pe_range *pes)
{
    const struct tern_boot *boot = tern_job.boot;

    for (int j = 0; j < boot->n_nodes; j++) {
        struct tern_pe_range part = tern_pe_range_common(pes, &boot->nodes[j]);

        if (part.size) {
            multinode->parts[multinode->n_parts++] = part;
            multinode->interleaves |= part.size > 1 && part.stride != 1;
            multinode->largest = part.size > multinode->largest ? part.size : multinode->largest;
        }
    }
    qsort(multinode->parts, (size_t)multinode->n_parts, sizeof *multinode->parts, by_start);
}

int tern_multinode_open(struct tern_team *team, struct tern_team *part)
{
    size_t most =
        (size_t)(team->pes.size < tern_job.boot->n_nodes ? team->pes.size : tern_job.boot->n_nodes);
    struct tern_multinode *multinode = calloc(1, sizeof *multinode);

    if (multinode)
        multinode->parts = calloc(most, sizeof *multinode->parts);
    if (!multinode || !multinode->parts) {
        free(multinode);
        return -ENOMEM;
    }
    multinode->part = part;
    find_parts(multinode, &team->pes);
    team->multinode = multinode;
    multinode->me = tern_multinode_part_of(team, team->me);
    part->pes = tern_pe_range_of(&team->pes, &multinode->parts[multinode->me]);
    part->me = tern_pe_range_find(&part->pes, tern_job.pe);
    return 0;
}

void tern_multinode_close(struct tern_team *team)
{
    struct tern_multinode *multinode = team->multinode;

    if (!multinode)
        return;
    if (multinode->queue)
        tern_messages_close(multinode->queue);
    free(multinode->parts);
    free(multinode);
    team->multinode = NULL;
}

int tern_multinode_part_of(const struct tern_team *team, int member)
{
    int part = 0;

    while (tern_pe_range_find(&team->multinode->parts[part], member) < 0)
        part++;
    return part;
}

void tern_multinode_round(struct tern_team *team, const void *mine, size_t bytes,
                          void (*lead)(void *arg), void *arg, const char *routine)
{
    team->multinode->number++;
    tern_sync_led(&team->multinode->part->sync, mine, bytes, lead, arg, routine);
}

/* Messages of the leaders' own schedules. */
enum { BARRIER = 0, ALLGATHER = 64, ALLREDUCE = 128, ALLREDUCE_RESULT = 191 };

void tern_multinode_send(struct tern_team *team, int pe, uint32_t step, const void *data,
                         size_t bytes)
{
    struct tern_multinode *multinode = team->multinode;
    struct tern_message_tag tag = {multinode->number, step, multinode->me};

    tern_messages_send(pe, &multinode->key, &tag, data, bytes);
}

size_t tern_multinode_await(struct tern_team *team, int part, uint32_t step, const char *routine)
{
    struct tern_multinode *multinode = team->multinode;
    struct tern_message_tag tag = {multinode->number, step, part};

    if (!multinode->queue)
        multinode->queue = tern_messages_open(&multinode->key);
    return tern_messages_await(multinode->queue, &tag, &team->pes, routine);
}

void tern_multinode_read(struct tern_team *team, int part, uint32_t step, void *data, size_t bytes,
                         const char *routine)
{
    struct tern_message_tag tag = {team->multinode->number, step, part};

    tern_messages_read(team->multinode->queue, &tag, data, bytes, &team->pes, routine);
}

/* Sends and receives between parts; both know the length, or at least the most. */
static void send_to(struct tern_team *team, int part, uint32_t step, const void *data, size_t bytes)
{
    tern_multinode_send(team, tern_multinode_leader(team, part), step, data, bytes);
}

static void receive_from(struct tern_team *team, int part, uint32_t step, void *data, size_t bytes,
                         const char *routine)
{
    tern_multinode_await(team, part, step, routine);
    tern_multinode_read(team, part, step, data, bytes, routine);
}

/* The part at that distance from this one, forward or (negative) back. */
static int part_at(const struct tern_multinode *multinode, int distance)
{
    int part = (multinode->me + distance) % multinode->n_parts;

    return part < 0 ? part + multinode->n_parts : part;
}

/*
 * Dissemination: after step s each part knows, directly or through others, that the 2^(s+1) - 1
 * parts before it have arrived.
 */
void tern_multinode_barrier(struct tern_team *team, const void *mine, size_t bytes, void *theirs,
                            const char *routine)
{
    struct tern_multinode *multinode = team->multinode;
    size_t room = theirs ? TERN_SYNC_PAYLOAD : 0;
    uint32_t step = BARRIER;

    for (int distance = 1; distance < multinode->n_parts; distance *= 2, step++) {
        send_to(team, part_at(multinode, distance), step, mine, bytes);
        receive_from(team, part_at(multinode, -distance), step, theirs, room, routine);
        bytes = 0;
    }
}

/*
 * Recursive doubling needs a power of two of ranks. If there are more parts than that, the first
 * ones form pairs beforehand: parts 0 and 1 become rank 0, and so on.
 */
struct ranks {
    int n, pairs;
};

static struct ranks ranks_of(int n_parts)
{
    struct ranks r = {.n = 1};

    while (2 * r.n <= n_parts)
        r.n *= 2;
    r.pairs = n_parts - r.n;
    return r;
}

/* The part that acts for a rank, and the other way round. */
static int part_of_rank(const struct ranks *r, int rank)
{
    return rank < r->pairs ? 2 * rank : rank + r->pairs;
}

static int rank_of_part(const struct ranks *r, int part)
{
    return part < 2 * r->pairs ? part / 2 : part - r->pairs;
}

struct reduction {
    struct tern_team *team;
    tern_multinode_combine *combine;
    const void *arg;
    const char *routine;
};

static void double_up(const struct reduction *red, const struct ranks *ranks, void *value,
                      void *theirs, size_t bytes)
{
    int rank = rank_of_part(ranks, red->team->multinode->me);
    uint32_t step = ALLREDUCE + 1;

    for (int mask = 1; mask < ranks->n; mask *= 2, step++) {
        int other = part_of_rank(ranks, rank ^ mask);

        send_to(red->team, other, step, value, bytes);
        receive_from(red->team, other, step, theirs, bytes, red->routine);
        if (rank & mask)
            red->combine(value, theirs, value, red->arg);
        else
            red->combine(value, value, theirs, red->arg);
    }
}

/* In memory that suits every type. */
static void *scratch_of(size_t bytes)
{
    void *scratch = malloc(bytes ? bytes : 1);

    if (!scratch)
        tern_limit_no_memory(NULL, "a collective between nodes", bytes);
    return scratch;
}

void tern_multinode_allreduce(struct tern_team *team, void *value, size_t bytes,
                              tern_multinode_combine *combine, const void *arg, const char *routine)
{
    struct reduction red = {team, combine, arg, routine};
    struct ranks ranks = ranks_of(team->multinode->n_parts);
    int me = team->multinode->me;
    bool paired = me < 2 * ranks.pairs;
    void *theirs;

    if (paired && me % 2) {
        send_to(team, me - 1, ALLREDUCE, value, bytes);
        receive_from(team, me - 1, ALLREDUCE_RESULT, value, bytes, routine);
        return;
    }
    theirs = scratch_of(bytes);
    if (paired) {
        receive_from(team, me + 1, ALLREDUCE, theirs, bytes, routine);
        combine(value, value, theirs, arg);
    }
    double_up(&red, &ranks, value, theirs, bytes);
    if (paired)
        send_to(team, me + 1, ALLREDUCE_RESULT, value, bytes);
    free(theirs);
}

void tern_multinode_combine_all(void *values[], int n, tern_multinode_combine *combine,
                                const void *arg)
{
    struct ranks ranks = ranks_of(n);

    for (int i = 0; i < ranks.pairs; i++)
        combine(values[2 * i], values[2 * i], values[2 * i + 1], arg);
    for (int mask = 1; mask < ranks.n; mask *= 2)
        for (int rank = 0; rank < ranks.n; rank += 2 * mask) {
            void *value = values[part_of_rank(&ranks, rank)];

            combine(value, value, values[part_of_rank(&ranks, rank + mask)], arg);
        }
}

/* Before each block stands its length; both begin at multiples of this. */
#define BLOCK_ALIGNMENT 16u

static size_t block_room(size_t bytes)
{
    return BLOCK_ALIGNMENT + tern_bytes_round_up(bytes, BLOCK_ALIGNMENT);
}

/* Makes room for that many more bytes at the end. */
static void *extend(struct tern_multinode_blocks *blocks, size_t bytes)
{
    void *end;

    if (bytes > blocks->room - blocks->used) {
        blocks->room = 2 * blocks->room + bytes;
        blocks->bytes = realloc(blocks->bytes, blocks->room);
        if (!blocks->bytes)
            tern_limit_no_memory(NULL, "a collective between nodes", blocks->room);
    }
    end = blocks->bytes + blocks->used;
    blocks->used += bytes;
    return end;
}

static size_t block_at(const struct tern_multinode_blocks *blocks, size_t at)
{
    uint64_t bytes;

    memcpy(&bytes, blocks->bytes + at, sizeof bytes);
    return bytes;
}

static void append(struct tern_multinode_blocks *blocks, const void *data, size_t bytes)
{
    uint64_t length = bytes;
    unsigned char *at = extend(blocks, block_room(bytes));

    memset(at, 0, block_room(bytes));
    memcpy(at, &length, sizeof length);
    if (bytes)
        memcpy(at + BLOCK_ALIGNMENT, data, bytes);
}

/* Whether n blocks stand from there on, and nothing else. What follows trusts their lengths. */
static bool are_blocks(const struct tern_multinode_blocks *blocks, size_t at, int n)
{
    for (; n > 0 && at + BLOCK_ALIGNMENT <= blocks->used; n--) {
        size_t bytes = block_at(blocks, at);

        if (bytes > blocks->used - at - BLOCK_ALIGNMENT)
            return false;
        at += block_room(bytes);
    }
    return n == 0 && at == blocks->used;
}

/* The bytes of the first n blocks. */
static size_t bytes_of_first(const struct tern_multinode_blocks *blocks, int n)
{
    size_t at = 0;

    while (n-- > 0)
        at += block_room(block_at(blocks, at));
    return at;
}

/*
 * Bruck's algorithm: a part holds its own block and those of the next parts, one more at first.
 * Each step doubles their number: the part receives the blocks of the part behind the last one it
 * has.
 */
void tern_multinode_allgather(struct tern_team *team, const void *mine, size_t bytes,
                              struct tern_multinode_blocks *blocks, const char *routine)
{
    struct tern_multinode *multinode = team->multinode;
    uint32_t step = ALLGATHER;

    *blocks = (struct tern_multinode_blocks){.n_parts = multinode->n_parts, .first = multinode->me};
    append(blocks, mine, bytes);
    for (int have = 1; have < multinode->n_parts; have *= 2, step++) {
        int wanted = have < multinode->n_parts - have ? have : multinode->n_parts - have;
        int from = part_at(multinode, have);
        size_t length, before = blocks->used;

        send_to(team, part_at(multinode, -have), step, blocks->bytes,
                bytes_of_first(blocks, wanted));
        length = tern_multinode_await(team, from, step, routine);
        if (length > SIZE_MAX / 4) /* so that sums of lengths do not overflow */
            tern_limit_no_memory(routine, "a message between nodes", length);
        tern_multinode_read(team, from, step, extend(blocks, length), length, routine);
        if (!are_blocks(blocks, before, wanted))
            tern_fatal(routine,
                       "PE %d has sent %zu bytes, which are not the blocks of %d nodes: all "
                       "members must make the same collective calls",
                       tern_multinode_leader(team, from), length, wanted);
    }
}

bool tern_multinode_next(const struct tern_multinode_blocks *blocks,
                         struct tern_multinode_block *block)
{
    size_t at = block->next;

    if (at == blocks->used)
        return false;
    block->part = at ? (block->part + 1) % blocks->n_parts : blocks->first;
    block->bytes = block_at(blocks, at);
    block->data = blocks->bytes + at + BLOCK_ALIGNMENT;
    block->next = at + block_room(block->bytes);
    return true;
}

const void *tern_multinode_data(const struct tern_multinode_block *block, size_t bytes,
                                const char *routine)
{
    if (block->bytes != bytes)
        tern_fatal(routine,
                   "members on another node have sent %zu bytes, but this PE expects %zu: all "
                   "members must make the same collective calls, with the same lengths",
                   block->bytes, bytes);
    return block->data;
}

struct barrier {
    struct tern_team *team;
    const void *mine;
    size_t bytes;
    unsigned char theirs[TERN_SYNC_PAYLOAD] TERN_ALIGNED(8); /* of the leader before this one */
    const char *routine;
};

static void lead_barrier(void *arg)
{
    struct barrier *b = arg;

    tern_multinode_barrier(b->team, b->mine, b->bytes, b->theirs, b->routine);
}

void tern_multinode_sync(struct tern_team *team, const char *routine)
{
    struct barrier b = {.team = team, .routine = routine};

    tern_multinode_round(team, NULL, 0, lead_barrier, &b, routine);
}

/*
 * Each member compares with the next one on its node, each leader also with the leader before it.
 * So the comparisons connect all members.
 */
static void sync_compared_between_nodes(struct tern_team *team, const void *mine, size_t bytes,
                                        tern_team_compare *compare, const char *routine)
{
    struct barrier b = {.team = team, .mine = mine, .bytes = bytes, .routine = routine};
    const struct tern_team *part = team->multinode->part;
    int neighbour = (part->me + 1) % part->pes.size;

    tern_multinode_round(team, mine, bytes, lead_barrier, &b, routine);
    compare(mine, tern_sync_payload(&part->sync, neighbour),
            tern_pe_range_world(&part->pes, neighbour));
    if (tern_multinode_leads(team))
        compare(mine, b.theirs, tern_multinode_leader(team, part_at(team->multinode, -1)));
}

void tern_team_sync_compared(struct tern_team *team, const void *mine, size_t bytes,
                             tern_team_compare *compare, const char *routine)
{
    int neighbour = (team->me + 1) % team->pes.size;

    if (team->multinode) {
        sync_compared_between_nodes(team, mine, bytes, compare, routine);
        return;
    }
    tern_sync_allgather(&team->sync, mine, bytes, routine);
    compare(mine, tern_sync_payload(&team->sync, neighbour),
            tern_pe_range_world(&team->pes, neighbour));
}
