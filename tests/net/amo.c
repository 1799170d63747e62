/* SPDX-License-Identifier: BSD-3-Clause */
/* AMOs: their results, and their atomicity with the target's own processor. */
#include <sched.h>
#include <string.h>

#include "net/subjects.h"

/* The operation's meaning, bit by bit where that differs from how a processor does it. */
static uint64_t expected(enum tern_net_op op, uint64_t old, uint64_t operand, uint64_t compare)
{
    uint64_t bits = 0;

    switch (op) {
    case TERN_NET_FETCH:
        return old;
    case TERN_NET_SET:
    case TERN_NET_SWAP:
        return operand;
    case TERN_NET_COMPARE_SWAP:
        return old == compare ? operand : old;
    case TERN_NET_ADD:
        return old + operand;
    default:
        break;
    }
    for (int i = 0; i < 64; i++) {
        bool a = old >> i & 1, b = operand >> i & 1;
        bool bit = op == TERN_NET_AND ? a && b : op == TERN_NET_OR ? a || b : a != b;

        bits |= (uint64_t)bit << i;
    }
    return bits;
}

static const uint64_t operands[] = {0, 1, 0x0123456789abcdef, UINT64_MAX, 0x80000000, 1ull << 63};

#define N_OPERANDS (sizeof operands / sizeof *operands)

static uint64_t mask_of(unsigned width)
{
    return width == 4 ? UINT32_MAX : UINT64_MAX;
}

static void store(void *at, unsigned width, uint64_t value)
{
    memcpy(at, &value, width); /* little-endian, as the machines of these tests are */
}

static uint64_t load(const void *at, unsigned width)
{
    uint64_t value = 0;

    memcpy(&value, at, width);
    return value;
}

static void check_amo(enum tern_net_op op, unsigned width, uint64_t old, uint64_t operand,
                      uint64_t compare, int form)
{
    unsigned char *dest = target(width == 4 ? 4 : 8), *real = rig_real(dest, next_pe());
    struct tern_net_channel *channel = NULL;
    uint64_t fetched[2] = {0, 0xeeeeeeeeeeeeeeee}, mask = mask_of(width);
    uint64_t want = expected(op, old & mask, operand & mask, compare & mask) & mask;

    memset(real - 8, 0xee, 24);
    store(real, width, old);
    if (form == 0) {
        rig_net->amo(channel, op, width, rig_offset(dest), operand, compare, fetched, next_pe());
    } else if (form == 1) {
        memset(fetched, 0xee, sizeof fetched);
        rig_net->amo_nbi(channel, op, width, rig_offset(dest), operand, compare, fetched,
                         next_pe());
        rig_net->quiet(channel);
    } else {
        rig_net->update(channel, op, width, rig_offset(dest), operand, next_pe());
        rig_net->quiet(channel);
    }
    CHECK(load(real, width) == want, "op %d width %u form %d: %#lx on %#lx gives %#lx", op, width,
          form, operand, old, load(real, width));
    CHECK(real[-1] == 0xee && real[width] == 0xee, "op %d width %u: overrun", op, width);
    if (form < 2 && op != TERN_NET_SET)
        CHECK(load(fetched, width) == (old & mask), "op %d width %u fetched %#lx", op, width,
              load(fetched, width));
    if (form == 1 && width == 4)
        CHECK(((unsigned char *)fetched)[4] == 0xee, "op %d wrote more than 4 bytes", op);
}

/* An update neither fetches nor compares. */
static int n_forms(int op)
{
    return op == TERN_NET_FETCH || op == TERN_NET_COMPARE_SWAP ? 2 : 3;
}

void test_amo(void)
{
    for (int op = TERN_NET_FETCH; op <= TERN_NET_XOR; op++)
        for (unsigned width = 4; width <= 8; width += 4)
            for (size_t a = 0; a < N_OPERANDS; a++)
                for (size_t b = 0; b < N_OPERANDS; b++)
                    for (int form = 0; form < n_forms(op); form++)
                        check_amo((enum tern_net_op)op, width, operands[a], operands[b],
                                  operands[(a + b) % 2 ? a : b], form);
}

/* All PEs and the target's own processor count the same words. */
void test_atomicity(void)
{
    enum { N = 3000 };
    uint64_t *wide = (uint64_t *)target(0), fetched;
    uint32_t *narrow = (uint32_t *)target(64);

    rig_meet();
    for (int i = 0; i < N; i++) {
        if (rig_pe == 0) {
            __atomic_fetch_add(wide, 3, __ATOMIC_RELAXED);
            __atomic_fetch_add(narrow, 5, __ATOMIC_RELAXED);
            if (i % 64 == 0)
                sched_yield();
            continue;
        }
        if (i % 3)
            rig_net->update(NULL, TERN_NET_ADD, 8, rig_offset(wide), 3, 0);
        else
            rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(wide), 3, 0, &fetched, 0);
        rig_net->update(NULL, TERN_NET_ADD, 4, rig_offset(narrow), 5, 0);
    }
    rig_net->quiet(NULL);
    rig_meet();
    CHECK(*(uint64_t *)rig_real(wide, 0) == 3ull * N * (uint64_t)rig_n_pes, "64 bits: %lu",
          *(uint64_t *)rig_real(wide, 0));
    CHECK(*(uint32_t *)rig_real(narrow, 0) == 5u * N * (uint32_t)rig_n_pes, "32 bits");
}
