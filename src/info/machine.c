/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints properties of the system, as the functions of the library and oshrun see them. */
#include "info/machine.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/os.h"
#include "boot/job_area.h"
#include "mem/arena.h"

struct amount {
    char text[24];
};

static struct amount amount(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    struct amount a;
    double value = (double)bytes;
    int i = 0;

    for (; value >= 1023.95 && i < 6; i++)
        value /= 1024;
    if (bytes == UINT64_MAX)
        snprintf(a.text, sizeof a.text, "no limit");
    else
        snprintf(a.text, sizeof a.text, "%.*f %s", value < 100 && value != (int)value, value,
                 units[i]);
    return a;
}

static void print_memory(FILE *out, const struct tern_os_memory_limits *limits)
{
    fprintf(out, "  memory          %s, control group: %s, address space: %s\n",
            amount(limits->physical).text, amount(limits->cgroup).text,
            amount(limits->address_space).text);
}

static void print_heap(FILE *out, const struct tern_os_memory_limits *limits, int cores)
{
    const int counts[] = {1, cores, 64, 1024};
    uint64_t shown = 0;

    fprintf(out, "  default heap   ");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint64_t each = tern_arena_default_heap(limits, counts[i]);

        if (each == shown || (i > 0 && counts[i] <= counts[i - 1]))
            continue; /* nothing to report */
        if (shown)
            fprintf(out, ", %s with %d PEs", amount(each).text, counts[i]);
        else
            fprintf(out, " %s a PE", amount(each).text);
        shown = each;
    }
    fputc('\n', out);
}

/* A shared memory object as oshrun creates it for a node. */
static void print_shared_memory(FILE *out)
{
    int fd = tern_os_memfd("tern-info", tern_job_object_size(1));

    if (fd >= 0) {
        close(fd);
        fprintf(out, "  shared memory   works (memfd; /dev/shm is not used)\n");
    } else if (fd == -EFBIG) {
        fprintf(out, "  shared memory   no: the limit on file sizes is too low (ulimit -f)\n");
    } else {
        fprintf(out, "  shared memory   no: memfd_create: %s\n", strerror(-fd));
    }
}

static void print_membarrier(FILE *out)
{
    bool works = tern_os_barrier_register() && tern_os_barrier_all();

    fprintf(out, "  membarrier      %s\n",
            works ? "works" : "is refused: sleeping PEs recheck every few milliseconds");
}

/* Finds the word in brackets, as in "always within_size advise [never] deny force". */
static void print_huge_pages(FILE *out)
{
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "re");
    char line[128] = "", *word;

    if (f && !fgets(line, sizeof line, f))
        line[0] = '\0';
    if (f)
        fclose(f);
    word = strchr(line, '[');
    if (!word) {
        fprintf(out, "  huge pages      not for shared memory on this kernel\n");
        return;
    }
    word++;
    word[strcspn(word, "]")] = '\0';
    fprintf(out, "  huge pages      %s (transparent_hugepage/shmem_enabled in /sys/kernel/mm)\n",
            word);
}

static void print_proc(FILE *out)
{
    fprintf(out, "  /proc           %s\n",
            access("/proc/self/fd", X_OK) == 0
                ? "mounted"
                : "not mounted: control-group limits are not seen, nor PEs behind some wrappers");
}

void tern_machine_print(FILE *out)
{
    struct tern_os_memory_limits limits;
    int cores = tern_os_cores();

    tern_os_memory_limits(&limits);
    fprintf(out, "  cores           %d usable of %ld\n", cores, sysconf(_SC_NPROCESSORS_ONLN));
    print_memory(out, &limits);
    print_heap(out, &limits, cores);
    fprintf(out, "  page size       %s\n", amount(tern_os_page_size()).text);
    print_huge_pages(out);
    print_shared_memory(out);
    print_membarrier(out);
    print_proc(out);
}
