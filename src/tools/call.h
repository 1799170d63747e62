/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of the program's calls, as a tool gets them. A tool is a shared library that consists of
 * the wrappers, made by scripts/gen_tools.py, and of one function, tern_tool_call().
 */
#ifndef TERN_TOOLS_CALL_H
#define TERN_TOOLS_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tern_kind {
    TERN_KIND_OTHER, /* an extension: its effect is unknown */
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
    TERN_COLLECT, /* blocks may differ in length */
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
    TERN_IVAR, /* the variable to wait for, or a lock */
    TERN_PE_START,
    TERN_LOG_PE_STRIDE,
    TERN_PE_SIZE,
    TERN_INDICES,    /* result: the variables that ended a wait for some */
    TERN_STATUS,     /* the variables that a wait excludes */
    TERN_CMP_VALUES, /* one for each variable */
    TERN_BLOCK,      /* of symmetric memory */
    TERN_SIZE,       /* in bytes; of one of TERN_COUNT elements, if there is a count */
    TERN_COUNT,
    TERN_N_ROLES
};

struct tern_call;

/* A routine; there is one description of each. */
struct tern_routine {
    const char *name;
    void (*run)(struct tern_call *call); /* makes the recorded call to the library */
    enum tern_kind kind;
    enum tern_movement movement;
    uint16_t element;                 /* bytes of an element */
    uint16_t alignment;               /* of an element */
    int8_t place[TERN_N_ROLES];       /* which argument has this role, from 1 on; 0: none */
    const struct tern_routine *steps; /* for a wait for all: the wait for some; else NULL */
    const char *arguments;            /* "p dest,u nelems": member of tern_value, and name */
};

/* Whole numbers are extended to 64 bits, signed ones in i, unsigned ones in u. */
union tern_value {
    void *p;
    int64_t i;
    uint64_t u;
    float f;
    double d;
    long double ld;
};

/* One call. Elements of arg beyond the routine's arguments are not set. */
struct tern_call {
    const struct tern_routine *routine;
    const void *site; /* the address to which the call returns */
    union tern_value result;
    union tern_value arg[12];
};

/* The upper limit of the number of routines. */
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

/* Whether the call allocates or frees no memory: it then returns at once, without a barrier. */
static inline bool tern_call_allocates_nothing(struct tern_call *call)
{
    return call->routine->kind == TERN_KIND_ALLOC && !tern_call_pointer(call, TERN_BLOCK) &&
           (tern_call_number(call, TERN_SIZE, 0) == 0 ||
            tern_call_number(call, TERN_COUNT, 1) == 0);
}

/*
 * The tool itself. It runs the call, now or later; before it returns, if the program needs a
 * result. Returns true if this thread's next calls may bypass the tool where quick.h allows that.
 */
bool tern_tool_call(struct tern_call *call);

static inline void tern_run(struct tern_call *call)
{
    call->routine->run(call);
}

/*
 * Called by the wrappers: passes a call of the program to the tool. A call that the library or the
 * tool makes goes directly to the library.
 */
void tern_call(struct tern_call *call);

/* From now on no call of this thread counts as the program's: for threads of the tool. */
void tern_call_stay_inside(void);

/* The library's routine of that name. Its absence ends the program. */
void *tern_real(const char *name);

/* Whether the library has the routine: older libraries lack some. */
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
