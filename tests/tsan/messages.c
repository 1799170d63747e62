/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Message queues: messages that arrive in pieces, in another order than the waits, or before the
 * team exists.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/messages.h"
#include "core/network.h"
#include "harness/oracle.h"
#include "net/net.h"
#include "threads/crew.h"

/*
 * The network is a thread here: what is sent goes into a list, from whose random places that thread
 * takes it. Each thread of the crew is the part of a team that sends to itself.
 */
enum { TEAMS = CREW, ROUNDS = 300, STEPS = 3, LONGEST = 40000 };

struct packet {
    struct packet *next;
    size_t bytes;
    unsigned char data[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct packet *packets;
static bool over;

static void send(int pe, const void *message, size_t bytes)
{
    struct packet *packet = malloc(sizeof *packet + bytes);

    packet->bytes = bytes;
    memcpy(packet->data, message, bytes);
    pthread_mutex_lock(&lock);
    packet->next = packets;
    packets = packet;
    pthread_mutex_unlock(&lock);
}

/* One of the last few, so that none stays behind for ever. */
static struct packet *take(unsigned turn)
{
    struct packet **link = &packets, *packet;
    uint64_t skip = oracle_bits(0, turn, 1) % 8;

    pthread_mutex_lock(&lock);
    while (*link && (*link)->next && skip-- > 0)
        link = &(*link)->next;
    packet = *link;
    if (packet)
        *link = packet->next;
    pthread_mutex_unlock(&lock);
    return packet;
}

static void *deliver(void *unused)
{
    for (unsigned turn = 0; !__atomic_load_n(&over, __ATOMIC_ACQUIRE); turn++) {
        struct packet *packet = take(turn);

        if (packet)
            tern_messages_receive(0, packet->data, packet->bytes);
        free(packet);
    }
    return NULL;
}

static size_t length_of(int team, int round, int step)
{
    uint64_t bits = oracle_bits(team, (size_t)(round * STEPS + step), 2);

    return bits % 4 ? bits / 4 % 100 : bits / 4 % LONGEST;
}

static unsigned char expected(int team, int round, int step, size_t i)
{
    return (unsigned char)oracle_bits(team * STEPS + step, i, (unsigned)round);
}

static void send_step(const struct tern_message_key *key, int team, int round, int step,
                      unsigned char *data)
{
    struct tern_message_tag tag = {(uint64_t)round, (uint32_t)step, team};
    size_t bytes = length_of(team, round, step);

    for (size_t i = 0; i < bytes; i++)
        data[i] = expected(team, round, step, i);
    tern_messages_send(0, key, &tag, data, bytes);
    memset(data, 0xa5, bytes);
}

static void receive_step(struct tern_message_queue *queue, int team, int round, int step,
                         unsigned char *data)
{
    struct tern_message_tag tag = {(uint64_t)round, (uint32_t)step, team};
    size_t bytes = tern_messages_await(queue, &tag, NULL, "tsan/messages"), same = 0;

    check_equal(bytes, length_of(team, round, step), "message-length");
    if (bytes > LONGEST)
        return;
    tern_messages_read(queue, &tag, data, bytes, NULL, "tsan/messages");
    while (same < bytes && data[same] == expected(team, round, step, same))
        same++;
    check(same == bytes, "message-data", "team %d, round %d, step %d: byte %zu of %zu", team, round,
          step, same, bytes);
}

/* Boxes are closed and made anew for the next team, whose key differs in one of its fields. */
static void use_mail(int thread)
{
    unsigned char *data = malloc(LONGEST);

    for (int round = 0; round < ROUNDS; round++) {
        int era = round / 50;
        struct tern_message_key key = {.kind = 7, .a = thread, .b = era % 2, .c = era, .d = 64};
        struct tern_message_queue *queue;

        for (int step = 0; step < STEPS; step++)
            send_step(&key, thread, round, step, data);
        queue = tern_messages_open(&key);
        for (int step = STEPS - 1; step >= 0; step--)
            receive_step(queue, thread, round, step, data);
        if (round % 50 == 49)
            tern_messages_close(queue);
    }
    free(data);
}

int main(void)
{
    struct tern_net_ops ops = *tern_net;
    const struct tern_net_ops *before = tern_net;
    pthread_t network;

    crew_init("tsan/messages");
    ops.send = send;
    tern_net = &ops;
    pthread_create(&network, NULL, deliver, NULL);
    crew_run(use_mail);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    pthread_join(network, NULL);
    tern_net = before;
    return check_finish();
}
