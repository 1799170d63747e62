/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Books of what a program makes, names by handles and ends: a record of each, also after its end
 * until its handle is used again. The caller holds a lock.
 */
#ifndef TERN_CHECK_HANDLES_H
#define TERN_CHECK_HANDLES_H

#include "tools/call.h"
#include "tools/check/report/findings.h"

/* A call that made a thing, or ended it; the routine is NULL if there was none. */
struct tern_check_event {
    const struct tern_routine *routine;
    const void *site;
};

struct tern_check_handle {
    void *value;
    struct tern_check_event made, ended;
    /* of contexts */
    void *team;
    int n_pes; /* of the team */
    long options;
    const void *owner; /* a thread */
    int n_users;       /* threads that are in calls on it */
    const void *user;
    int number; /* while races are looked for, as in args/contexts.h */
};

/* In the order of making: the last ones are those that are used most. */
struct tern_check_handles {
    enum tern_check_finding kind;
    const char *noun;
    struct tern_check_handle *handles;
    size_t n, room;
    size_t latest; /* that was found */
};

/* The record of a handle, or NULL. Records move when others are added. */
struct tern_check_handle *tern_check_handles_find(struct tern_check_handles *table,
                                                  const void *value);

/* A new record, of what the call has made; NULL without memory. */
struct tern_check_handle *tern_check_handles_add(struct tern_check_handles *table, void *value,
                                                 const struct tern_call *call);

/* It ends by the call. */
void tern_check_handles_end(struct tern_check_handle *handle, const struct tern_call *call);

/* Whether it, if it is any, is over, which is reported. */
bool tern_check_handles_report_ended(const struct tern_call *call,
                                     const struct tern_check_handles *table,
                                     const struct tern_check_handle *handle);

/* Reports what is left, and forgets all. */
void tern_check_handles_close(struct tern_check_handles *table);

#endif
