/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of the contexts and teams of a program, which handles name. A record is kept after its
 * destruction, until the handle is used again. The caller holds the records lock.
 */
#ifndef TERN_CHECK_HANDLES_H
#define TERN_CHECK_HANDLES_H

#include "tools/call.h"
#include "tools/check/report/findings.h"

/* The call that created or destroyed a handle; routine is NULL if there was none. */
struct tern_check_event {
    const struct tern_routine *routine;
    const void *site;
};

struct tern_check_handle {
    void *value;
    struct tern_check_event made, ended;
    /* of contexts only */
    void *team;
    int n_pes; /* of the team */
    long options;
    const void *owner; /* a thread */
    int n_users;       /* threads that are in calls on it */
    const void *user;
    int number; /* for the check of races: see args/contexts.h */
};

/* In the order of creation: programs use the newest ones most. */
struct tern_check_handles {
    enum tern_check_finding kind;
    const char *noun;
    struct tern_check_handle *handles;
    size_t n, room;
    size_t latest; /* the index found last */
};

/* The record of a handle, or NULL. It is valid until another one is added. */
struct tern_check_handle *tern_check_handles_find(struct tern_check_handles *table,
                                                  const void *value);

/* Adds a record for what the call created; NULL without memory. */
struct tern_check_handle *tern_check_handles_add(struct tern_check_handles *table, void *value,
                                                 const struct tern_call *call);

/* The call destroys it. */
void tern_check_handles_end(struct tern_check_handle *handle, const struct tern_call *call);

/* Reports the use of a handle that was destroyed. Returns whether it was; handle may be NULL. */
bool tern_check_handles_report_ended(const struct tern_call *call,
                                     const struct tern_check_handles *table,
                                     const struct tern_check_handle *handle);

/* Reports the handles that were not destroyed, and drops all records. */
void tern_check_handles_close(struct tern_check_handles *table);

#endif
