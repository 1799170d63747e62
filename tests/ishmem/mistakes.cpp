/* SPDX-License-Identifier: BSD-3-Clause */
/* One mistake with Intel SHMEM's interface: the program's argument says which. */
#include <cstring>
#include <ishmem.h>
#include <ishmemx.h>
#include <shmem.h>

static int sum, part;

int main(int argc, char **argv)
{
    const char *mistake = argc > 1 ? argv[1] : "";
    ishmemx_attr_t attributes;

    attributes.runtime =
        strcmp(mistake, "runtime") == 0 ? ISHMEMX_RUNTIME_INVALID : ISHMEMX_RUNTIME_OPENSHMEM;
    ishmemx_init_attr(strcmp(mistake, "no-attributes") == 0 ? nullptr : &attributes);
    if (strcmp(mistake, "stale-team") == 0) {
        ishmem_team_t team;

        ishmem_team_split_strided(ISHMEM_TEAM_WORLD, 0, 1, 2, nullptr, 0, &team);
        ishmem_team_destroy(team);
        ishmem_team_sync(team);
    }
    if (strcmp(mistake, "random-team") == 0)
        ishmem_team_n_pes(123456);
    if (strcmp(mistake, "member") == 0)
        ishmem_sum_reduce(ISHMEM_TEAM_INVALID, &sum, &part, 1);
    if (strcmp(mistake, "comparison") == 0)
        ishmem_wait_until(&sum, 7, 1);
    if (strcmp(mistake, "finalize-shmem") == 0)
        shmem_init();
    ishmem_finalize();
    if (strncmp(mistake, "finalize", strlen("finalize")) == 0)
        ishmem_finalize();
    return 0;
}
