/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program calls, as a tool sees it. A tool is a shared library of the wrappers that
 * scripts/gen_tools.py makes and of one function, tern_tool_call().
 */
#ifndef TERN_TOOLS_CALL_H
#define TERN_TOOLS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tern_kind {
    TERN_KIND_OTHER, /* an extension: nothing is known of it */
    TERN_KIND_INIT,
    TERN_KIND_INIT_THREAD,
    TERN_KIND_START_PES,
    TERN_KIND_FINALIZE,
    TERN_KIND_EXIT,
    TERN_KIND_QUERY, /* local, and without effect */
    TERN_KIND_QUERY_THREAD,
    TERN_KIND_CONTROL,
    TERN_KIND_ALLOC,
    TERN_KIND_TEAM_SPLIT,
    TERN_KIND_TEAM_DESTROY,
    TERN_KIND_CTX_CREATE,
    TERN_KIND_CTX_DESTROY,
    TERN_KIND_PUT,
    TERN_KIND_PUT_NBI,
    TERN_KIND_GET,
    TERN_KIND_GET_NBI,
    TERN_KIND_AMO,
    TERN_KIND_AMO_FETCH,
    TERN_KIND_AMO_NBI,
    TERN_KIND_PUT_SIGNAL,
    TERN_KIND_PUT_SIGNAL_NBI,
    TERN_KIND_SIGNAL,
    TERN_KIND_WAIT, /* for a variable, or a lock */
    TERN_KIND_TEST,
    TERN_KIND_FENCE,
    TERN_KIND_QUIET,
    TERN_KIND_PE_QUIET,
    TERN_KIND_LOCK_CLEAR,
    TERN_KIND_BARRIER,
    TERN_KIND_SYNC,
    TERN_KIND_COLLECTIVE,
};

/* What a collective routine does with the data of its PEs. */
enum tern_movement {
    TERN_NO_MOVEMENT,
    TERN_BROADCAST,
    TERN_COLLECT, /* of as much as each PE likes */
    TERN_FCOLLECT,
    TERN_ALLTOALL, /* with strides, or without */
    TERN_REDUCTION,
    TERN_SCAN,
};

/* Arguments that mean the same in all routines that have them. */
enum tern_role {
    TERN_NO_ROLE,
    TERN_CTX,
    TERN_TEAM,
    TERN_DEST,
    TERN_SOURCE,
    TERN_NELEMS,
    TERN_PE,
    TERN_DST,
    TERN_SST,
    TERN_BSIZE,
    TERN_NBLOCKS,
    TERN_SIG_ADDR,
    TERN_IVAR, /* what is waited for, or a lock */
    TERN_PE_START,
    TERN_LOG_PE_STRIDE,
    TERN_PE_SIZE,
    TERN_INDICES,    /* of the variables that have ended a wait for some */
    TERN_STATUS,     /* which variables are not waited for */
    TERN_CMP_VALUES, /* one for each variable */
    TERN_BLOCK,      /* of symmetric memory */
    TERN_SIZE,       /* in bytes, of so many as count says */
    TERN_COUNT,
    TERN_N_ROLES
};

struct tern_call;

/* A routine; there is one description of each. */
struct tern_routine {
    const char *name;
    void (*run)(struct tern_call *call); /* makes the call, as it is recorded, of the library */
    enum tern_kind kind;
    enum tern_movement movement;
    uint16_t element;                 /* bytes of one of nelems */
    uint16_t alignment;               /* of an element */
    int8_t place[TERN_N_ROLES];       /* which argument has this role, from 1 on; 0: none */
    const struct tern_routine *steps; /* of a wait for all: the wait for some, else NULL */
    const char *arguments;            /* "p dest,u nelems": which member has it, and its name */
};

/* Whole numbers are widened, by their sign. */
union tern_value {
    void *p;
    int64_t i;
    uint64_t u;
    float f;
    double d;
    long double ld;
};

/* One call: only as many arguments are set as the routine has. */
struct tern_call {
    const struct tern_routine *routine;
    const void *site; /* where it returns to */
    union tern_value result;
    union tern_value arg[12];
};

/* There are at most so many. */
#define TERN_MOST_ROUTINES 4096
extern const struct tern_routine tern_routines[];

/* The argument with this role, or NULL. */
static inline union tern_value *tern_call_find(struct tern_call *call, enum tern_role role)
{
    int place = call->routine->place[role];

    return place ? &call->arg[place - 1] : NULL;
}

static inline void *tern_call_pointer(struct tern_call *call, enum tern_role role)
{
    union tern_value *value = tern_call_find(call, role);

    return value ? value->p : NULL;
}

static inline int64_t tern_call_number(struct tern_call *call, enum tern_role role,
                                       int64_t otherwise)
{
    union tern_value *value = tern_call_find(call, role);

    return value ? value->i : otherwise;
}

/* An allocation, or an end of one, of nothing: it returns at once, and meets no other PE. */
static inline bool tern_call_allocates_nothing(struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_ALLOC && !tern_call_pointer(call, TERN_BLOCK) &&
           (tern_call_number(call, TERN_SIZE, 0) == 0 ||
            tern_call_number(call, TERN_COUNT, 1) == 0);
}

/*
 * The tool: has to run the call, now or later, before it returns where the result is needed. True
 * if those of this thread's next calls that quick.h describes are not for it to see.
 */
bool tern_tool_call(struct tern_call *call);

static inline void tern_run(struct tern_call *call)
{
    call->routine->run(call);
}

/* Hands a call of the program to the tool; one made inside of the library or the tool runs as is.
 */
void tern_call(struct tern_call *call);

/* The calling thread is the tool's own: nothing that it calls is the program's. */
void tern_call_stay_inside(void);

/* The library's routine of that name. Its absence ends the program. */
void *tern_real(const char *name);

/* Whether the library has the routine: an older one lacks some. */
bool tern_has(const char *name);

/* A routine of the library to be called by the tool itself: TERN_REAL(shmem_quiet)(). */
#define TERN_REAL(name)                                                                            \
    ({                                                                                             \
        static void *known_##name;                                                                 \
        if (!known_##name)                                                                         \
            known_##name = tern_real(#name);                                                       \
        (__typeof__(&name))known_##name;                                                           \
    })

#endif
