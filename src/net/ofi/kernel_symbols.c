/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When libfabric starts, its provider verbs reads /proc/kallsyms twice, whether or not there is an
 * RDMA device: 70 ms of processor time in each PE, more than all else that a PE does until it is
 * ready. It learns whether the kernel lets such a device access the memory of accelerators. Without
 * a device the answer has no use. libfabric has no setting for that.
 *
 * So while libfabric starts, its own table of addresses (its GOT) has that of a function here in
 * place of fopen()'s. The function finds every file but this one, so other threads may call
 * libfabric meanwhile. If libfabric is no shared library, or does not call fopen() by that name,
 * nothing is changed.
 */
#include "net/ofi/kernel_symbols.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <rdma/fabric.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef FILE *open_file(const char *path, const char *mode);

static struct {
    open_file **slot; /* where libfabric keeps the address of fopen; NULL while nothing is hidden */
    open_file *own;   /* what was there */
    void *page;       /* of the slot */
    bool read_only;   /* the page was */
} hidden;

static FILE *open_unless_symbols(const char *path, const char *mode)
{
    if (strcmp(path, "/proc/kallsyms") == 0) {
        errno = ENOENT;
        return NULL;
    }
    return fopen(path, mode);
}

static bool has_rdma_devices(void)
{
    DIR *devices = opendir("/sys/class/infiniband");
    struct dirent *entry;
    bool found = false;

    if (!devices)
        return false;
    while (!found && (entry = readdir(devices)))
        found = entry->d_name[0] != '.';
    closedir(devices);
    return found;
}

/* What the loader knows of libfabric; NULL if the address is not of its own file. */
static const struct link_map *find_libfabric(void)
{
    struct link_map *map = NULL;
    Dl_info info;

    if (!dladdr1((void *)(uintptr_t)fi_getinfo, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return NULL;
    return strstr(map->l_name, "libfabric.so") ? map : NULL;
}

static ElfW(Xword) entry_of(const struct link_map *map, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry->d_un.d_val;
    return 0;
}

/* The slot of fopen in one of the two tables of relocations, or NULL. */
static open_file **find_in(const struct link_map *map, ElfW(Sxword) table, ElfW(Sxword) size)
{
    const ElfW(Sym) *symbols = (const void *)entry_of(map, DT_SYMTAB);
    const char *names = (const void *)entry_of(map, DT_STRTAB);
    const ElfW(Rela) *all = (const void *)entry_of(map, table);
    size_t n = all && symbols && names ? entry_of(map, size) / sizeof *all : 0;

    for (size_t i = 0; i < n; i++) {
        size_t symbol = ELF64_R_SYM(all[i].r_info);

        if (symbol && strcmp(names + symbols[symbol].st_name, "fopen") == 0)
            return (open_file **)(map->l_addr + all[i].r_offset);
    }
    return NULL;
}

/*
 * Whether the loader has protected the page of that address after it wrote the relocations. It
 * protects whole pages; behind them may be variables, where the linker has assumed smaller pages.
 */
static bool is_read_only(const struct link_map *map, uintptr_t address, size_t page)
{
    const ElfW(Ehdr) *file = (const void *)map->l_addr;
    const ElfW(Phdr) *headers = (const void *)(map->l_addr + file->e_phoff);

    for (int i = 0; i < file->e_phnum; i++) {
        uintptr_t start = map->l_addr + headers[i].p_vaddr, end = start + headers[i].p_memsz;

        if (headers[i].p_type == PT_GNU_RELRO && address >= (start & -page) &&
            address < (end & -page))
            return true;
    }
    return false;
}

void ofi_kernel_symbols_hide(void)
{
    const struct link_map *map = has_rdma_devices() ? NULL : find_libfabric();
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    open_file **slot = NULL;

    if (map && entry_of(map, DT_PLTREL) == DT_RELA)
        slot = find_in(map, DT_JMPREL, DT_PLTRELSZ);
    if (map && !slot)
        slot = find_in(map, DT_RELA, DT_RELASZ);
    if (!slot || hidden.slot)
        return;
    hidden.page = (void *)((uintptr_t)slot & ~(page - 1));
    hidden.read_only = is_read_only(map, (uintptr_t)slot, page);
    if (hidden.read_only && mprotect(hidden.page, page, PROT_READ | PROT_WRITE) != 0)
        return;
    hidden.own = *slot;
    hidden.slot = slot;
    *slot = open_unless_symbols;
}

void ofi_kernel_symbols_show(void)
{
    if (!hidden.slot)
        return;
    *hidden.slot = hidden.own;
    hidden.slot = NULL;
    if (hidden.read_only)
        mprotect(hidden.page, (size_t)sysconf(_SC_PAGESIZE), PROT_READ);
}
