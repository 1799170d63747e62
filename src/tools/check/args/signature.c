/* SPDX-License-Identifier: BSD-3-Clause */
/* Classifies the arguments of collective calls by their names in the standard. */
#include "tools/check/args/signature.h"

#include <shmem.h>
#include <stdio.h>
#include <string.h>

#include "tools/symmetric.h"

enum how {
    ANY,       /* may differ between PEs, or identifies the group */
    SAME,      /* a number that all members have to pass */
    SYMMETRIC, /* the address of the same object on all PEs, where it is used */
};

struct classes {
    bool known;
    uint8_t n;
    uint8_t how[MAX_ARGUMENTS];
};

static bool is_one_of(const char *name, size_t n, const char *names)
{
    for (const char *at = names; (at = strstr(at, " "));) {
        at++;
        if (strncmp(at, name, n) == 0 && (at[n] == ' ' || !at[n]))
            return true;
    }
    return false;
}

/* Only the root's source matters to a broadcast. */
static enum how kind_of(const struct tern_routine *routine, const char *name, size_t n)
{
    if (is_one_of(name, n, " dest ptr pSync pWrk") ||
        (is_one_of(name, n, " source") && routine->movement != TERN_BROADCAST))
        return SYMMETRIC;
    if (is_one_of(name, n, " nelems") && routine->movement == TERN_COLLECT)
        return ANY;
    return is_one_of(name, n,
                     " nelems nreduce PE_root dst sst size count alignment hints start stride "
                     "xrange")
               ? SAME
               : ANY;
}

/* The name of an argument. *n: its length. */
static const char *name_of(const struct tern_routine *routine, int argument, size_t *n)
{
    const char *at = routine->arguments;

    while (argument-- > 0)
        at = strchr(at, ',') + 1;
    at = strchr(at, ' ') + 1;
    *n = strcspn(at, ",");
    return at;
}

void tern_check_signature_name(const struct tern_routine *routine, int argument, char name[32])
{
    size_t n;
    const char *text = name_of(routine, argument, &n);

    snprintf(name, 32, "%.*s", (int)n, text);
}

static void learn(struct classes *classes, const struct tern_routine *routine)
{
    int n = *routine->arguments != '\0';

    for (const char *at = routine->arguments; (at = strchr(at, ',')); at++)
        n++;
    classes->n = (uint8_t)(n < MAX_ARGUMENTS ? n : MAX_ARGUMENTS);
    for (int i = 0; i < classes->n; i++) {
        size_t length;
        const char *name = name_of(routine, i, &length);

        classes->how[i] = (uint8_t)kind_of(routine, name, length);
    }
    __atomic_store_n(&classes->known, true,
                     __ATOMIC_RELEASE); /* partner: the acquire in classes_of() */
}

/* Several threads may fill in the same element at once: they store the same. */
static const struct classes *classes_of(const struct tern_routine *routine)
{
    static struct classes all[TERN_MOST_ROUTINES];
    struct classes *classes = &all[routine - tern_routines];

    if (!__atomic_load_n(&classes->known, __ATOMIC_ACQUIRE))
        learn(classes, routine);
    return classes;
}

int tern_check_signature_argument(const struct tern_routine *routine, const char *name)
{
    const char *at = routine->arguments;

    for (int i = 0; *at; i++) {
        const char *word = strchr(at, ' ') + 1;
        size_t n = strcspn(word, ",");

        if (strlen(name) == n && strncmp(word, name, n) == 0)
            return i;
        at = word + n + (word[n] == ',');
    }
    return -1;
}

/* "new_team" or "xaxis_team"; but not the parent's. */
static bool is_for_team(const char *name, size_t n)
{
    return n > 5 && strncmp(name + n - 5, "_team", 5) == 0 && strncmp(name, "parent_", 7) != 0;
}

bool tern_check_signature_next_team(const struct tern_call *call, int *argument, void **team)
{
    const struct classes *classes = classes_of(call->routine);

    if (call->result.i != 0) /* no team was created */
        return false;
    while (++*argument < classes->n) {
        size_t n;
        const char *name = name_of(call->routine, *argument, &n);
        void *const *made = call->arg[*argument].p;

        if (is_for_team(name, n) && made && *made != (void *)SHMEM_TEAM_INVALID) {
            *team = *made;
            return true;
        }
    }
    return false;
}

bool tern_check_signature_is_unsigned(const struct tern_routine *routine, int argument)
{
    size_t n;

    return name_of(routine, argument, &n)[-2] == 'u';
}

bool tern_check_signature_is_address(const struct tern_routine *routine, int argument)
{
    return classes_of(routine)->how[argument] == SYMMETRIC;
}

void tern_check_signature_of_call(struct tern_check_signature *signature,
                                  const struct tern_call *call)
{
    const struct classes *classes = classes_of(call->routine);

    signature->routine = (uint16_t)(call->routine - tern_routines);
    signature->n_args = classes->n;
    for (int i = 0; i < classes->n; i++)
        signature->arg[i] =
            classes->how[i] == SYMMETRIC ? tern_symmetric_name(call->arg[i].p) : call->arg[i].u;
}

void tern_check_signature_to_call(struct tern_call *call,
                                  const struct tern_check_signature *signature)
{
    const struct classes *classes;

    memset(call, 0, sizeof *call);
    call->routine = &tern_routines[signature->routine];
    classes = classes_of(call->routine);
    for (int i = 0; i < classes->n; i++)
        if (classes->how[i] == SYMMETRIC)
            call->arg[i].p = tern_symmetric_address(signature->arg[i]);
        else
            call->arg[i].u = signature->arg[i];
}

/* Addresses need not match where no elements are transferred. */
static bool is_empty(const struct tern_routine *routine,
                     const struct tern_check_signature *signature)
{
    int8_t place = routine->place[TERN_NELEMS];

    return place && signature->arg[place - 1] == 0;
}

int tern_check_signature_find_difference(const struct tern_check_signature *one,
                                         const struct tern_check_signature *other, char name[32])
{
    const struct tern_routine *routine = &tern_routines[one->routine];
    const struct classes *classes = classes_of(routine);
    bool empty = is_empty(routine, one) || is_empty(routine, other);

    if (memcmp(one->arg, other->arg, classes->n * sizeof one->arg[0]) == 0) /* the usual case */
        return -1;
    for (int pass = SAME; pass <= SYMMETRIC;
         pass++) /* a wrong count explains more than a wrong address */
        for (int i = 0; i < classes->n; i++) {
            if (classes->how[i] != pass || one->arg[i] == other->arg[i] ||
                (pass == SYMMETRIC && empty))
                continue;
            tern_check_signature_name(routine, i, name);
            return i;
        }
    return -1;
}
