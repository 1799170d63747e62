/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded files, as dl_iterate_phdr() lists them. */
#ifndef TERN_TOOLS_FILE_H
#define TERN_TOOLS_FILE_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether one of the file's segments contains the address. */
static inline bool tern_file_holds(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_LOAD && address - info->dlpi_addr - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

#endif
