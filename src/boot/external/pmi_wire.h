/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages of PMI-1 and PMI-2: their frames, and one answer to each command. */
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
 * 0; -ECONNRESET if the other side has hung up; -EPROTO if the data is no message, which is left in
 * the buffer. `to` is the command that this answers, for the warning after a long wait; NULL: no
 * warning.
 */
int tern_pmi_wire_receive(int fd, int version, char message[TERN_PMI_MESSAGE_BYTES],
                          const char *to);

/* Sends a command and receives its answer; results as above. */
int tern_pmi_wire_ask(struct tern_pmi_wire *wire, const char *command,
                      char answer[TERN_PMI_MESSAGE_BYTES]);

#endif
