/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds tools and has the dynamic linker load them into PEs. */
#include "launch/tool.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "launch/profile.h"

/* A program without an interpreter is static. What can't be read gets the benefit of the doubt. */
static bool is_static(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool finds = false, complete;
    Elf64_Ehdr head;
    Elf64_Phdr part;

    if (fd < 0)
        return false;
    complete = pread(fd, &head, sizeof head, 0) == sizeof head &&
               head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_phentsize == sizeof part;
    for (int i = 0; complete && !finds && i < head.e_phnum; i++) {
        complete =
            pread(fd, &part, sizeof part, (off_t)(head.e_phoff + i * sizeof part)) == sizeof part;
        finds = complete && part.p_type == PT_INTERP;
    }
    close(fd);
    return complete && !finds;
}

static void warn_of_static_programs(const struct tern_options *options)
{
    for (size_t i = 0; i < options->n_programs; i++)
        if (options->programs[i].is_elf && is_static(options->programs[i].path))
            tern_warn("the program \"%s\" is static: no tool can be loaded into it; link it with "
                      "the shared library",
                      options->programs[i].path);
}

int tern_tool_find(const char *name, const char *const folders[2], char *path)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    while (n > 0 && self[n - 1] != '/')
        n--;
    for (int i = 0; n > 0 && i < 2; i++) {
        char candidate[PATH_MAX];

        if (snprintf(candidate, sizeof candidate, "%.*s%s/%s", (int)n, self, folders[i], name) <
                (int)sizeof candidate &&
            realpath(candidate, path))
            return 0;
    }
    tern_error("the tool %s is missing: %.*s%s has none", name, (int)(n > 0 ? n : 0), self,
               folders[0]);
    return -ENOENT;
}

/* In front of those that are loaded already. */
static int preload(const char *library)
{
    static const char *const folders[] = {TERN_TOOLS_FROM_BIN, "../tools"};
    const char *others = getenv("LD_PRELOAD");
    char path[PATH_MAX], *all;
    int r = tern_tool_find(library, folders, path);

    if (r)
        return r;
    if (asprintf(&all, "%s%s%s", path, others ? ":" : "", others ? others : "") < 0)
        return -ENOMEM;
    r = setenv("LD_PRELOAD", all, 1) == 0 ? 0 : -errno;
    free(all);
    return r;
}

static int load_chaos(const char *seed)
{
    int r = setenv("SHMEM_CHAOS", seed, 1) == 0 ? 0 : -errno;

    return r ? r : preload("libtern-chaos.so");
}

static int load_profile(void)
{
    int r = tern_profile_prepare();

    return r ? r : preload("libtern-profile.so");
}

/* The last one is the first to see a call: the profile shows what chaos makes of it. */
int tern_tool_load(const struct tern_options *options)
{
    int r = 0;

    if (options->chaos || options->profile)
        warn_of_static_programs(options);
    if (options->chaos)
        r = load_chaos(options->chaos);
    if (!r && options->profile)
        r = load_profile();
    return r;
}
