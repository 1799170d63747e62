/* SPDX-License-Identifier: BSD-3-Clause */
/* What people call an address. */
#ifndef TERN_CHECK_ADDRESS_TEXT_H
#define TERN_CHECK_ADDRESS_TEXT_H

#include <stddef.h>

/*
 * "flag", "8 bytes into flag", "the block of shmem_malloc(size=80) at heat.c:12". The books are not
 * to change meanwhile.
 */
void tern_check_address_text_format(const void *address, char *text, size_t size);

#endif
