/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps a block of the heap over memory of the program, and removes the mapping again. */
#include "mem/alias.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/log.h"
#include "base/os.h"

static TERN_PE_LOCAL struct tern_alias alias;
static TERN_PE_LOCAL struct tern_alias_block behind;

const struct tern_alias *tern_alias_own(void)
{
    return &alias;
}

/* ---- suitable memory ---- */

/* Whether the mapping is private memory, which can be copied and then mapped over. */
static bool is_private(const char *permissions)
{
    return permissions[0] == 'r' && permissions[1] == 'w' && permissions[3] == 'p';
}

const char *tern_alias_refuses(const void *start, size_t bytes)
{
    uintptr_t at = (uintptr_t)start, end = at + bytes, from, to;
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512], permissions[5];

    if (!maps)
        return "can't be looked up in /proc/self/maps";
    while (at < end && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, permissions) != 3 || to <= at)
            continue;
        if (from > at || !is_private(permissions))
            break;
        at = to;
    }
    fclose(maps);
    return at >= end ? NULL
                     : "is not private memory that this process can read and write: a device's "
                       "memory, say, or shared already";
}

/* ---- content ---- */

/* Pages that hold zeros are not copied, so that untouched pages of the block stay untouched. */
static void fill_block(const struct tern_alias_block *block, const char *from, size_t bytes)
{
    size_t page = tern_os_page_size();

    for (size_t i = 0; i < bytes; i += page)
        if (i < block->zeros_from || !tern_bytes_are_zero(from + i, page))
            memcpy((char *)block->at + i, from + i, page);
}

/* The next part of the block with data, from *at on; false if only holes follow. */
static bool next_data(size_t *at, size_t *end)
{
    off_t data, hole;

    *end = alias.bytes;
    if (behind.fd < 0)
        return *at < alias.bytes;
    data = lseek(behind.fd, (off_t)(behind.offset + *at), SEEK_DATA);
    if (data < 0)
        return errno != ENXIO && *at < alias.bytes;
    *at = (size_t)data - behind.offset;
    hole = lseek(behind.fd, data, SEEK_HOLE);
    if (hole >= 0 && (size_t)hole - behind.offset < *end)
        *end = (size_t)hole - behind.offset;
    return *at < alias.bytes;
}

static void take_content(char *to)
{
    for (size_t at = 0, end; next_data(&at, &end); at = end)
        memcpy(to + at, (char *)behind.at + at, end - at);
}

/* ---- mapping ---- */

/* Maps the block a second time; memory without a file by mremap() with an old size of 0. */
static void *map_again(void *start, size_t bytes, const struct tern_alias_block *block)
{
    if (block->fd < 0)
        return mremap(block->at, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, start);
    return mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                block->fd, (off_t)block->offset);
}

int tern_alias_open(void *start, size_t bytes, const struct tern_alias_block *block)
{
    fill_block(block, start, bytes);
    if (map_again(start, bytes, block) == MAP_FAILED)
        return -errno;
    madvise(start, bytes, MADV_DONTDUMP); /* core files contain the heap already */
    behind = *block;
    alias = (struct tern_alias){(uintptr_t)start, bytes, (uintptr_t)block->at};
    return 0;
}

void tern_alias_close(void)
{
    void *own;

    if (!alias.bytes)
        return;
    own = mmap(NULL, alias.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own != MAP_FAILED)
        take_content(own);
    if (own == MAP_FAILED || mremap(own, alias.bytes, alias.bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                                    (void *)alias.start) == MAP_FAILED)
        tern_error("the memory at %p could not be given back: %s", (void *)alias.start,
                   strerror(errno));
    alias.bytes = 0;
}
