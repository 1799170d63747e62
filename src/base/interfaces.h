/* SPDX-License-Identifier: BSD-3-Clause */
/* The network interfaces of this host. */
#ifndef TERN_BASE_INTERFACES_H
#define TERN_BASE_INTERFACES_H

#include <stdbool.h>

/*
 * Whether any but the loopback interface is up and has its cable in. True if the system does not
 * list them.
 */
bool tern_interfaces_any_runs(void);

#endif
