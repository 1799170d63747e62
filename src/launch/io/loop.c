/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event loop, on epoll: the cost of a turn depends on the number of ready descriptors, not of
 * PEs.
 */
#include "launch/io/loop.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

int tern_loop_open(struct tern_loop *loop)
{
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    return loop->epoll < 0 ? -errno : 0;
}

static int watch(struct tern_loop *loop, struct tern_source *source, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = source};

    if (source->watched)
        return 0;
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, source->fd, &event) != 0)
        return -errno;
    source->watched = true;
    return 0;
}

int tern_loop_watch_input(struct tern_loop *loop, struct tern_source *source)
{
    return watch(loop, source, EPOLLIN);
}

int tern_loop_watch_output(struct tern_loop *loop, struct tern_source *source)
{
    return watch(loop, source, EPOLLOUT);
}

void tern_loop_ignore(struct tern_loop *loop, struct tern_source *source)
{
    if (source->watched)
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, source->fd, NULL);
    source->watched = false;
}

void tern_loop_close(struct tern_loop *loop, struct tern_source *source)
{
    if (source->fd < 0)
        return;
    tern_loop_ignore(loop, source);
    close(source->fd);
    source->fd = -1;
}

void tern_loop_turn(struct tern_loop *loop, uint64_t wait_ns)
{
    struct epoll_event events[64];
    int n = epoll_wait(loop->epoll, events, 64, (int)((wait_ns + 999999) / 1000000));

    for (int i = 0; i < n; i++) {
        struct tern_source *source = events[i].data.ptr;

        /* The callback of an earlier event may have closed this source. */
        if (source->watched)
            source->ready(source);
    }
}
