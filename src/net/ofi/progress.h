/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions, and the waits for them. */
#ifndef TERN_NET_OFI_PROGRESS_H
#define TERN_NET_OFI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/net.h"
#include "net/ofi/op.h"

/* Reads the channel's completions, with its lock held. True if there were any. */
bool ofi_progress_locked(struct tern_net_channel *channel);
bool ofi_progress(struct tern_net_channel *channel);
bool ofi_progress_all(void); /* struct tern_net_ops' progress */

/* A wait for something on that channel; the lock is not held. */
struct ofi_wait {
    uint32_t steps;
    int pe;        /* the peer that the wait is for, or -1 */
    int suspected; /* the peer that was probed last */
    uint64_t since, idle_since, asked;
};
void ofi_wait_step(struct tern_net_channel *channel, struct ofi_wait *wait);
/* The same with the channel's lock held, which is released meanwhile. */
void ofi_wait_unlocked(struct tern_net_channel *channel, struct ofi_wait *wait);
/* Until done(arg), which the PE's answers bring about; struct tern_net_ops' await. */
void ofi_wait_until(int pe, bool (*done)(const void *arg), const void *arg);
/* Until nothing of the group is left. */
void ofi_wait_group(struct tern_net_channel *channel, struct ofi_group *group, int pe);
/*
 * At the end of a wait of the program for that PE, or for any if pe is -1: does not return if the
 * job ends because one was lost. No lock is held.
 */
void ofi_wait_over(int pe);
/* Whether the provider permits a sleep on the channel's fd now; with the lock held. */
bool ofi_progress_may_sleep(struct tern_net_channel *channel);

#endif
