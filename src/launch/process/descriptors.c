/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps oshrun's descriptors apart from those of its PEs. */
#include "launch/process/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/os.h"

/* For fewer PEs, copying the list takes less time than finding the highest descriptor. */
#define MANY_PES 32

int tern_descriptors_move(int fd, int least)
{
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, least);

    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}

/* Returns the number of the highest open descriptor. */
static int highest(void)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    int most = -1;

    if (!folder)
        return INT_MAX;
    while ((entry = readdir(folder)))
        if (atoi(entry->d_name) > most)
            most = atoi(entry->d_name);
    closedir(folder);
    return most;
}

/* Whether the kernel has close_range(), which older systems and some sandboxes refuse. */
static bool system_parts(void)
{
    return tern_compat_close_range_unshared(UINT_MAX) == 0;
}

unsigned tern_descriptors_separate(uint32_t n_pes)
{
    /* Valgrind supports no child processes that share descriptors. */
    if (n_pes < MANY_PES || tern_os_in_valgrind() || !system_parts() ||
        highest() >= TERN_DESCRIPTORS_OWN)
        return 0;
    return TERN_DESCRIPTORS_OWN;
}
