/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collect and fcollect between nodes: what the other nodes' leaders send, and what the members on
 * this node publish and write to the table. The first byte has the number of parts, of members of
 * this part, and whether this PE leads it; the second the length of its own block. Whenever the
 * code under test calls out, members of this node may write to what they share: the next bytes of
 * the input say what. Nothing may be written beyond dest.
 */
#include <setjmp.h>

#include "fuzz/target.h"

/* What is in use when an input ends in the middle. */
enum { MOST_KEPT = 64 };
static void *kept[MOST_KEPT];

static void *keep(void *p)
{
    int i = 0;

    while (kept[i])
        i++;
    if (!p || i == MOST_KEPT - 1)
        abort();
    return kept[i] = p;
}

static void let_go(void *p)
{
    for (int i = 0; p && i < MOST_KEPT; i++)
        if (kept[i] == p)
            kept[i] = NULL;
    free(p);
}

static void *keep_more(void *p, size_t bytes)
{
    for (int i = 0; p && i < MOST_KEPT; i++)
        if (kept[i] == p)
            kept[i] = NULL;
    return keep(realloc(p, bytes));
}

#define realloc keep_more
#define free let_go
#include "coll/multinode_gather.c"
#include "core/multinode.c"
#undef realloc
#undef free
#include "fuzz/queues.h"

enum { HEAP = 2048, GAP = 2048, MOST = 4, PARTS = 4, MARK = 0x5e };

TERN_PE_LOCAL struct tern_job tern_job;
TERN_PE_LOCAL struct tern_route tern_route;
TERN_PE_LOCAL const struct tern_net_ops *tern_net;

static unsigned char *heaps; /* of this node's PEs, a gap behind each */
static jmp_buf ended;
static const uint8_t *rest; /* of the input */
static size_t rest_bytes, length;
static struct tern_team *team;

/* ---- the peers ---- */

static size_t take_bytes(void *to, size_t bytes)
{
    size_t n = bytes < rest_bytes ? bytes : rest_bytes;

    if (n)
        memcpy(to, rest, n);
    rest += n;
    rest_bytes -= n;
    return n;
}

/* A byte that selects the word, then the word. */
static void peers_write(void)
{
    struct tern_team *part = team->multinode->part;
    size_t words = (size_t)part->pes.size * 3, all = words + (size_t)team->pes.size * 2;
    uint8_t which;
    uint16_t value;

    if (!take_bytes(&which, 1) || which >= all || take_bytes(&value, 2) < 2)
        return;
    if (which < words)
        ((uint64_t *)tern_sync_payload_to_change(&part->sync, which / 3))[which % 3] =
            value == UINT16_MAX ? UINT64_MAX - 40 : value;
    else
        ((uint64_t *)team->coll->table)[which - words] =
            value == UINT16_MAX ? UINT64_MAX - 40 : value;
}

/* ---- the library ---- */

void tern_fatal(const char *routine, const char *fmt, ...)
{
    longjmp(ended, 1);
}

void tern_limit_no_memory(const char *routine, const char *what, size_t bytes)
{
    longjmp(ended, 1);
}

void tern_require_symmetric(const void *addr, size_t bytes, const char *argument,
                            const char *routine)
{
    longjmp(ended, 1);
}

struct tern_remote_object tern_remote_find(const void *addr, size_t n, size_t size, int pe,
                                           const char *argument, const char *routine)
{
    longjmp(ended, 1);
}

const struct tern_alias *tern_alias_own(void)
{
    static const struct tern_alias none;

    return &none;
}

void *tern_multinode_scratch(size_t bytes, const char *routine)
{
    peers_write();
    return keep(malloc(bytes ? bytes : 1));
}

/* All members have arrived, and the leader is another PE if it is not this one. */
void tern_sync_led(struct tern_sync *sync, const void *mine, size_t bytes, void (*leads)(void *arg),
                   void *arg, const char *routine)
{
    sync->round++;
    for (int i = 0; i < sync->n; i++)
        take_bytes(tern_sync_payload_to_change(sync, i), 3 * sizeof(uint64_t));
    if (bytes)
        memcpy(tern_sync_payload_to_change(sync, sync->me), mine, bytes);
    if (sync->me == 0)
        leads(arg);
    else
        take_bytes(team->coll->table, (size_t)team->pes.size * sizeof(struct tern_coll_entry));
}

void tern_sync_barrier(struct tern_sync *sync, const char *routine)
{
    peers_write();
}

void tern_messages_send(int pe, const struct tern_message_key *key,
                        const struct tern_message_tag *tag, const void *data, size_t bytes)
{
    read_sent(data, bytes);
    peers_write();
}

size_t tern_messages_await(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                           const struct tern_pe_range *group, const char *routine)
{
    uint16_t bytes;

    if (take_bytes(&bytes, 2) < 2)
        longjmp(ended, 1);
    length = bytes < rest_bytes ? bytes : rest_bytes;
    return length;
}

void tern_messages_read(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                        void *data, size_t bytes, const struct tern_pe_range *group,
                        const char *routine)
{
    if (bytes < length)
        longjmp(ended, 1);
    take_bytes(data, length);
}

static void get_nbi(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                    int pe)
{
    memset(dest, 1, bytes);
    peers_write();
}

static void quiet(struct tern_net_channel *channel)
{
    peers_write();
}

/* ---- the job: this node's PEs are a run of the world's, behind those of earlier nodes ---- */

static void start(void)
{
    static struct tern_net_ops ops = {.get_nbi = get_nbi, .quiet = quiet};

    heaps = aligned_alloc(64, MOST * (HEAP + GAP));
    if (!heaps)
        abort();
    tern_net = &ops;
}

static void check_gaps(int n)
{
    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i < GAP; i++)
            if (heaps[pe * (HEAP + GAP) + HEAP + i] != MARK)
                abort();
}

static void collect(int parts, int members, int me, size_t bytes)
{
    static struct tern_pe_range ranges[PARTS];
    static struct tern_coll coll, part_coll;
    static _Alignas(64) unsigned char
        shared[sizeof(struct tern_sync_shared) + MOST * sizeof(struct tern_sync_member)];
    int first = parts / 2; /* the number of this node; the others have one PE */
    struct tern_multinode multinode = {
        .n_parts = parts, .me = first, .parts = ranges, .largest = members};
    struct tern_team whole = {
        .pes = {0, 1, parts - 1 + members}, .multinode = &multinode, .coll = &coll};
    struct tern_team part = {.pes = {first, 1, members}, .me = me, .coll = &part_coll};
    unsigned char *own = heaps + me * (HEAP + GAP);

    for (int i = 0, at = 0; i < parts; i++) {
        ranges[i] = (struct tern_pe_range){at, 1, i == first ? members : 1};
        at += ranges[i].size;
    }
    memset(shared, 0, sizeof shared);
    part.sync = (struct tern_sync){.shared = (void *)shared, .me = me, .n = members};
    multinode.part = &part;
    whole.me = first + me;
    coll.table = keep(calloc((size_t)whole.pes.size, sizeof *coll.table));
    tern_job.pe = whole.me;
    tern_job.n_pes = whole.pes.size;
    tern_route = (struct tern_route){
        .heap = (uintptr_t)own,
        .heap_bytes = HEAP - TERN_ROUTE_SLACK,
        .heap_offset = -(uintptr_t)(me * (HEAP + GAP)),
        .heap_stride = HEAP + GAP,
        .first = first,
        .n_pes = (uint32_t)members,
    };
    team = &whole;
    tern_multinode_collect(&whole, own + HEAP / 2, own, bytes, "shmem_collectmem");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    int members;

    if (bytes < 2)
        return 0;
    if (!heaps)
        start();
    memset(heaps, MARK, MOST * (HEAP + GAP));
    members = 1 + (data[0] >> 2 & 3);
    rest = data + 2;
    rest_bytes = bytes - 2;
    if (setjmp(ended) == 0)
        collect(2 + data[0] % 3, members, (data[0] >> 4) % members, data[1] * 4u);
    for (int i = 0; i < MOST_KEPT; i++) {
        free(kept[i]);
        kept[i] = NULL;
    }
    check_gaps(MOST);
    return 0;
}
