/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings the output of PEs to oshrun's own, whole lines at a time. */
#ifndef TERN_LAUNCH_IO_RELAY_H
#define TERN_LAUNCH_IO_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "launch/io/loop.h"
#include "launch/io/merged_messages.h"

struct tern_relay;

/* One output of one PE: the pipe it writes to, and the line that has no end yet. */
struct tern_stream {
    struct tern_source source;
    struct tern_relay *relay;
    struct tern_sink *sink;
    struct tern_stream *next_waiting;
    uint32_t pe;
    bool has_messages;     /* of the library: they come on standard error */
    uint64_t last_message; /* of those held back, see merge.h */
    char *part;
    size_t part_bytes;
    size_t part_room;
};

/* One of oshrun's own outputs, and what could not be written to it yet. */
struct tern_sink {
    struct tern_source source;
    struct tern_relay *relay;
    bool may_block; /* a pipe, a terminal, a socket */
    bool broken;    /* it has failed: what comes is dropped */
    char *data;
    size_t begin, end, room;
    struct tern_stream *open_line; /* the stream whose line on it is unfinished, or NULL */
    bool held;                     /* others wait until that line has its end */
    uint64_t heard_at;             /* when the holder last said something */
    struct tern_stream *waiting;   /* streams that are not read: it is held, or takes no more */
};

struct tern_relay {
    struct tern_loop *loop;
    struct tern_sink out;
    struct tern_sink err;
    struct tern_sink *err_sink; /* &out where both are the same file */
    struct tern_stream self;    /* oshrun's own messages, and those that are merged */
    struct tern_merged_messages merged;
    struct tern_stream *prompter;
    uint64_t prompt_at; /* when the prompter's unfinished line shall be shown, 0: there is none */
    uint32_t n_open;    /* streams that have not ended */
    bool tag;
    int error; /* errno of the first output that failed, 0: none has */
    const char *failed;
    char *chunk;
};

/* out and err are descriptors, -1 for one that is closed. Returns 0 or -errno. */
int tern_relay_open(struct tern_relay *relay, struct tern_loop *loop, int out, int err, bool tag);

void tern_relay_close(struct tern_relay *relay);

/* From now on relays what comes from fd, which is non-blocking and becomes the stream's. */
int tern_relay_add(struct tern_relay *relay, struct tern_stream *stream, int fd, uint32_t pe,
                   bool is_err);

/*
 * A person answers what this stream asks: its unfinished lines are shown after a moment, though
 * another PE's line may then cut in.
 */
void tern_relay_set_prompter(struct tern_relay *relay, struct tern_stream *stream);

/* "tern: oshrun: " KIND message, on standard error, after what has come in so far. */
void tern_relay_report(struct tern_relay *relay, const char *kind, const char *fmt, ...)
    TERN_PRINTF(3, 4);

/* Takes what the stream's pipe holds now, so that it comes before a message about its PE. */
void tern_relay_drain(struct tern_stream *stream);

/* Ends a stream that some process still holds open. */
void tern_relay_end(struct tern_stream *stream);

/* Writes out what has come in; to be called between the loop's turns. */
void tern_relay_flush(struct tern_relay *relay);

/* Does what time has come for; returns when to call it again, UINT64_MAX for whenever. */
uint64_t tern_relay_tick(struct tern_relay *relay, uint64_t now);

/* Whether everything that came in is written. */
bool tern_relay_is_flushed(const struct tern_relay *relay);

#endif
