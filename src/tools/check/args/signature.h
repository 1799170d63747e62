/* SPDX-License-Identifier: BSD-3-Clause */
/* What the standard says of the arguments of collective calls: which have to be the same. */
#ifndef TERN_CHECK_SIGNATURE_H
#define TERN_CHECK_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/check/shared/portable_location.h"

#define MAX_ARGUMENTS 10

/* A call, in words that other PEs understand. What most do not have comes last. */
struct tern_check_signature {
    int32_t pe;
    uint16_t routine; /* index */
    uint16_t ends;    /* not a call: the process ends */
    uint16_t empty;   /* an allocation of nothing has come just before: its routine's index + 1 */
    uint16_t n_args;
    struct tern_check_portable_location location;
    uint64_t arg[MAX_ARGUMENTS]; /* addresses by tern_symmetric_name() */
    struct tern_check_portable_location empty_location;
} __attribute__((aligned(64)));

/* Puts a call's arguments into words that other PEs understand. */
void tern_check_signature_of_call(struct tern_check_signature *signature,
                                  const struct tern_call *call);

/* The call of a signature, with this PE's own addresses. */
void tern_check_signature_to_call(struct tern_call *call,
                                  const struct tern_check_signature *signature);

/*
 * Of two records of one routine, the first argument that has to be the same and is not, from 0 on;
 * -1 if there is none. The name is what the standard calls it.
 */
int tern_check_signature_find_difference(const struct tern_check_signature *one,
                                         const struct tern_check_signature *other, char name[32]);

/* Whether the argument is an address. */
bool tern_check_signature_is_address(const struct tern_routine *routine, int argument);

/* Which argument has this name: from 0 on, -1 for none. */
int tern_check_signature_argument(const struct tern_routine *routine, const char *name);

/*
 * Goes through the teams that a split has made, as far as this PE is in them: argument is -1 at
 * first, and then the one that the team came by. False after the last.
 */
bool tern_check_signature_next_team(const struct tern_call *call, int *argument, void **team);

/* Whether the argument is a number without a sign. */
bool tern_check_signature_is_unsigned(const struct tern_routine *routine, int argument);

#endif
