/* SPDX-License-Identifier: BSD-3-Clause */
/* Internet addresses, as libfabric hands them out. */
#include "net/ofi/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <rdma/fabric.h>
#include <string.h>

bool ofi_address_is_ip(uint32_t format)
{
    return format == FI_SOCKADDR || format == FI_SOCKADDR_IN || format == FI_SOCKADDR_IN6;
}

static const void *ip_of(const struct sockaddr *address, int *family)
{
    *family = address ? address->sa_family : AF_UNSPEC;
    if (*family == AF_INET)
        return &((const struct sockaddr_in *)address)->sin_addr;
    if (*family == AF_INET6)
        return &((const struct sockaddr_in6 *)address)->sin6_addr;
    return NULL;
}

void ofi_address_text(const struct sockaddr *address, char *text, size_t bytes)
{
    int family;
    const void *ip = ip_of(address, &family);

    text[0] = '\0';
    if (ip)
        inet_ntop(family, ip, text, (socklen_t)bytes);
}

bool ofi_address_is_loopback(const char *address)
{
    return !strncmp(address, "127.", 4) || !strcmp(address, "::1");
}

bool ofi_address_is_of(const char *interface, const char *address)
{
    struct ifaddrs *all, *i;
    char text[INET6_ADDRSTRLEN];
    bool found = false;

    if (!address[0] || getifaddrs(&all))
        return false;
    for (i = all; i && !found; i = i->ifa_next) {
        ofi_address_text(i->ifa_addr, text, sizeof text);
        found = !strcmp(i->ifa_name, interface) && !strcmp(text, address);
    }
    freeifaddrs(all);
    return found;
}

bool ofi_address_has_port(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ((const struct sockaddr_in *)address)->sin_port;
    if (address->sa_family == AF_INET6)
        return ((const struct sockaddr_in6 *)address)->sin6_port;
    return false;
}
