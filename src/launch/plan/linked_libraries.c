/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads ELF files: program headers, the dynamic section, and the names of needed libraries. */
#include "launch/plan/linked_libraries.h"

#include <ctype.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Real programs stay far below these; damaged ones end here. */
#define PARTS_MOST 256
#define ENTRIES_MOST 1024

/* Names of OpenSHMEM libraries; Tern's own are links to libtern.so, and programs need that. */
static const struct {
    const char *name, *project;
} others[] = {
    {"liboshmem.so", "Open MPI"},
    {"libsma.so", NULL},
    {"libopenshmem.so", NULL},
    {"libshmem.so", NULL},
};

struct file {
    int fd;
    Elf64_Phdr parts[PARTS_MOST];
    unsigned n_parts;
};

/* Reads all of the bytes, at an offset that the file itself may have given. */
static bool read_at(const struct file *file, uint64_t offset, void *to, size_t bytes)
{
    if (offset > INT64_MAX - bytes)
        return false;
    return pread(file->fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_parts(struct file *file)
{
    Elf64_Ehdr head;

    if (!read_at(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB ||
        head.e_phentsize != sizeof file->parts[0] || head.e_phnum > PARTS_MOST)
        return false;
    file->n_parts = head.e_phnum;
    return read_at(file, head.e_phoff, file->parts, file->n_parts * sizeof file->parts[0]);
}

static const Elf64_Phdr *find_part(const struct file *file, uint32_t type)
{
    for (unsigned i = 0; i < file->n_parts; i++)
        if (file->parts[i].p_type == type)
            return &file->parts[i];
    return NULL;
}

/* Where the byte that is loaded at an address stands in the file. */
static bool find_offset(const struct file *file, uint64_t address, uint64_t *offset)
{
    for (unsigned i = 0; i < file->n_parts; i++) {
        const Elf64_Phdr *part = &file->parts[i];

        if (part->p_type == PT_LOAD && address >= part->p_vaddr &&
            address - part->p_vaddr < part->p_filesz)
            return !__builtin_add_overflow(part->p_offset, address - part->p_vaddr, offset);
    }
    return false;
}

/* ---- the dynamic section ---- */

struct dynamic {
    Elf64_Dyn entries[ENTRIES_MOST];
    size_t n;
};

static bool read_dynamic(struct dynamic *dynamic, const struct file *file, const Elf64_Phdr *part)
{
    size_t n = part->p_filesz / sizeof dynamic->entries[0];

    dynamic->n = 0;
    if (n > ENTRIES_MOST || !read_at(file, part->p_offset, dynamic->entries, n * sizeof(Elf64_Dyn)))
        return false;
    while (dynamic->n < n && dynamic->entries[dynamic->n].d_tag != DT_NULL)
        dynamic->n++;
    return true;
}

/* The value of the entry with a tag that stands there once. */
static bool find_entry(const struct dynamic *dynamic, int64_t tag, uint64_t *value)
{
    for (size_t i = 0; i < dynamic->n; i++)
        if (dynamic->entries[i].d_tag == tag) {
            *value = dynamic->entries[i].d_un.d_val;
            return true;
        }
    return false;
}

/* "liboshmem.so", or that with a version behind it. */
static bool is_library(const char *name, const char *library)
{
    size_t n = strlen(library);

    return strncmp(name, library, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

/* Such a name is shown to the user, and has nothing that could harm a terminal. */
static bool is_plain(const char *name)
{
    while (isgraph((unsigned char)*name))
        name++;
    return !*name;
}

static void note_library(struct tern_needs *needs, const char *name)
{
    if (strncmp(name, "libtern", strlen("libtern")) == 0)
        needs->tern = true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is_library(name, others[i].name) && is_plain(name) && !needs->other[0])
            strcpy(needs->other, name);
}

/* The name at this place of the table of strings, which begins at `table` and has so many bytes. */
static bool read_name(const struct file *file, uint64_t table, uint64_t bytes, uint64_t place,
                      char *name)
{
    uint64_t from, left = place < bytes ? bytes - place : 0;
    size_t most = left < TERN_NEEDS_NAME ? (size_t)left : TERN_NEEDS_NAME;

    /* One that does not end within so many bytes is none of those that are sought. */
    return most > 0 && !__builtin_add_overflow(table, place, &from) &&
           read_at(file, from, name, most) && memchr(name, '\0', most);
}

static void read_libraries(struct tern_needs *needs, const struct file *file,
                           const struct dynamic *dynamic)
{
    uint64_t address, bytes, table;
    char name[TERN_NEEDS_NAME];

    if (!find_entry(dynamic, DT_STRTAB, &address) || !find_entry(dynamic, DT_STRSZ, &bytes) ||
        !find_offset(file, address, &table))
        return;
    for (size_t i = 0; i < dynamic->n; i++)
        if (dynamic->entries[i].d_tag == DT_NEEDED &&
            read_name(file, table, bytes, dynamic->entries[i].d_un.d_val, name))
            note_library(needs, name);
}

void tern_needs_read(struct tern_needs *needs, int fd)
{
    struct file file = {.fd = fd};
    struct dynamic dynamic;
    const Elf64_Phdr *part;

    *needs = (struct tern_needs){.interpreter = true};
    if (!read_parts(&file))
        return;
    needs->interpreter = find_part(&file, PT_INTERP);
    part = find_part(&file, PT_DYNAMIC);
    if (part && read_dynamic(&dynamic, &file, part))
        read_libraries(needs, &file, &dynamic);
}

const char *tern_needs_project(const char *library)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is_library(library, others[i].name))
            return others[i].project;
    return NULL;
}
