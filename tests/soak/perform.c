/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries the steps of a lane out by OpenSHMEM, and checks what they return. */
#include <string.h>
#include <time.h>

#include "calls.inc"
#include "lane.h"
#include "report.h"

static uint64_t *signal_word(const struct performer *p, const struct step *s)
{
    return (uint64_t *)(void *)storm_row(p->lane.pe, p->lane.index, SIGNALS_AT + s->signal * 8);
}

/* clang-format off */
#define EACH_TRANSFER(X) \
    X(bits8, , 8) X(bits16, , 16) X(bits32, , 32) X(bits64, , 64) X(bits128, , 128) \
    X(schar, schar_, ) X(uchar, uchar_, ) X(short, short_, ) X(uint16, uint16_, ) \
    X(int, int_, ) X(float, float_, ) X(long, long_, ) X(double, double_, )
#define EACH_SCALAR(X) \
    X(char, char) X(uint8, uint8_t) X(short, short) X(uint16, uint16_t) X(int, int) \
    X(float, float) X(uint64, uint64_t) X(double, double)
#define EACH_BITS(X) \
    X(uint, unsigned) X(int32, int32_t) X(uint32, uint32_t) X(ulong, unsigned long) \
    X(ulonglong, unsigned long long) X(int64, int64_t) X(uint64, uint64_t)
#define EACH_AMO(X) \
    EACH_BITS(X) X(int, int) X(long, long) X(longlong, long long) X(size, size_t) \
    X(ptrdiff, ptrdiff_t)
#define EACH_SET(X) EACH_AMO(X) X(float, float) X(double, double)
/* clang-format on */

EACH_TRANSFER(DEFINE_TRANSFERS)
DEFINE_TRANSFERS(mem, , mem)
EACH_TRANSFER(DEFINE_STRIDED)
EACH_SCALAR(DEFINE_SCALAR)
EACH_SET(DEFINE_SET)
EACH_AMO(DEFINE_ADD)
EACH_BITS(DEFINE_BITS)

/* ---- puts and gets ---- */

typedef void transfer(const struct performer *p, const struct step *s, void *to, const void *from,
                      size_t n, int pe);
typedef void strided(const struct performer *p, const struct step *s, void *to, const void *from,
                     int pe);
typedef void scalar(const struct performer *p, void *to, const void *from, int pe);

#define CALLS(name)                                                                                \
    {                                                                                              \
        put_##name, get_##name, iput_##name, iget_##name                                           \
    }

/* By the logarithm of the element's size, and by the type of the step. */
static const struct {
    transfer *put, *get;
    strided *iput, *iget;
} calls[5][3] = {
    {CALLS(bits8), CALLS(schar), CALLS(uchar)},       {CALLS(bits16), CALLS(short), CALLS(uint16)},
    {CALLS(bits32), CALLS(int), CALLS(float)},        {CALLS(bits64), CALLS(long), CALLS(double)},
    {CALLS(bits128), CALLS(bits128), CALLS(bits128)},
};

#define SCALAR(name)                                                                               \
    {                                                                                              \
        p_##name, g_##name                                                                         \
    }

static const struct {
    scalar *p, *g;
} scalars[4][2] = {
    {SCALAR(char), SCALAR(uint8)},
    {SCALAR(short), SCALAR(uint16)},
    {SCALAR(int), SCALAR(float)},
    {SCALAR(uint64), SCALAR(double)},
};

/* How the context numbers a PE of the world. */
static int number_of(const struct lane *lane, int pe)
{
    return (pe - lane->first) / lane->stride;
}

static void put(struct performer *p, const struct step *s, unsigned char *to, unsigned char *from)
{
    int pe = number_of(&p->lane, s->pe), log = __builtin_ctz(s->size);
    void *there = s->form == STORE ? shmem_ptr(to, s->pe) : NULL;

    if (s->kind == P)
        scalars[log][s->type].p(p, to, from, pe);
    else if (s->is_strided)
        calls[log][s->type % 3].iput(p, s, to, from, pe);
    else if (there)
        memcpy(there, from, step_bytes(s));
    else if (s->form == STORE)
        ON(p, putmem, to, from, step_bytes(s), pe);
    else if (s->type == 3)
        put_mem(p, s, to, from, step_bytes(s), pe);
    else
        calls[log][s->type].put(p, s, to, from, s->block, pe);
}

static void get(struct performer *p, const struct step *s, unsigned char *to,
                const unsigned char *from)
{
    int pe = number_of(&p->lane, s->pe), log = __builtin_ctz(s->size);

    if (s->kind == G)
        scalars[log][s->type].g(p, to, from, pe);
    else if (s->is_strided)
        calls[log][s->type % 3].iget(p, s, to, from, pe);
    else if (s->type == 3)
        get_mem(p, s, to, from, step_bytes(s), pe);
    else
        calls[log][s->type].get(p, s, to, from, s->block, pe);
}

/* ---- atomic operations ---- */

typedef void amo(const struct performer *p, const struct step *s, void *dest, void *fetched,
                 int pe);

#define SET_OF(name, type) set_##name,
#define ADD_OF(name, type) add_##name,
#define BITS_OF(name, type) bits_##name,
#define SIZE_OF(name, type) sizeof(type),

static amo *const sets[] = {EACH_SET(SET_OF)}, *const adds[] = {EACH_AMO(ADD_OF)},
                  *const bits[] = {EACH_BITS(BITS_OF)};
static const size_t sizes[] = {EACH_SET(SIZE_OF)}; /* the shorter lists are its beginnings */

/* One of the types of the step's size. */
static amo *choose(amo *const *list, size_t n, const struct step *s)
{
    size_t i = s->type % n;

    while (sizes[i] != s->size)
        i = (i + 1) % n;
    return list[i];
}

static amo *routine_of(const struct step *s)
{
    if (s->op == OP_SET || s->op == OP_SWAP || s->op == OP_FETCH)
        return choose(sets, sizeof sets / sizeof *sets, s);
    if (s->op == OP_AND || s->op == OP_OR || s->op == OP_XOR)
        return choose(bits, sizeof bits / sizeof *bits, s);
    return choose(adds, sizeof adds / sizeof *adds, s);
}

static void *shared_word(const struct step *s)
{
    struct shared *shared = storm_shared(s->in_static);
    bool wide = s->size == 8;

    if (s->kind == TICKET)
        return wide ? (void *)&shared->ticket64[s->at] : &shared->ticket32[s->at];
    if (s->op == OP_AND)
        return wide ? (void *)&shared->and64[s->at] : &shared->and32[s->at];
    if (s->op == OP_OR)
        return wide ? (void *)&shared->or64[s->at] : &shared->or32[s->at];
    if (s->op == OP_XOR)
        return wide ? (void *)&shared->xor64[s->at] : &shared->xor32[s->at];
    return wide ? (void *)&shared->sum64[s->at] : &shared->sum32[s->at];
}

/* ---- results ---- */

static uint64_t word_of(const unsigned char *result, size_t bytes)
{
    uint64_t word = 0;

    memcpy(&word, result, bytes);
    return word;
}

static void take_ticket(struct performer *p, const struct step *s, const unsigned char *result)
{
    uint64_t ticket = word_of(result, s->size);
    struct ticket_sums *sums =
        &p->tickets[s->pe][s->in_static][s->at + (s->size == 8 ? 0 : TICKETS)];

    sums->sum += ticket;
    sums->squares += ticket * ticket;
}

/* A counter that is only added to grows from one blocking operation of a lane to the next. */
static void check_growth(struct performer *p, const struct step *s, const unsigned char *result)
{
    uint64_t *seen = &p->seen[s->pe][s->in_static][s->at], value = word_of(result, s->size);

    if (s->size != 8 || (s->op != OP_ADD && s->op != OP_INC) || s->form != FETCHING)
        return;
    expect(value >= *seen, "lane %d of PE %d, step %u: %s: fetched %llu after %llu", p->lane.index,
           p->lane.pe, p->lane.number, step_text(s), (unsigned long long)value,
           (unsigned long long)*seen);
    *seen = value + (s->op == OP_INC ? 1 : s->value);
}

static void check_result(struct performer *p, const struct pending *r)
{
    size_t i = 0;

    if (r->step.kind == TICKET) {
        take_ticket(p, &r->step, r->result);
        return;
    }
    if (r->step.kind == SHARED) {
        check_growth(p, &r->step, r->result);
        return;
    }
    while (i < r->bytes && r->result[i] == r->expected[i])
        i++;
    expect(
        i == r->bytes, "lane %d of PE %d, step %u: %s: byte %zu of the result is %#x, expected %#x",
        p->lane.index, p->lane.pe, r->number, step_text(&r->step), i, r->result[i], r->expected[i]);
}

/* The step writes to local memory, now or until quiet, which is checked then. */
static void perform_get(struct performer *p, const struct step *s, unsigned char *local,
                        unsigned char *expected)
{
    struct pending r = {*s, p->lane.number, local, expected, step_local_bytes(s)};
    int pe = number_of(&p->lane, s->pe);

    memset(local, GAP, r.bytes);
    model_apply(&p->lane, s, expected);
    if (s->kind == TICKET || s->kind == SHARED)
        routine_of(s)(p, s, shared_word(s), local, pe);
    else if (s->kind == AMO)
        routine_of(s)(p, s, storm_row(p->lane.pe, p->lane.index, s->at), local, pe);
    else if (s->from_table)
        get(p, s, local, storm_table() + s->at);
    else
        get(p, s, local, storm_row(p->lane.pe, p->lane.index, s->at));
    if (step_is_nbi(s))
        p->pending[p->n_pending++] = r;
    else
        check_result(p, &r);
}

/* ---- the rest ---- */

/* The source of a blocking put may change when the call returns. */
static void perform_put(struct performer *p, const struct step *s, unsigned char *local)
{
    uint64_t k = 0;

    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t b = 0; b < s->block * s->size; b++)
            local[(size_t)i * s->local_stride * s->size + b] = draw_byte(s->value, k++);
    put(p, s, storm_row(p->lane.pe, p->lane.index, s->at), local);
    if (!step_is_nbi(s))
        memset(local, 0x55, step_local_bytes(s));
}

static void perform_fence(const struct performer *p)
{
    if (p->lane.context == PLAIN)
        shmem_fence();
    else
        shmem_ctx_fence(p->ctx);
}

static void quiet_by_pe(const struct performer *p)
{
    int pes[MAX_PES];

    for (int i = 0; i < p->lane.size; i++)
        pes[i] = i;
    ON(p, pe_quiet, pes, (size_t)p->lane.size);
}

static void perform_quiet(struct performer *p, const struct step *s)
{
    if (s->type == 3)
        quiet_by_pe(p);
    else if (p->lane.context == PLAIN)
        shmem_quiet();
    else
        shmem_ctx_quiet(p->ctx);
    for (unsigned i = 0; i < p->n_pending; i++)
        check_result(p, &p->pending[i]);
    p->n_pending = 0;
    p->used = 0;
}

/* Without a call of the library: its own threads have to deliver what is under way. */
static void compute(const struct step *s)
{
    struct timespec from, now;
    long ns = 20000L << (s->type * 2);

    clock_gettime(CLOCK_MONOTONIC, &from);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < ns);
}

static void perform_session(const struct performer *p, const struct step *s)
{
    shmem_ctx_session_config_t config = {.total_ops = 1 + s->value % 2000};
    shmem_ctx_t ctx = p->lane.context == PLAIN ? SHMEM_CTX_DEFAULT : p->ctx;

    if (s->type == 0)
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    else if (s->type == 1)
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    else
        shmem_ctx_session_stop(ctx);
}

static void perform_signal(const struct performer *p, const struct step *s)
{
    int pe = number_of(&p->lane, s->pe);

    if (s->op == OP_ADD)
        ON(p, signal_add, signal_word(p, s), s->compare, pe);
    else
        ON(p, signal_set, signal_word(p, s), s->compare, pe);
}

static void perform_update(struct performer *p, const struct step *s)
{
    void *word = s->kind == AMO ? storm_row(p->lane.pe, p->lane.index, s->at) : shared_word(s);

    routine_of(s)(p, s, word, NULL, number_of(&p->lane, s->pe));
}

/* Until quiet, local memory of a nonblocking operation is its own. Odd addresses, where legal. */
static size_t take_arena(struct performer *p, const struct step *s)
{
    size_t at = p->used + (s->size == 1 ? s->value % 16 : 0);

    if (step_is_nbi(s))
        p->used += (step_local_bytes(s) + 31) & ~(size_t)15;
    return at;
}

void perform(struct performer *p, const struct step *s)
{
    static _Thread_local _Alignas(16) unsigned char local[2][ROW_BYTES];
    bool is_transfer = s->kind <= TICKET;
    size_t at = is_transfer ? take_arena(p, s) : 0;
    unsigned char *here = is_transfer && step_is_nbi(s) ? p->arena + at : local[0];

    if (step_has_result(s)) {
        perform_get(p, s, here, here == local[0] ? local[1] : p->expected + at);
        return;
    }
    if (s->kind == PUT || s->kind == P)
        perform_put(p, s, here);
    else if (s->kind == AMO || s->kind == SHARED)
        perform_update(p, s);
    else if (s->kind == SIGNAL)
        perform_signal(p, s);
    else if (s->kind == FENCE)
        perform_fence(p);
    else if (s->kind == QUIET)
        perform_quiet(p, s);
    else if (s->kind == SESSION)
        perform_session(p, s);
    else
        compute(s);
    model_apply(&p->lane, s, NULL);
}
