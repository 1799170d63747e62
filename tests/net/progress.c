/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads at once, and targets that compute. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/subjects.h"

enum { THREADS = 4, TURNS = 400 };

static void *thread_body(void *arg)
{
    uintptr_t number = (uintptr_t)arg;
    struct tern_net_channel *channel = number == 3 ? NULL : rig_net->channel_open();
    unsigned char *dest = rig_heap + (1 + number) * MIB, *source = malloc(64 * 1024), back[4096];
    uint64_t *count = (uint64_t *)(rig_heap + 512), old;
    int pe = next_pe();

    CHECK(channel || number == 3, "no channel");
    for (unsigned turn = 0; turn < TURNS; turn++) {
        size_t bytes = turn % 7 == 0 ? 60000 : 1 + turn * 11 % 4000;

        fill(source, bytes, turn + (unsigned)number);
        rig_net->put_nbi(channel, rig_offset(dest), source, bytes, pe);
        if (turn % 2)
            rig_net->amo(channel, TERN_NET_ADD, 8, rig_offset(count), 1, 0, &old, pe);
        else
            rig_net->update(channel, TERN_NET_ADD, 8, rig_offset(count), 1, pe);
        rig_net->quiet(channel);
        check_pattern(rig_real(dest, pe), bytes, turn + (unsigned)number, "put by a thread");
        bytes = bytes < sizeof back ? bytes : sizeof back;
        rig_net->get(channel, back, rig_offset(dest), bytes, pe);
        check_pattern(back, bytes, turn + (unsigned)number, "get by a thread");
    }
    if (channel)
        rig_net->channel_close(channel);
    free(source);
    return NULL;
}

void test_threads(void)
{
    pthread_t threads[THREADS];

    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, thread_body, (void *)i), "thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    rig_meet();
    CHECK(*(uint64_t *)(rig_heap + 512) == THREADS * TURNS, "count %lu",
          *(uint64_t *)(rig_heap + 512));
}

/* ---- progress while the target computes ---- */

enum { TRIES = 51 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Median and worst of many. */
static void time_operation(void (*operation)(void), double *median, double *worst)
{
    double took[TRIES];

    for (int i = 0; i < TRIES; i++) {
        double start = rig_now();

        operation();
        took[i] = rig_now() - start;
        usleep(500);
    }
    qsort(took, TRIES, sizeof *took, by_value);
    *median = took[TRIES / 2];
    *worst = took[TRIES - 1];
}

static uint64_t progress_value = 42;

static void op_put(void)
{
    rig_net->put(NULL, rig_offset(rig_heap + 1024), &progress_value, 8, next_pe());
    rig_net->quiet(NULL);
}

static void op_get(void)
{
    rig_net->get(NULL, &progress_value, rig_offset(rig_heap + 1024), 8, next_pe());
}

static void op_amo(void)
{
    rig_net->amo(NULL, TERN_NET_ADD, 8, rig_offset(rig_heap + 2048), 1, 0, &progress_value,
                 next_pe());
}

static void op_signal(void)
{
    rig_net->put_signal(NULL, rig_offset(rig_heap + 1024), &progress_value, 8,
                        rig_offset(rig_heap + 2048), 1, TERN_NET_ADD, false, next_pe());
    rig_net->quiet(NULL);
}

void test_computing(void)
{
    static const struct {
        const char *name;
        void (*operation)(void);
    } rows[] = {{"put", op_put}, {"get", op_get}, {"fetch_add", op_amo}, {"put_signal", op_signal}};

    op_amo(); /* connects */
    rig_meet();
    if (rig_pe == 0) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            double median, worst;

            time_operation(rows[i].operation, &median, &worst);
            printf("%s with a computing target: %.2f ms, %.2f ms at worst\n", rows[i].name,
                   median * 1e3, worst * 1e3);
            /* Other programs may have the cores for a while, but not most of the time. */
            CHECK(median < 0.01, "%s took %g s", rows[i].name, median);
            CHECK(worst < 1, "%s took %g s", rows[i].name, worst);
        }
        rig_board[0] = 1;
    } else {
        while (!rig_board[0])
            ; /* computes */
    }
    rig_meet();
}
