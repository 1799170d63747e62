/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves the executable's writable data into the node's shared object, and maps that of peers. */
#include "mem/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "base/os.h"
#include "base/settings.h"
#include "boot/boot.h"

/*
 * In a static program this file's own variables are part of the image. Hence the rule for all code
 * that copies and remaps: locals and raw system calls only, results are stored when it is done.
 */
static TERN_PE_LOCAL struct tern_image image;

const struct tern_image *tern_image_own(void)
{
    return &image;
}

/* Where the writable data lies: [start, filled) comes from the file, [filled, end) began as zeros.
 */
struct extent {
    uintptr_t start, filled, end;
    bool needs_tern; /* the executable names libtern itself, or contains it */
};

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

/* The first object that dl_iterate_phdr() shows is the executable. */
static int measure_executable(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct extent *x = arg;
    uintptr_t page = tern_os_page_size(), relro_start = 0, relro_end = 0;
    bool dynamic = false;

    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;

        if (p->p_type == PT_GNU_RELRO) {
            relro_start = at & -page;
            relro_end = (at + p->p_memsz) & -page;
        } else if (p->p_type == PT_DYNAMIC) {
            dynamic = true;
            x->needs_tern = names_tern((const ElfW(Dyn) *)at, info->dlpi_addr);
        }
    }
    if (!dynamic)
        x->needs_tern = true;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t start = (info->dlpi_addr + p->p_vaddr) & -page;
        uintptr_t filled = info->dlpi_addr + p->p_vaddr + p->p_filesz;
        uintptr_t end = info->dlpi_addr + p->p_vaddr + p->p_memsz;

        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        /* What the loader has made read-only stays as it is; it lies at the segment's start. */
        if (start >= relro_start && start < relro_end)
            start = relro_end;
        if (start >= end)
            continue;
        x->start = start;
        x->filled = (filled + page - 1) & -page;
        x->end = (end + page - 1) & -page;
        if (x->filled < start)
            x->filled = start;
    }
    return 1;
}

static bool write_pages(int fd, uintptr_t from, uintptr_t to, uint64_t offset)
{
    while (from < to) {
        ssize_t n = syscall(SYS_pwrite64, fd, from, to - from, offset);

        if (n <= 0)
            return false;
        from += (uintptr_t)n;
        offset += (uint64_t)n;
    }
    return true;
}

/* Copies the pages of [from, to) that were ever touched; the others are zeros and remain holes. */
static bool write_touched_pages(int fd, uintptr_t from, uintptr_t to, uint64_t offset)
{
    uintptr_t page = tern_os_page_size(), at = from;
    uint64_t entry[512];
    int map = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    bool ok = true;

    if (map < 0)
        return write_pages(fd, from, to, offset);
    while (ok && at < to) {
        size_t want = (to - at) / page < 512 ? (to - at) / page : 512;
        ssize_t got =
            syscall(SYS_pread64, map, entry, want * sizeof entry[0], at / page * sizeof entry[0]);

        if (got < (ssize_t)sizeof entry[0]) {
            ok = write_pages(fd, at, to, offset + (at - from));
            break;
        }
        for (size_t i = 0; ok && i < (size_t)got / sizeof entry[0]; i++, at += page)
            if (entry[i] >> 62) /* present or swapped out */
                ok = write_pages(fd, at, at + page, offset + (at - from));
    }
    syscall(SYS_close, map);
    return ok;
}

/*
 * The image changes hands between two system calls: nothing may store to it in between. That holds
 * before main; threads of other libraries' constructors do not know the executable's variables.
 */
static const char *move(const struct extent *x, int fd, uint64_t offset)
{
    long at;

    if (x->end - x->start > TERN_IMAGE_STRIDE)
        return "the program has more than 64 GiB of static data";
    if (!write_pages(fd, x->start, x->filled, offset) ||
        !write_touched_pages(fd, x->filled, x->end, offset + (x->filled - x->start)))
        return "its static data could not be copied to shared memory";
    at = syscall(SYS_mmap, x->start, x->end - x->start, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_FIXED, fd, offset);
    if (at != (long)x->start)
        return "its static data could not be mapped from shared memory";
    return NULL;
}

/* Threads that run already may use variables of the executable, unless we come before main. */
static bool comes_too_late(const struct extent *x)
{
    struct stat tasks;

    return !x->needs_tern && stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3;
}

/* ---- fork: the child gets its variables for itself, as after any fork ---- */

static TERN_PE_LOCAL pthread_mutex_t fork_mutex = PTHREAD_MUTEX_INITIALIZER;
static TERN_PE_LOCAL int fork_pipe[2];

static uint64_t image_offset(const struct tern_boot *boot, int i)
{
    return TERN_IMAGES_OFFSET + (uint64_t)i * TERN_IMAGE_STRIDE;
}

static void before_fork(void)
{
    pthread_mutex_lock(&fork_mutex);
    if (pipe2(fork_pipe, O_CLOEXEC) != 0)
        fork_pipe[0] = fork_pipe[1] = -1;
}

/* The parent stands still until the child has copied what they still share. */
static void after_fork_in_parent(void)
{
    char c;

    close(fork_pipe[1]);
    while (read(fork_pipe[0], &c, 1) < 0 && errno == EINTR)
        ;
    close(fork_pipe[0]);
    pthread_mutex_unlock(&fork_mutex);
}

/* Reads the populated parts of the image into private pages at `to`. */
static bool read_image(int fd, uint64_t offset, size_t bytes, char *to)
{
    uint64_t at = offset, end = offset + bytes;

    for (;;) {
        long data = syscall(SYS_lseek, fd, at, SEEK_DATA);
        long hole;

        if (data < 0 || (uint64_t)data >= end)
            return true;
        hole = syscall(SYS_lseek, fd, data, SEEK_HOLE);
        if (hole < 0 || (uint64_t)hole > end)
            hole = (long)end;
        for (at = (uint64_t)data; at < (uint64_t)hole;) {
            long n = syscall(SYS_pread64, fd, to + (at - offset), (uint64_t)hole - at, at);

            if (n <= 0)
                return false;
            at += (uint64_t)n;
        }
    }
}

static void after_fork_in_child(void)
{
    const struct tern_boot *boot = tern_boot_attach(NULL);
    uintptr_t start = image.start;
    size_t bytes = image.bytes;
    long copy = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (copy < 0 || !read_image(boot->fd, image_offset(boot, boot->node_pe), bytes, (char *)copy) ||
        syscall(SYS_mremap, copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, start) < 0) {
        /* Going on would scribble over the parent's variables. */
        static const char text[] = "tern: the child of a fork has no memory for its variables\n";
        syscall(SYS_write, STDERR_FILENO, text, sizeof text - 1);
        syscall(SYS_exit_group, 127);
    }
    close(fork_pipe[0]);
    close(fork_pipe[1]);
    pthread_mutex_unlock(&fork_mutex);
}

/* ---- before main ---- */

static void share(const struct tern_boot *boot)
{
    struct extent x = {0};
    const char *problem;

    dl_iterate_phdr(measure_executable, &x);
    if (!x.start) {
        image.unshared = "the program has no static data";
        return;
    }
    if (comes_too_late(&x))
        problem = "the library was loaded while the program already ran several threads";
    else
        problem = move(&x, boot->fd, image_offset(boot, boot->node_pe));
    image.start = x.start;
    image.bytes = x.end - x.start;
    image.unshared = problem;
    if (problem)
        return;
    __atomic_store_n(&boot->slot->image_bytes, image.bytes, __ATOMIC_RELEASE);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void measure_only(void)
{
    struct extent x = {0};

    dl_iterate_phdr(measure_executable, &x);
    image.start = x.start;
    image.bytes = x.end - x.start;
}

/* SHMEM_STATIC_DATA, before settings are read: what makes no sense there is refused at init. */
static bool sharing_refused(char *const *envp)
{
    static const char name[] = "SHMEM_STATIC_DATA=";
    bool on = true;

    for (; envp && *envp; envp++)
        if (strncmp(*envp, name, sizeof name - 1) == 0)
            tern_settings_parse_bool(*envp + sizeof name - 1, &on);
    return !on;
}

__attribute__((constructor(101))) static void before_main(int argc, char **argv, char **envp)
{
    const struct tern_boot *boot = tern_boot_attach(envp);

    /* Lines reach the launcher as they are written, not when a PE that may be killed ends. */
    if (!boot->alone)
        setvbuf(stdout, NULL, _IOLBF, 0);
    if (boot->node_n_pes == 1) {
        measure_only();
    } else if (sharing_refused(envp)) {
        measure_only();
        image.unshared = "SHMEM_STATIC_DATA is off";
    } else {
        share(boot);
    }
}

/* ---- peers ---- */

int tern_image_reserve(int n, size_t most_bytes, char **base, unsigned *shift)
{
    void *p;

    /* A page more than the longest, so that nothing runs from one image into the next. */
    for (*shift = 16; ((size_t)1 << *shift) <= most_bytes; ++*shift)
        ;
    p = mmap(NULL, (size_t)n << *shift, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
             0);
    if (p == MAP_FAILED)
        return -errno;
    *base = p;
    return 0;
}

int tern_image_map_peer(int fd, int i, size_t bytes, char *base, unsigned shift)
{
    char *at = base + ((size_t)i << shift);
    void *p = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                   (off_t)(TERN_IMAGES_OFFSET + (uint64_t)i * TERN_IMAGE_STRIDE));

    if (p == MAP_FAILED)
        return -errno;
    /* A core file of this PE has its own data; that of the others is theirs to dump. */
    madvise(p, bytes, MADV_DONTDUMP);
    return 0;
}

void tern_image_unreserve(int n, char *base, unsigned shift)
{
    munmap(base, (size_t)n << shift);
}
