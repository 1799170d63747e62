/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of a job on one node: there is nobody to reach. */
#include <errno.h>
#include <stdlib.h>

#include "net/net.h"

static int start(int pe, int n_pes)
{
    return 0;
}

static void stop(void)
{
}

static int reaches(int pe)
{
    return ENETUNREACH;
}

/* reaches() has said no, so a call of one of these is a mistake of the library. */
static void put(void *dest, const void *source, size_t bytes, int pe)
{
    abort();
}

static void get(void *dest, const void *source, size_t bytes, int pe)
{
    abort();
}

static void amo(enum tern_net_op op, unsigned width, void *dest, uint64_t operand, uint64_t compare,
                uint64_t *fetch, int pe)
{
    abort();
}

/* Nothing was sent, so nothing has to be ordered or completed. */
static void order(void)
{
}

const struct tern_net_ops tern_net_none = {
    .name = "none",
    .start = start,
    .stop = stop,
    .reaches = reaches,
    .put = put,
    .put_nbi = put,
    .get = get,
    .get_nbi = get,
    .amo = amo,
    .fence = order,
    .quiet = order,
};
