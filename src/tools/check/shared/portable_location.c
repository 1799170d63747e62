/* SPDX-License-Identifier: BSD-3-Clause */
/* Names locations by a file's name and an offset in it. */
#include "tools/check/shared/portable_location.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/check/shared/ishmem.h"
#include "tools/check/shared/source_location.h"
#include "tools/file.h"
#include "tools/symmetric.h"

static char program_name[sizeof((struct tern_check_portable_location *)0)->module];

static void name_module(char *name, const char *path)
{
    const char *base = tern_check_source_location_base_name(path);

    memset(name, 0, sizeof program_name);
    memcpy(name, base, strnlen(base, sizeof program_name - 1));
}

void tern_check_portable_location_start(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    path[n > 0 ? n : 0] = '\0';
    name_module(program_name, path);
    tern_program_locate();
}

/* ---- locations ---- */

struct search {
    uintptr_t address; /* searched for in the modules, or found there */
    struct tern_check_portable_location *location;
};

static int find_module(struct dl_phdr_info *info, size_t size, void *given)
{
    struct search *search = given;

    if (!tern_file_holds(info, search->address))
        return 0;
    search->location->offset = search->address - info->dlpi_addr;
    name_module(search->location->module, info->dlpi_name);
    return 1;
}

const void *tern_check_portable_location_site(const struct tern_call *call)
{
    bool is_own = tern_program_has(call->site) && !tern_check_ishmem_site();

    return is_own ? call->site : tern_check_source_location_site(call);
}

/* name: "heat.py:42" */
static void name_line(struct tern_check_portable_location *location, const char *name)
{
    const char *colon = strrchr(name, ':');

    memset(location->module, 0, sizeof location->module);
    snprintf(location->module, sizeof location->module, "%.*s", (int)(colon - name), name);
    location->offset = PORTABLE_LINE | strtoul(colon + 1, NULL, 10);
}

void tern_check_portable_location_of(const void *site,
                                     struct tern_check_portable_location *location)
{
    static __thread const void *known;
    static __thread struct tern_check_portable_location known_location;

    if (tern_program_has(site)) {
        location->offset = (uintptr_t)site - tern_program.base;
        memcpy(location->module, program_name, sizeof location->module);
        return;
    }
    if (site != known) {
        struct search search = {(uintptr_t)site, &known_location};
        const char *name = tern_check_source_location_site_name(site);

        known_location = (struct tern_check_portable_location){.offset = search.address};
        if (name)
            name_line(&known_location, name);
        else
            dl_iterate_phdr(find_module, &search);
        known = site;
    }
    *location = known_location;
}

static int find_address(struct dl_phdr_info *info, size_t size, void *given)
{
    struct search *search = given;
    char name[sizeof program_name];

    name_module(name, info->dlpi_name);
    if (strcmp(name, search->location->module) != 0)
        return 0;
    search->address = info->dlpi_addr + search->location->offset;
    return 1;
}

/* A location in a program other than this PE's. Never freed: there are few. */
static const char *describe_foreign(const struct tern_check_portable_location *location)
{
    char *text;

    if (asprintf(&text, "%.*s+0x%lx", (int)sizeof location->module, location->module,
                 (unsigned long)location->offset) < 0)
        return "another program";
    return text;
}

const char *tern_check_portable_location_text(const struct tern_check_portable_location *location)
{
    struct search search = {0, &(struct tern_check_portable_location){.offset = location->offset}};
    char line[64];

    if (location->offset & PORTABLE_LINE) {
        snprintf(line, sizeof line, "%.*s:%lu", (int)sizeof location->module, location->module,
                 (unsigned long)(location->offset & ~PORTABLE_LINE));
        return tern_check_source_location_text(tern_check_source_location_named_site(line));
    }
    snprintf(search.location->module, sizeof location->module, "%.*s",
             (int)sizeof location->module - 1, location->module);
    if (strcmp(search.location->module, program_name) == 0)
        search.address = tern_program.base + location->offset;
    else if (!search.location->module[0] || dl_iterate_phdr(find_address, &search) == 0)
        return describe_foreign(search.location);
    return tern_check_source_location_text((const void *)search.address);
}
