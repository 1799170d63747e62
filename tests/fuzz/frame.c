/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames of gathered operations from a peer, carried out in the memory of two PEs. */
#include "fuzz/target.h"
#include "net/gather/carry_out.h"

enum { PES = 2, BYTES = 256 };

/* Of their exact lengths, so that the sanitizer sees an access beyond. */
static char *memory[PES][TERN_NET_SEGMENTS];

static struct tern_gather_memory find(int node_pe, enum tern_net_segment segment)
{
    return (struct tern_gather_memory){memory[node_pe][segment], BYTES};
}

static void ring(int node_pe)
{
    if (node_pe < 0 || node_pe >= PES)
        abort();
}

static void start(void)
{
    static const struct tern_pe_range nodes[] = {{0, 1, PES}, {PES, 1, PES}};
    static const struct tern_gather_job job = {
        .nodes = nodes, .n_nodes = 2, .find = find, .ring = ring};
    static const struct tern_net_host host;

    for (int pe = 0; pe < PES; pe++)
        for (int i = 0; i < TERN_NET_SEGMENTS; i++)
            memory[pe][i] = aligned_alloc(64, BYTES);
    tern_carry_out_start(&host, &job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    size_t room = TERN_FRAME_WORDS * sizeof(uint64_t);
    uint64_t *frame, *answer;

    if (!memory[0][0])
        start();
    if (bytes > room)
        return 0;
    frame = malloc(bytes ? bytes : 1);
    answer = malloc(room);
    if (!frame || !answer)
        abort();
    if (bytes)
        memcpy(frame, data, bytes);
    if (tern_carry_out(frame, bytes, answer) > room)
        abort();
    free(frame);
    free(answer);
    return 0;
}
