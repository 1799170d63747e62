/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifies the running system and the network namespace. */
#include "boot/external/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/boot_id.h"
#include "boot/text.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

/* Whether something is missing for all PEs of a machine alike: a file, or a permission. */
static bool is_missing(int error)
{
    return error == ENOENT || error == EACCES || error == EPERM;
}

/* The network namespace by number: abstract sockets live in it. */
static int find_network_namespace(uint64_t *number)
{
    socklen_t bytes = sizeof *number;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct stat st;

    *number = 0;
    if (fd < 0 && !is_missing(errno))
        return -errno;
    if (fd >= 0) {
        if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, number, &bytes) != 0)
            *number = 0;
        close(fd);
    }
    if (!*number && stat("/proc/self/ns/net", &st) == 0)
        *number = st.st_ino;
    return 0;
}

/* Not by the host's name: those of hosts can be equal, or differ between containers of one. */
static int find_system(uint64_t *system)
{
    char name[TERN_BOOT_ID_BYTES];
    struct utsname host;

    errno = 0;
    if (!tern_boot_id_read(name)) {
        if (errno && !is_missing(errno))
            return -errno;
        if (uname(&host) == 0)
            snprintf(name, sizeof name, "%s", host.nodename);
    }
    *system = tern_text_hash(0, name);
    return 0;
}

int tern_identity_find(uint64_t job, uint64_t *system, uint64_t *machine)
{
    uint64_t network;
    char text[100];
    int r = find_system(system);

    if (!r)
        r = find_network_namespace(&network);
    if (r)
        return r;
    snprintf(text, sizeof text, "%" PRIx64 " %" PRIx64 " %" PRIx64, *system, network, job);
    *machine = tern_text_hash(0, text);
    return 0;
}
