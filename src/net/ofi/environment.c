/* SPDX-License-Identifier: BSD-3-Clause */
/* libfabric's own settings, which it reads from the environment when it starts. */
#include "net/ofi/environment.h"

#include <rdma/fi_errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * libfabric's defaults for providers on top of ofi_rxm cost 90 MB a process and 20 ms for each new
 * peer. The universe is the number of peers: ofi_rxm has a ring of completions for so many, of 12
 * MB by default, and over time operations touch all of it.
 */
static char variables[][48] = {
    "FI_OFI_RXM_BUFFER_SIZE=2048",         /* larger messages are rare */
    "FI_OFI_RXM_MSG_RX_SIZE=64",           /* buffers of that size */
    "FI_OFI_RXM_RX_SIZE=256",              /* receives that are posted, at most */
    "FI_OFI_RXM_CM_PROGRESS_INTERVAL=100", /* us between polls for new connections */
    "FI_UNIVERSE_SIZE=",
    "FI_OFI_RXM_EAGER_LIMIT=65536", /* longer messages are announced before they are sent */
};

#define N_VARIABLES (sizeof variables / sizeof *variables)
#define UNIVERSE (N_VARIABLES - 2)
#define EAGER_LIMIT (N_VARIABLES - 1) /* which libfabric reads for each endpoint */
/*
 * Completions that find the ring full go to a list, so it need not have room for all peers of a
 * large job: its memory would then be 6 KiB for each.
 */
#define LEAST_UNIVERSE 16
#define MOST_UNIVERSE 256

/* The process's own environment, and the one with the variables, which other threads may read. */
static char **own, **lent;

static void name_of(const char *variable, char *name, size_t bytes)
{
    snprintf(name, bytes, "%.*s", (int)strcspn(variable, "="), variable);
}

static size_t count(char *const *vector)
{
    size_t n = 0;

    while (vector && vector[n])
        n++;
    return n;
}

/* Variables from `first` to `last`; those that the user has set are kept. */
static void fill_in(char **vector, size_t n, size_t first, size_t last)
{
    char name[sizeof variables[0]];

    memcpy(vector, own, n * sizeof *vector);
    for (size_t i = first; i <= last; i++) {
        name_of(variables[i], name, sizeof name);
        if (!getenv(name))
            vector[n++] = variables[i];
    }
    vector[n] = NULL;
}

/*
 * setenv() may move the environment while another thread reads it, and children would inherit the
 * variables. Here readers find one of two vectors, neither of which is freed. Returns 0 or
 * -FI_ENOMEM: libfabric's own defaults do not fit those of peers.
 */
static int lend(size_t first, size_t last)
{
    size_t n = count(environ);
    char **vector = malloc((n + N_VARIABLES + 1) * sizeof *vector);

    if (!vector)
        return -FI_ENOMEM;
    own = environ;
    fill_in(vector, n, first, last);
    lent = environ = vector;
    return 0;
}

int ofi_environment_set_defaults(int n_pes)
{
    static bool done;
    int r;

    if (done)
        return 0; /* libfabric has read them already */
    n_pes = n_pes < LEAST_UNIVERSE ? LEAST_UNIVERSE : n_pes > MOST_UNIVERSE ? MOST_UNIVERSE : n_pes;
    snprintf(variables[UNIVERSE], sizeof variables[UNIVERSE], "FI_UNIVERSE_SIZE=%d", n_pes);
    r = lend(0, UNIVERSE);
    done = !r;
    return r;
}

int ofi_environment_set_eager_limit(void)
{
    return lend(EAGER_LIMIT, EAGER_LIMIT);
}

/* Another thread's setenv() has made a third environment, which is kept. */
static void remove_from_theirs(void)
{
    char name[sizeof variables[0]];

    for (size_t i = 0; i < N_VARIABLES; i++) {
        name_of(variables[i], name, sizeof name);
        if (getenv(name) == variables[i] + strlen(name) + 1)
            unsetenv(name);
    }
}

void ofi_environment_restore(void)
{
    if (!own)
        return;
    if (environ == lent)
        environ = own;
    else
        remove_from_theirs();
    own = NULL;
}
