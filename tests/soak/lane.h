/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lane is a sequence of operations on one context by one thread. It has a row of memory at each
 * PE that no other lane writes to, so plain C can tell what the row contains and what an operation
 * fetches. Words that all lanes change are changed by operations whose order does not matter.
 */
#ifndef SOAK_LANE_H
#define SOAK_LANE_H

#include "soak.h"

enum {
    HEAP_BYTES = 4096,   /* of a row, in the heap */
    STATIC_BYTES = 4096, /* behind them in a row, in static data */
    SIGNALS = 8,         /* signal words behind these, in the heap */
    SIGNALS_AT = HEAP_BYTES + STATIC_BYTES,
    ROW_BYTES = SIGNALS_AT + SIGNALS * 8,
    SHARED_WORDS = 8,      /* of each kind */
    TICKETS = 8,           /* of each width */
    ARENA_BYTES = 1 << 16, /* local memory that operations use until quiet */
    MAX_PENDING = 1024,
    GAP = 0xee, /* fills local memory between the elements of a strided get */
};

enum kind { PUT, P, GET, G, AMO, SHARED, TICKET, SIGNAL, FENCE, QUIET, COMPUTE, SESSION, KINDS };

/* How an operation is called. */
enum form { BLOCKING, NBI, STORE, WITH_SIGNAL, WITH_SIGNAL_NBI, FETCHING, FETCHING_NBI };

enum op { OP_SET, OP_SWAP, OP_FETCH, OP_CSWAP, OP_ADD, OP_INC, OP_AND, OP_OR, OP_XOR, OPS };

/*
 * A transfer has `count` blocks of `block` elements of `size` bytes; strides are in elements. The
 * data of a transfer are the bytes that `value` stands for, in the order of the elements.
 */
struct step {
    enum kind kind;
    enum form form;
    enum op op;
    int pe;      /* of the world */
    uint32_t at; /* offset in the row, in the table, or a word's number */
    uint32_t size, block, count;
    uint32_t remote_stride, local_stride;
    uint32_t signal;                        /* the number of the signal word */
    bool from_table, in_static, is_strided; /* in_static: of a shared word */
    unsigned type;                          /* selects among types of one size */
    uint64_t value, compare;
};

/* A lane's row at one PE, and for each byte the epochs in which it was last used. */
struct row {
    unsigned char bytes[ROW_BYTES];
    uint16_t fenced[ROW_BYTES];  /* written: a fence must end this epoch before the next write */
    uint16_t quieted[ROW_BYTES]; /* written: a quiet must end this epoch before a get */
    uint16_t read[ROW_BYTES];    /* by a nonblocking get: a quiet must end it before a write */
};

/* A result that is complete at quiet. */
struct pending {
    struct step step;
    uint32_t number;
    unsigned char *result, *expected; /* expected: NULL for a ticket */
    size_t bytes;
};

/* The sum of the tickets that a lane drew, and of their squares. */
struct ticket_sums {
    uint64_t sum, squares;
};

/* Whether steps may store through shmem_ptr; set once, before the first round. */
extern bool plan_stores;

enum context {
    PLAIN,
    DEFAULT,
    SHARED_CTX,
    SERIALIZED,
    PRIVATE,
    NOSTORE,
    REVERSED,
    PARITY,
    CONTEXTS
};

struct lane {
    int pe, index;
    uint64_t seed;
    struct draw draw;
    unsigned n_steps, number; /* number: of the step that was drawn last */
    enum context context;
    int first, stride, size; /* member i of the context's team is PE first + i * stride */
    struct row *rows;        /* one for each PE */
    uint16_t fence_epoch, quiet_epoch;
    uint32_t last_at, used; /* used: bytes of the arena since the last quiet */
    unsigned n_pending;
    bool holds, ended;
    struct step held; /* waits for the fence or quiet that was drawn instead */
};

/* The performing half: only for lanes of this PE. */
struct performer {
    struct lane lane;
    shmem_ctx_t ctx;
    unsigned char *arena, *expected; /* local memory until quiet, and what it has to contain */
    size_t used;
    struct pending pending[MAX_PENDING];
    unsigned n_pending;
    struct ticket_sums tickets[MAX_PES][2][2 * TICKETS];
    uint64_t seen[MAX_PES][2][SHARED_WORDS]; /* a counter never has less later */
};

/* What all lanes change at a PE. */
struct shared {
    uint64_t sum64[SHARED_WORDS], xor64[SHARED_WORDS], or64[SHARED_WORDS], and64[SHARED_WORDS];
    uint32_t sum32[SHARED_WORDS], xor32[SHARED_WORDS], or32[SHARED_WORDS], and32[SHARED_WORDS];
    uint64_t ticket64[TICKETS];
    uint32_t ticket32[TICKETS];
};

/* Starts a lane of a PE; `rows` has n_pes rows. */
void lane_begin(struct lane *lane, const struct round *round, int pe, int index, struct row *rows);

/* Draws the next step and returns whether there is one. The last one is a quiet. */
bool plan_next(struct lane *lane, struct step *step);

/* What a PE's table contains, and a row before the first write. */
unsigned char model_table(int pe, uint32_t at);
unsigned char model_start(int pe, int index, int target, uint32_t at);

/* Whether a step needs a fence, or even a quiet, of earlier ones first. */
bool model_needs_fence(const struct lane *lane, const struct step *step);
bool model_needs_quiet(const struct lane *lane, const struct step *step);

/*
 * Carries a step out in the lane's rows. `local` gets the local memory after a get, or the fetched
 * word, if the step has a result; may be NULL.
 */
void model_apply(struct lane *lane, const struct step *step, unsigned char *local);

/* Carries out a step on a shared word or a ticket; `shared` is that of the step's PE. */
void model_apply_shared(const struct step *step, struct shared shared[2]);

/* Bytes of local memory that a transfer or an atomic operation uses. */
size_t step_local_bytes(const struct step *step);
size_t step_bytes(const struct step *step);
bool step_has_result(const struct step *step);
bool step_is_nbi(const struct step *step);

/* As text, for a failure; in static memory. */
const char *step_text(const struct step *step);

/* Carries a step out by OpenSHMEM, and checks its result. */
void perform(struct performer *performer, const struct step *step);

/* Where a row's byte is at this PE: the symmetric address. Also of shared words. */
unsigned char *storm_row(int pe, int index, uint32_t at);
struct shared *storm_shared(bool in_static);
const unsigned char *storm_table(void);

#endif
