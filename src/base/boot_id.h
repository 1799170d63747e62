/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifies the running kernel, for the library, the programs and the tools: no object file. */
#ifndef TERN_BASE_BOOT_ID_H
#define TERN_BASE_BOOT_ID_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define TERN_BOOT_ID_BYTES 80

/* Equal for all processes under one running kernel, also in containers; empty if it is unknown. */
static inline bool tern_boot_id_read(char id[TERN_BOOT_ID_BYTES])
{
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, id, TERN_BOOT_ID_BYTES - 1);

    if (fd >= 0)
        close(fd);
    id[n > 0 ? n : 0] = '\0';
    id[strcspn(id, "\n")] = '\0';
    return n > 0;
}

#endif
