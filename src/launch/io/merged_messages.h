/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges equal messages of several PEs into one line, by holding each message back for a moment. */
#ifndef TERN_LAUNCH_IO_MERGED_MESSAGES_H
#define TERN_LAUNCH_IO_MERGED_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of messages that can be held at a time. */
#define TERN_MERGED_MESSAGES_MAX 64

/* Longer lines are not messages of the library. */
#define TERN_MERGED_MESSAGES_MAX_LINE 2048

/* The longest merged line, with its list of PEs. */
#define TERN_MERGED_MESSAGES_MAX_TEXT (TERN_MERGED_MESSAGES_MAX_LINE + 256)

struct tern_merged_message;

/* Initially all zero. Messages are numbered from 1, in the order of their first arrival. */
struct tern_merged_messages {
    struct tern_merged_message *messages;
    size_t n;
    uint64_t n_gone; /* number of messages taken out, and so the number of the last of them */
};

/*
 * Whether a line, with its newline, is a message that the library printed in this PE: "tern: PE 3
 * of 8: ...".
 */
bool tern_merged_messages_recognize(uint32_t pe, const char *line, size_t n);

/*
 * Holds a message of a PE. *last is the number of the PE's latest message, 0 if it has none. It is
 * merged with an equal message only if that is later than *last, so that the messages of each PE
 * keep their order. Returns false if there is no room.
 */
bool tern_merged_messages_hold(struct tern_merged_messages *merged, uint32_t pe, uint64_t *last,
                               const char *line, size_t n, uint64_t now);

/* The time at which the oldest message has to be printed; UINT64_MAX: none is held. */
uint64_t tern_merged_messages_due(const struct tern_merged_messages *merged);

/*
 * Removes the oldest message. Writes its line, of TERN_MERGED_MESSAGES_MAX_TEXT bytes at most, and
 * returns its length.
 */
size_t tern_merged_messages_take(struct tern_merged_messages *merged, char *line);

void tern_merged_messages_free(struct tern_merged_messages *merged);

#endif
