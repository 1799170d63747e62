/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes files of hosts, and looks up the names of IPv6 addresses. */
#include "launch/starters/host_file.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"

/* Makes a file that is in no file system. Returns its descriptor, or -errno. */
static int make_file(const char *text, size_t bytes)
{
    int fd = memfd_create("hosts", 0), r = 0;

    if (fd < 0)
        return -errno;
    for (size_t done = 0; !r && done < bytes;) {
        ssize_t n = write(fd, text + done, bytes - done);

        r = n < 0 ? -errno : 0;
        done += n < 0 ? 0 : (size_t)n;
    }
    if (r)
        close(fd);
    return r ? r : fd;
}

static void list_pes(FILE *out, const struct tern_hosts *hosts, uint64_t first, uint64_t end)
{
    uint64_t pe = 0;

    for (size_t i = 0; i < hosts->n; i++)
        for (uint64_t k = 0; k < hosts->list[i].n_pes; k++, pe++)
            if (pe >= first && pe < end)
                fprintf(out, "%s\n", hosts->list[i].name);
}

static void list_slots(FILE *out, const struct tern_hosts *hosts)
{
    for (size_t i = 0; i < hosts->n; i++)
        if (hosts->list[i].n_pes > 0)
            fprintf(out, "%s slots=%llu\n", hosts->list[i].name,
                    (unsigned long long)hosts->list[i].n_pes);
}

/* Lists the PEs, or with end 0 the slots. */
static int write_file(const struct tern_hosts *hosts, uint64_t first, uint64_t end)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    int fd = -ENOMEM;

    if (!out)
        return -ENOMEM;
    if (end > 0)
        list_pes(out, hosts, first, end);
    else
        list_slots(out, hosts);
    if (fclose(out) == 0)
        fd = make_file(text, bytes);
    free(text);
    return fd;
}

int tern_host_file_of_pes(const struct tern_hosts *hosts, uint64_t first, uint64_t end)
{
    return write_file(hosts, first, end);
}

int tern_host_file_of_slots(const struct tern_hosts *hosts)
{
    return write_file(hosts, 0, 0);
}

bool tern_host_file_any_name_has(const struct tern_hosts *hosts, char what)
{
    for (size_t i = 0; i < hosts->n; i++)
        if (strchr(hosts->list[i].name, what))
            return true;
    return false;
}

/* Looks up the name of an IPv6 address. Returns 0, or an error of getaddrinfo(). */
static int find_name(const char *address, char *name, size_t bytes)
{
    struct addrinfo hints = {.ai_family = AF_INET6, .ai_flags = AI_NUMERICHOST}, *found;
    int r = getaddrinfo(address, NULL, &hints, &found);

    if (r)
        return r;
    if (IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)found->ai_addr)->sin6_addr))
        snprintf(name, bytes, "localhost"); /* even if no table says so */
    else
        r = getnameinfo(found->ai_addr, found->ai_addrlen, name, (socklen_t)bytes, NULL, 0,
                        NI_NAMEREQD);
    freeaddrinfo(found);
    return r;
}

/* Replaces [USER@]ADDRESS by [USER@]NAME. */
static int replace_address(struct tern_host *host)
{
    char *at = strrchr(host->name, '@'), *address = at ? at + 1 : host->name, *full;
    char name[NI_MAXHOST];
    int r;

    if (!strchr(address, ':'))
        return 0;
    r = find_name(address, name, sizeof name);
    if (r) {
        tern_error("launchers take no IPv6 addresses, and \"%s\" has no name: %s", address,
                   gai_strerror(r));
        return -EINVAL;
    }
    if (asprintf(&full, "%.*s%s", (int)(address - host->name), host->name, name) < 0)
        return -ENOMEM;
    free(host->name);
    host->name = full;
    return 0;
}

int tern_host_file_replace_addresses(struct tern_hosts *hosts)
{
    int r = 0;

    for (size_t i = 0; !r && i < hosts->n; i++)
        r = replace_address(&hosts->list[i]);
    return r;
}
