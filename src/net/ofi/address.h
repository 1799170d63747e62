/* SPDX-License-Identifier: BSD-3-Clause */
/* Internet addresses, as libfabric hands them out. */
#ifndef TERN_NET_OFI_ADDRESS_H
#define TERN_NET_OFI_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr;
bool ofi_address_is_ip(uint32_t format); /* FI_SOCKADDR... */
/* Empty if the address is unknown, or NULL. */
void ofi_address_text(const struct sockaddr *address, char *text, size_t bytes);
bool ofi_address_is_loopback(const char *address);
/* Whether that address belongs to the interface of that name. */
bool ofi_address_is_of(const char *interface, const char *address);
bool ofi_address_has_port(const struct sockaddr *address);

#endif
