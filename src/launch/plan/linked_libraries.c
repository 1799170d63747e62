/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the program headers and the dynamic section of an ELF file. */
#include "launch/plan/linked_libraries.h"

#include <ctype.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Limits that no intact program reaches. */
#define MAX_SEGMENTS 256
#define MAX_ENTRIES 1024

/*
 * The libraries of other OpenSHMEM projects. Tern's own libraries of these names are links to
 * libtern.so, which is what its programs need.
 */
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
    Elf64_Phdr segments[MAX_SEGMENTS];
    unsigned n_segments;
};

/* Reads exactly so many bytes. The offset may come from the file, and be wrong. */
static bool read_at(const struct file *file, uint64_t offset, void *to, size_t bytes)
{
    if (offset > INT64_MAX - bytes)
        return false;
    return pread(file->fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_segments(struct file *file)
{
    Elf64_Ehdr head;

    if (!read_at(file, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB ||
        head.e_phentsize != sizeof file->segments[0] || head.e_phnum > MAX_SEGMENTS)
        return false;
    file->n_segments = head.e_phnum;
    return read_at(file, head.e_phoff, file->segments, file->n_segments * sizeof file->segments[0]);
}

static const Elf64_Phdr *find_segment(const struct file *file, uint32_t type)
{
    for (unsigned i = 0; i < file->n_segments; i++)
        if (file->segments[i].p_type == type)
            return &file->segments[i];
    return NULL;
}

/* Translates the address of a byte in memory to its offset in the file. */
static bool find_offset(const struct file *file, uint64_t address, uint64_t *offset)
{
    for (unsigned i = 0; i < file->n_segments; i++) {
        const Elf64_Phdr *segment = &file->segments[i];

        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz)
            return !__builtin_add_overflow(segment->p_offset, address - segment->p_vaddr, offset);
    }
    return false;
}

/* ---- the dynamic section ---- */

struct dynamic {
    Elf64_Dyn entries[MAX_ENTRIES];
    size_t n;
};

static bool read_dynamic(struct dynamic *dynamic, const struct file *file,
                         const Elf64_Phdr *segment)
{
    size_t n = segment->p_filesz / sizeof dynamic->entries[0];

    dynamic->n = 0;
    if (n > MAX_ENTRIES ||
        !read_at(file, segment->p_offset, dynamic->entries, n * sizeof(Elf64_Dyn)))
        return false;
    while (dynamic->n < n && dynamic->entries[dynamic->n].d_tag != DT_NULL)
        dynamic->n++;
    return true;
}

/* Finds the value of a tag that occurs once. */
static bool find_entry(const struct dynamic *dynamic, int64_t tag, uint64_t *value)
{
    for (size_t i = 0; i < dynamic->n; i++)
        if (dynamic->entries[i].d_tag == tag) {
            *value = dynamic->entries[i].d_un.d_val;
            return true;
        }
    return false;
}

/* Whether a name is `library` itself, or that with a version: "liboshmem.so.40". */
static bool is_library(const char *name, const char *library)
{
    size_t n = strlen(library);

    return strncmp(name, library, n) == 0 && (name[n] == '\0' || name[n] == '.');
}

/* Whether it is the runtime of AddressSanitizer, gcc's or clang's: "libclang_rt.asan-x86_64.so". */
static bool is_sanitizer(const char *name)
{
    return is_library(name, "libasan.so") || strncmp(name, "libclang_rt.asan", 16) == 0;
}

/* Whether a name can be printed to a terminal safely. */
static bool is_plain(const char *name)
{
    while (isgraph((unsigned char)*name))
        name++;
    return !*name;
}

static void note_library(struct tern_linked_libraries *libraries, const char *name)
{
    if (strncmp(name, "libtern", strlen("libtern")) == 0)
        libraries->tern = true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is_library(name, others[i].name) && is_plain(name) && !libraries->other[0])
            strcpy(libraries->other, name);
    if (is_sanitizer(name) && is_plain(name) && !name[strcspn(name, ":/")])
        strcpy(libraries->sanitizer, name);
}

/*
 * Reads a name from the string table, which has this offset and size. `place` is relative to its
 * beginning.
 */
static bool read_name(const struct file *file, uint64_t table, uint64_t bytes, uint64_t place,
                      char *name)
{
    uint64_t from, left = place < bytes ? bytes - place : 0;
    size_t most = left < TERN_LINKED_LIBRARIES_NAME ? (size_t)left : TERN_LINKED_LIBRARIES_NAME;

    /* Longer names are not those of OpenSHMEM libraries or sanitizers. */
    return most > 0 && !__builtin_add_overflow(table, place, &from) &&
           read_at(file, from, name, most) && memchr(name, '\0', most);
}

static void read_libraries(struct tern_linked_libraries *libraries, const struct file *file,
                           const struct dynamic *dynamic)
{
    uint64_t address, bytes, table;
    char name[TERN_LINKED_LIBRARIES_NAME];

    if (!find_entry(dynamic, DT_STRTAB, &address) || !find_entry(dynamic, DT_STRSZ, &bytes) ||
        !find_offset(file, address, &table))
        return;
    for (size_t i = 0; i < dynamic->n; i++)
        if (dynamic->entries[i].d_tag == DT_NEEDED &&
            read_name(file, table, bytes, dynamic->entries[i].d_un.d_val, name))
            note_library(libraries, name);
}

void tern_linked_libraries_read(struct tern_linked_libraries *libraries, int fd)
{
    struct file file = {.fd = fd};
    struct dynamic dynamic;
    const Elf64_Phdr *segment;

    *libraries = (struct tern_linked_libraries){.interpreter = true};
    if (!read_segments(&file))
        return;
    libraries->interpreter = find_segment(&file, PT_INTERP);
    segment = find_segment(&file, PT_DYNAMIC);
    if (segment && read_dynamic(&dynamic, &file, segment))
        read_libraries(libraries, &file, &dynamic);
}

const char *tern_linked_libraries_project(const char *library)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (is_library(library, others[i].name))
            return others[i].project;
    return NULL;
}
