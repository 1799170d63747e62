/* SPDX-License-Identifier: BSD-3-Clause */
/* Mailboxes: found by their team's key, made by whoever comes first, the message or the reader. */
#include "core/messages.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "core/job.h"
#include "core/network.h"
#include "core/wait.h"
#include "net/net.h"

/* A long message goes in several, each of which says where its piece belongs. */
struct head {
    struct tern_message message;
    struct tern_mail_key key;
    struct tern_mail_tag tag;
    uint64_t total, offset;
};

#define PIECE_BYTES (TERN_NET_MESSAGE_BYTES - sizeof(struct head))

struct mail {
    struct mail *next;
    struct tern_mail_tag tag;
    uint64_t total, offset;
    size_t bytes;
    unsigned char data[];
};

struct tern_mailbox {
    struct tern_mailbox *next;
    struct tern_mail_key key;
    uint64_t received; /* pieces so far: who waits looks through the list only when it changes */
    struct mail *first, **last;
};

#define BUCKETS 256u

/* One lock for all: it is held for a few instructions, by the engine's thread or a reader. */
static TERN_PE_LOCAL pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TERN_PE_LOCAL struct tern_mailbox *boxes[BUCKETS];

static bool same_key(const struct tern_mail_key *a, const struct tern_mail_key *b)
{
    return a->kind == b->kind && a->a == b->a && a->b == b->b && a->c == b->c && a->d == b->d;
}

static bool same_tag(const struct tern_mail_tag *a, const struct tern_mail_tag *b)
{
    return a->number == b->number && a->step == b->step && a->from == b->from;
}

static struct tern_mailbox **bucket_of(const struct tern_mail_key *key)
{
    uint64_t x = key->d / sizeof(long) + (uint64_t)(uint32_t)key->a * 31 +
                 (uint64_t)(uint32_t)key->b * 7 + (uint64_t)(uint32_t)key->c * 3 + key->kind;

    return &boxes[(x ^ x >> 8 ^ x >> 16) % BUCKETS];
}

/* With the lock held. */
static struct tern_mailbox *find_or_make(const struct tern_mail_key *key)
{
    struct tern_mailbox **bucket = bucket_of(key), *box = *bucket;

    while (box && !same_key(&box->key, key))
        box = box->next;
    if (box)
        return box;
    box = calloc(1, sizeof *box);
    if (!box)
        tern_limit_no_memory(NULL, "messages between nodes", sizeof *box);
    box->key = *key;
    box->last = &box->first;
    box->next = *bucket;
    *bucket = box;
    return box;
}

static void keep(const struct tern_mail_key *key, struct mail *mail)
{
    struct tern_mailbox *box;

    pthread_mutex_lock(&lock);
    box = find_or_make(key);
    *box->last = mail;
    box->last = &mail->next;
    tern_store_release(&box->received, box->received + 1); /* partner: the look in look_for() */
    pthread_mutex_unlock(&lock);
}

void tern_mail_received(int from, const void *message, size_t bytes)
{
    struct head head;
    struct mail *mail;

    if (bytes < sizeof head)
        return;
    memcpy(&head, message, sizeof head);
    bytes -= sizeof head;
    mail = malloc(sizeof *mail + bytes);
    if (!mail)
        tern_limit_no_memory(NULL, "a message from another node", sizeof *mail + bytes);
    *mail =
        (struct mail){.tag = head.tag, .total = head.total, .offset = head.offset, .bytes = bytes};
    memcpy(mail->data, (const char *)message + sizeof head, bytes);
    keep(&head.key, mail);
}

struct tern_mailbox *tern_mailbox_open(const struct tern_mail_key *key)
{
    struct tern_mailbox *box;

    pthread_mutex_lock(&lock);
    box = find_or_make(key);
    pthread_mutex_unlock(&lock);
    return box;
}

void tern_mailbox_close(struct tern_mailbox *box)
{
    struct tern_mailbox **link;

    pthread_mutex_lock(&lock);
    for (link = bucket_of(&box->key); *link != box;)
        link = &(*link)->next;
    *link = box->next;
    pthread_mutex_unlock(&lock);
    free(box);
}

void tern_mail_send(int pe, const struct tern_mail_key *key, const struct tern_mail_tag *tag,
                    const void *data, size_t bytes)
{
    struct head head = {
        .message = {.kind = TERN_MESSAGE_SPAN}, .key = *key, .tag = *tag, .total = bytes};
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

/* The link to a piece of that message, or NULL; with the lock held. */
static struct mail **find(struct tern_mailbox *box, const struct tern_mail_tag *tag)
{
    struct mail **link = &box->first;

    while (*link && !same_tag(&(*link)->tag, tag))
        link = &(*link)->next;
    return *link ? link : NULL;
}

static struct mail *unlink_mail(struct tern_mailbox *box, struct mail **link)
{
    struct mail *mail = *link;

    *link = mail->next;
    if (box->last == &mail->next)
        box->last = link;
    return mail;
}

/* A piece, taken out of the box or left in it; NULL if none has come since *seen. */
static struct mail *look_for(struct tern_mailbox *box, const struct tern_mail_tag *tag, bool take,
                             uint64_t *seen)
{
    uint64_t now = tern_load_acquire(&box->received); /* partner: the release in keep() */
    struct mail *mail = NULL, **link;

    if (now == *seen)
        return NULL;
    pthread_mutex_lock(&lock);
    *seen = box->received;
    link = find(box, tag);
    if (link)
        mail = take ? unlink_mail(box, link) : *link;
    pthread_mutex_unlock(&lock);
    return mail;
}

static struct mail *wait_for(struct tern_mailbox *box, const struct tern_mail_tag *tag, bool take,
                             const struct tern_pe_range *group, const char *routine)
{
    struct tern_wait w = tern_wait_begin(&tern_job.bells[tern_job.pe], routine);
    uint64_t seen = 0; /* before the first piece there is nothing to find */
    struct mail *mail;

    w.from_network = true;
    w.group = group;
    while (!(mail = look_for(box, tag, take, &seen)))
        tern_wait_step(&w);
    tern_wait_end(&w);
    return mail;
}

size_t tern_mail_await(struct tern_mailbox *box, const struct tern_mail_tag *tag,
                       const struct tern_pe_range *group, const char *routine)
{
    return wait_for(box, tag, false, group, routine)->total;
}

void tern_mail_read(struct tern_mailbox *box, const struct tern_mail_tag *tag, void *data,
                    const struct tern_pe_range *group, const char *routine)
{
    uint64_t read = 0, total;

    do {
        struct mail *mail = wait_for(box, tag, true, group, routine);

        if (mail->bytes)
            memcpy((char *)data + mail->offset, mail->data, mail->bytes);
        read += mail->bytes;
        total = mail->total;
        free(mail);
    } while (read < total);
}
