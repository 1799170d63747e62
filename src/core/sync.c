/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounds of a group: flags in cells for a few members, a counter for many. */
#include "core/sync.h"

#include <errno.h>
#include <string.h>

#include "base/copy.h"
#include "base/log.h"

/* With more members, polling every cell costs more than one shared counter. */
#define MOST_BY_CELLS 8

TERN_PE_LOCAL struct tern_sync_choice tern_sync_choice = {.most_in_cells = TERN_SYNC_PAYLOAD};

static int force(const char *word, size_t length)
{
    struct tern_sync_choice *c = &tern_sync_choice;

    if (length == strlen("cells") && !strncmp(word, "cells", length))
        c->meet = TERN_SYNC_BY_CELLS;
    else if (length == strlen("counter") && !strncmp(word, "counter", length))
        c->meet = TERN_SYNC_BY_COUNTER;
    else if (length == strlen("stream") && !strncmp(word, "stream", length))
        c->stream = TERN_STREAM_ALWAYS;
    else if (length == strlen("finish") && !strncmp(word, "finish", length))
        c->finish = true;
    else if (length == strlen("large") && !strncmp(word, "large", length))
        *c = (struct tern_sync_choice){
            .meet = c->meet, .stream = TERN_STREAM_NEVER, .finish = c->finish};
    else
        return -EINVAL;
    return 0;
}

int tern_sync_force(const char *words)
{
    size_t length;

    tern_sync_choice = (struct tern_sync_choice){.most_in_cells = TERN_SYNC_PAYLOAD};
    while (words && *words) {
        length = strcspn(words, ",");
        if (force(words, length) != 0) {
            tern_error("SHMEM_COLLECTIVES has \"%.*s\": use cells or counter, stream, large, "
                       "and finish",
                       (int)length, words);
            return -EINVAL;
        }
        words += length + (words[length] == ',');
    }
    return 0;
}

static bool is_by_counter(int n, int cores)
{
    if (tern_sync_choice.meet != TERN_SYNC_BY_NUMBERS)
        return tern_sync_choice.meet == TERN_SYNC_BY_COUNTER;
    return n > cores || n > MOST_BY_CELLS;
}

/* Measured on two cores: a change of processes takes as long as a copy of 16 KiB and more. */
#define MOST_STREAMED_BY_CELLS ((size_t)512)

size_t tern_sync_most_streamed(const struct tern_sync *sync)
{
    switch (tern_sync_choice.stream) {
    case TERN_STREAM_NEVER:
        return 0;
    case TERN_STREAM_ALWAYS:
        return TERN_SYNC_MOST_STREAMED;
    default:
        return sync->by_counter ? TERN_SYNC_MOST_STREAMED : MOST_STREAMED_BY_CELLS;
    }
}

size_t tern_sync_shared_bytes(int n)
{
    return sizeof(struct tern_sync_shared) + (size_t)n * sizeof(struct tern_sync_member);
}

/*
 * Measured on two cores: a round of n members takes about 0.7 us for each of them, in which a core
 * copies 16 KiB. The more cores, the less time a round takes.
 */
#define MOST_FINISHED ((size_t)32768)

static size_t most_finished(bool by_counter, int cores)
{
    if (by_counter && tern_sync_choice.finish)
        return SIZE_MAX;
    return by_counter && tern_sync_choice.most_in_cells ? MOST_FINISHED / (size_t)cores : 0;
}

void tern_sync_init(struct tern_sync *sync, struct tern_sync_shared *shared, int me, int n,
                    int cores, const struct tern_pe_range *group)
{
    bool by_counter = is_by_counter(n, cores);

    *sync = (struct tern_sync){
        .shared = shared,
        .me = me,
        .n = n,
        .by_counter = by_counter,
        .most_finished = most_finished(by_counter, cores),
        .group = group,
    };
}

static void wait_long(struct tern_sync *sync, const uint64_t *word, uint64_t least,
                      const char *routine)
{
    struct tern_wait w = tern_wait_begin(&sync->shared->bell, routine);

    w.group = sync->group;
    while (tern_load_acquire(word) < least)
        tern_wait_step(&w);
    tern_wait_end(&w);
}

TERN_INLINE void wait_until(struct tern_sync *sync, const uint64_t *word, uint64_t least,
                            const char *routine)
{
    /* Acquire: partner of the release, or of the addition, by which the others arrive. */
    if (tern_load_acquire(word) < least)
        wait_long(sync, word, least, routine);
}

TERN_INLINE void wait_for(struct tern_sync *sync, const uint64_t *word, const char *routine)
{
    wait_until(sync, word, sync->round, routine);
}

static void end_round_by_cells(struct tern_sync *sync, const char *routine)
{
    struct tern_sync_shared *s = sync->shared;
    unsigned parity = sync->round % 2;

    tern_store_release(&s->members[sync->me].cells[parity].round, sync->round);
    tern_bell_ring(&s->bell);
    /* Skips the member's own cell: a load right after its store makes a round of two 14 % longer.
     */
    for (int i = 0; i < sync->n; i++)
        if (i != sync->me)
            wait_for(sync, &s->members[i].cells[parity].round, routine);
}

static void end_round_by_counter(struct tern_sync *sync, void (*finish)(void *arg), void *arg,
                                 const char *routine)
{
    struct tern_sync_shared *s = sync->shared;

    /* Acquire and release: the last member's release of the round makes all members' stores
     * visible. */
    if (tern_fetch_add(&s->arrived, 1) + 1 == sync->round * (uint64_t)sync->n) {
        if (finish)
            finish(arg);
        tern_store_release(&s->round, sync->round);
        tern_bell_ring(&s->bell);
    } else {
        wait_for(sync, &s->round, routine);
    }
}

static void end_round(struct tern_sync *sync, void (*finish)(void *arg), void *arg,
                      const char *routine)
{
    if (sync->by_counter)
        end_round_by_counter(sync, finish, arg, routine);
    else if (sync->n > 1)
        end_round_by_cells(sync, routine);
}

void tern_sync_barrier(struct tern_sync *sync, const char *routine)
{
    sync->round++;
    end_round(sync, NULL, NULL, routine);
}

void tern_sync_allgather(struct tern_sync *sync, const void *mine, size_t bytes,
                         const char *routine)
{
    tern_sync_allgather_finish(sync, mine, bytes, NULL, NULL, routine);
}

void tern_sync_allgather_finish(struct tern_sync *sync, const void *mine, size_t bytes,
                                void (*finish)(void *arg), void *arg, const char *routine)
{
    sync->round++;
    tern_copy(tern_sync_payload_to_change(sync, sync->me), mine, bytes);
    end_round(sync, finish, arg, routine);
}

void tern_sync_arrive(struct tern_sync *sync, const void *mine, size_t bytes)
{
    struct tern_sync_shared *s = sync->shared;

    sync->round++;
    tern_copy(tern_sync_payload_to_change(sync, sync->me), mine, bytes);
    /* Partner: tern_sync_has_arrived(), and in groups by cells tern_sync_await(). */
    tern_store_release(&s->members[sync->me].cells[sync->round % 2].round, sync->round);
    /* Acquire and release, as in end_round_by_counter(). */
    if (sync->by_counter) {
        if (tern_fetch_add(&s->arrived, 1) + 1 != sync->round * (uint64_t)sync->n)
            return;
        tern_store_release(&s->round, sync->round);
    }
    tern_bell_ring(&s->bell);
}

void tern_sync_await(struct tern_sync *sync, const char *routine)
{
    if (sync->by_counter)
        wait_for(sync, &sync->shared->round, routine);
    else
        for (int i = 0; i < sync->n; i++)
            wait_for(sync, &sync->shared->members[i].cells[sync->round % 2].round, routine);
}

/* The word that the first member's release of a led round changes. */
static uint64_t *led_word(struct tern_sync *sync)
{
    struct tern_sync_shared *s = sync->shared;

    return sync->by_counter ? &s->round : &s->members[0].cells[sync->round % 2].round;
}

static void follow(struct tern_sync *sync, const char *routine)
{
    struct tern_sync_shared *s = sync->shared;
    uint64_t all = sync->round * (uint64_t)sync->n;

    if (!sync->by_counter) {
        tern_store_release(&s->members[sync->me].cells[sync->round % 2].round, sync->round);
        tern_bell_ring(&s->bell);
    } else if (tern_fetch_add(&s->arrived, 1) + 1 == all) {
        tern_bell_ring(&s->bell);
    }
    wait_for(sync, led_word(sync), routine);
}

static void await_followers(struct tern_sync *sync, const char *routine)
{
    struct tern_sync_shared *s = sync->shared;

    if (sync->by_counter) {
        tern_fetch_add(&s->arrived, 1);
        wait_until(sync, &s->arrived, sync->round * (uint64_t)sync->n, routine);
        return;
    }
    for (int i = 1; i < sync->n; i++)
        wait_for(sync, &s->members[i].cells[sync->round % 2].round, routine);
}

void tern_sync_led(struct tern_sync *sync, const void *mine, size_t bytes, void (*lead)(void *arg),
                   void *arg, const char *routine)
{
    sync->round++;
    if (bytes)
        tern_copy(tern_sync_payload_to_change(sync, sync->me), mine, bytes);
    if (sync->me != 0) {
        follow(sync, routine);
        return;
    }
    await_followers(sync, routine);
    lead(arg);
    tern_store_release(led_word(sync), sync->round); /* partner: the wait in follow() */
    tern_bell_ring(&sync->shared->bell);
}
