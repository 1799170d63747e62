/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of PMI-1 and PMI-2: how they are framed, and that one is answered before the next. */
#ifndef TERN_BOOT_EXTERNAL_PMI_WIRE_H
#define TERN_BOOT_EXTERNAL_PMI_WIRE_H

#include <pthread.h>
#include <stddef.h>

/*
 * "cmd=put kvsname=... key=... value=...\n" in version 1, and
 * "    34cmd=kvs-put;key=...;value=...;" with the length in six characters in version 2. Below,
 * messages are texts without their frames.
 */
#define TERN_PMI_MESSAGE_BYTES 4096

struct tern_pmi_wire {
    int fd;
    int version;
    pthread_mutex_t lock; /* from a command to its answer */
};

/* 0, or -errno. */
int tern_pmi_wire_send(int fd, int version, const char *message);

/*
 * 0; -ECONNRESET: the other side has hung up; -EPROTO: what came is no message, and is in the
 * buffer for all to see. `to` says in the user's words what is waited for; NULL: it may last.
 */
int tern_pmi_wire_receive(int fd, int version, char message[TERN_PMI_MESSAGE_BYTES],
                          const char *to);

/* Sends a command and receives its answer; results as above. */
int tern_pmi_wire_ask(struct tern_pmi_wire *wire, const char *command,
                      char answer[TERN_PMI_MESSAGE_BYTES]);

#endif
