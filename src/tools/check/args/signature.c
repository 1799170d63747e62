/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows by the names of arguments what they are to a collective call. */
#include "tools/check/args/signature.h"

#include <shmem.h>
#include <stdio.h>
#include <string.h>

#include "tools/symmetric.h"

enum how {
    ANY,       /* may differ, or is what the PEs were found by */
    SAME,      /* a number that all have to pass */
    SYMMETRIC, /* an address of the same thing on all PEs, if it is used */
};

struct rule {
    bool known;
    uint8_t n;
    uint8_t how[TERN_CHECK_ARGUMENTS];
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

/* A broadcast's source is the root's. */
static enum how how_of(const struct tern_routine *routine, const char *name, size_t n)
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

/* The name of an argument, and its length. */
static const char *name_of(const struct tern_routine *routine, int argument, size_t *n)
{
    const char *at = routine->arguments;

    while (argument-- > 0)
        at = strchr(at, ',') + 1;
    at = strchr(at, ' ') + 1;
    *n = strcspn(at, ",");
    return at;
}

static void learn(struct rule *rule, const struct tern_routine *routine)
{
    int n = *routine->arguments != '\0';

    for (const char *at = routine->arguments; (at = strchr(at, ',')); at++)
        n++;
    rule->n = (uint8_t)(n < TERN_CHECK_ARGUMENTS ? n : TERN_CHECK_ARGUMENTS);
    for (int i = 0; i < rule->n; i++) {
        size_t length;
        const char *name = name_of(routine, i, &length);

        rule->how[i] = (uint8_t)how_of(routine, name, length);
    }
    __atomic_store_n(&rule->known, true, __ATOMIC_RELEASE); /* with the acquire in rule_of() */
}

/* Several threads may learn the same at once. */
static const struct rule *rule_of(const struct tern_routine *routine)
{
    static struct rule rules[TERN_MOST_ROUTINES];
    struct rule *rule = &rules[routine - tern_routines];

    if (!__atomic_load_n(&rule->known, __ATOMIC_ACQUIRE))
        learn(rule, routine);
    return rule;
}

int tern_check_rule_argument(const struct tern_routine *routine, const char *name)
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

/* "new_team", "xaxis_team"; the parent's name is one of these, too. */
static bool is_for_team(const char *name, size_t n)
{
    return n > 5 && strncmp(name + n - 5, "_team", 5) == 0 && strncmp(name, "parent_", 7) != 0;
}

bool tern_check_rule_next_team(const struct tern_call *call, int *argument, void **team)
{
    const struct rule *rule = rule_of(call->routine);

    if (call->result.i != 0) /* it has made none */
        return false;
    while (++*argument < rule->n) {
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

bool tern_check_rule_is_unsigned(const struct tern_routine *routine, int argument)
{
    size_t n;

    return name_of(routine, argument, &n)[-2] == 'u';
}

bool tern_check_rule_is_address(const struct tern_routine *routine, int argument)
{
    return rule_of(routine)->how[argument] == SYMMETRIC;
}

void tern_check_record_call(struct tern_check_record *record, const struct tern_call *call)
{
    const struct rule *rule = rule_of(call->routine);

    record->routine = (uint16_t)(call->routine - tern_routines);
    record->n_args = rule->n;
    for (int i = 0; i < rule->n; i++)
        record->arg[i] =
            rule->how[i] == SYMMETRIC ? tern_symmetric_name(call->arg[i].p) : call->arg[i].u;
}

void tern_check_recorded_call(struct tern_call *call, const struct tern_check_record *record)
{
    const struct rule *rule;

    memset(call, 0, sizeof *call);
    call->routine = &tern_routines[record->routine];
    rule = rule_of(call->routine);
    for (int i = 0; i < rule->n; i++)
        if (rule->how[i] == SYMMETRIC)
            call->arg[i].p = tern_symmetric_address(record->arg[i]);
        else
            call->arg[i].u = record->arg[i];
}

/* Addresses do not count where there is nothing. */
static bool is_empty(const struct tern_routine *routine, const struct tern_check_record *record)
{
    int8_t place = routine->place[TERN_NELEMS];

    return place && record->arg[place - 1] == 0;
}

int tern_check_rule_find(const struct tern_check_record *one, const struct tern_check_record *other,
                         char name[32])
{
    const struct tern_routine *routine = &tern_routines[one->routine];
    const struct rule *rule = rule_of(routine);
    bool empty = is_empty(routine, one) || is_empty(routine, other);

    if (memcmp(one->arg, other->arg, rule->n * sizeof one->arg[0]) == 0) /* mostly */
        return -1;
    for (int pass = SAME; pass <= SYMMETRIC; pass++) /* what an address is for comes first */
        for (int i = 0; i < rule->n; i++) {
            size_t length;
            const char *text;

            if (rule->how[i] != pass || one->arg[i] == other->arg[i] ||
                (pass == SYMMETRIC && empty))
                continue;
            text = name_of(routine, i, &length);
            snprintf(name, 32, "%.*s", (int)length, text);
            return i;
        }
    return -1;
}
