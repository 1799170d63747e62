/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps the file of a PE's profile: what is in the map survives a PE that is killed. */
#include "tools/profile/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tool_protocol.h"

static struct tern_profile *profile;
static size_t profile_bytes;
static char path[4096];
static bool is_mapped; /* else the file is written at the end */

static const char *folder(void)
{
    const char *name = getenv(TERN_PROFILE_VARIABLE);

    return name && *name ? name : TERN_PROFILE_FOLDER;
}

static void make_path(uint32_t pe)
{
    char name[32], *full;

    mkdir(folder(), 0777);
    full = realpath(folder(), NULL); /* the program may change its working directory */
    snprintf(name, sizeof name, TERN_PROFILE_PART, pe);
    snprintf(path, sizeof path, "%s/%s", full ? full : folder(), name);
    free(full);
}

/* Blocks of the file are allocated at once, because a write to a full disk would be a SIGBUS. */
static void *map_file(void)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    void *map = MAP_FAILED;

    if (fd < 0)
        return MAP_FAILED;
    if (posix_fallocate(fd, 0, (off_t)profile_bytes) == 0)
        map = mmap(NULL, profile_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    close(fd);
    return map;
}

struct tern_profile *tern_part_file_open(uint32_t pe, uint32_t n_pes)
{
    void *map;

    profile_bytes = sizeof *profile + n_pes * sizeof profile->peers[0];
    make_path(pe);
    map = map_file();
    is_mapped = map != MAP_FAILED;
    profile = is_mapped ? map : calloc(1, profile_bytes);
    return profile;
}

void tern_part_file_save(void)
{
    bool complete;
    FILE *file;

    if (is_mapped)
        return;
    file = fopen(path, "we");
    complete = file && fwrite(profile, profile_bytes, 1, file) == 1;
    if (file && fclose(file) != 0)
        complete = false;
    if (!complete)
        fprintf(stderr, "tern: the profile can't be written to %s: %s\n", path, strerror(errno));
}
