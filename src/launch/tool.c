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

/* Beside oshrun: installed below the folder of libraries, in the build tree in tools/. */
static int find(const char *library, char *path)
{
    static const char *const folders[] = {TERN_TOOLS_FROM_BIN, "../tools"};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    while (n > 0 && self[n - 1] != '/')
        n--;
    for (size_t i = 0; n > 0 && i < sizeof folders / sizeof folders[0]; i++) {
        char candidate[PATH_MAX];

        if (snprintf(candidate, sizeof candidate, "%.*s%s/%s", (int)n, self, folders[i], library) <
                (int)sizeof candidate &&
            realpath(candidate, path))
            return 0;
    }
    tern_error("the tool %s is missing: %.*s%s has none", library, (int)(n > 0 ? n : 0), self,
               TERN_TOOLS_FROM_BIN);
    return -ENOENT;
}

/* In front of those that are loaded already. */
static int preload(const char *library)
{
    const char *others = getenv("LD_PRELOAD");
    char path[PATH_MAX], *all;
    int r = find(library, path);

    if (r)
        return r;
    if (asprintf(&all, "%s%s%s", path, others ? ":" : "", others ? others : "") < 0)
        return -ENOMEM;
    r = setenv("LD_PRELOAD", all, 1) == 0 ? 0 : -errno;
    free(all);
    return r;
}

int tern_tool_load(const struct tern_options *options)
{
    int r;

    if (!options->chaos)
        return 0;
    warn_of_static_programs(options);
    r = setenv("SHMEM_CHAOS", options->chaos, 1) == 0 ? 0 : -errno;
    return r ? r : preload("libtern-chaos.so");
}
