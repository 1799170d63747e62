/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that use a network engine without the library: each is a PE with segments of its own.
 * All segments are mapped in all processes, so a test sees where data has really arrived.
 */
#ifndef TESTS_NET_RIG_H
#define TESTS_NET_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomics.h"
#include "net/net.h"

#define RIG_PES 1024 /* at most */
#define RIG_HEAP ((size_t)16 << 20)
#define RIG_STATIC ((size_t)64 << 10)

/* Set by main before rig_run: what rig_host() starts with. */
extern struct tern_net_host rig_template;

extern int rig_pe, rig_n_pes;
extern const struct tern_net_ops *rig_net;

/* This PE's own segments. */
extern unsigned char *rig_heap, *rig_static;

/* Where the bytes really are that another PE reaches under this PE's address. */
void *rig_real(const void *addr, int pe);

/* The symmetric offset of an address in one of this PE's segments. */
uint64_t rig_offset(const void *addr);

/* Counts of what the engine has reported to this PE. */
extern uint32_t rig_landed, rig_lost, rig_lost_pe;
extern void (*rig_received)(int from, const void *message, size_t bytes);

/* All PEs meet, without the network. rig_meet() keeps the engine going meanwhile, compute does not.
 */
void rig_meet(void);
void rig_meet_computing(void);
/* The same, with PE `gone` missing. */
void rig_meet_without(int gone);

/* Words that all PEs share beside the network. */
extern volatile uint64_t *rig_board; /* 64 of them */

double rig_now(void);

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition))                                                                          \
            rig_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                 \
    } while (0)

void rig_fail(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((format(printf, 4, 5), noreturn));

/* Runs body on n PEs and returns the exit status: 0 if all of them succeeded or were meant to die.
 */
int rig_run(int n, void (*body)(void));

/* What this PE exits with is not looked at. */
void rig_expect_death(int pe);

#endif
