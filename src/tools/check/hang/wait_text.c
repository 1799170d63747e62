/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes what this PE's threads wait for: variables with their current values, locks, other PEs.
 */
#include "tools/check/hang/wait_text.h"

#include <sched.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#include "tools/check/args/address_text.h"
#include "tools/check/args/library_state.h"
#include "tools/check/args/signature.h"
#include "tools/check/shared/records_lock.h"
#include "tools/symmetric.h"

static bool describing;
static void (*describe_group)(const void *record, char *text, size_t size);

/*
 * Copies a thread's blocking call; the thread does not leave it meanwhile. False if it is in none.
 */
static bool copy(const struct tern_check_wait *wait, struct tern_check_wait *call)
{
    call->turn = __atomic_load_n(&wait->turn, __ATOMIC_SEQ_CST);
    if (call->turn % 2 == 0)
        return false;
    call->routine = wait->routine;
    call->site = wait->site;
    /* partner: tern_check_waits_enter_group(), which may run at the same time */
    call->group = __atomic_load_n(&wait->group, __ATOMIC_ACQUIRE);
    call->number = call->group ? wait->number : 0;
    call->group_record = wait->group_record;
    memcpy(call->arg, wait->arg, sizeof call->arg);
    return true;
}

/* ---- variables ---- */

static const char *comparison(int cmp)
{
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return "==";
    case SHMEM_CMP_NE:
        return "!=";
    case SHMEM_CMP_GT:
        return ">";
    case SHMEM_CMP_GE:
        return ">=";
    case SHMEM_CMP_LT:
        return "<";
    case SHMEM_CMP_LE:
        return "<=";
    default:
        return "?";
    }
}

/* The type of the variables waited for. */
struct type {
    size_t size;
    bool is_unsigned;
};

static struct type type_of(const struct tern_routine *routine)
{
    int value = tern_check_signature_argument(routine, "cmp_value");

    if (strstr(routine->name, "signal_wait"))
        return (struct type){8, true};
    if (value >= 0)
        return (struct type){routine->element, tern_check_signature_is_unsigned(routine, value)};
    return (struct type){routine->element, strncmp(routine->name, "shmem_u", 7) == 0 ||
                                               strncmp(routine->name, "shmem_size", 10) == 0};
}

/* The current value of the variable, sign- or zero-extended. */
static int64_t read_value(struct type type, const void *address)
{
    switch (type.size) {
    case 2:
        if (type.is_unsigned)
            return *(const volatile uint16_t *)address;
        return *(const volatile int16_t *)address;
    case 4:
        if (type.is_unsigned)
            return *(const volatile uint32_t *)address;
        return *(const volatile int32_t *)address;
    default:
        return *(const volatile int64_t *)address;
    }
}

static bool holds(struct type type, int64_t value, int cmp, int64_t than)
{
    bool less = type.is_unsigned ? (uint64_t)value < (uint64_t)than : value < than;

    switch (cmp) {
    case SHMEM_CMP_EQ:
        return value == than;
    case SHMEM_CMP_NE:
        return value != than;
    case SHMEM_CMP_GT:
        return !less && value != than;
    case SHMEM_CMP_GE:
        return !less;
    case SHMEM_CMP_LT:
        return less;
    default:
        return less || value == than;
    }
}

static void format_value(struct type type, int64_t value, char text[24])
{
    snprintf(text, 24, type.is_unsigned ? "%llu" : "%lld", (long long)value);
}

/* Writes the condition and the current value. */
static void describe_one(struct type type, const void *address, int cmp, int64_t than, char *text)
{
    char wanted[24], is[24], name[MAX_WAIT_TEXT / 2];

    format_value(type, than, wanted);
    format_value(type, read_value(type, address), is);
    tern_check_address_text_format(address, name, sizeof name);
    snprintf(text, MAX_WAIT_TEXT, "until %s %s %s; it is %s", name, comparison(cmp), wanted, is);
}

/* The arguments of a wait for several variables. */
struct set {
    struct type type;
    const char *ivars, *values; /* values: NULL if value is for all */
    const int *status;          /* or NULL */
    uint64_t n;
    int64_t value;
    int cmp;
};

static const void *pointer_named(const struct tern_routine *routine,
                                 const struct tern_check_wait *call, const char *name)
{
    int argument = tern_check_signature_argument(routine, name);

    return argument < 0 ? NULL : (const void *)(uintptr_t)call->arg[argument];
}

static uint64_t number_named(const struct tern_routine *routine, const struct tern_check_wait *call,
                             const char *name)
{
    int argument = tern_check_signature_argument(routine, name);

    return argument < 0 ? 0 : call->arg[argument];
}

static void find_set(const struct tern_routine *routine, const struct tern_check_wait *call,
                     struct set *set)
{
    set->type = type_of(routine);
    set->ivars = pointer_named(routine, call, "ivars");
    set->values = pointer_named(routine, call, "cmp_values");
    set->status = pointer_named(routine, call, "status");
    set->n = number_named(routine, call, "nelems");
    set->value = (int64_t)number_named(routine, call, "cmp_value");
    set->cmp = (int)number_named(routine, call, "cmp");
}

/*
 * Counts the variables that are waited for, and those whose condition holds. *open: one whose does
 * not.
 */
static void count_set(const struct set *set, uint64_t *counted, uint64_t *held, uint64_t *open)
{
    *counted = *held = *open = 0;
    for (uint64_t i = 0; i < set->n; i++) {
        size_t offset = i * set->type.size;
        int64_t than = set->values ? read_value(set->type, set->values + offset) : set->value;

        if (set->status && set->status[i])
            continue;
        ++*counted;
        if (holds(set->type, read_value(set->type, set->ivars + offset), set->cmp, than))
            ++*held;
        else
            *open = i;
    }
}

static void describe_many(const struct tern_routine *routine, const struct tern_check_wait *call,
                          char *text)
{
    char name[MAX_WAIT_TEXT / 2], wanted[32] = "as asked", is[24];
    bool all = strstr(routine->name, "_all");
    uint64_t counted, held, open;
    struct set set;

    find_set(routine, call, &set);
    count_set(&set, &counted, &held, &open);
    tern_check_address_text_format(set.ivars, name, sizeof name);
    if (!set.values) {
        format_value(set.type, set.value, is);
        snprintf(wanted, sizeof wanted, "%s %s", comparison(set.cmp), is);
    }
    format_value(set.type, read_value(set.type, set.ivars + open * set.type.size), is);
    snprintf(text, MAX_WAIT_TEXT,
             "until %s of %llu variables from %s on %s %s; of these %llu %s, and [%llu] is %s",
             all ? "all" : "one", (unsigned long long)counted, name, all ? "are" : "is", wanted,
             (unsigned long long)held, held == 1 ? "is" : "are", (unsigned long long)open, is);
}

static void describe_variable(const struct tern_routine *routine,
                              const struct tern_check_wait *call, char *text)
{
    struct type type = type_of(routine);
    int cmp = tern_check_signature_argument(routine, "cmp");
    int value = tern_check_signature_argument(routine, "cmp_value");
    const void *first = (const void *)(uintptr_t)call->arg[0];

    if (tern_check_signature_argument(routine, "nelems") >= 0)
        describe_many(routine, call, text);
    else if (value >= 0)
        describe_one(type, first, cmp < 0 ? SHMEM_CMP_NE : (int)call->arg[cmp],
                     (int64_t)call->arg[value], text);
}

/* ---- calls ---- */

static void describe_set(const struct tern_routine *routine, const struct tern_check_wait *call,
                         struct tern_check_wait_text *waits_for)
{
    if (!routine->place[TERN_PE_SIZE])
        return;
    waits_for->start = (int32_t)call->arg[routine->place[TERN_PE_START] - 1];
    waits_for->log_stride = (int32_t)call->arg[routine->place[TERN_LOG_PE_STRIDE] - 1];
    waits_for->size = (int32_t)call->arg[routine->place[TERN_PE_SIZE] - 1];
}

static void describe(const struct tern_check_wait *call, struct tern_check_wait_text *waits_for)
{
    const struct tern_routine *routine = &tern_routines[call->routine];
    int is_lock = tern_check_signature_argument(routine, "lock");

    waits_for->text[0] = '\0';
    waits_for->routine = call->routine;
    waits_for->group = call->group;
    waits_for->number = call->number;
    waits_for->size = 0;
    waits_for->lock = 0;
    tern_check_portable_location_of(call->site, &waits_for->location);
    if (is_lock >= 0) {
        void *lock = (void *)(uintptr_t)call->arg[is_lock];

        waits_for->lock = tern_symmetric_name(lock);
        tern_check_address_text_format(lock, waits_for->text, sizeof waits_for->text);
    } else if (routine->kind == TERN_KIND_WAIT)
        describe_variable(routine, call, waits_for->text);
    else
        describe_set(routine, call, waits_for);
    if (call->group && call->group != WORLD_KEY && describe_group)
        describe_group(call->group_record, waits_for->text, sizeof waits_for->text);
}

void tern_check_wait_text_name_groups(void (*describe)(const void *record, char *text, size_t size))
{
    describe_group = describe;
}

void tern_check_wait_text_await(void)
{
    while (__atomic_load_n(&describing, __ATOMIC_SEQ_CST))
        sched_yield();
}

/* Until it has finished, threads do not leave their calls, nor change the records. */
void tern_check_wait_text_update(struct tern_check_slot *slot)
{
    uint32_t asked = __atomic_load_n(&slot->asked, __ATOMIC_ACQUIRE);
    struct tern_check_wait call;

    tern_check_records_lock();
    __atomic_store_n(&describing, true, __ATOMIC_SEQ_CST); /* partner: tern_check_waits_leave() */
    for (int i = 0; i < MAX_THREADS; i++) {
        struct tern_check_wait_text *waits_for = &slot->wait_texts[i];

        waits_for->turn = 0;
        if (copy(&slot->waits[i], &call)) {
            describe(&call, waits_for);
            waits_for->turn = call.turn;
        }
    }
    __atomic_store_n(&describing, false, __ATOMIC_SEQ_CST);
    tern_check_records_unlock();
    slot->threaded =
        __atomic_load_n(&tern_check_library_state.level, __ATOMIC_RELAXED) > SHMEM_THREAD_FUNNELED;
    __atomic_store_n(&slot->answered, asked,
                     __ATOMIC_RELEASE); /* partner: the load in hang/hang_table.c */
}
