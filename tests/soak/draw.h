/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers that depend on nothing but a seed, the same on every PE. */
#ifndef SOAK_DRAW_H
#define SOAK_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct draw {
    uint64_t state;
};

static inline uint64_t draw_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static inline uint64_t draw_bits(struct draw *draw)
{
    draw->state += UINT64_C(0x9e3779b97f4a7c15);
    return draw_mix(draw->state);
}

/* A stream of its own for each purpose and number. */
static inline struct draw draw_from(uint64_t seed, unsigned purpose, uint64_t number)
{
    return (struct draw){draw_mix(seed ^ draw_mix(((uint64_t)purpose << 48) + number + 1))};
}

/* 0 to limit - 1. */
static inline unsigned draw_below(struct draw *draw, uint64_t limit)
{
    return (unsigned)((draw_bits(draw) >> 16) % limit);
}

static inline bool draw_chance(struct draw *draw, unsigned percent)
{
    return draw_below(draw, 100) < percent;
}

/* Byte i of the data that a value stands for. */
static inline unsigned char draw_byte(uint64_t value, uint64_t i)
{
    return (unsigned char)((value + i * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}

#endif
