/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the functions that libishmem exports for the check, if the program uses it. */
#include "tools/check/shared/ishmem.h"

#include <dlfcn.h>

#include "tools/program.h"

typedef const void *question(void);

static const void *no_answer(void)
{
    return NULL;
}

/* Finds a function of libishmem, once. */
static question *find(question **known, const char *name)
{
    question *found = __atomic_load_n(known, __ATOMIC_RELAXED);

    if (!found) {
        found = (question *)dlsym(RTLD_DEFAULT, name);
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found ? found : no_answer;
}

/* Programs that have queues are linked with the library, so it is there from the start or never. */
const void *tern_check_ishmem_site(void)
{
    static question *known;
    question *site = find(&known, "ishmemi_site");

    if (site == no_answer)
        __atomic_store_n(&known, no_answer, __ATOMIC_RELAXED);
    return site();
}

bool tern_check_ishmem_is_used(void)
{
    static question *known;

    return find(&known, "ishmemi_site") != no_answer;
}

bool tern_check_ishmem_is_byte(const struct tern_call *call, uintptr_t *start, size_t *bytes)
{
    static question *known;
    enum tern_kind kind = call->routine->kind;
    const void *byte;

    if (tern_program_has(call->site) || call->routine->element != sizeof(uint32_t) ||
        (kind != TERN_KIND_AMO && kind != TERN_KIND_AMO_FETCH))
        return false;
    byte = find(&known, "ishmemi_byte")();
    if (!byte)
        return false;
    *start = (uintptr_t)byte;
    *bytes = 1;
    return true;
}
