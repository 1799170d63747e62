/* SPDX-License-Identifier: BSD-3-Clause */
/* The signals that oshrun passes on to its job. */
#ifndef TERN_LAUNCH_PROCESS_SIGNAL_SET_H
#define TERN_LAUNCH_PROCESS_SIGNAL_SET_H

#include <signal.h>

/* Adds a signal, unless oshrun was started to ignore it: then its children ignore it as well. */
void tern_signal_set_add(sigset_t *set, int signal);

/* Adds the signals that end a job, and SIGUSR1 and SIGUSR2, by the same rule. */
void tern_signal_set_add_passed_on(sigset_t *set);

#endif
