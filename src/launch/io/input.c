/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies what a user types at the terminal into PE 0's standard input. */
#include "launch/io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void stop(struct tern_input *input)
{
    tern_loop_ignore(input->loop, &input->terminal);
    input->terminal.fd = -1; /* the descriptor stays open: it is oshrun's standard input */
    tern_loop_close(input->loop, &input->pipe);
}

/*
 * Writes the buffered input to PE 0. The terminal is read again when the pipe has taken all of it.
 */
static void pass_on(struct tern_input *input)
{
    while (input->begin < input->end) {
        ssize_t n = write(input->pipe.fd, input->data + input->begin, input->end - input->begin);

        if (n < 0 && errno == EAGAIN) {
            tern_loop_ignore(input->loop, &input->terminal);
            tern_loop_watch_output(input->loop, &input->pipe);
            return;
        }
        if (n < 0) { /* PE 0 has closed its standard input */
            stop(input);
            return;
        }
        input->begin += (size_t)n;
    }
    tern_loop_ignore(input->loop, &input->pipe);
    tern_loop_watch_input(input->loop, &input->terminal);
}

static void pipe_ready(struct tern_source *source)
{
    pass_on(tern_source_owner(source, struct tern_input, pipe));
}

static bool in_foreground(const struct tern_input *input)
{
    return tcgetpgrp(input->terminal.fd) == getpgrp();
}

static void terminal_ready(struct tern_source *source)
{
    struct tern_input *input = tern_source_owner(source, struct tern_input, terminal);
    ssize_t n;

    if (!in_foreground(input)) {
        tern_loop_ignore(input->loop, source);
        return;
    }
    n = read(source->fd, input->data, sizeof input->data);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        stop(input);
        return;
    }
    input->begin = 0;
    input->end = (size_t)n;
    pass_on(input);
}

int tern_input_open(struct tern_input *input, struct tern_loop *loop, int in, int *fd)
{
    int ends[2];

    *input = (struct tern_input){
        .loop = loop,
        .terminal = {.fd = -1, .ready = terminal_ready},
        .pipe = {.fd = -1, .ready = pipe_ready},
    };
    if (in < 0)
        return 0;
    *fd = in;
    if (!isatty(in))
        return 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    *fd = ends[0];
    input->terminal.fd = in;
    input->pipe.fd = ends[1];
    return tern_loop_watch_input(loop, &input->terminal);
}

bool tern_input_is_relayed(const struct tern_input *input)
{
    return input->terminal.fd >= 0;
}

void tern_input_tick(struct tern_input *input)
{
    if (input->terminal.fd < 0 || input->terminal.watched || input->pipe.watched)
        return;
    if (in_foreground(input))
        tern_loop_watch_input(input->loop, &input->terminal);
}
