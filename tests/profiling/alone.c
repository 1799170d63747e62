/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that includes only pshmem.h, which has all types, constants and routines that it needs.
 */
#include <pshmem.h>

#include <stdio.h>
#include <string.h>

static long word, sum, psync[SHMEM_SYNC_SIZE], lock;
static uint64_t signal_word;
static int failures;

static void check(int holds, const char *name)
{
    if (holds)
        return;
    failures++;
    fprintf(stderr, "PE %d: profiling/alone: %s\n", pshmem_my_pe(), name);
}

static void use_teams(int me, int n)
{
    shmem_team_config_t config = {.num_contexts = 1};
    shmem_team_t team = SHMEM_TEAM_INVALID;
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;

    check(pshmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, SHMEM_TEAM_NUM_CONTEXTS,
                                    &team) == 0,
          "pshmem-teams");
    check(pshmem_team_create_ctx(team, SHMEM_CTX_SERIALIZED, &ctx) == 0, "pshmem-contexts");
    pshmem_ctx_long_p(ctx, &word, 20 + me, (me + 1) % n);
    pshmem_ctx_quiet(ctx);
    check(pshmem_team_sync(team) == 0, "pshmem-teams");
    check(word == 20 + (me + n - 1) % n, "pshmem-contexts");
    pshmem_ctx_destroy(ctx);
    word = me;
    check(pshmem_long_max_reduce(team, &sum, &word, 1) == 0 && sum == n - 1, "pshmem-collectives");
    pshmem_team_destroy(team);
}

int main(void)
{
    char name[SHMEM_MAX_NAME_LEN];
    int provided, me, n, next, before;
    long *block;

    if (pshmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0)
        return 1;
    me = pshmem_my_pe();
    n = pshmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    pshmem_info_get_name(name);
    check(strcmp(name, SHMEM_VENDOR_STRING) == 0, "pshmem-info");
    block = pshmem_malloc_with_hints(sizeof(long), SHMEM_MALLOC_ATOMICS_REMOTE);
    *block = 0;
    pshmem_barrier_all();
    pshmem_long_atomic_add(block, 7 + me, next);
    pshmem_long_wait_until(block, SHMEM_CMP_EQ, 7 + before);
    pshmem_long_put_signal(&word, block, 1, &signal_word, 5, SHMEM_SIGNAL_SET, next);
    check(pshmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 5) == 5, "pshmem-signals");
    check(word == 7 + (before + n - 1) % n, "pshmem-signals");
    pshmem_barrier_all();
    use_teams(me, n);
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    pshmem_barrier_all();
    pshmem_barrier(0, 0, n, psync);
    pshmem_set_lock(&lock);
    pshmem_clear_lock(&lock);
    pshmem_free(block);
    pshmem_finalize();
    return failures > 0;
}
