/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of all members' arguments during a collective of a multinode team. */
#ifndef TERN_COLL_MULTINODE_TABLE_H
#define TERN_COLL_MULTINODE_TABLE_H

#include <string.h>

#include "coll/state.h"
#include "coll/symmetric.h"
#include "core/multinode.h"
#include "net/net.h"

/*
 * Enters a collective on large data: each member publishes the symmetric offsets of its source and
 * dest. From then on, until it leaves by tern_team_sync(), others may read its source and write its
 * dest. The leaders exchange their parts' entries. The members on a node share one table, which is
 * valid until the caller begins the team's next round.
 */
void tern_multinode_table_enter(struct tern_team *team, const void *source, const void *dest,
                                const char *routine);

/* The same with an entry whose meaning the callers define. tern_team_sync() need not follow. */
void tern_multinode_table_exchange(struct tern_team *team, const struct tern_coll_entry *mine,
                                   const char *routine);

static inline const struct tern_coll_entry *tern_multinode_table(const struct tern_team *team,
                                                                 int member)
{
    return &team->coll->table[member];
}

/* Writes the entries of a part, in the order of its members. For leaders. */
void tern_multinode_table_set(struct tern_team *team, int part,
                              const struct tern_coll_entry *entries);

/* Whether a member of the team is on another node. */
static inline bool tern_multinode_is_remote(const struct tern_team *team, int member)
{
    return tern_pe_range_find(&team->multinode->parts[team->multinode->me], member) < 0;
}

/*
 * Copies from a symmetric offset at a member into local memory, and in the other direction.
 * tern_multinode_quiet() completes a remote transfer.
 */
static inline void tern_multinode_get(const struct tern_team *team, int member, uint64_t offset,
                                      void *to, size_t bytes, const char *routine)
{
    int pe = tern_pe_range_world(&team->pes, member);

    if (tern_multinode_is_remote(team, member))
        tern_net->get_nbi(NULL, to, offset, bytes, pe);
    else
        memcpy(to, tern_symmetric_peer_address(offset, bytes, pe, "source", routine), bytes);
}

static inline void tern_multinode_put(const struct tern_team *team, int member, uint64_t offset,
                                      const void *from, size_t bytes, const char *routine)
{
    int pe = tern_pe_range_world(&team->pes, member);

    if (tern_multinode_is_remote(team, member))
        tern_net->put_nbi(NULL, offset, from, bytes, pe);
    else
        memcpy(tern_symmetric_peer_address(offset, bytes, pe, "dest", routine), from, bytes);
}

static inline void tern_multinode_quiet(void)
{
    tern_net->quiet(NULL);
}

/* Allocates private memory, aligned for every type; ends the program if there is none. */
void *tern_multinode_scratch(size_t bytes, const char *routine);

#endif
