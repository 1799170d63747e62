/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the loaded files with the addresses of their segments. */
#include "tools/profile/modules.h"

#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_known(const struct tern_profile *profile, const struct tern_profile_module *module)
{
    for (uint32_t i = 0; i < profile->head.n_modules; i++)
        if (profile->modules[i].start == module->start &&
            strcmp(profile->modules[i].path, module->path) == 0)
            return true;
    return false;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *given)
{
    struct tern_profile *profile = given;
    struct tern_profile_module module = {.start = UINT64_MAX, .bias = info->dlpi_addr};
    char *full;

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        if (start < module.start)
            module.start = start;
        if (start + part->p_memsz > module.end)
            module.end = start + part->p_memsz;
    }
    /* The executable comes first, without a name. */
    full = realpath(info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe", NULL);
    snprintf(module.path, sizeof module.path, "%s", full ? full : info->dlpi_name);
    free(full);
    if (!is_known(profile, &module) && profile->head.n_modules < TERN_PROFILE_MODULES)
        profile->modules[profile->head.n_modules++] = module;
    return 0;
}

void tern_modules_update(struct tern_profile *profile)
{
    dl_iterate_phdr(add_module, profile);
}

int tern_modules_find(const struct tern_profile *profile, uint64_t address)
{
    for (uint32_t i = 0; i < profile->head.n_modules; i++)
        if (address - profile->modules[i].start <
            profile->modules[i].end - profile->modules[i].start)
            return (int)i;
    return -1;
}
