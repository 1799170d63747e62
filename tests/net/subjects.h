/* SPDX-License-Identifier: BSD-3-Clause */
/* The subjects of the engine's tests, and their shared functions. */
#ifndef TESTS_NET_SUBJECTS_H
#define TESTS_NET_SUBJECTS_H

#include "net/rig.h"

#define MIB ((size_t)1 << 20)

/* Lengths that matter: around the engine's limits, and odd ones. */
#define N_SIZES 26
extern const size_t sizes[N_SIZES];

int next_pe(void);

/* Half of the heap is a target of the PE before, the other half is this PE's own. */
unsigned char *target(size_t misalign);
unsigned char *own(size_t misalign);

/* Byte i of a pattern; different for each seed, with a long period. */
unsigned char pattern(size_t i, unsigned seed);
void fill(unsigned char *at, size_t bytes, unsigned seed);
void check_pattern(const unsigned char *at, size_t bytes, unsigned seed, const char *what);

/* Until another PE has made the word that value. */
void wait_for(const uint64_t *word, uint64_t value);

/* rma.c */
void test_rma(void);
void test_channel(void);
void test_static(void);
void test_burst(void);
void test_scatter(void);

/* amo.c */
void test_amo(void);
void test_atomicity(void);

/* order.c */
void test_signal(void);
void test_order(void);

/* message.c */
void test_send(void);
void test_slow(void);

/* progress.c */
void test_threads(void);
void test_computing(void);

/* loss.c */
void test_lost(void);
void test_lost_waiting(void);
void test_lost_early(void);

#endif
