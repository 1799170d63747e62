/* SPDX-License-Identifier: BSD-3-Clause */
/* The job's side of the network: starts the engine, and dispatches received messages. */
#ifndef TERN_CORE_NETWORK_H
#define TERN_CORE_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every message begins with its kind, which selects the handler. */
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
 * Sets the handler of messages of that kind, before tern_network_start(). It is called from any
 * thread, must not wait and must not send.
 */
typedef void tern_message_handler(int from, const void *message, size_t bytes);
void tern_network_on_message(enum tern_message_kind kind, tern_message_handler *handler);

/*
 * Sets the handler of lost PEs, likewise; why fits after "PE 3 was lost: ". After a loss, threads
 * of the program call `hold` at the end of a wait; it may wait.
 */
void tern_network_on_lost(void (*handler)(int pe, const char *why), void (*hold)(void));

struct tern_gather_job;

/*
 * Opens the network of a job that has several nodes, on all PEs at once; once a process. 0, or
 * -errno after the reasons were printed.
 */
int tern_network_start(const struct tern_gather_job *gathering);

/*
 * Whether the PEs of that PE's node can map its static data, and it runs the program of this PE.
 * Of any PE, once the network is open.
 */
bool tern_network_shares_static(int pe);

/* Several threads are going to call routines at the same time; none of them does now. */
void tern_network_share(void);

/* The program that a PE of another node runs: `program` of its struct tern_static_data. */
uint32_t tern_network_program(int pe);

#endif
