/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the executable's writable data into the node's shared object, and maps peers' images. */
#include "mem/static_data.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/bytes.h"
#include "base/environment.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/settings.h"
#include "boot/boot.h"
#include "mem/arena.h"
#include "mem/fork.h"

/*
 * In a static program this file's own variables are part of the image. So code that copies and
 * remaps uses locals and raw system calls only, and stores its results at the end.
 */
static TERN_PE_LOCAL struct tern_static_data image;

const struct tern_static_data *tern_static_data_own(void)
{
    return &image;
}

/*
 * A writable part of the executable, whole pages: [start, filled) comes from its file, [filled,
 * end) began as zeros. There are several where large objects have a section of their own
 * (-mcmodel).
 */
struct part {
    uintptr_t start, filled, end;
};

struct executable {
    struct part parts[TERN_FORK_MOST_PARTS];
    int n_parts;
    bool is_static;
    bool needs_tern; /* the executable links libtern, or contains it */
    struct tern_static_data_part constants[TERN_STATIC_DATA_MOST_CONSTANTS];
    int n_constants;
    struct tern_static_data_part relocated;
    uint32_t program;
};

static size_t image_bytes(const struct executable *x)
{
    return x->n_parts ? x->parts[x->n_parts - 1].end - x->parts[0].start : 0;
}

static bool names_tern(const ElfW(Dyn) * d, uintptr_t base)
{
    const char *strings = NULL;
    const ElfW(Dyn) * e;

    for (e = d; e->d_tag != DT_NULL; e++)
        if (e->d_tag == DT_STRTAB)
            strings = (const char *)(e->d_un.d_ptr < base ? base + e->d_un.d_ptr : e->d_un.d_ptr);
    for (e = d; strings && e->d_tag != DT_NULL; e++)
        if (e->d_tag == DT_NEEDED && strstr(strings + e->d_un.d_val, "libtern"))
            return true;
    return false;
}

/* A number for the build ID among the notes, which is not 0; 0 if there is none. */
static uint32_t hash_build_id(const char *notes, size_t bytes, size_t align)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(notes + at);
        size_t id = at + sizeof *note + tern_bytes_round_up(note->n_namesz, align);

        if (note->n_type == NT_GNU_BUILD_ID && id + note->n_descsz <= bytes) {
            uint64_t hash = tern_hash_add_bytes(TERN_HASH_START, notes + id, note->n_descsz);
            uint32_t number = (uint32_t)(hash ^ hash >> 32);

            return number ? number : 1;
        }
        at = id + tern_bytes_round_up(note->n_descsz, align);
    }
    return 0;
}

static void note_constants(struct executable *x, const ElfW(Phdr) * p, uintptr_t at)
{
    if (p->p_type == PT_NOTE && !x->program)
        x->program = hash_build_id((const char *)at, p->p_memsz, p->p_align > 4 ? 8 : 4);
    else if (p->p_type == PT_LOAD && !(p->p_flags & PF_W) && (p->p_flags & PF_R) &&
             x->n_constants < TERN_STATIC_DATA_MOST_CONSTANTS)
        x->constants[x->n_constants++] = (struct tern_static_data_part){at, p->p_memsz};
    else if (p->p_type == PT_GNU_RELRO)
        x->relocated = (struct tern_static_data_part){at, p->p_memsz};
}

/* The first object that dl_iterate_phdr() shows is the executable. */
static int measure_executable(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct executable *x = arg;
    uintptr_t page = tern_os_page_size(), relro_start = 0, relro_end = 0;

    x->is_static = true;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;

        note_constants(x, p, at);
        if (p->p_type == PT_GNU_RELRO) {
            relro_start = at & -page;
            relro_end = (at + p->p_memsz) & -page;
        } else if (p->p_type == PT_DYNAMIC) {
            x->needs_tern = names_tern((const ElfW(Dyn) *)at, info->dlpi_addr);
        } else if (p->p_type == PT_INTERP) {
            x->is_static = false;
        }
    }
    for (int i = 0; i < info->dlpi_phnum && x->n_parts < TERN_FORK_MOST_PARTS; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        struct part *part = &x->parts[x->n_parts];
        uintptr_t start = (info->dlpi_addr + p->p_vaddr) & -page;
        uintptr_t filled = info->dlpi_addr + p->p_vaddr + p->p_filesz;
        uintptr_t end = info->dlpi_addr + p->p_vaddr + p->p_memsz;

        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        /* The part that the loader has made read-only stays; it lies at the segment's start. */
        if (start >= relro_start && start < relro_end)
            start = relro_end;
        if (start >= end)
            continue;
        part->start = start;
        part->filled = tern_bytes_round_up(filled, page);
        part->end = tern_bytes_round_up(end, page);
        if (part->filled < start)
            part->filled = start;
        if ((uintptr_t)&image - start < part->end - start)
            x->needs_tern = true;
        x->n_parts++;
    }
    return 1;
}

/*
 * Copies words that no thread changes meanwhile. Not by memcpy(), which sanitizers replace by one
 * that reports the padding between variables.
 */
static TERN_NO_SANITIZER void copy_words(char *to, uintptr_t from, size_t bytes)
{
    uint64_t *t = (uint64_t *)to;
    const uint64_t *f = (const uint64_t *)from;

    for (size_t i = 0; i < bytes / sizeof *t; i++) {
        t[i] = f[i];
        tern_compiler_barrier(); /* keeps the compiler from calling memcpy() */
    }
}

/* The kernel's page map, or -1 if it is hidden or, in an emulator, has other addresses. */
static int open_page_map(uintptr_t page)
{
    int map = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    uint64_t entry = 0;

    if (map < 0)
        return -1;
    syscall(SYS_pread64, map, &entry, sizeof entry, (uintptr_t)&entry / page * sizeof entry);
    if (entry >> 62)
        return map;
    syscall(SYS_close, map);
    return -1;
}

/* Copies the pages of [from, end) that were ever touched; the others are zeros and remain holes. */
static void copy_touched_pages(char *to, uintptr_t from, uintptr_t end)
{
    uintptr_t page = tern_os_page_size(), at = from;
    int map = open_page_map(page);
    uint64_t entry[512];

    while (at < end) {
        size_t n = (end - at) / page < 512 ? (end - at) / page : 512;
        ssize_t got =
            syscall(SYS_pread64, map, entry, n * sizeof entry[0], at / page * sizeof entry[0]);
        bool known = got == (ssize_t)(n * sizeof entry[0]);

        for (size_t i = 0; i < n; i++, at += page)
            if (known ? entry[i] >> 62 /* present or swapped out */
                      : !tern_bytes_are_zero((const void *)at, page))
                copy_words(to + (at - from), at, page);
    }
    if (map >= 0)
        syscall(SYS_close, map);
}

/*
 * No thread may store to the image between copying and remapping. That holds before main: threads
 * of other libraries' constructors do not use the executable's variables. The copy is made through
 * a mapping, not by write(), because its offset is beyond `ulimit -f`.
 */
static const char *move(const struct executable *x, int fd, uint64_t offset)
{
    char *copies[TERN_FORK_MOST_PARTS];

    if (image_bytes(x) > TERN_IMAGE_STRIDE)
        return "the program has more than 64 GiB of static data";
    for (int i = 0; i < x->n_parts; i++) {
        const struct part *part = &x->parts[i];
        char *to = (char *)syscall(SYS_mmap, NULL, part->end - part->start, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_NORESERVE, fd,
                                   offset + (part->start - x->parts[0].start));

        if (to == MAP_FAILED)
            return "it could not be mapped from shared memory";
        copy_words(to, part->start, part->filled - part->start);
        copy_touched_pages(to + (part->filled - part->start), part->filled, part->end);
        copies[i] = to;
    }
    for (int i = 0; i < x->n_parts; i++) {
        const struct part *part = &x->parts[i];
        size_t bytes = part->end - part->start;

        if (syscall(SYS_mremap, copies[i], bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                    part->start) != (long)part->start)
            return "it could not be moved to shared memory";
    }
    return NULL;
}

/*
 * Whether other threads may use the executable's variables already. They do not if
 * the executable needs the library: then main has not started.
 */
static bool comes_too_late(const struct executable *x)
{
    struct stat tasks;

    return !x->needs_tern && stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3;
}

/* ---- before main ---- */

/* Includes this PE's variables in its core files, up to a bound. */
static void bound_dump(const struct part *part)
{
    uintptr_t dumped = (part->filled + TERN_DUMP_MOST) & -tern_os_page_size();

    if (dumped < part->end)
        madvise((void *)dumped, part->end - dumped, MADV_DONTDUMP);
}

static void guard(const struct executable *x)
{
    struct tern_fork_part parts[TERN_FORK_MOST_PARTS];

    for (int i = 0; i < x->n_parts; i++) {
        const struct part *part = &x->parts[i];

        parts[i] = (struct tern_fork_part){
            .start = part->start,
            .end = part->end,
            .offset = image.offset + (part->start - image.start),
        };
        bound_dump(part);
    }
    tern_fork_guard(parts, x->n_parts, image.fd, x->is_static);
}

/* A signal handler must not store to a variable while it is copied (dlopen into a program). */
static const char *move_undisturbed(const struct executable *x, int fd, uint64_t offset)
{
    uint64_t all = ~UINT64_C(0), before = 0;
    const char *problem;

    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    problem = move(x, fd, offset);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    return problem;
}

/*
 * An earlier program of the same wrapper may have used this part of the object. Its data must not
 * be visible where move() leaves holes, nor be taken for this program's.
 */
static const char *clear_place(const struct tern_boot *boot)
{
    uint64_t left =
        boot->slot ? __atomic_exchange_n(&boot->slot->image_bytes, 0, __ATOMIC_ACQ_REL) : 0;

    if (left && fallocate(boot->image_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                          (off_t)boot->image_offset, (off_t)left) != 0)
        return "what an earlier program left in its place could not be cleared";
    return NULL;
}

/* SHMEM_STATIC_DATA, before settings are read; init refuses invalid values. */
static bool sharing_refused(char *const *envp)
{
    static const char name[] = "SHMEM_STATIC_DATA";
    const char *text = tern_environment_find(envp, name, sizeof name - 1);
    bool on = true;

    if (text)
        tern_settings_parse_bool(text, &on);
    return !on;
}

/* NULL, or why this program's variables can't be shared. */
static const char *find_obstacle(const struct executable *x, const struct tern_boot *boot,
                                 char *const *envp)
{
    const char *problem = clear_place(boot);

    if (problem)
        return problem;
    if (sharing_refused(envp))
        return "SHMEM_STATIC_DATA is off";
    if (!x->n_parts)
        return "the program has none";
    if (!tern_fork_can_copy(x->is_static))
        return "a static program can share it with glibc 2.34 or later only";
    if (comes_too_late(x))
        return "the library was loaded while the program already ran several threads";
    return NULL;
}

static void share(const struct executable *x, const struct tern_boot *boot, char *const *envp)
{
    int fd = boot->image_fd;

    image.unshared = find_obstacle(x, boot, envp);
    if (!image.unshared && fd < 0) {
        fd = tern_os_memfd("tern-image", image.bytes);
        if (fd < 0) {
            image.unshared = "no shared memory could be made for it";
            image.error = -fd;
        }
    }
    if (!image.unshared) {
        errno = 0;
        image.unshared = move_undisturbed(x, fd, boot->image_offset);
        image.error = image.unshared ? errno : 0;
    }
    if (image.unshared)
        return;
    image.fd = fd;
    image.offset = boot->image_offset;
    if (boot->slot)
        tern_static_data_publish(boot);
    guard(x);
}

void tern_static_data_publish(const struct tern_boot *boot)
{
    if (boot->image_fd < 0)
        tern_store_relaxed(&boot->slot->image_fd, image.fd);
    tern_store_relaxed(&boot->slot->program, image.program);
    tern_store_release(&boot->slot->image_bytes, image.fd >= 0 ? image.bytes : 0);
}

__attribute__((constructor(101))) static void before_main(int argc, char **argv, char **envp)
{
    const struct tern_boot *boot = tern_boot_attach(envp);
    struct executable x = {0};

    /* Output reaches the launcher line by line, because a PE may be killed before it ends. */
    if (!boot->alone)
        setvbuf(stdout, NULL, _IOLBF, 0);
    dl_iterate_phdr(measure_executable, &x);
    image.start = x.parts[0].start;
    image.bytes = image_bytes(&x);
    image.fd = -1;
    memcpy(image.constants, x.constants, sizeof x.constants);
    image.n_constants = x.n_constants;
    image.relocated = x.relocated;
    image.program = x.program;
    if (boot->shares)
        share(&x, boot, envp);
    if (!boot->alone)
        pthread_atfork(NULL, NULL, tern_boot_forget); /* runs after the image's handler */
}

/* ---- peers ---- */

int tern_static_data_reserve(int n, size_t most_bytes, char **base, unsigned *shift)
{
    void *p;

    /* More than the longest image, so that no access past an image reaches the next. */
    for (*shift = 16; ((size_t)1 << *shift) <= most_bytes; ++*shift)
        ;
    p = mmap(NULL, (size_t)n << *shift, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
             0);
    if (p == MAP_FAILED)
        return -errno;
    *base = p;
    return 0;
}

int tern_static_data_map_peer(int fd, uint64_t offset, int i, size_t bytes, char *base,
                              unsigned shift)
{
    char *at = base + ((size_t)i << shift);
    void *p = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, (off_t)offset);

    if (p == MAP_FAILED)
        return -errno;
    /* Peers' data stay out of this PE's core files. */
    madvise(p, bytes, MADV_DONTDUMP);
    return 0;
}

void tern_static_data_unreserve(int n, char *base, unsigned shift)
{
    munmap(base, (size_t)n << shift);
}
