/* SPDX-License-Identifier: BSD-3-Clause */
/* Every slot of the network engine's table, between processes that share no more than a rig. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/ofi/engine.h"
#include "net/subjects.h"

static void print_line(void *arg, const char *text)
{
    puts(text);
    ++*(int *)arg;
}

static void test_survey(void)
{
    int lines = 0;

    if (rig_pe == 0) {
        rig_net->survey(&rig_template, print_line, &lines);
        CHECK(lines > 1, "%d lines", lines);
        puts(rig_net->describe());
    }
}

static const struct {
    const char *name;
    void (*body)(void);
    int n;
} tests[] = {
    {"rma", test_rma, 2},
    {"channel", test_channel, 3},
    {"static", test_static, 2},
    {"burst", test_burst, 2},
    {"amo", test_amo, 2},
    {"atomicity", test_atomicity, 3},
    {"scatter", test_scatter, 3},
    {"signal", test_signal, 3},
    {"order", test_order, 2},
    {"send", test_send, 3},
    {"slow", test_slow, 3},
    {"threads", test_threads, 2},
    {"computing", test_computing, 2},
    {"lost", test_lost, 3},
    {"lost-waiting", test_lost_waiting, 3},
    {"lost-early", test_lost_early, 3},
    {"survey", test_survey, 2},
};

/* A provider that can do little: whatever the engine may have to do itself, it does. */
static void set_test_limits(void)
{
    ofi_test_limits = (struct ofi_test_limits){
        .local_mr = true,
        .no_multi_recv = true,
        .no_descriptor = true,
        .unordered = true,
        .max_rma = 5000,
    };
}

int main(int argc, char **argv)
{
    if (argc > 2 && !strcmp(argv[2], "poor"))
        set_test_limits();
    for (size_t i = 0; argc > 1 && i < sizeof tests / sizeof *tests; i++)
        if (!strcmp(argv[1], tests[i].name)) {
            rig_template.provider = getenv("SHMEM_PROVIDER");
            rig_template.loopback = true;
            return rig_run(tests[i].n, tests[i].body);
        }
    fprintf(stderr, "which test?\n");
    return 2;
}
