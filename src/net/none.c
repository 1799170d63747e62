/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine of a job on one node, which has no PEs to reach. */
#include <errno.h>
#include <stdlib.h>

#include "net/net.h"

static int open(const struct tern_net_host *host, void *card)
{
    return 0;
}

static int connect(void)
{
    return 0;
}

static void close(void)
{
}

static const char *describe(void)
{
    return "none: the job has one node";
}

static void survey(const struct tern_net_host *host, void (*line)(void *arg, const char *text),
                   void *arg)
{
}

static int reaches(int pe)
{
    return ENETUNREACH;
}

static struct tern_net_channel *channel_open(void)
{
    return NULL;
}

static void channel_close(struct tern_net_channel *channel)
{
}

/* reaches() fails for all PEs, so a call of one of these is a bug of the library. */
static void put(struct tern_net_channel *channel, uint64_t dest, const void *source, size_t bytes,
                int pe)
{
    abort();
}

static void get(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes, int pe)
{
    abort();
}

static void scatter(struct tern_net_channel *channel, uint64_t dest, size_t dst, const void *source,
                    size_t bytes, size_t n, int pe)
{
    abort();
}

static void put_signal(struct tern_net_channel *channel, uint64_t dest, const void *source,
                       size_t bytes, uint64_t sig_addr, uint64_t signal, enum tern_net_op op,
                       bool nbi, int pe)
{
    abort();
}

static void update(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                   uint64_t dest, uint64_t operand, int pe)
{
    abort();
}

static void amo(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                uint64_t dest, uint64_t operand, uint64_t compare, uint64_t *fetch, int pe)
{
    abort();
}

static void amo_nbi(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                    uint64_t dest, uint64_t operand, uint64_t compare, void *fetch, int pe)
{
    abort();
}

static void send(int pe, const void *message, size_t bytes)
{
    abort();
}

static void await(int pe, bool (*done)(const void *arg), const void *arg)
{
    abort();
}

static void put_group(struct tern_net_channel *channel, uint64_t dest, const void *source,
                      size_t bytes, struct tern_net_group *group, int pe)
{
    abort();
}

static void get_group(struct tern_net_channel *channel, void *dest, uint64_t source, size_t bytes,
                      struct tern_net_group *group, int pe)
{
    abort();
}

static void amo_group(struct tern_net_channel *channel, enum tern_net_op op, unsigned width,
                      uint64_t dest, uint64_t operand, uint64_t compare, void *fetch,
                      struct tern_net_group *group, int pe)
{
    abort();
}

/* Nothing was sent, so nothing has to be ordered or completed. */
static void order(struct tern_net_channel *channel)
{
}

static bool is_quiet(struct tern_net_channel *channel)
{
    return true;
}

static void count(struct tern_net_channel *channel, struct tern_net_counts *counts)
{
    *counts = (struct tern_net_counts){0};
}

static void session(struct tern_net_channel *channel, bool on, size_t operations)
{
}

static bool progress(void)
{
    return false;
}

static void rest(void)
{
}

const struct tern_net_ops tern_net_none = {
    .name = "none",
    .open = open,
    .connect = connect,
    .close = close,
    .describe = describe,
    .survey = survey,
    .reaches = reaches,
    .channel_open = channel_open,
    .channel_close = channel_close,
    .put = put,
    .put_nbi = put,
    .get = get,
    .get_nbi = get,
    .scatter = scatter,
    .put_signal = put_signal,
    .update = update,
    .amo = amo,
    .amo_nbi = amo_nbi,
    .put_group = put_group,
    .get_group = get_group,
    .amo_group = amo_group,
    .fence = order,
    .quiet = order,
    .is_quiet = is_quiet,
    .count = count,
    .session = session,
    .send = send,
    .frame = send,
    .await = await,
    .progress = progress,
    .rest = rest,
};
