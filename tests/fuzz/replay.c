/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives each file of a folder to a target, then every beginning of it, and it with single changes.
 */
#include <dirent.h>
#include <stdio.h>

#include "fuzz/target.h"
#include "unit/unit.h"

#define MOST ((size_t)1 << 20)

static uint8_t file[MOST];

static size_t read_file(const char *folder, const char *name)
{
    char path[4096];
    FILE *from;
    size_t n;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    from = fopen(path, "rb");
    CHECK(from);
    n = fread(file, 1, sizeof file, from);
    fclose(from);
    return n;
}

/* In memory of its exact length, so that the sanitizer sees a byte too many. */
static void give(size_t bytes)
{
    uint8_t *input = malloc(bytes ? bytes : 1);

    CHECK(input);
    memcpy(input, file, bytes);
    LLVMFuzzerTestOneInput(input, bytes);
    free(input);
}

static void play(size_t bytes)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};

    give(bytes);
    for (size_t end = 0; end < bytes && end < 300; end++)
        give(end);
    for (size_t at = 0; at < bytes && at < 300; at++)
        for (size_t i = 0; i < sizeof changes; i++) {
            file[at] ^= changes[i];
            give(bytes);
            file[at] ^= changes[i];
        }
}

int main(int argc, char **argv)
{
    struct dirent *entry;
    int n = 0;
    DIR *folder;

    CHECK(argc == 2);
    folder = opendir(argv[1]);
    CHECK(folder);
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        play(read_file(argv[1], entry->d_name));
        n++;
    }
    closedir(folder);
    CHECK(n > 0);
    return 0;
}
