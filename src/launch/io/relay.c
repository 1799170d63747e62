/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects lines from the PEs' pipes and writes them, without ever blocking on a slow reader. */
#include "launch/io/relay.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/os.h"

#define CHUNK 65536

/*
 * Lines up to this size are written at once. A longer line is written in pieces, during which its
 * stream holds the sink.
 */
#define MAX_LINE 262144

/*
 * The limit of a sink's queue. Beyond it the PEs' pipes are not read, fill up, and block their
 * writers.
 */
#define MAX_QUEUE 262144

/* A pipe that polls as writable takes this many bytes without blocking. */
#define PIECE 4096

/* A stream that holds a sink loses it after this time without output, if others wait. */
#define PATIENCE_NS UINT64_C(1000000000)

#define PROMPT_NS UINT64_C(50000000)

static void sink_flush(struct tern_sink *sink);

/* Resumes reading the streams that wait for this sink. */
static void wake(struct tern_sink *sink)
{
    struct tern_stream *stream = sink->waiting;

    sink->waiting = NULL;
    while (stream) {
        struct tern_stream *next = stream->next_waiting;

        if (stream->source.fd >= 0)
            tern_loop_watch_input(sink->relay->loop, &stream->source);
        stream = next;
    }
}

static void release(struct tern_sink *sink)
{
    sink->held = false;
    wake(sink);
}

/* Keeps the first failure, which ends the job. */
static void relay_fail(struct tern_relay *relay, const char *failed, int error)
{
    if (relay->error)
        return;
    relay->error = error;
    relay->failed = failed;
}

static void sink_fail(struct tern_sink *sink, int error)
{
    struct tern_relay *relay = sink->relay;

    relay_fail(relay,
               sink == &relay->out ? "standard output can't be written"
                                   : "standard error can't be written",
               error);
    tern_loop_ignore(relay->loop, &sink->source);
    sink->broken = true;
    sink->begin = sink->end = 0;
    release(sink);
}

static void sink_ready(struct tern_source *source)
{
    sink_flush(tern_source_owner(source, struct tern_sink, source));
}

/* Writes what does not block. The event loop calls again for the rest. */
static void sink_flush(struct tern_sink *sink)
{
    while (sink->begin < sink->end) {
        size_t n = sink->end - sink->begin;
        ssize_t done;

        if (sink->may_block) {
            struct pollfd can = {.fd = sink->source.fd, .events = POLLOUT};

            if (poll(&can, 1, 0) == 0)
                break;
            if (n > PIECE)
                n = PIECE;
        }
        done = write(sink->source.fd, sink->data + sink->begin, n);
        if (done < 0 && errno == EAGAIN) /* another process has made it non-blocking */
            break;
        if (done < 0) {
            sink_fail(sink, errno);
            return;
        }
        sink->begin += (size_t)done;
    }
    if (sink->begin < sink->end) {
        tern_loop_watch_output(sink->relay->loop, &sink->source);
        return;
    }
    sink->begin = sink->end = 0;
    tern_loop_ignore(sink->relay->loop, &sink->source);
    wake(sink); /* the holder may wait as well, because the queue was full */
}

/* Makes room for n bytes at the end of the queue. */
static bool make_room(struct tern_sink *sink, size_t n)
{
    size_t used = sink->end - sink->begin;
    char *data;

    if (sink->room - sink->end >= n)
        return true;
    if (sink->begin > 0)
        memmove(sink->data, sink->data + sink->begin, used);
    sink->begin = 0;
    sink->end = used;
    if (sink->room - used >= n)
        return true;
    data = realloc(sink->data, (used + n) * 2);
    if (!data)
        return false;
    sink->data = data;
    sink->room = (used + n) * 2;
    return true;
}

static void append(struct tern_sink *sink, const char *data, size_t n)
{
    if (sink->broken)
        return;
    if (!make_room(sink, n)) {
        sink_fail(sink, ENOMEM);
        return;
    }
    memcpy(sink->data + sink->end, data, n);
    sink->end += n;
}

/* Appends text of one stream, n > 0 bytes. It may end within a line. */
static void put(struct tern_stream *stream, const char *data, size_t n)
{
    struct tern_sink *sink = stream->sink;
    bool tag = stream->relay->tag && stream != &stream->relay->self;

    if (sink->open_line && sink->open_line != stream) {
        append(sink, "\n", 1);
        sink->open_line = NULL;
    }
    while (tag && n > 0) {
        const char *newline = memchr(data, '\n', n);
        size_t line = newline ? (size_t)(newline - data) + 1 : n;

        if (!sink->open_line) {
            char text[16];

            append(sink, text, (size_t)snprintf(text, sizeof text, "[%u] ", stream->pe));
        }
        append(sink, data, line);
        sink->open_line = newline ? NULL : stream;
        data += line;
        n -= line;
    }
    if (!tag) {
        append(sink, data, n);
        sink->open_line = data[n - 1] == '\n' ? NULL : stream;
    }
    if (sink->held && !sink->open_line)
        release(sink);
}

/* Writes the held messages up to and including number `last`. */
static void put_messages(struct tern_relay *relay, uint64_t last)
{
    char line[TERN_MERGED_MESSAGES_MAX_TEXT];

    while (relay->merged.n > 0 && relay->merged.n_gone < last)
        put(&relay->self, line, tern_merged_messages_take(&relay->merged, line));
}

/* Appends text after the stream's own messages, which may still be held. */
static void put_in_order(struct tern_stream *stream, const char *data, size_t n)
{
    put_messages(stream->relay, stream->last_message);
    put(stream, data, n);
}

/* Holds a message of the library. Returns false if the line is none, or cannot be held. */
static bool hold_back(struct tern_stream *stream, const char *line, size_t n)
{
    struct tern_merged_messages *merged = &stream->relay->merged;

    if (!stream->has_messages || !tern_merged_messages_recognize(stream->pe, line, n) ||
        stream->sink->open_line == stream)
        return false;
    if (merged->n == TERN_MERGED_MESSAGES_MAX)
        put_messages(stream->relay, merged->n_gone + 1);
    return tern_merged_messages_hold(merged, stream->pe, &stream->last_message, line, n,
                                     tern_os_now_ns());
}

/* Writes whole lines, except messages of the library, which are held. */
static void put_lines(struct tern_stream *stream, const char *data, size_t n)
{
    const char *end = data + n;

    for (const char *at = data; stream->has_messages && at < end;) {
        const char *next = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;

        if (tern_merged_messages_recognize(stream->pe, at, (size_t)(next - at))) {
            if (at > data)
                put_in_order(stream, data, (size_t)(at - data));
            data = hold_back(stream, at, (size_t)(next - at)) ? next : at;
        }
        at = next;
    }
    if (data < end)
        put_in_order(stream, data, (size_t)(end - data));
}

static void put_part(struct tern_stream *stream)
{
    if (stream->part_bytes > 0)
        put_in_order(stream, stream->part, stream->part_bytes);
    stream->part_bytes = 0;
    if (stream == stream->relay->prompter)
        stream->relay->prompt_at = 0;
}

static void keep_part(struct tern_stream *stream, const char *data, size_t n)
{
    if (stream->part_room - stream->part_bytes < n) {
        size_t room = (stream->part_bytes + n) * 2;
        char *grown = realloc(stream->part, room);

        if (!grown) { /* out of memory: the line is written in pieces */
            put_part(stream);
            put_in_order(stream, data, n);
            return;
        }
        stream->part = grown;
        stream->part_room = room;
    }
    memcpy(stream->part + stream->part_bytes, data, n);
    stream->part_bytes += n;
    if (stream == stream->relay->prompter)
        stream->relay->prompt_at = tern_os_now_ns() + PROMPT_NS;
}

/* Completes the line whose beginning was kept. */
static void end_part(struct tern_stream *stream, const char *data, size_t n)
{
    keep_part(stream, data, n);
    if (stream->part_bytes > 0 && hold_back(stream, stream->part, stream->part_bytes))
        stream->part_bytes = 0;
    put_part(stream);
}

static void take(struct tern_stream *stream, const char *data, size_t n)
{
    struct tern_sink *sink = stream->sink;
    const char *newline = memrchr(data, '\n', n);

    if (newline && stream->part_bytes > 0) {
        size_t rest = (size_t)((const char *)memchr(data, '\n', n) - data) + 1;

        end_part(stream, data, rest);
        data += rest;
        n -= rest;
    }
    if (newline && newline >= data) {
        size_t whole = (size_t)(newline - data) + 1;

        put_lines(stream, data, whole);
        data += whole;
        n -= whole;
    }
    if (n > 0)
        keep_part(stream, data, n);
    if (stream->part_bytes > MAX_LINE) {
        put_part(stream);
        sink->held = true;
    }
    if (sink->held && sink->open_line == stream)
        sink->heard_at = tern_os_now_ns();
}

/* Reads once. Returns false when there is nothing more to read now. */
static bool read_some(struct tern_stream *stream)
{
    ssize_t n = read(stream->source.fd, stream->relay->chunk, CHUNK);

    if (n > 0) {
        take(stream, stream->relay->chunk, (size_t)n);
        return true;
    }
    if (n < 0 && errno == EAGAIN)
        return false;
    if (n < 0)
        relay_fail(stream->relay, "the output of a PE can't be read", errno);
    tern_relay_end(stream);
    return false;
}

static void stream_ready(struct tern_source *source)
{
    struct tern_stream *stream = tern_source_owner(source, struct tern_stream, source);
    struct tern_sink *sink = stream->sink;

    if (sink->end - sink->begin > MAX_QUEUE)
        sink_flush(sink);
    if (sink->end - sink->begin > MAX_QUEUE || (sink->held && sink->open_line != stream)) {
        tern_loop_ignore(stream->relay->loop, source);
        stream->next_waiting = sink->waiting;
        sink->waiting = stream;
        return;
    }
    read_some(stream);
}

static void sink_open(struct tern_sink *sink, struct tern_relay *relay, int fd)
{
    struct stat st;

    *sink = (struct tern_sink){.source = {.fd = fd, .ready = sink_ready}, .relay = relay};
    if (fd >= 0 && fstat(fd, &st) == 0)
        sink->may_block = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd);
}

static bool is_same_file(int a, int b)
{
    struct stat of_a, of_b;

    return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

int tern_relay_open(struct tern_relay *relay, struct tern_loop *loop, int out, int err, bool tag)
{
    *relay = (struct tern_relay){.loop = loop, .tag = tag};
    relay->chunk = malloc(CHUNK);
    if (!relay->chunk)
        return -ENOMEM;
    sink_open(&relay->out, relay, out);
    sink_open(&relay->err, relay, err);
    relay->err_sink = is_same_file(out, err) ? &relay->out : &relay->err;
    relay->self = (struct tern_stream){.source.fd = -1, .relay = relay, .sink = relay->err_sink};
    return 0;
}

void tern_relay_close(struct tern_relay *relay)
{
    free(relay->out.data);
    free(relay->err.data);
    free(relay->chunk);
    tern_merged_messages_free(&relay->merged);
}

int tern_relay_add(struct tern_relay *relay, struct tern_stream *stream, int fd, uint32_t pe,
                   bool is_err)
{
    *stream = (struct tern_stream){
        .source = {.fd = fd, .ready = stream_ready},
        .relay = relay,
        .sink = is_err ? relay->err_sink : &relay->out,
        .pe = pe,
        .has_messages = is_err && !relay->tag,
    };
    relay->n_open++;
    return tern_loop_watch_input(relay->loop, &stream->source);
}

void tern_relay_set_prompter(struct tern_relay *relay, struct tern_stream *stream)
{
    if (isatty(relay->out.source.fd))
        relay->prompter = stream;
}

/* Without memory for the queue of standard error, oshrun's own lines are written at once, or lost.
 */
static void put_own(struct tern_relay *relay, const char *line, size_t n)
{
    struct pollfd can = {.fd = relay->err.source.fd, .events = POLLOUT};

    if (!relay->err_sink->broken)
        put(&relay->self, line, n);
    if (relay->err_sink->broken && relay->error == ENOMEM && poll(&can, 1, 0) == 1 &&
        write(can.fd, line, n) < 0)
        relay->error = errno; /* there is no other place to report it */
}

void tern_relay_report(struct tern_relay *relay, const char *kind, const char *fmt, ...)
{
    char line[2048];
    va_list args;
    int n = snprintf(line, sizeof line, "tern: oshrun: %s", kind), m;

    va_start(args, fmt);
    m = vsnprintf(line + n, sizeof line - (size_t)n, fmt, args);
    va_end(args);
    n = m < (int)sizeof line - n ? n + m : (int)sizeof line - 1;
    line[n] = '\n';
    put_messages(relay, UINT64_MAX);
    put_own(relay, line, (size_t)n + 1);
}

void tern_relay_report_error(struct tern_relay *relay, int error, const char *what, ...)
{
    char why[TERN_LIMIT_ERROR_BYTES], text[1024];
    va_list args;

    va_start(args, what);
    vsnprintf(text, sizeof text, what, args);
    va_end(args);
    tern_limit_explain_error(error, why);
    tern_relay_report(relay, "error: ", "%s: %s", text, why);
}

void tern_relay_drain(struct tern_stream *stream)
{
    /* This reads a full pipe. More can only come from a process that writes at the same time. */
    for (size_t most = 16; most > 0 && stream->source.fd >= 0; most--)
        if (!read_some(stream))
            break;
}

void tern_relay_end(struct tern_stream *stream)
{
    struct tern_sink *sink = stream->sink;

    if (stream->source.fd < 0)
        return;
    put_part(stream);
    free(stream->part);
    stream->part = NULL;
    stream->part_room = 0;
    tern_loop_close(stream->relay->loop, &stream->source);
    if (--stream->relay->n_open == 0)
        put_messages(stream->relay, UINT64_MAX);
    if (sink->held && sink->open_line == stream)
        release(sink);
}

void tern_relay_flush(struct tern_relay *relay)
{
    if (relay->out.begin < relay->out.end)
        sink_flush(&relay->out);
    if (relay->err.begin < relay->err.end)
        sink_flush(&relay->err);
}

static void end_silent_hold(struct tern_sink *sink, uint64_t now)
{
    if (!sink->held)
        return;
    if (sink->begin < sink->end) /* oshrun's own reader is slow, not the holder */
        sink->heard_at = now;
    if (sink->waiting && now - sink->heard_at > PATIENCE_NS)
        release(sink);
}

/* Writes the messages whose time has come, except while a stream holds the sink. */
static uint64_t tick_messages(struct tern_relay *relay, uint64_t now)
{
    if (relay->err_sink->held) /* the end of the hold is an event of the loop */
        return UINT64_MAX;
    while (tern_merged_messages_due(&relay->merged) <= now)
        put_messages(relay, relay->merged.n_gone + 1);
    return tern_merged_messages_due(&relay->merged);
}

static uint64_t tick_prompt(struct tern_relay *relay, uint64_t now)
{
    if (!relay->prompt_at)
        return UINT64_MAX;
    if (now < relay->prompt_at)
        return relay->prompt_at;
    put_part(relay->prompter);
    return UINT64_MAX;
}

uint64_t tern_relay_tick(struct tern_relay *relay, uint64_t now)
{
    uint64_t messages, prompt;

    end_silent_hold(&relay->out, now);
    end_silent_hold(&relay->err, now);
    messages = tick_messages(relay, now);
    prompt = tick_prompt(relay, now);
    return messages < prompt ? messages : prompt;
}

bool tern_relay_is_flushed(const struct tern_relay *relay)
{
    return relay->out.begin == relay->out.end && relay->err.begin == relay->err.end;
}
