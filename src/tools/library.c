/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the library's routines for the tool, and the tool's wrappers for programs that look up
 * routines by name. Python, for instance, loads the library late and with local scope: RTLD_NEXT
 * then does not find the library, and dlsym() with the library's handle does not find the tool.
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
 * Finds libc's own dlsym() by its version, which the dlsym() of another tool does not have. The
 * last two versions are those of arm64 and x86-64 before glibc 2.34.
 */
static __typeof__(dlsym) *find_libc(void)
{
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    void *found = NULL;

    for (size_t i = 0; !found && i < sizeof versions / sizeof *versions; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    if (!found) {
        fprintf(stderr,
                "tern: the C library has no dlsym of a known glibc version, which the tools need: "
                "run the program without --check, --chaos and --profile\n");
        abort();
    }
    return (__typeof__(dlsym) *)found;
}

/* Several threads may search at once: all find the same address. */
static __typeof__(dlsym) *libc_dlsym(void)
{
    static __typeof__(dlsym) *known;
    __typeof__(dlsym) *found = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (!found)
        __atomic_store_n(&known, found = find_libc(), __ATOMIC_RELAXED);
    return found;
}

/* The dlsym() of the next tool, or libc's. */
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

/* A search among the files that were loaded after this tool, in the order of loading. */
struct search {
    uintptr_t own; /* an address in the tool */
    bool is_behind;
    size_t left; /* files still to skip */
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

/* Only files loaded after this tool can be the library: earlier ones may be other tools. */
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

/* Never closed, because the tool keeps addresses of the library's routines. */
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

/* Finds a routine by its name or, failing that, by its profiling name. */
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

/* Returns the tool's wrapper if the routine that it calls is the one that the handle gives. */
static void *find_by_handle(void *handle, const char *name)
{
    void *wrapper = find_wrapper(name), *routine = next_dlsym()(handle, name);
    bool is_wrapped = wrapper && routine && tern_library_find(name) == routine;

    if (routine)
        dlerror(); /* drops an error of the tool's own look-ups: the program's has succeeded */
    return is_wrapped ? wrapper : routine;
}

/*
 * Replaces dlsym() for the program. The meaning of RTLD_NEXT and RTLD_DEFAULT depends on the
 * caller, whom libc identifies by its return address. So these calls have to be tail calls. For
 * compilers without the attribute, src/tools/meson.build sets an option.
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
