/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams for active sets. No PE creates them: the first PE of a node that uses a set makes what they
 * share.
 */
#include "coll/active_set.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/limit.h"
#include "base/log.h"
#include "coll/coll.h"
#include "coll/symmetric.h"
#include "coll/team_block.h"
#include "core/dedup.h"
#include "core/require.h"

/*
 * Calls with equal keys use the same team. pSync itself is never written. For a multinode set, each
 * node has a table and an entry of its own. The parts recognize each other's messages by the key,
 * so no PE needs to announce that the set exists.
 */
struct key {
    int32_t start, log_stride, size;
    uint64_t psync; /* as a symmetric offset */
};

/* A set as all PEs of the node share it, in the pool. */
struct entry {
    uint64_t next; /* in its bucket */
    struct key key;
    uint64_t block; /* of the team, for its members on this node */
};

/* A set that this PE has used. */
struct set {
    struct set *next;
    struct key key;
    const long *psync;
    uint64_t entry;
    struct tern_team *team;
};

/*
 * This PE's sets, by the same hash. A search needs no lock: a set is inserted at the head of its
 * list with release order, and stays until the last finalize.
 */
static TERN_PE_LOCAL struct set *sets[TERN_ACTIVE_SET_BUCKETS];
static TERN_PE_LOCAL pthread_mutex_t sets_lock = PTHREAD_MUTEX_INITIALIZER;
static TERN_PE_LOCAL struct tern_active_sets *shared;

/*
 * Segments start on pages, so all PEs compute the same bucket although their addresses may differ.
 */
static unsigned bucket_of(const struct key *key, const long *psync)
{
    return ((unsigned)((uintptr_t)psync / sizeof *psync) + (unsigned)key->start * 31 +
            (unsigned)key->log_stride * 7 + (unsigned)key->size) %
           TERN_ACTIVE_SET_BUCKETS;
}

static bool same_key(const struct key *a, const struct key *b)
{
    return a->start == b->start && a->log_stride == b->log_stride && a->size == b->size &&
           a->psync == b->psync;
}

static struct entry *entry_at(uint64_t offset)
{
    return tern_pool_at(tern_job.pool, tern_job.pool_bytes, offset, sizeof(struct entry));
}

/* The death of a holder ends the job, so no PE waits for long. */
static void lock_shared(void)
{
    while (__atomic_exchange_n(&shared->lock, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void unlock_shared(void)
{
    tern_store_release(&shared->lock, 0); /* partner: the exchange in lock_shared() */
}

static uint64_t new_entry(const struct key *key, const struct tern_team *team)
{
    uint64_t block = tern_team_block_alloc(team);
    uint64_t offset =
        block ? tern_pool_alloc(tern_job.pool, tern_job.pool_bytes, sizeof(struct entry)) : 0;

    if (offset)
        *entry_at(offset) = (struct entry){.key = *key, .block = block};
    else if (block)
        tern_team_block_free(team, block);
    return offset;
}

/*
 * Returns the node's entry of the set, and makes it if this PE is the first to use the set. 0 if
 * there is no room.
 */
static uint64_t find_or_make_entry(const struct key *key, const struct tern_team *team,
                                   unsigned bucket)
{
    uint64_t offset;

    lock_shared();
    offset = shared->buckets[bucket];
    while (offset && !same_key(&entry_at(offset)->key, key))
        offset = entry_at(offset)->next;
    if (!offset) {
        offset = new_entry(key, team);
        if (offset) {
            entry_at(offset)->next = shared->buckets[bucket];
            shared->buckets[bucket] = offset;
        }
    }
    unlock_shared();
    return offset;
}

static void remove_entry(uint64_t offset, const struct tern_team *team, unsigned bucket)
{
    uint64_t *link = &shared->buckets[bucket];

    lock_shared();
    while (*link != offset)
        link = &entry_at(*link)->next;
    *link = entry_at(offset)->next;
    unlock_shared();
    tern_team_block_free(team, entry_at(offset)->block);
    tern_pool_free(tern_job.pool, tern_job.pool_bytes, offset, sizeof(struct entry));
}

static struct set *find(const struct key *key, const long *psync, unsigned bucket)
{
    struct set *set = tern_load_acquire(&sets[bucket]); /* partner: the release in add() */

    while (set && !(set->psync == psync && set->key.start == key->start &&
                    set->key.log_stride == key->log_stride && set->key.size == key->size))
        set = set->next;
    return set;
}

static void require_right(const struct key *key, const long *psync, const char *routine)
{
    int64_t last = key->start;

    tern_require_job(routine);
    if (key->size < 1)
        tern_fatal(routine, "PE_size is %d: an active set has at least one PE", key->size);
    if (key->log_stride < 0 || key->log_stride > 30)
        tern_fatal(routine, "logPE_stride is %d, outside 0..30", key->log_stride);
    last += ((int64_t)key->size - 1) << key->log_stride;
    if (key->start < 0 || last >= tern_job.n_pes)
        tern_fatal(routine, "the active set has PEs %d to %lld, but there are 0..%d", key->start,
                   (long long)last, tern_job.n_pes - 1);
    tern_symmetric_check(psync, sizeof *psync, "pSync", routine);
}

static struct tern_pe_range members(const struct key *key)
{
    return (struct tern_pe_range){key->start, 1 << key->log_stride, key->size};
}

static struct set *add(struct key *key, int me, const long *psync, unsigned bucket,
                       const char *routine)
{
    struct tern_pe_range pes = members(key);
    struct tern_message_key message_key = {.kind = TERN_MULTINODE_SET,
                                           .a = key->start,
                                           .b = key->log_stride,
                                           .c = key->size,
                                           .d = tern_route_symmetric_offset(psync)};
    struct tern_team *team;
    struct set *set;

    set = malloc(sizeof *set);
    team = tern_team_block_new_team(&pes, me);
    if (!set || !team)
        tern_limit_no_memory(routine, "an active set", sizeof *set);
    tern_team_block_set_key(team, &message_key);
    key->psync = message_key.d;
    *set = (struct set){.next = sets[bucket], .key = *key, .psync = psync, .team = team};
    set->entry = find_or_make_entry(key, team, bucket);
    if (!set->entry)
        tern_fatal(routine,
                   "no shared memory is left for another active set: use fewer pSync arrays");
    tern_team_block_attach(team, entry_at(set->entry)->block);
    tern_store_release(&sets[bucket], set); /* partner: the acquire in find() */
    return set;
}

/* Programs for other libraries may make the call on all PEs. */
static void warn_outsider(const struct key *key, const char *routine)
{
    if (tern_dedup_warns_first(TERN_WARN_NOT_IN_SET))
        tern_warn("%s: PE %d is not in the active set of %d PEs from %d with a stride of %d: the "
                  "call does nothing; only the set's PEs may make it",
                  routine, tern_job.pe, key->size, key->start, 1 << key->log_stride);
}

struct tern_team *tern_coll_active_set(int pe_start, int log_stride, int pe_size, const long *psync,
                                       const char *routine)
{
    struct key key = {pe_start, log_stride, pe_size, 0};
    unsigned bucket = bucket_of(&key, psync);
    struct set *set = find(&key, psync, bucket);
    struct tern_pe_range pes;
    int me;

    /* The child of a fork finds its parent's sets, but no job runs there. */
    if (tern_likely(set && tern_job_runs()))
        return set->team;
    require_right(&key, psync, routine);
    pes = members(&key);
    me = tern_pe_range_find(&pes, tern_job.pe);
    if (me < 0) {
        warn_outsider(&key, routine);
        return NULL;
    }
    pthread_mutex_lock(&sets_lock);
    set = find(&key, psync, bucket);
    if (!set)
        set = add(&key, me, psync, bucket, routine);
    pthread_mutex_unlock(&sets_lock);
    return set->team;
}

void tern_active_set_start(struct tern_active_sets *sets_of_node)
{
    shared = sets_of_node;
}

void tern_active_set_stop(void)
{
    for (unsigned bucket = 0; bucket < TERN_ACTIVE_SET_BUCKETS; bucket++) {
        while (sets[bucket]) {
            struct set *set = sets[bucket];

            sets[bucket] = set->next;
            if (tern_team_block_detach(set->team))
                remove_entry(set->entry, set->team, bucket);
            tern_team_block_free_team(set->team);
            free(set);
        }
    }
}
