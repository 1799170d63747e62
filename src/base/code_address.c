/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads /proc/self/maps and ELF headers with system calls alone: dladdr() takes a lock of the
 * dynamic linker, which a thread that crashed may hold.
 */
#include "base/code_address.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define MOST_SEGMENTS 32

/* A line of /proc/self/maps: [start, end) shows the file from the offset on. */
struct mapping {
    uintptr_t start, end;
    uint64_t offset;
    const char *path; /* ends at the line's end */
};

const char *tern_code_address_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Reads a hexadecimal number, and moves *text behind it and the character that follows. */
static uint64_t read_number(const char **text)
{
    uint64_t value = 0;

    for (;; ++*text) {
        char c = **text;

        if (c >= '0' && c <= '9')
            value = value << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | (uint64_t)(c - 'a' + 10);
        else
            break;
    }
    *text += **text != '\0';
    return value;
}

static const char *skip_word(const char *text)
{
    text += strcspn(text, " ");
    return text + strspn(text, " ");
}

/* Parses "start-end perms offset device inode path". */
static struct mapping parse(const char *line)
{
    struct mapping m;

    m.start = (uintptr_t)read_number(&line);
    m.end = (uintptr_t)read_number(&line);
    line = skip_word(line);
    m.offset = read_number(&line);
    m.path = skip_word(skip_word(line));
    return m;
}

/* Replaces a position in the file by the address that the file's program headers give it. */
static uint64_t to_address(const char *path, uint64_t position)
{
    Elf64_Phdr segments[MOST_SEGMENTS];
    Elf64_Ehdr head;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = 0;

    if (fd < 0)
        return position;
    if (pread(fd, &head, sizeof head, 0) == sizeof head)
        bytes = pread(fd, segments, sizeof segments, (off_t)head.e_phoff);
    close(fd);
    for (size_t i = 0; i < head.e_phnum && (ssize_t)((i + 1) * sizeof segments[0]) <= bytes; i++)
        if (segments[i].p_type == PT_LOAD && position - segments[i].p_offset < segments[i].p_filesz)
            return position - segments[i].p_offset + segments[i].p_vaddr;
    return position;
}

static void match(struct tern_code_address *codes, int n, const char *line)
{
    struct mapping m = parse(line);

    for (int i = 0; i < n; i++) {
        struct tern_code_address *code = &codes[i];

        if (code->address - m.start >= m.end - m.start || m.path[0] != '/')
            continue;
        strncpy(code->file, m.path, sizeof code->file - 1);
        code->in_file = to_address(code->file, code->address - m.start + m.offset);
    }
}

void tern_code_address_find(struct tern_code_address *codes, int n)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    char text[TERN_CODE_PATH_BYTES + 256];
    size_t kept = 0;
    ssize_t got;

    for (int i = 0; i < n; i++) {
        memset(codes[i].file, 0, sizeof codes[i].file);
        codes[i].in_file = codes[i].address;
    }
    while (fd >= 0 && (got = read(fd, text + kept, sizeof text - 1 - kept)) > 0) {
        char *line = text, *newline;

        text[kept + (size_t)got] = '\0';
        for (; (newline = strchr(line, '\n')); line = newline + 1) {
            *newline = '\0';
            match(codes, n, line);
        }
        kept = strlen(line);
        if (kept == sizeof text - 1) /* a path of this length is no file of a program */
            kept = 0;
        memmove(text, line, kept);
    }
    if (fd >= 0)
        close(fd);
}
