/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of hosts: the input as the argument of oshrun -H, and as a host file. */
#include "launch/plan/hosts.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/target.h"

static void distribute(struct tern_hosts *hosts)
{
    uint64_t most = tern_hosts_capacity(hosts, 0);

    tern_hosts_distribute(hosts, 7, 0);
    tern_hosts_distribute(hosts, 7, 2);
    if (most && most < 1000000)
        tern_hosts_distribute(hosts, most, 0);
    tern_hosts_free(hosts);
}

static void read_list(const uint8_t *data, size_t bytes)
{
    struct tern_hosts hosts = {0};
    char *text = text_of(data, bytes);

    tern_hosts_add_list(&hosts, text);
    distribute(&hosts);
    free(text);
}

static void read_file(const uint8_t *data, size_t bytes)
{
    struct tern_hosts hosts = {0};
    int fd = memfd_create("hosts", 0);
    char path[40];

    if (fd < 0 || write(fd, data, bytes) < 0)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    tern_hosts_add_file(&hosts, path);
    distribute(&hosts);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    read_list(data, bytes);
    read_file(data, bytes);
    return 0;
}
