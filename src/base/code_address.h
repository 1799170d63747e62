/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that code addresses of this process belong to. Safe in signal handlers. */
#ifndef TERN_BASE_CODE_ADDRESS_H
#define TERN_BASE_CODE_ADDRESS_H

#include <stdint.h>

#define TERN_CODE_PATH_BYTES 512

/* A code address. `file` is empty if no file is mapped there. */
struct tern_code_address {
    uintptr_t address;
    uint64_t in_file; /* as in the file's symbol table, without the load bias */
    char file[TERN_CODE_PATH_BYTES];
};

/* Fills in `file` and `in_file` for n addresses, from /proc/self/maps and the files' headers. */
void tern_code_address_find(struct tern_code_address *codes, int n);

/* The path's last part. */
const char *tern_code_address_base_name(const char *path);

#endif
