/* SPDX-License-Identifier: BSD-3-Clause */
/* The decisions of a chaos run, by the generator splitmix64. */
#include "tools/chaos/dice.h"

static uint64_t state;

static uint64_t next(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void tern_dice_start(uint64_t seed, int pe)
{
    state = seed;
    state = next() ^ (uint64_t)pe;
}

uint64_t tern_dice_below(uint64_t n)
{
    return next() % n;
}
