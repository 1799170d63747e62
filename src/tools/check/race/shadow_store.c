/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the two tables, waits for locks, and finds room. */
#include "tools/check/race/shadow_store.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#define LINE_SETS 16384 /* of each PE */
#define PAGE_SETS 4096
#define MOST_LINE_SETS ((size_t)1 << 20) /* of a machine */
#define MOST_PAGE_SETS ((size_t)256 << 10)

struct tern_check_sets tern_check_lines, tern_check_pages;
int32_t tern_check_set_holder;

static size_t sets_for(int n, size_t each, size_t most)
{
    return (size_t)n * each < most ? (size_t)n * each : most;
}

size_t tern_check_sets_bytes(int n)
{
    return (sets_for(n, LINE_SETS, MOST_LINE_SETS) + sets_for(n, PAGE_SETS, MOST_PAGE_SETS)) *
           sizeof(struct tern_check_set);
}

void tern_check_sets_start(void *memory, int n)
{
    tern_check_lines.sets = memory;
    tern_check_lines.n = sets_for(n, LINE_SETS, MOST_LINE_SETS);
    tern_check_pages.sets = tern_check_lines.sets + tern_check_lines.n;
    tern_check_pages.n = sets_for(n, PAGE_SETS, MOST_PAGE_SETS);
    tern_check_set_holder = (int32_t)getpid();
}

/* A holder that is no more has been killed with it, and so will this process. */
static bool is_abandoned(int32_t holder)
{
    return holder && kill(holder, 0) != 0 && errno == ESRCH;
}

void __attribute__((noinline)) tern_check_set_wait_for(struct tern_check_set *set)
{
    for (unsigned i = 1;; i++) {
        int32_t holder = 0;

        if (__atomic_compare_exchange_n(&set->holder, &holder, tern_check_set_holder, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        if (i % 64 == 0)
            sched_yield();
        if (i % 65536 == 0 && is_abandoned(holder))
            __atomic_compare_exchange_n(&set->holder, &holder, 0, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED);
    }
}

/* Partner: the load in tern_check_line_touch(). */
void tern_check_set_tell_news(struct tern_check_set *set)
{
    __atomic_store_n(&set->news, (uint16_t)(set->news + 1), __ATOMIC_RELAXED);
}

/* A line's marks that are forgotten may have been by what others were to learn. */
static void forget(struct tern_check_set *set, int way)
{
    const struct tern_check_mark *mark = &set->way[way].mark;

    if (mark->how & TERN_CHECK_BRIEF && mark->how & TERN_CHECK_WRITES)
        tern_check_order_forget(mark);
    tern_check_set_tell_news(set);
}

/* Room for a mark: what nobody needs, or else the next in turn. */
static int make_room(struct tern_check_set *set)
{
    int way;

    for (int i = 0; i < TERN_CHECK_WAYS; i++)
        if (!set->tag[i])
            return i;
    for (int i = 0; i < TERN_CHECK_WAYS; i++) {
        way = (set->next + i) % TERN_CHECK_WAYS;
        if (tern_check_order_is_over(&set->way[way].mark))
            return way;
    }
    way = set->next;
    set->next = (uint16_t)((way + 1) % TERN_CHECK_WAYS);
    forget(set, way);
    return way;
}

void tern_check_set_put(struct tern_check_set *set, int way, uint64_t key,
                        const struct tern_check_mark *mark)
{
    if (way < 0)
        way = make_room(set);
    set->tag[way] = tern_check_set_tag(key);
    set->way[way].key = key;
    set->way[way].mark = *mark;
}
