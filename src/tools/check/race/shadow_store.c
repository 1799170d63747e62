/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the two tables, waits for locks, and makes room. */
#include "tools/check/race/shadow_store.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#define LINE_SETS 16384 /* of each PE */
#define PAGE_SETS 4096
#define MOST_LINE_SETS ((size_t)1 << 20) /* of a machine */
#define MOST_PAGE_SETS ((size_t)256 << 10)

struct tern_check_shadow_store tern_check_shadow_store_lines, tern_check_shadow_store_pages;
int32_t tern_check_shadow_store_holder;

static size_t sets_for(int n, size_t each, size_t most)
{
    return (size_t)n * each < most ? (size_t)n * each : most;
}

size_t tern_check_shadow_store_bytes(int n)
{
    return (sets_for(n, LINE_SETS, MOST_LINE_SETS) + sets_for(n, PAGE_SETS, MOST_PAGE_SETS)) *
           sizeof(struct tern_check_shadow_set);
}

void tern_check_shadow_store_start(void *memory, int n)
{
    tern_check_shadow_store_lines.sets = memory;
    tern_check_shadow_store_lines.n = sets_for(n, LINE_SETS, MOST_LINE_SETS);
    tern_check_shadow_store_pages.sets =
        tern_check_shadow_store_lines.sets + tern_check_shadow_store_lines.n;
    tern_check_shadow_store_pages.n = sets_for(n, PAGE_SETS, MOST_PAGE_SETS);
    tern_check_shadow_store_holder = (int32_t)getpid();
}

/* Whether the holder of a lock was killed. This process is about to be killed as well. */
static bool is_abandoned(int32_t holder)
{
    return holder && kill(holder, 0) != 0 && errno == ESRCH;
}

void __attribute__((noinline)) tern_check_shadow_store_wait_lock(int32_t *lock)
{
    for (unsigned i = 1;; i++) {
        int32_t holder = 0;

        if (__atomic_compare_exchange_n(lock, &holder, tern_check_shadow_store_holder, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        if (i % 64 == 0)
            sched_yield();
        if (i % 65536 == 0 && is_abandoned(holder))
            __atomic_compare_exchange_n(lock, &holder, 0, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
    }
}

/* Before a record is dropped: other PEs might have learned from it. */
static void forget(const struct tern_check_access *access)
{
    if (access->how & ACCESS_WORD && access->how & ACCESS_WRITES)
        tern_check_clocks_forget(access);
}

/* Finds a way for a record: a free or irrelevant one, or else the next in turn. */
static int make_room(struct tern_check_shadow_set *set, struct tern_check_shadow_way *dropped)
{
    int way;

    for (int i = 0; i < SET_WAYS; i++)
        if (!set->tag[i])
            return i;
    for (int i = 0; i < SET_WAYS; i++) {
        way = (int)((set->next + (unsigned)i) % SET_WAYS);
        if (tern_check_clocks_is_over(&set->way[way].access))
            return way;
    }
    way = (int)set->next;
    set->next = (set->next + 1) % SET_WAYS;
    *dropped = set->way[way];
    forget(&dropped->access);
    return way;
}

void tern_check_shadow_store_put(struct tern_check_shadow_set *set, int way, uint64_t key,
                                 const struct tern_check_access *access,
                                 struct tern_check_shadow_way *dropped)
{
    dropped->access.mask = 0;
    if (way < 0)
        way = make_room(set, dropped);
    set->tag[way] = tern_check_shadow_store_tag(key);
    set->way[way].key = key;
    set->way[way].access = *access;
}
