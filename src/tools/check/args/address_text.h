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

/*
 * The same for elements of so many bytes: "data[3]", or "40 bytes into data" where the element is
 * not known, which 0 or 1 stands for.
 */
void tern_check_address_text_format_element(const void *address, size_t element, char *text,
                                            size_t size);

#endif
