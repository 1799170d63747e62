/* SPDX-License-Identifier: BSD-3-Clause */
/* The launcher's event loop: descriptors, and a callback for each. */
#ifndef TERN_LAUNCH_IO_LOOP_H
#define TERN_LAUNCH_IO_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A descriptor to wait for. It is a member of a larger object, which stays allocated until the turn
 * ends, even if the callback of another source closes it. fd is -1 when the source is closed.
 */
struct tern_source {
    int fd;
    bool watched;
    void (*ready)(struct tern_source *source);
};

#define tern_source_owner(source, type, member) ((type *)((char *)(source)-offsetof(type, member)))

struct tern_loop {
    int epoll;
};

/* Return 0 or -errno. */
int tern_loop_open(struct tern_loop *loop);
int tern_loop_watch_input(struct tern_loop *loop, struct tern_source *source);
int tern_loop_watch_output(struct tern_loop *loop, struct tern_source *source);

void tern_loop_ignore(struct tern_loop *loop, struct tern_source *source);

/* Ignores the source and closes its descriptor. */
void tern_loop_close(struct tern_loop *loop, struct tern_source *source);

/* Waits for events, for wait_ns at most, and calls ready() of each source that has one. */
void tern_loop_turn(struct tern_loop *loop, uint64_t wait_ns);

#endif
