/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs of a machine that do not come to the rendezvous, or do not answer: with PATIENCE_S of 1. */
#include "boot/external/rendezvous.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/log.h"
#include "boot/external/local.h"
#include "unit/capture.h"

static uint64_t job; /* a name that no other run of this test has */

/* The rest of the library is not here. */
void tern_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
}

/* PE 1 of 4, where PE 2 is on another machine. */
static void serve(void)
{
    struct tern_hello hellos[4] = {{0}};
    struct tern_rendezvous made;
    int fd = tern_rendezvous_open(job);

    CHECK(fd >= 0);
    hellos[2].place.machine = 1;
    CHECK(tern_rendezvous_serve(fd, hellos, 4, 1, 0, -1, &made) == -ETIMEDOUT);
}

static void check_missing(void)
{
    char text[1000];

    CHECK(capture(serve, text, sizeof text) == 0);
    CHECK(strcmp(text, "2 PEs on this machine did not reach start-up within 1 s (first missing: PE "
                       "0); see tern-messages(7), \"Launchers\"") == 0);
}

/* A process that has the name but makes no memory: it is stopped, say. */
static void meet(void)
{
    struct tern_rendezvous got;
    int fd = tern_rendezvous_open(job);

    CHECK(fd >= 0);
    CHECK(tern_rendezvous_meet(job, 0, 0, -1, &got) == -ETIMEDOUT);
}

static void check_silent_server(void)
{
    char text[1000];

    CHECK(capture(meet, text, sizeof text) == 0);
    CHECK(strcmp(text, "cannot connect to the other PEs on this machine: Connection timed out: the "
                       "PE that makes the shared memory does not answer") == 0);
}

int main(void)
{
    job = (uint64_t)getpid();
    check_missing();
    check_silent_server();
    return 0;
}
