/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages of an allgather between nodes. The first byte is the number of parts, then there are
 * messages: two bytes of length, then the data. A length of 65535 stands for one beyond all memory.
 */
#include <setjmp.h>
#include <stdarg.h>

#include "base/limit.h"
#include "base/log.h"
#include "core/job.h"
#include "core/multinode.h"
#include "fuzz/queues.h"
#include "fuzz/target.h"

TERN_PE_LOCAL struct tern_job tern_job;

static jmp_buf ended;
static const uint8_t *rest; /* of the input */
static size_t rest_bytes, length;

void tern_fatal(const char *routine, const char *fmt, ...)
{
    longjmp(ended, 1);
}

void tern_limit_no_memory(const char *routine, const char *what, size_t bytes)
{
    longjmp(ended, 1);
}

void tern_sync_led(struct tern_sync *sync, const void *payload, size_t bytes,
                   void (*lead)(void *arg), void *arg, const char *routine)
{
}

void tern_messages_send(int pe, const struct tern_message_key *key,
                        const struct tern_message_tag *tag, const void *data, size_t bytes)
{
    read_sent(data, bytes);
}

size_t tern_messages_await(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                           const struct tern_pe_range *group, const char *routine)
{
    if (rest_bytes < 2)
        longjmp(ended, 1);
    length = (size_t)(rest[0] | rest[1] << 8);
    rest += 2;
    rest_bytes -= 2;
    if (length == UINT16_MAX)
        length = SIZE_MAX - 3;
    else if (length > rest_bytes)
        length = rest_bytes;
    return length;
}

void tern_messages_read(struct tern_message_queue *queue, const struct tern_message_tag *tag,
                        void *data, size_t bytes, const struct tern_pe_range *group,
                        const char *routine)
{
    if (bytes != length)
        abort();
    if (bytes)
        memcpy(data, rest, bytes);
    rest += bytes;
    rest_bytes -= bytes;
}

/* Each part has one PE, and sends a number. */
static void gather(int parts, struct tern_multinode_blocks *blocks)
{
    static struct tern_pe_range ranges[16];
    struct tern_multinode multinode = {.n_parts = parts, .me = parts / 2, .parts = ranges};
    struct tern_team team = {.pes = {0, 1, parts}, .multinode = &multinode};
    struct tern_multinode_block block = {0};
    uint64_t mine = 7, theirs;
    int n = 0;

    for (int i = 0; i < parts; i++)
        ranges[i] = (struct tern_pe_range){i, 1, 1};
    tern_multinode_allgather(&team, &mine, sizeof mine, blocks, "shmem_fcollectmem");
    for (; tern_multinode_next(blocks, &block); n++) {
        memcpy(&theirs, tern_multinode_data(&block, sizeof theirs, "shmem_fcollectmem"),
               sizeof theirs);
        if (block.bytes != sizeof theirs || (n == 0 && theirs != mine))
            abort();
    }
    if (n != parts) /* what was accepted has a block of each */
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct tern_multinode_blocks blocks;

    if (!bytes)
        return 0;
    rest = data + 1;
    rest_bytes = bytes - 1;
    if (setjmp(ended) == 0)
        gather(2 + data[0] % 8, &blocks);
    free(blocks.bytes);
    blocks = (struct tern_multinode_blocks){0};
    return 0;
}
