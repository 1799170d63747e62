/* SPDX-License-Identifier: BSD-3-Clause */
/* Other nodes' memory is not mapped in this PE, and shmem_ptr returns NULL for it. */
#include "harness/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Where in which object some memory lies. */
struct lair {
    uint64_t device, inode, offset;
    char boot_id[40]; /* of the machine, where inodes have their numbers */
};

static struct lair lair;

static bool next_mapping(FILE *maps, uintptr_t *start, uintptr_t *end, struct lair *at)
{
    char line[512];
    unsigned major, minor;

    if (!fgets(line, sizeof line, maps) ||
        sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %x:%x %" SCNu64, start, end,
               &at->offset, &major, &minor, &at->inode) != 6)
        return false;
    at->device = (uint64_t)major << 32 | minor;
    return true;
}

static struct lair find_lair(const void *addr)
{
    FILE *maps = fopen("/proc/self/maps", "r"), *id = fopen("/proc/sys/kernel/random/boot_id", "r");
    struct lair at = {0}, found = {0};
    uintptr_t start, end;

    while (next_mapping(maps, &start, &end, &at)) {
        if ((uintptr_t)addr >= start && (uintptr_t)addr < end) {
            found = at;
            found.offset += (uintptr_t)addr - start;
        }
    }
    if (!id || fscanf(id, "%39s", found.boot_id) != 1)
        found.boot_id[0] = 0;
    if (id)
        fclose(id);
    fclose(maps);
    return found;
}

static bool is_mapped(const struct lair *what)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    struct lair at = {0};
    uintptr_t start, end;
    bool found = false;

    while (next_mapping(maps, &start, &end, &at))
        found |= at.device == what->device && at.inode == what->inode &&
                 what->offset >= at.offset && what->offset - at.offset < end - start;
    fclose(maps);
    return found;
}

static bool is_on_node(int pe)
{
    return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0;
}

int main(void)
{
    static long static_word;
    long *heap_word;

    check_init("remote/mapping");
    heap_word = shmem_calloc(1, sizeof *heap_word);
    lair = find_lair(heap_word);
    shmem_barrier_all();
    for (int pe = 0; pe < check_n_pes(); pe++) {
        bool near = is_on_node(pe);
        struct lair theirs;

        check_case("PE %d, on %s node", pe, near ? "this" : "another");
        check((shmem_ptr(heap_word, pe) != NULL) == near, "ptr-only-within-the-node",
              "the heap: %p", shmem_ptr(heap_word, pe));
        check((shmem_ptr(&static_word, pe) != NULL) == near, "ptr-only-within-the-node",
              "static data: %p", shmem_ptr(&static_word, pe));
        shmem_getmem(&theirs, &lair, sizeof theirs, pe);
        if (theirs.inode && strcmp(theirs.boot_id, lair.boot_id) == 0)
            check(is_mapped(&theirs) == near, "mapped-only-within-the-node", "offset %#" PRIx64,
                  theirs.offset);
    }
    shmem_barrier_all();
    shmem_free(heap_word);
    return check_finish();
}
