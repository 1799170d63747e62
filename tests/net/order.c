/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordering: signals after their data, and operations after a fence. */
#include <stdlib.h>
#include <string.h>

#include "net/subjects.h"

static void signals(struct tern_net_channel *channel, bool nbi)
{
    uint64_t *signal = (uint64_t *)(rig_heap + 64);
    unsigned char *dest = target(1), *source = malloc(4 * MIB);
    int before = (rig_pe + rig_n_pes - 1) % rig_n_pes;
    uint64_t sum = 0;

    rig_meet();
    *signal = 0;
    for (size_t s = 0; s < N_SIZES; s++) {
        bool add = s & 1;
        uint64_t value = add ? 1000 : s + 17;

        sum = add ? sum + value : value;
        rig_meet();
        fill(source, sizes[s], (unsigned)(s + (size_t)rig_pe));
        rig_net->put_signal(channel, rig_offset(dest), source, sizes[s], rig_offset(signal), value,
                            add ? TERN_NET_ADD : TERN_NET_SET, nbi, next_pe());
        wait_for(signal, sum);
        check_pattern(dest, sizes[s], (unsigned)(s + (size_t)before), "put_signal");
        if (!nbi)
            memset(source, 0, sizes[s]);
        rig_net->quiet(channel);
        CHECK(*(uint64_t *)rig_real(signal, next_pe()) == sum, "signal after quiet");
    }
    rig_meet();
    rig_net->put_signal(channel, 0, NULL, 0, rig_offset(signal), 7, TERN_NET_SET, nbi, next_pe());
    wait_for(signal, 7);
    rig_net->quiet(channel);
    free(source);
}

void test_signal(void)
{
    struct tern_net_channel *channel = rig_net->channel_open();

    signals(NULL, false);
    signals(NULL, true);
    signals(channel, false);
    signals(channel, true);
    rig_net->channel_close(channel);
}

/* ---- order ---- */

/* Each round writes data, fences, and flags; the target must never see the flag first. */
static void order_rounds(struct tern_net_channel *channel, bool data_by_amo, bool flag_by_amo)
{
    enum { ROUNDS = 300, WORDS = 700 };
    uint64_t *flag = (uint64_t *)(rig_heap + 128), *data = (uint64_t *)target(0);
    uint64_t *done = (uint64_t *)(rig_heap + 256), values[WORDS];

    rig_meet();
    *flag = *done = 0;
    memset(data, 0, sizeof values);
    rig_meet();
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (rig_pe == 1) {
            wait_for(flag, round);
            CHECK(tern_load_relaxed(&data[0]) == round, "round %lu: data %lu", round, data[0]);
            CHECK(data_by_amo || data[WORDS - 1] == round, "round %lu: the end", round);
            rig_net->put(NULL, rig_offset(done), &round, sizeof round, 0);
        } else if (rig_pe == 0) {
            for (int i = 0; i < WORDS; i++)
                values[i] = round;
            if (data_by_amo)
                rig_net->update(channel, TERN_NET_SET, 8, rig_offset(data), round, 1);
            else
                rig_net->put_nbi(channel, rig_offset(data), values, sizeof values, 1);
            rig_net->fence(channel);
            if (flag_by_amo)
                rig_net->update(channel, TERN_NET_SET, 8, rig_offset(flag), round, 1);
            else
                rig_net->put(channel, rig_offset(flag), &round, sizeof round, 1);
            wait_for(done, round);
        }
    }
    rig_net->quiet(channel);
    rig_meet();
}

void test_order(void)
{
    struct tern_net_channel *channel = rig_net->channel_open();

    for (int i = 0; i < 8; i++)
        order_rounds(i & 4 ? channel : NULL, i & 1, i & 2);
    rig_net->channel_close(channel);
}
