/* SPDX-License-Identifier: BSD-3-Clause */
/* Relays the output of PEs to oshrun's own, in whole lines. */
#ifndef TERN_LAUNCH_IO_RELAY_H
#define TERN_LAUNCH_IO_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "launch/io/loop.h"
#include "launch/io/merged_messages.h"

struct tern_relay;

/* One output of one PE: its pipe, and the incomplete line at its end. */
struct tern_stream {
    struct tern_source source;
    struct tern_relay *relay;
    struct tern_sink *sink;
    struct tern_stream *next_waiting;
    uint32_t pe;
    bool has_messages;     /* standard error may contain messages of the library */
    uint64_t last_message; /* number of its latest held message, see merged_messages.h */
    char *part;
    size_t part_bytes;
    size_t part_room;
};

/* One of oshrun's own outputs, with a queue of what is not written yet. */
struct tern_sink {
    struct tern_source source;
    struct tern_relay *relay;
    bool may_block; /* it is a pipe, a terminal or a socket */
    bool broken;    /* a write has failed: further output is dropped */
    char *data;
    size_t begin, end, room;
    struct tern_stream *open_line; /* the stream that wrote an incomplete line, or NULL */
    bool held;                     /* other streams wait for the end of that line */
    uint64_t heard_at;             /* time of the holder's last output */
    struct tern_stream *waiting;   /* streams not read: the sink is held, or its queue is full */
};

struct tern_relay {
    struct tern_loop *loop;
    struct tern_sink out;
    struct tern_sink err;
    struct tern_sink *err_sink; /* &out where both outputs are the same file */
    struct tern_stream self;    /* oshrun's own messages and merged ones */
    struct tern_merged_messages merged;
    struct tern_stream *prompter;
    uint64_t prompt_at; /* when to show the prompter's incomplete line; 0: it has none */
    uint32_t n_open;    /* number of open streams */
    bool tag;
    int error;          /* errno of the first failed write or read, or 0 */
    const char *failed; /* which one, for a message */
    char *chunk;
};

/* out and err are descriptors, or -1 where oshrun has none. Returns 0 or -errno. */
int tern_relay_open(struct tern_relay *relay, struct tern_loop *loop, int out, int err, bool tag);

void tern_relay_close(struct tern_relay *relay);

/*
 * Starts to relay fd, which is non-blocking. The stream owns it from then on. Returns 0 or -errno.
 */
int tern_relay_add(struct tern_relay *relay, struct tern_stream *stream, int fd, uint32_t pe,
                   bool is_err);

/*
 * Marks the stream whose prompts a user answers at the terminal. Its incomplete lines are shown
 * after a moment, even though a line of another PE may then interrupt them.
 */
void tern_relay_set_prompter(struct tern_relay *relay, struct tern_stream *stream);

/*
 * Writes "tern: oshrun: KIND message" to standard error, after all output that was relayed before.
 */
void tern_relay_report(struct tern_relay *relay, const char *kind, const char *fmt, ...)
    TERN_PRINTF(3, 4);

/* The same for the error "WHAT: ", with what the errno means: see tern_limit_explain_error(). */
void tern_relay_report_error(struct tern_relay *relay, int error, const char *what, ...)
    TERN_PRINTF(3, 4);

/* Reads all that the pipe contains now, so that it precedes a message about its PE. */
void tern_relay_drain(struct tern_stream *stream);

/* Closes a stream, even if some process still has the other end of its pipe. */
void tern_relay_end(struct tern_stream *stream);

/* Writes the queues, as far as that does not block. Called between turns of the loop. */
void tern_relay_flush(struct tern_relay *relay);

/* Does what is due at `now`. Returns when to call it again, or UINT64_MAX. */
uint64_t tern_relay_tick(struct tern_relay *relay, uint64_t now);

/* Whether all output is written. */
bool tern_relay_is_flushed(const struct tern_relay *relay);

#endif
