/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface that both kinds of PEs implement: processes and threads. */
#ifndef TSAN_COMMON_H
#define TSAN_COMMON_H

#include "tsan/pes.h"

extern const char *common_test;

/* Names the test and limits its time. */
void common_start(const char *test);

/* Whether the last argument is "asleep". */
bool common_asks_for_sleep(int argc, char **argv);

#endif
