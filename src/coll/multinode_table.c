/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the table of a multinode team, part by part. */
#include "coll/multinode_table.h"

#include <stdlib.h>

#include "base/limit.h"
#include "coll/round.h"

struct enter {
    struct tern_team *team;
    const char *routine;
};

void tern_multinode_table_set(struct tern_team *team, int part,
                              const struct tern_coll_entry *entries)
{
    const struct tern_pe_range *members = &team->multinode->parts[part];

    for (int i = 0; i < members->size; i++)
        team->coll->table[tern_pe_range_world(members, i)] = entries[i];
}

/* Copies the entries that this part's members have published. */
static struct tern_coll_entry *copy_of_payloads(const struct tern_team *part, const char *routine)
{
    size_t n = (size_t)part->pes.size;
    struct tern_coll_entry *entries = tern_multinode_scratch(n * sizeof *entries, routine);

    for (size_t i = 0; i < n; i++)
        memcpy(&entries[i], tern_round_payload(part, (int)i), sizeof *entries);
    return entries;
}

static void lead(void *arg)
{
    const struct enter *e = arg;
    const struct tern_team *part = e->team->multinode->part;
    struct tern_coll_entry *mine = copy_of_payloads(part, e->routine);
    struct tern_multinode_block block = {0};
    struct tern_multinode_blocks blocks;

    tern_multinode_allgather(e->team, mine, (size_t)part->pes.size * sizeof *mine, &blocks,
                             e->routine);
    while (tern_multinode_next(&blocks, &block))
        tern_multinode_table_set(
            e->team, block.part,
            tern_multinode_data(&block,
                                (size_t)e->team->multinode->parts[block.part].size * sizeof *mine,
                                e->routine));
    free(blocks.bytes);
    free(mine);
}

void tern_multinode_table_exchange(struct tern_team *team, const struct tern_coll_entry *mine,
                                   const char *routine)
{
    struct enter e = {team, routine};

    tern_multinode_round(team, mine, sizeof *mine, lead, &e, routine);
}

void tern_multinode_table_enter(struct tern_team *team, const void *source, const void *dest,
                                const char *routine)
{
    struct tern_coll_entry mine = {tern_route_symmetric_offset(source),
                                   tern_route_symmetric_offset(dest)};

    tern_multinode_table_exchange(team, &mine, routine);
}

void *tern_multinode_scratch(size_t bytes, const char *routine)
{
    void *scratch = malloc(bytes ? bytes : 1);

    if (!scratch)
        tern_limit_no_memory(routine, "a collective between nodes", bytes);
    return scratch;
}
