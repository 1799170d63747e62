/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the signals that oshrun handles itself. */
#include "launch/process/signal_set.h"

#include <stddef.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

void tern_signal_set_add(sigset_t *set, int signal)
{
    struct sigaction action;

    if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(set, signal);
}

void tern_signal_set_add_passed_on(sigset_t *set)
{
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        tern_signal_set_add(set, passed_on[i]);
}
