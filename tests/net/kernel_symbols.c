/* SPDX-License-Identifier: BSD-3-Clause */
/* libfabric starts without reading the kernel's symbols, and is left as it was. */
#include "net/ofi/kernel_symbols.h"

#include <dlfcn.h>
#include <rdma/fabric.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit/unit.h"

static int symbols;

/*
 * In place of libc's for all libraries of the program. The label, because the build calls another
 * function by the name fopen.
 */
__attribute__((visibility("default"))) FILE *open_counted(const char *path,
                                                          const char *mode) __asm__("fopen");

FILE *open_counted(const char *path, const char *mode)
{
    if (strcmp(path, "/proc/kallsyms") == 0)
        symbols++;
    return fopen(path, mode);
}

/* The protection of libfabric's pages, as text. */
static void describe_pages(char *text, size_t bytes)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[400];

    text[0] = '\0';
    CHECK(maps);
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "libfabric"))
            strncat(text, line, bytes - strlen(text) - 1);
    fclose(maps);
}

int main(void)
{
    static char before[4000], after[4000];
    struct fi_info *info = NULL;
    FILE *file;

    describe_pages(before, sizeof before);
    CHECK(strstr(before, "r-xp"));
    ofi_kernel_symbols_hide();
    fi_getinfo(FI_VERSION(1, 14), NULL, NULL, 0, NULL, &info);
    fi_freeinfo(info);
    CHECK(dlsym(RTLD_DEFAULT, "fopen") == (void *)open_counted); /* libfabric calls it */
    if (access("/sys/class/infiniband", F_OK) != 0)
        CHECK(symbols == 0);
    file = open_counted("/proc/kallsyms", "r");
    CHECK(file); /* for other code it is there */
    fclose(file);
    ofi_kernel_symbols_show();
    describe_pages(after, sizeof after);
    CHECK(strcmp(before, after) == 0);
    ofi_kernel_symbols_show(); /* without effect */
    return 0;
}
