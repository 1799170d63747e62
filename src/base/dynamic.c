/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls dlopen() without a reference that the linker sees. */
#include "base/dynamic.h"

#include <dlfcn.h>
#include <stddef.h>

/*
 * The linker would warn of a reference to dlopen() in each static program. dlsym() does not find
 * dlopen() there, so static programs load nothing.
 */
static void *(*find_dlopen(void))(const char *library, int flags)
{
    void *(*found)(const char *library, int flags);

    *(void **)&found = dlsym(RTLD_DEFAULT, "dlopen");
    return found;
}

bool tern_dynamic_works(void)
{
    return find_dlopen() != NULL;
}

void *tern_dynamic_load(const char *library)
{
    void *(*const load)(const char *library, int flags) = find_dlopen();

    return load ? load(library, RTLD_NOW | RTLD_LOCAL) : NULL;
}
