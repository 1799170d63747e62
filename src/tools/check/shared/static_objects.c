/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads symbols of writable data from ELF files, each file at the first search for an address in
 * it.
 */
#include "tools/check/shared/static_objects.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The writable data of a loaded file. */
struct module {
    uintptr_t start, end, base;
    char *path;
    bool is_read;
    struct tern_check_static_object *objects;
    size_t n;
};

/* The list has no files that are loaded later; their data is not symmetric. */
static struct module *modules;
static size_t n_modules;
static uintptr_t lowest = UINTPTR_MAX, highest; /* of all modules */
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

/* ---- one file's symbols ---- */

static int by_start(const void *left, const void *right)
{
    const struct tern_check_static_object *l = left, *r = right;

    if (l->start != r->start)
        return l->start < r->start ? -1 : 1;
    return l->size > r->size ? -1 : l->size < r->size;
}

static bool is_object(const Elf64_Sym *symbol)
{
    int type = ELF64_ST_TYPE(symbol->st_info);

    return (type == STT_OBJECT || type == STT_COMMON) && symbol->st_size > 0 &&
           symbol->st_shndx != SHN_UNDEF;
}

/* Drops symbols for parts of an object. */
static void drop_parts(struct module *module)
{
    uintptr_t end = 0;
    size_t kept = 0;

    for (size_t i = 0; i < module->n; i++)
        if (module->objects[i].start >= end) {
            module->objects[kept++] = module->objects[i];
            end = module->objects[kept - 1].start + module->objects[kept - 1].size;
        }
    module->n = kept;
}

static void take_symbols(struct module *module, const Elf64_Sym *symbols, size_t n,
                         const char *names, size_t names_bytes)
{
    module->objects = calloc(n, sizeof *module->objects);
    for (size_t i = 0; module->objects && i < n; i++) {
        uintptr_t start = module->base + symbols[i].st_value;

        if (is_object(&symbols[i]) && start >= module->start && start < module->end &&
            symbols[i].st_name < names_bytes)
            module->objects[module->n++] = (struct tern_check_static_object){
                .start = start,
                .size = symbols[i].st_size,
                .name = names + symbols[i].st_name,
            };
    }
    if (module->objects)
        qsort(module->objects, module->n, sizeof *module->objects, by_start);
    drop_parts(module);
}

static bool fits(const Elf64_Shdr *section, size_t bytes)
{
    return section->sh_offset <= bytes && section->sh_size <= bytes - section->sh_offset;
}

/* The full symbol table, or the dynamic one if the file is stripped. */
static const Elf64_Shdr *find_table(const Elf64_Shdr *sections, size_t n)
{
    const Elf64_Shdr *found = NULL;

    for (size_t i = 0; i < n; i++)
        if (sections[i].sh_type == SHT_SYMTAB || (sections[i].sh_type == SHT_DYNSYM && !found))
            found = &sections[i];
    return found;
}

static void take_file(struct module *module, const char *file, size_t bytes)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *sections, *table;

    if (bytes < sizeof *head || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_shentsize != sizeof *sections || head->e_shoff > bytes ||
        head->e_shnum > (bytes - head->e_shoff) / sizeof *sections)
        return;
    sections = (const Elf64_Shdr *)(file + head->e_shoff);
    table = find_table(sections, head->e_shnum);
    if (table && fits(table, bytes) && table->sh_link < head->e_shnum &&
        fits(&sections[table->sh_link], bytes))
        take_symbols(module, (const Elf64_Sym *)(file + table->sh_offset),
                     table->sh_size / sizeof(Elf64_Sym), file + sections[table->sh_link].sh_offset,
                     sections[table->sh_link].sh_size);
}

/* The file stays mapped: the names lie in it. */
static void read_module(struct module *module)
{
    int fd = open(*module->path ? module->path : "/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    void *file;

    if (fd < 0)
        return;
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
        file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file != MAP_FAILED)
            take_file(module, file, (size_t)status.st_size);
    }
    close(fd);
}

/* ---- all files ---- */

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct module module = {.start = UINTPTR_MAX, .base = info->dlpi_addr};
    struct module *moved;

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
            continue;
        module.start = start < module.start ? start : module.start;
        module.end = start + part->p_memsz > module.end ? start + part->p_memsz : module.end;
    }
    if (n_modules == 0) /* the program comes first */
        tern_quick.program = (struct tern_span){module.start, module.end - module.start};
    moved = reallocarray(modules, n_modules + 1, sizeof *modules);
    module.path = strdup(info->dlpi_name);
    if (moved)
        modules = moved;
    if (moved && module.path) {
        modules[n_modules++] = module;
        lowest = module.start < lowest ? module.start : lowest;
        highest = module.end > highest ? module.end : highest;
    }
    return 0;
}

static struct module *find_module(uintptr_t address)
{
    for (size_t i = 0; address >= lowest && address < highest && i < n_modules; i++)
        if (address >= modules[i].start && address < modules[i].end)
            return &modules[i];
    return NULL;
}

static struct tern_check_static_object *search(const struct module *module, uintptr_t address)
{
    struct tern_check_static_object *objects = module->objects;
    size_t low = 0, high = module->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (objects[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address - objects[low - 1].start < objects[low - 1].size ? &objects[low - 1]
                                                                               : NULL;
}

void tern_check_static_objects_start(void)
{
    dl_iterate_phdr(add_module, NULL);
}

struct tern_check_static_object *tern_check_static_objects_find(uintptr_t address)
{
    struct module *module = find_module(address);

    if (!module)
        return NULL;
    if (!__atomic_load_n(&module->is_read, __ATOMIC_ACQUIRE)) { /* partner: the release below */
        pthread_mutex_lock(&reading);
        if (!module->is_read)
            read_module(module);
        __atomic_store_n(&module->is_read, true, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&reading);
    }
    return search(module, address);
}

/* ---- names ---- */

/* Compilers append a number to the names of static objects within functions. */
static size_t length_without_number(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && dot > name && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1)
               ? (size_t)(dot - name)
               : strlen(name);
}

/* C++ has static objects whose names are "_ZL", the name's length and the name. */
static const char *skip_prefix(const char *name)
{
    size_t digits = strncmp(name, "_ZL", 3) == 0 ? strspn(name + 3, "0123456789") : 0;

    return digits > 0 ? name + 3 + digits : name;
}

/* "__grid_MOD_row" is row in the Fortran module grid, and "block_" the common block. */
void tern_check_static_objects_name(const struct tern_check_static_object *object, char *name,
                                    size_t size)
{
    const char *module = strncmp(object->name, "__", 2) == 0 ? strstr(object->name, "_MOD_") : NULL;
    const char *text = module ? module + 5 : skip_prefix(object->name);

    snprintf(name, size, "%.*s", (int)length_without_number(text), text);
}
