/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the executable in memory. */
#include "tools/program.h"

#include <link.h>
#include <stddef.h>

struct tern_program tern_program;

static int find_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct tern_program found = {.start = UINTPTR_MAX, .base = info->dlpi_addr};

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        if (start < found.start)
            found.start = start;
        if (start + part->p_memsz > found.end)
            found.end = start + part->p_memsz;
        if (part->p_flags & PF_X)
            found.code = (struct tern_span){start, part->p_memsz};
    }
    tern_program = found;
    return 1; /* ends the iteration: the first object is the executable */
}

void tern_program_locate(void)
{
    dl_iterate_phdr(find_program, NULL);
}
