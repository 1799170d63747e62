/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds names for arguments: of objects in symbol tables, and of the standard's constants. */
#include "tools/check/report/call_text.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_buffer.h"
#include "tools/check/shared/source_location.h"
#include "tools/check/shared/static_objects.h"

/* ---- constants ---- */

#define CONSTANT(argument, name)                                                                   \
    {                                                                                              \
        argument, #name, (uint64_t)(name)                                                          \
    }

static const char *find_constant(const char *argument, size_t length, uint64_t value)
{
    const struct {
        const char *argument, *name;
        uint64_t value;
    } constants[] = {
        CONSTANT("team", SHMEM_TEAM_WORLD),
        CONSTANT("team", SHMEM_TEAM_SHARED),
        CONSTANT("team", SHMEM_TEAM_INVALID),
        CONSTANT("parent_team", SHMEM_TEAM_WORLD),
        CONSTANT("parent_team", SHMEM_TEAM_SHARED),
        CONSTANT("parent_team", SHMEM_TEAM_INVALID),
        CONSTANT("ctx", SHMEM_CTX_DEFAULT),
        CONSTANT("ctx", SHMEM_CTX_INVALID),
        CONSTANT("cmp", SHMEM_CMP_EQ),
        CONSTANT("cmp", SHMEM_CMP_NE),
        CONSTANT("cmp", SHMEM_CMP_GT),
        CONSTANT("cmp", SHMEM_CMP_GE),
        CONSTANT("cmp", SHMEM_CMP_LT),
        CONSTANT("cmp", SHMEM_CMP_LE),
        CONSTANT("sig_op", SHMEM_SIGNAL_SET),
        CONSTANT("sig_op", SHMEM_SIGNAL_ADD),
    };

    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        if (constants[i].value == value && strlen(constants[i].argument) == length &&
            strncmp(constants[i].argument, argument, length) == 0)
            return constants[i].name;
    return NULL;
}

/* ---- Fortran ---- */

/* The wrapper's symbol, if the call comes from Tern's Fortran interface; else NULL. */
static const char *find_wrapper(const struct tern_call *call)
{
    Dl_info info;

    if (!call->site || !dladdr(call->site, &info) || !info.dli_sname ||
        strncmp(tern_check_source_location_base_name(info.dli_fname), "libtern-fortran.", 16) != 0)
        return NULL;
    return info.dli_sname;
}

/*
 * Each routine has a symbol for each way in which compilers write its name: in capitals, or with
 * underscores behind. The names are few, and never freed.
 */
static const char *as_in_manual(const char *symbol)
{
    static struct name {
        struct name *next;
        char text[];
    } * names;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    size_t n = strlen(symbol);
    struct name *name;

    while (n > 0 && symbol[n - 1] == '_')
        n--;
    pthread_mutex_lock(&lock);
    for (name = names; name && (strncasecmp(name->text, symbol, n) != 0 || name->text[n]);
         name = name->next)
        ;
    if (!name && (name = calloc(1, sizeof *name + n + 1))) {
        for (size_t i = 0; i < n; i++)
            name->text[i] = (char)tolower((unsigned char)symbol[i]);
        name->next = names;
        names = name;
    }
    pthread_mutex_unlock(&lock);
    return name ? name->text : NULL;
}

const char *tern_check_call_text_routine(const struct tern_call *call)
{
    const char *symbol = find_wrapper(call);
    const char *name = symbol ? as_in_manual(symbol) : NULL;

    return name ? name : call->routine->name;
}

/* ---- arguments ---- */

static void add_address(const struct tern_call *call, const void *address, char *text, size_t size)
{
    const struct tern_check_static_object *object =
        address ? tern_check_static_objects_find((uintptr_t)address) : NULL;
    size_t element = call->routine->element, distance;
    char name[200];

    if (!object) {
        tern_text_buffer_add(text, size, address ? "%p" : "NULL", address);
        return;
    }
    tern_check_static_objects_name(object, name, sizeof name);
    distance = (uintptr_t)address - object->start;
    if (find_wrapper(call) && distance % element == 0 && object->size > element)
        tern_text_buffer_add(text, size, "%s(%zu)", name, distance / element + 1);
    else if (distance == 0)
        tern_text_buffer_add(text, size, "%s", name);
    else if (element > 1 && distance % element == 0)
        tern_text_buffer_add(text, size, "&%s[%zu]", name, distance / element);
    else
        tern_text_buffer_add(text, size, "%s + %zu bytes", name, distance);
}

static void add_value(const struct tern_call *call, const char *kind, const union tern_value *value,
                      char *text, size_t size)
{
    const char *name = kind + 2, *constant = NULL;

    if (kind[0] == 'p' || kind[0] == 'i')
        constant = find_constant(name, strcspn(name, ","), value->u);
    if (constant)
        tern_text_buffer_add(text, size, "%s", constant);
    else if (kind[0] == 'p')
        add_address(call, value->p, text, size);
    else if (kind[0] == 'i')
        tern_text_buffer_add(text, size, "%lld", (long long)value->i);
    else if (kind[0] == 'u')
        tern_text_buffer_add(text, size, "%llu", (unsigned long long)value->u);
    else if (kind[0] == 'f')
        tern_text_buffer_add(text, size, "%g", (double)value->f);
    else if (strncmp(kind, "ld ", 3) == 0)
        tern_text_buffer_add(text, size, "%Lg", value->ld);
    else
        tern_text_buffer_add(text, size, "%g", value->d);
}

void tern_check_call_text_add(const struct tern_call *call, char *text, size_t size)
{
    const char *argument = call->routine->arguments;

    if (!call->routine->run) { /* no routine: a load or a store of the program */
        tern_text_buffer_add(text, size, "%s", call->routine->name);
        return;
    }
    tern_text_buffer_add(text, size, "%s(", tern_check_call_text_routine(call));
    for (int i = 0; *argument; i++) {
        const char *name = strchr(argument, ' ') + 1;
        size_t n = strcspn(name, ",");

        tern_text_buffer_add(text, size, "%s%.*s=", i ? ", " : "", (int)n, name);
        add_value(call, argument, &call->arg[i], text, size);
        argument = name + n + (name[n] == ',');
    }
    tern_text_buffer_add(text, size, ")");
}
