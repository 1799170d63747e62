/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the library's routines for the tool, and the tool's wrappers for programs that look
 * routines up by name. A program in Python, say, loads the library late and for itself alone:
 * RTLD_NEXT does not find it there, and a look-up in the library by its handle does not find the
 * tool.
 */
#include "tools/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/file.h"

/* ---- dlsym() itself ---- */

/*
 * libc's own: the dlsym of another tool has no version. The last two versions are those of arm64
 * and x86-64 before glibc 2.34.
 */
static __typeof__(dlsym) *find_libc(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    void *found = NULL;

    for (size_t i = 0; !found && i < sizeof versions / sizeof *versions; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    if (!found) {
        fprintf(stderr, "tern: the tools need glibc, and find no dlsym of that\n");
        abort();
    }
    return (__typeof__(dlsym) *)found;
}

/* Several threads may find the same at once. */
static __typeof__(dlsym) *libc_dlsym(void)
{
    static __typeof__(dlsym) *known;
    __typeof__(dlsym) *found = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!found)
        __atomic_store_n(&known, found = find_libc(), __ATOMIC_RELAXED);
    return found;
}

/* That of the next tool, or libc's. */
static __typeof__(dlsym) *next_dlsym(void)
{
    static __typeof__(dlsym) *known;
    __typeof__(dlsym) *found = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!found) {
        found = (__typeof__(dlsym) *)libc_dlsym()(RTLD_NEXT, "dlsym");
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    return found;
}

/* ---- the library ---- */

/* The files that were loaded after this tool, in that order. */
struct search {
    uintptr_t own; /* an address in the tool */
    bool is_behind;
    size_t left; /* files to be passed over */
    char path[PATH_MAX];
};

static int take_path(struct dl_phdr_info *info, size_t size, void *given)
{
    struct search *search = given;

    if (!search->is_behind) {
        search->is_behind = tern_file_holds(info, search->own);
        return 0;
    }
    if (search->left-- > 0)
        return 0;
    snprintf(search->path, sizeof search->path, "%s", info->dlpi_name);
    return 1;
}

/* Only a file that was loaded after this tool can be the library: those before may be tools, too.
 */
static void *search_library(void)
{
    struct search search;

    for (size_t i = 0;; i++) {
        void *file;

        search = (struct search){.own = (uintptr_t)&search_library, .left = i};
        if (!dl_iterate_phdr(take_path, &search))
            return NULL;
        file = dlopen(search.path, RTLD_LAZY | RTLD_NOLOAD);
        if (file && libc_dlsym()(file, "shmem_init"))
            return file;
        if (file)
            dlclose(file);
    }
}

/* The library stays open from here on, as the tool keeps addresses of its routines. */
static void *late_library(void)
{
    static void *known;
    void *found = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!found) {
        found = search_library();
        __atomic_store_n(&known, found, __ATOMIC_RELAXED);
    }
    return found;
}

/* The routine, or the same under its profiling name. */
static void *find_in(void *handle, const char *name)
{
    char profiling[128];
    void *routine = libc_dlsym()(handle, name);

    if (routine)
        return routine;
    snprintf(profiling, sizeof profiling, "p%s", name);
    return libc_dlsym()(handle, profiling);
}

void *tern_library_find(const char *name)
{
    void *routine = find_in(RTLD_NEXT, name), *library;

    if (routine)
        return routine;
    library = late_library();
    return library ? find_in(library, name) : NULL;
}

/* ---- the tool ---- */

static void *find_wrapper(const char *name)
{
    static void *known;
    void *tool = __atomic_load_n(&known, __ATOMIC_RELAXED);
    Dl_info info;

    if (!tool && dladdr(&known, &info)) {
        tool = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        __atomic_store_n(&known, tool, __ATOMIC_RELAXED);
    }
    return tool ? libc_dlsym()(tool, name) : NULL;
}

/* The tool's wrapper, if that leads to what the program has asked for. */
static void *find_by_handle(void *handle, const char *name)
{
    void *wrapper = find_wrapper(name), *routine = next_dlsym()(handle, name);
    bool is_wrapped = wrapper && routine && tern_library_find(name) == routine;

    if (routine)
        dlerror(); /* a look-up of the tool's own may have failed, and the program's has not */
    return is_wrapped ? wrapper : routine;
}

/*
 * What the program calls. RTLD_NEXT and RTLD_DEFAULT mean another thing to each caller, and libc
 * knows its caller by the address that it returns to. So this has to jump there: for compilers
 * without the attribute, src/tools/meson.build has an option.
 */
#if __has_attribute(musttail)
#define JUMP __attribute__((musttail))
#else
#define JUMP
#endif

__attribute__((visibility("default"))) void *dlsym(void *handle, const char *name)
{
    if (handle != RTLD_NEXT && handle != RTLD_DEFAULT)
        return find_by_handle(handle, name);
    JUMP return next_dlsym()(handle, name);
}
