/* SPDX-License-Identifier: BSD-3-Clause */
/* Message queues: found by the team's key, created by the first message or the first reader. */
#include "core/messages.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "base/log.h"
#include "core/job.h"
#include "core/network.h"
#include "core/wait.h"
#include "net/net.h"

/* A long message is sent in pieces; each head has the offset of its piece. */
struct head {
    struct tern_message message;
    struct tern_message_key key;
    struct tern_message_tag tag;
    uint64_t total, offset;
};

#define PIECE_BYTES (TERN_NET_MESSAGE_BYTES - sizeof(struct head))

struct piece {
    struct piece *next;
    struct tern_message_tag tag;
    uint64_t total, offset;
    size_t bytes;
    unsigned char data[];
};

struct tern_message_queue {
    struct tern_message_queue *next;
    struct tern_message_key key;
    uint64_t received; /* pieces so far: a waiter searches the list only when this changes */
    struct piece *first, **last;
};

#define BUCKETS 256u

/* One lock for all: it is held for a few instructions, by the engine's thread or a reader. */
static TERN_PE_LOCAL pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TERN_PE_LOCAL struct tern_message_queue *queues[BUCKETS];

static bool same_key(const struct tern_message_key *a, const struct tern_message_key *b)
{
    return a->kind == b->kind && a->a == b->a && a->b == b->b && a->c == b->c && a->d == b->d;
}

static bool same_tag(const struct tern_message_tag *a, const struct tern_message_tag *b)
{
    return a->number == b->number && a->step == b->step && a->from == b->from;
}

static struct tern_message_queue **bucket_of(const struct tern_message_key *key)
{
    uint64_t x = key->d / sizeof(long) + (uint64_t)(uint32_t)key->a * 31 +
                 (uint64_t)(uint32_t)key->b * 7 + (uint64_t)(uint32_t)key->c * 3 + key->kind;

    return &queues[(x ^ x >> 8 ^ x >> 16) % BUCKETS];
}

/* With the lock held. */
static struct tern_message_queue *find_or_make(const struct tern_message_key *key)
{
    struct tern_message_queue **bucket = bucket_of(key), *queue = *bucket;

    while (queue && !same_key(&queue->key, key))
        queue = queue->next;
    if (queue)
        return queue;
    queue = calloc(1, sizeof *queue);
    if (!queue)
        tern_limit_no_memory(NULL, "messages between nodes", sizeof *queue);
    queue->key = *key;
    queue->last = &queue->first;
    queue->next = *bucket;
    *bucket = queue;
    return queue;
}

static void keep(const struct tern_message_key *key, struct piece *piece)
{
    struct tern_message_queue *queue;

    pthread_mutex_lock(&lock);
    queue = find_or_make(key);
    *queue->last = piece;
    queue->last = &piece->next;
    tern_store_release(&queue->received,
                       queue->received + 1); /* partner: the acquire in look_for() */
    pthread_mutex_unlock(&lock);
}

void tern_messages_receive(int from, const void *message, size_t bytes)
{
    struct head head;
    struct piece *piece;

    if (bytes < sizeof head)
        return;
    memcpy(&head, message, sizeof head);
    bytes -= sizeof head;
    piece = malloc(sizeof *piece + bytes);
    if (!piece)
        tern_limit_no_memory(NULL, "a message from another node", sizeof *piece + bytes);
    *piece =
        (struct piece){.tag = head.tag, .total = head.total, .offset = head.offset, .bytes = bytes};
    memcpy(piece->data, (const char *)message + sizeof head, bytes);
    keep(&head.key, piece);
}

struct tern_message_queue *tern_messages_open(const struct tern_message_key *key)
{
    struct tern_message_queue *queue;

    pthread_mutex_lock(&lock);
    queue = find_or_make(key);
    pthread_mutex_unlock(&lock);
    return queue;
}

void tern_messages_close(struct tern_message_queue *queue)
{
    struct tern_message_queue **link;

    pthread_mutex_lock(&lock);
    for (link = bucket_of(&queue->key); *link != queue;)
        link = &(*link)->next;
    *link = queue->next;
    pthread_mutex_unlock(&lock);
    free(queue);
}

void tern_messages_send(int pe, const struct tern_message_key *key,
                        const struct tern_message_tag *tag, const void *data, size_t bytes)
{
    struct head head = {
        .message = {.kind = TERN_MESSAGE_MULTINODE}, .key = *key, .tag = *tag, .total = bytes};
    unsigned char message[TERN_NET_MESSAGE_BYTES];

    do {
        size_t left = bytes - head.offset, piece = left < PIECE_BYTES ? left : PIECE_BYTES;

        memcpy(message, &head, sizeof head);
        if (piece)
            memcpy(message + sizeof head, (const char *)data + head.offset, piece);
        tern_net->send(pe, message, sizeof head + piece);
        head.offset += piece;
    } while (head.offset < bytes);
}

/* The link to a piece of that message, or NULL; the caller holds the lock. */
static struct piece **find(struct tern_message_queue *queue, const struct tern_message_tag *tag)
{
    struct piece **link = &queue->first;

    while (*link && !same_tag(&(*link)->tag, tag))
        link = &(*link)->next;
    return *link ? link : NULL;
}

static struct piece *unlink_piece(struct tern_message_queue *queue, struct piece **link)
{
    struct piece *piece = *link;

    *link = piece->next;
    if (queue->last == &piece->next)
        queue->last = link;
    return piece;
}

/* A piece, taken out of the queue or left in it; NULL if none has arrived since *seen. */
static struct piece *look_for(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                              bool take, uint64_t *seen)
{
    uint64_t now = tern_load_acquire(&queue->received); /* partner: the release in keep() */
    struct piece *piece = NULL, **link;

    if (now == *seen)
        return NULL;
    pthread_mutex_lock(&lock);
    *seen = queue->received;
    link = find(queue, tag);
    if (link)
        piece = take ? unlink_piece(queue, link) : *link;
    pthread_mutex_unlock(&lock);
    return piece;
}

static struct piece *wait_for(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                              bool take, const struct tern_pe_range *group, const char *routine)
{
    struct tern_wait w = tern_wait_begin(&tern_job.bells[tern_job.pe], routine);
    uint64_t seen = 0; /* before the first piece there is nothing to find */
    struct piece *piece;

    w.from_network = true;
    w.group = group;
    while (!(piece = look_for(queue, tag, take, &seen)))
        tern_wait_step(&w);
    tern_wait_end(&w);
    return piece;
}

size_t tern_messages_await(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                           const struct tern_pe_range *group, const char *routine)
{
    return wait_for(queue, tag, false, group, routine)->total;
}

/* The sender's word is not trusted: it must not write beyond the receiver's memory. */
static void store(const struct piece *piece, void *data, size_t room, const char *routine)
{
    if (piece->offset > room || piece->bytes > room - piece->offset)
        tern_fatal(
            routine,
            "members on another node have sent %" PRIu64 " bytes, but this PE expects %zu "
            "at most: all members must make the same collective calls, with the same lengths",
            piece->total, room);
    if (piece->bytes)
        memcpy((char *)data + piece->offset, piece->data, piece->bytes);
}

void tern_messages_read(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                        void *data, size_t bytes, const struct tern_pe_range *group,
                        const char *routine)
{
    uint64_t read = 0, total;

    do {
        struct piece *piece = wait_for(queue, tag, true, group, routine);

        store(piece, data, bytes, routine);
        read += piece->bytes;
        total = piece->total;
        free(piece);
    } while (read < total);
}
