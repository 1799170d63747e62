/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what the members of a collect contribute, and compares the sum with dest. */
#include "tools/check/match/collect.h"

#include <pthread.h>
#include <shmem.h>

#include "tools/check/args/addresses.h"
#include "tools/check/shared/records_lock.h"

static struct tern_check_contribution *posted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* This thread has checked the dest of its call. */
static __thread bool is_checked __attribute__((tls_model("initial-exec")));

void tern_check_collect_open(struct tern_check_contribution *array)
{
    posted = array;
}

/* Other PEs may read at any time. The key comes last: an entry with the key is complete. */
static void post(uint64_t key, uint64_t number, size_t bytes)
{
    static unsigned n;
    struct tern_check_contribution *mine;

    pthread_mutex_lock(&lock);
    mine = &posted[n++ % MAX_CONTRIBUTIONS];
    __atomic_store_n(&mine->key, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE); /* partner: the get of another PE */
    __atomic_store_n(&mine->number, (long)number, __ATOMIC_RELAXED);
    __atomic_store_n(&mine->bytes, (long)bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&mine->key, (long)key, __ATOMIC_RELEASE); /* partner: the same */
    pthread_mutex_unlock(&lock);
}

/* The PE's contribution, or -1 if it has not posted that, or has posted too many since. */
static long find(int pe, uint64_t key, uint64_t number)
{
    struct tern_check_contribution all[MAX_CONTRIBUTIONS];

    TERN_REAL(shmem_getmem)(all, posted, sizeof all, pe);
    for (int i = 0; i < MAX_CONTRIBUTIONS; i++)
        if (all[i].key == (long)key && all[i].number == (long)number)
            return all[i].bytes;
    return -1;
}

/* Whether all contributions are known. *sum: of their bytes. */
static bool add_up(const struct tern_check_group *group, uint64_t number, size_t *sum)
{
    *sum = 0;
    for (int rank = 0; rank < group->n_pes; rank++) {
        long bytes = find(tern_check_groups_pe(group, rank), group->key, number);

        if (bytes < 0 || __builtin_add_overflow(*sum, (size_t)bytes, sum))
            return false;
    }
    return true;
}

static void check(struct tern_call *call, const struct tern_check_group *group, uint64_t number)
{
    size_t bytes;

    if (!posted || is_checked || !add_up(group, number, &bytes))
        return;
    is_checked = true;
    tern_check_records_lock();
    tern_check_addresses_check_collected(call, bytes);
    tern_check_records_unlock();
}

void tern_check_collect_before(struct tern_call *call, const struct tern_check_group *group,
                               uint64_t number)
{
    size_t n = (size_t)tern_call_number(call, TERN_NELEMS, 0), bytes;

    if (!posted || __builtin_mul_overflow(n, call->routine->element, &bytes))
        return;
    is_checked = false;
    post(group->key, number, bytes);
    check(call, group, number);
}

void tern_check_collect_after(struct tern_call *call, const struct tern_check_group *group,
                              uint64_t number)
{
    check(call, group, number);
}
