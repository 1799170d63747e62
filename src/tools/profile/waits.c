/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the words that end waits. */
#include "tools/profile/waits.h"

#include <stdlib.h>
#include <string.h>

#include "tools/clock.h"

static const void *element(struct tern_call *call, size_t i)
{
    return (const char *)tern_call_pointer(call, TERN_IVAR) + i * call->routine->element;
}

/* For a wait for any one or some variables: the result names the words. */
static void report_result(struct tern_call *call, uint64_t ns,
                          void (*report)(const void *word, uint64_t ns))
{
    const size_t *indices = tern_call_pointer(call, TERN_INDICES);
    size_t nelems = (size_t)tern_call_number(call, TERN_NELEMS, 0), found = call->result.u;

    if (!indices && found < nelems)
        report(element(call, found), ns);
    for (size_t i = 0; indices && i < found && i < nelems; i++)
        report(element(call, indices[i]), ns / found);
}

/* Replaces a wait for all: repeats a wait for some of the remaining variables until none remains.
 */
static void wait_by_steps(struct tern_call *call, size_t nelems, int *status, size_t *indices,
                          void (*report)(const void *word, uint64_t ns))
{
    int at =
        call->routine->place[TERN_STATUS]; /* the arguments after it are those of a wait for some */
    const int *given = tern_call_pointer(call, TERN_STATUS);
    struct tern_call step = {.routine = call->routine->steps};
    size_t left = nelems;

    step.arg[0] = call->arg[0];
    step.arg[1] = call->arg[1];
    tern_call_find(&step, TERN_INDICES)->p = indices;
    tern_call_find(&step, TERN_STATUS)->p = status;
    step.arg[at + 1] = call->arg[at];
    step.arg[at + 2] = call->arg[at + 1];
    for (size_t i = 0; i < nelems; i++) {
        status[i] = given && given[i];
        left -= (size_t)status[i];
    }
    while (left > 0) {
        uint64_t began = tern_clock_ns();

        tern_run(&step);
        if (step.result.u == 0 || step.result.u > left)
            return;
        report_result(&step, tern_clock_ns() - began, report);
        for (size_t i = 0; i < step.result.u; i++)
            status[indices[i]] = 1;
        left -= step.result.u;
    }
}

/* The call itself is made last. It waits only if a variable has changed back meanwhile. */
static void wait_for_all(struct tern_call *call, void (*report)(const void *word, uint64_t ns))
{
    size_t nelems = (size_t)tern_call_number(call, TERN_NELEMS, 0);
    size_t *indices = calloc(nelems, sizeof *indices);
    int *status = calloc(nelems, sizeof *status);

    if (indices && status)
        wait_by_steps(call, nelems, status, indices, report);
    free(indices);
    free(status);
    tern_run(call);
}

void tern_waits_run(struct tern_call *call, void (*report)(const void *word, uint64_t ns))
{
    const void *word = tern_call_pointer(call, TERN_IVAR);
    uint64_t began = tern_clock_ns();

    if (call->routine->steps) {
        wait_for_all(call, report);
        return;
    }
    tern_run(call);
    if (!word)
        word = tern_call_pointer(call, TERN_SIG_ADDR);
    if (call->routine->place[TERN_NELEMS])
        report_result(call, tern_clock_ns() - began, report);
    else if (word)
        report(word, tern_clock_ns() - began);
}
