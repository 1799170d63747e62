/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between the parts of a team: sent to a PE, and queued there until it reads them. */
#ifndef TERN_CORE_MESSAGES_H
#define TERN_CORE_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/pe_range.h"

/*
 * The team that a message is for. All members of a team have the same key, and no other team of the
 * job ever has it. A message may arrive before its receiver has created the team.
 */
struct tern_message_key {
    uint32_t kind;
    int32_t a, b, c;
    uint64_t d;
};

/* Which one of the team's messages: the waiter knows it beforehand. */
struct tern_message_tag {
    uint64_t number; /* of the collective on this team */
    uint32_t step;   /* of the collective */
    int32_t from;    /* the part that sends it */
};

struct tern_message_queue;

/* The team's message queue on this PE. It may be closed after all of its messages were read. */
struct tern_message_queue *tern_messages_open(const struct tern_message_key *key);
void tern_messages_close(struct tern_message_queue *queue);

/* Sends a message of any length to a PE on another node; data may be reused at return. */
void tern_messages_send(int pe, const struct tern_message_key *key,
                        const struct tern_message_tag *tag, const void *data, size_t bytes);

/* Queues a message that the network has received, on any thread; the caller then rings the bell. */
void tern_messages_receive(int from, const void *message, size_t bytes);

/*
 * Waits for a message and returns its length; group are the PEs it may come from (core/wait.h). The
 * caller then has to read it. data has room for `bytes`: a message that is longer ends the program.
 */
size_t tern_messages_await(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                           const struct tern_pe_range *group, const char *routine);
void tern_messages_read(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                        void *data, size_t bytes, const struct tern_pe_range *group,
                        const char *routine);

#endif
