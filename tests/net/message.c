/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages arrive complete and in order, and none is lost while the receiver does something else.
 */
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "net/subjects.h"

enum { MESSAGES = 3000 };

static uint32_t next_message[3], messages_taken;

static size_t message_bytes(uint32_t number)
{
    return number % 50 == 0 ? TERN_NET_MESSAGE_BYTES : 8 + number * 37 % 600;
}

static void take_message(int from, const void *message, size_t bytes)
{
    uint32_t head[2];

    memcpy(head, message, sizeof head);
    CHECK(head[0] == (uint32_t)from, "a message of PE %u from PE %d", head[0], from);
    CHECK(head[1] == next_message[from], "message %u of PE %d instead of %u", head[1], from,
          next_message[from]);
    CHECK(bytes == message_bytes(head[1]), "message %u has %zu bytes", head[1], bytes);
    check_pattern((const unsigned char *)message + 8, bytes - 8, head[0] + head[1], "message");
    next_message[from]++;
    __atomic_fetch_add(&messages_taken, 1, __ATOMIC_RELEASE);
}

static void send_message(int pe, uint32_t number)
{
    unsigned char message[TERN_NET_MESSAGE_BYTES];
    uint32_t head[2] = {(uint32_t)rig_pe, number};

    memcpy(message, head, sizeof head);
    fill(message + sizeof head, message_bytes(number) - sizeof head, head[0] + head[1]);
    rig_net->send(pe, message, message_bytes(number));
}

static bool all_came(void)
{
    return tern_load_acquire(&messages_taken) == MESSAGES * (uint32_t)(rig_n_pes - 1);
}

void test_send(void)
{
    rig_received = take_message;
    rig_meet();
    for (uint32_t i = 0; i < MESSAGES; i++)
        for (int pe = 0; pe < rig_n_pes; pe++)
            if (pe != rig_pe)
                send_message(pe, i);
    while (!all_came()) {
        rig_net->progress();
        sched_yield();
    }
    rig_meet();
}

/* Many messages to one that takes no part until they have been sent. */
void test_slow(void)
{
    rig_received = take_message;
    rig_meet(); /* all PEs take messages from here on */
    if (rig_pe == 0)
        sleep(1);
    for (uint32_t i = 0; rig_pe != 0 && i < MESSAGES; i++)
        send_message(0, i);
    rig_meet_computing(); /* its own thread has to take them */
    for (int i = 0; rig_pe == 0 && i < 20000 && !all_came(); i++)
        usleep(1000);
    CHECK(rig_pe || all_came(), "%u came", messages_taken);
    rig_meet();
}
