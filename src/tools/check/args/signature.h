/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signature of a collective call: its routine and arguments in a form that other PEs can
 * compare. The standard says which arguments have to be the same.
 */
#ifndef TERN_CHECK_SIGNATURE_H
#define TERN_CHECK_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/check/shared/portable_location.h"

#define MAX_ARGUMENTS 10

/* Fields that few calls need come last. */
struct tern_check_signature {
    int32_t pe;
    uint16_t routine; /* its index */
    uint16_t ends;    /* the process ends: this is no call */
    uint16_t empty;   /* 1 + the routine that has just allocated 0 bytes; 0: none */
    uint16_t n_args;
    struct tern_check_portable_location location;
    uint64_t arg[MAX_ARGUMENTS]; /* addresses by tern_symmetric_name() */
    struct tern_check_portable_location empty_location;
} __attribute__((aligned(64)));

/* Fills in routine and arguments from the call. */
void tern_check_signature_of_call(struct tern_check_signature *signature,
                                  const struct tern_call *call);

/* The call of a signature, with this PE's own addresses. */
void tern_check_signature_to_call(struct tern_call *call,
                                  const struct tern_check_signature *signature);

/*
 * The index of the first argument that has to be the same in both signatures, which are of one
 * routine, and is not; -1 if there is none. name: the argument's name in the standard.
 */
int tern_check_signature_find_difference(const struct tern_check_signature *one,
                                         const struct tern_check_signature *other, char name[32]);

/* Whether the argument is an address. */
bool tern_check_signature_is_address(const struct tern_routine *routine, int argument);

/* The name of an argument in the standard. */
void tern_check_signature_name(const struct tern_routine *routine, int argument, char name[32]);

/* The index of the argument of this name, or -1. */
int tern_check_signature_argument(const struct tern_routine *routine, const char *name);

/*
 * Goes through the teams that a split has created, as far as this PE is a member. *argument: -1 at
 * first; then the index of the argument that returned the team. False after the last.
 */
bool tern_check_signature_next_team(const struct tern_call *call, int *argument, void **team);

/* Whether the argument is an unsigned number. */
bool tern_check_signature_is_unsigned(const struct tern_routine *routine, int argument);

#endif
