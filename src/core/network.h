/* SPDX-License-Identifier: BSD-3-Clause */
/* The job's side of the network: starts the engine where there are several nodes, and takes its
 * messages. */
#ifndef TERN_CORE_NETWORK_H
#define TERN_CORE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every message begins with its kind, which says whose it is. */
enum tern_message_kind {
    TERN_MESSAGE_MULTINODE, /* between the parts of a team, see core/multinode.h */
    TERN_MESSAGE_LOSS,      /* about PEs that are lost, see core/failure_detector.h */
    TERN_MESSAGE_KINDS,
};

struct tern_message {
    uint32_t kind;
    uint32_t reserved;
};

/*
 * Who takes messages of that kind; set before tern_network_start(). Called from any thread, must
 * not wait and must not send.
 */
typedef void tern_message_handler(int from, const void *message, size_t bytes);
void tern_network_on_message(enum tern_message_kind kind, tern_message_handler *handler);

/* Who is told that a PE can't be reached any more; likewise. */
void tern_network_on_lost(void (*handler)(int pe, const char *why));

/*
 * Opens the network of a job that has several nodes, on all PEs at once; once a process. 0, or
 * -errno after the reasons were printed.
 */
int tern_network_start(void);

/* struct tern_static_data's number of the program that a PE of another node runs. */
uint32_t tern_network_program(int pe);

#endif
