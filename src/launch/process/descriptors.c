/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps oshrun's descriptors and those of its PEs apart. */
#include "launch/process/descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/os.h"

/* Copies for fewer PEs take less time than a look at what is open. */
#define MANY_PES 32

int tern_descriptors_move(int fd, int least)
{
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, least);

    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}

/* The highest number of a descriptor that is open. */
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

/* Older systems, and some sandboxes, refuse the call. */
static bool system_parts(void)
{
    return close_range(UINT_MAX, UINT_MAX, CLOSE_RANGE_UNSHARE) == 0;
}

unsigned tern_descriptors_separate(uint32_t n_pes)
{
    /* Valgrind knows no children that share descriptors and are no threads. */
    if (n_pes < MANY_PES || tern_os_in_valgrind() || !system_parts() ||
        highest() >= TERN_DESCRIPTORS_OWN)
        return 0;
    return TERN_DESCRIPTORS_OWN;
}
