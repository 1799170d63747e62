/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the system for the state of this host's network interfaces. */
#include "base/interfaces.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <stddef.h>

static bool runs(unsigned flags)
{
    return flags & IFF_UP && flags & IFF_RUNNING && !(flags & IFF_LOOPBACK);
}

bool tern_interfaces_any_runs(void)
{
    struct ifaddrs *all;
    bool any = false;

    if (getifaddrs(&all))
        return true;
    for (const struct ifaddrs *i = all; i && !any; i = i->ifa_next)
        any = runs(i->ifa_flags);
    freeifaddrs(all);
    return any;
}
