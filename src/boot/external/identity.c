/* SPDX-License-Identifier: BSD-3-Clause */
/* Identifies the running system and the network namespace. */
#include "boot/external/identity.h"

#include <inttypes.h>
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

/* The network namespace by number: abstract sockets live in it. */
static uint64_t network_namespace(void)
{
    uint64_t cookie = 0;
    socklen_t bytes = sizeof cookie;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct stat st;

    if (fd >= 0) {
        if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &bytes) != 0)
            cookie = 0;
        close(fd);
    }
    if (!cookie && stat("/proc/self/ns/net", &st) == 0)
        cookie = st.st_ino;
    return cookie;
}

/* Not by the host's name: those of hosts can be equal, or differ between containers of one. */
uint64_t tern_identity_system(void)
{
    char name[TERN_BOOT_ID_BYTES];
    struct utsname host;

    if (!tern_boot_id_read(name) && uname(&host) == 0)
        snprintf(name, sizeof name, "%s", host.nodename);
    return tern_text_hash(0, name);
}

uint64_t tern_identity_machine(uint64_t system, uint64_t job)
{
    char text[100];

    snprintf(text, sizeof text, "%" PRIx64 " %" PRIx64 " %" PRIx64, system, network_namespace(),
             job);
    return tern_text_hash(0, text);
}
