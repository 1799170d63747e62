/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds back messages of the library for a moment, so that the same one of several PEs is one line.
 */
#ifndef TERN_LAUNCH_IO_MERGED_MESSAGES_H
#define TERN_LAUNCH_IO_MERGED_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More messages than these are not held back at a time. */
#define TERN_MERGED_MESSAGES_MAX 64

/* A line that is longer is no message of the library. */
#define TERN_MERGED_MESSAGES_MAX_LINE 2048

/* A merged line with its list of PEs. */
#define TERN_MERGED_MESSAGES_MAX_TEXT (TERN_MERGED_MESSAGES_MAX_LINE + 256)

struct tern_merged_message;

/* All zero at first. Messages are numbered from 1, in the order in which they first came. */
struct tern_merged_messages {
    struct tern_merged_message *messages;
    size_t n;
    uint64_t n_gone; /* how many have been taken out: the number of the last of these */
};

/* Whether the line, with its newline, is a message of the library in this PE: "tern: PE 3 of 8: ".
 */
bool tern_merged_messages_recognize(uint32_t pe, const char *line, size_t n);

/*
 * Holds such a message back. *last is the number of the PE's latest one, 0: there is none; a
 * message joins others with the same text only behind that, so that each PE's stay in order. False
 * if there is no room for one more.
 */
bool tern_merged_messages_hold(struct tern_merged_messages *merged, uint32_t pe, uint64_t *last,
                               const char *line, size_t n, uint64_t now);

/* When the oldest message has waited long enough, UINT64_MAX: there is none. */
uint64_t tern_merged_messages_due(const struct tern_merged_messages *merged);

/* Takes the oldest message out: writes its line, of TERN_MERGED_MESSAGES_MAX_TEXT bytes at most;
 * its length. */
size_t tern_merged_messages_take(struct tern_merged_messages *merged, char *line);

void tern_merged_messages_free(struct tern_merged_messages *merged);

#endif
