/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that peers cost. PE 0 reads from all others and prints the growth of its memory,
 * including the kernel's part. peers [N], 32 by default.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/rig.h"

/* What a peer may cost here; the least that any other choice of settings would add is above. */
#define MOST_KIB 64

static long kib_of(const char *file, const char *key)
{
    FILE *f = fopen(file, "r");
    char line[256];
    long kib = 0;

    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key)))
            kib = atol(line + strlen(key));
    if (f)
        fclose(f);
    return kib;
}

static long memory(void)
{
    return kib_of("/proc/self/status", "RssAnon:");
}

static void get_from_all(void)
{
    uint64_t value;

    for (int pe = 1; pe < rig_n_pes; pe++) {
        ((uint64_t *)rig_real(rig_heap, pe))[0] = (uint64_t)pe * 3;
        rig_net->get(NULL, &value, rig_offset(rig_heap), sizeof value, pe);
        CHECK(value == (uint64_t)pe * 3, "PE %d has %lu", pe, value);
    }
}

static void ask_all(void)
{
    uint64_t value;

    for (int pe = 1; pe < rig_n_pes; pe++) {
        rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap), 1, 0, &value, pe);
        CHECK(value == (uint64_t)pe * 3, "PE %d has %lu", pe, value);
    }
}

static void body(void)
{
    int peers = rig_n_pes - 1;
    long start = memory(), one, all;
    uint64_t value;
    double began;

    if (rig_pe)
        return;
    rig_net->get(NULL, &value, rig_offset(rig_heap), sizeof value, 1);
    rig_net->amo(NULL, TERN_NET_FETCH, 8, rig_offset(rig_heap), 0, 0, &value, 1);
    one = memory();
    began = rig_now();
    get_from_all();
    ask_all();
    all = memory();
    printf(
        "before any peer %ld KiB, with one %ld KiB, with %d %ld KiB: %.1f KiB a peer; %.1f ms to "
        "reach one\n",
        start, one, peers, all, (double)(all - one) / peers, (rig_now() - began) * 1e3 / peers);
    CHECK((all - one) / peers < MOST_KIB, "that is too much");
}

static void no_line(void *unused, const char *text)
{
}

extern const struct tern_net_ops *const tern_net_engine_7;

int main(int argc, char **argv)
{
    rig_template.loopback = true;
    rig_template.n_pes = argc > 1 ? atoi(argv[1]) : 32;
    tern_net_engine_7->survey(&rig_template, no_line,
                              NULL); /* libfabric starts once, not N times */
    return rig_run(rig_template.n_pes, body);
}
