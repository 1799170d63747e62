/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions and source lines of addresses in files, by addr2line. */
#ifndef TERN_TOOLS_REPORT_ADDRESSES_H
#define TERN_TOOLS_REPORT_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

/* An address of a file, as in its symbol table, and what is known of it. */
struct tern_address {
    const char *file;
    uint64_t address;
    char function[128]; /* empty: unknown */
    char line[256];     /* "heat.c:42"; empty: unknown */
};

/*
 * Fills in functions and lines, with one run of addr2line for each file. If addr2line is not
 * installed, they stay empty. Returns 0 or -ENOMEM.
 */
int tern_addresses_find(struct tern_address *addresses, uint32_t n);

/* "heat+0x1234" */
void tern_addresses_format(const struct tern_address *address, char *text, size_t bytes);

#endif
