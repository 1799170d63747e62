/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses in words. */
#ifndef TERN_CHECK_ADDRESS_TEXT_H
#define TERN_CHECK_ADDRESS_TEXT_H

#include <stddef.h>

/*
 * Writes "flag", "8 bytes into flag" or "the block of shmem_malloc(size=80) at heat.c:12". The
 * caller holds the records lock, or is the only thread that makes calls.
 */
void tern_check_address_text_format(const void *address, char *text, size_t size);

#endif
