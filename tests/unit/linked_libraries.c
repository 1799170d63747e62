/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the libraries that a program's file names, from valid files and from damaged ones. */
#include "launch/plan/linked_libraries.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"

#define BASE UINT64_C(0x400000)
#define FIRST "libc.so.6"

struct image {
    Elf64_Ehdr head;
    Elf64_Phdr segments[3];
    Elf64_Dyn dynamic[5];
    char strings[128];
};

static struct image make(const char *library, const char *more)
{
    struct image i = {
        .head = {.e_ident = ELFMAG "\2\1\1",
                 .e_phoff = offsetof(struct image, segments),
                 .e_phentsize = sizeof i.segments[0],
                 .e_phnum = 3},
        .segments = {{.p_type = PT_LOAD, .p_vaddr = BASE, .p_filesz = sizeof i},
                     {.p_type = PT_INTERP},
                     {.p_type = PT_DYNAMIC,
                      .p_offset = offsetof(struct image, dynamic),
                      .p_filesz = sizeof i.dynamic}},
        .dynamic = {{DT_NEEDED, {0}},
                    {DT_NEEDED, {sizeof FIRST}},
                    {DT_NEEDED, {sizeof FIRST + strlen(library) + 1}},
                    {DT_STRTAB, {BASE + offsetof(struct image, strings)}},
                    {DT_STRSZ, {sizeof i.strings}}},
        .strings = FIRST,
    };

    strcpy(i.strings + sizeof FIRST, library);
    strcpy(i.strings + sizeof FIRST + strlen(library) + 1, more);
    return i;
}

static struct tern_linked_libraries read_bytes(const void *bytes, size_t n)
{
    int fd = memfd_create("program", 0);
    struct tern_linked_libraries libraries;

    CHECK(write(fd, bytes, n) == (ssize_t)n);
    tern_linked_libraries_read(&libraries, fd);
    close(fd);
    CHECK(memchr(libraries.other, '\0', sizeof libraries.other));
    return libraries;
}

static void right_ones(void)
{
    static const struct {
        const char *library, *more, *other;
        bool tern;
    } cases[] = {
        {"liboshmem.so.40", "libm.so.6", "liboshmem.so.40", false},
        {"libm.so.6", "libsma.so", "libsma.so", false},
        {"libsma.so.3", "liboshmem.so.40", "libsma.so.3", false},
        {"libtern.so.0", "liboshmem.so.40", "liboshmem.so.40", true},
        {"libsma.so", "libtern-fortran.so.0", "libsma.so", true},
        {"libmpi.so.40", "libsmartcols.so.1", "", false},
        {"libsma.socket", "libsma.s", "", false},
        {"libsma.so.\33[31m", "libopenshmem.so.1", "libopenshmem.so.1", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct image image = make(cases[i].library, cases[i].more);
        struct tern_linked_libraries libraries = read_bytes(&image, sizeof image);

        CHECK(libraries.interpreter);
        CHECK(strcmp(libraries.other, cases[i].other) == 0);
        CHECK(libraries.tern == cases[i].tern);
    }
    CHECK(strcmp(tern_linked_libraries_project("liboshmem.so.40"), "Open MPI") == 0);
    CHECK(!tern_linked_libraries_project("libsma.so.3"));
}

static void static_ones(void)
{
    struct image image = make("liboshmem.so.40", "");

    image.segments[1].p_type = PT_NULL;
    CHECK(!read_bytes(&image, sizeof image).interpreter);
    image.head.e_ident[EI_CLASS] = ELFCLASS32;
    CHECK(read_bytes(&image, sizeof image).interpreter);
}

static void long_names(void)
{
    struct image image = make("libsma.so", "");

    memset(image.strings + sizeof FIRST, 'x', sizeof image.strings - sizeof FIRST);
    memcpy(image.strings + sizeof FIRST, "libsma.so.", 10);
    CHECK(!*read_bytes(&image, sizeof image).other); /* it has no end */
    image.strings[sizeof FIRST + TERN_LINKED_LIBRARIES_NAME - 1] = '\0';
    CHECK(strlen(read_bytes(&image, sizeof image).other) == TERN_LINKED_LIBRARIES_NAME - 1);
    image.dynamic[4].d_un.d_val =
        sizeof FIRST + TERN_LINKED_LIBRARIES_NAME - 1; /* the table ends before it */
    CHECK(!*read_bytes(&image, sizeof image).other);
}

static void cut_short(void)
{
    struct image image = make("liboshmem.so.40", "");

    for (size_t n = 0; n < offsetof(struct image, strings); n++)
        CHECK(!*read_bytes(&image, n).other);
}

/* Each byte, and each number, takes values at which arithmetic might go wrong. */
static void damaged(void)
{
    static const uint64_t values[] = {0,          1,         0x7f,       0xff,
                                      UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 15};
    const struct image right = make("liboshmem.so.40", "libm.so.6");

    for (size_t at = 0; at + 8 <= offsetof(struct image, strings); at++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            for (size_t bytes = 1; bytes <= 8; bytes *= 2) {
                struct image image = right;

                memcpy((char *)&image + at, &values[i], bytes);
                read_bytes(&image, sizeof image);
            }
    srand(1);
    for (int round = 0; round < 20000; round++) {
        struct image image = right;

        for (int n = rand() % 8; n >= 0; n--)
            ((char *)&image)[rand() % (int)sizeof image] = (char)rand();
        read_bytes(&image, sizeof image);
    }
}

int main(void)
{
    right_ones();
    static_ones();
    long_names();
    cut_short();
    damaged();
    return 0;
}
