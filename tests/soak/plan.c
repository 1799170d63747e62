/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The generator: draws the steps of a lane. It draws freely, and puts a fence or a quiet before a
 * step where the standard requires one, and nowhere else on purpose.
 */
#include "lane.h"

#include <string.h>

bool plan_stores = true;

static const struct {
    enum kind kind;
    unsigned percent;
} weights[] = {
    {PUT, 29},   {P, 13},     {GET, 11},  {G, 3},     {AMO, 15},    {SHARED, 14},
    {TICKET, 6}, {SIGNAL, 4}, {FENCE, 2}, {QUIET, 1}, {SESSION, 1}, {COMPUTE, 1},
};

static enum kind draw_kind(struct draw *draw)
{
    unsigned roll = draw_below(draw, 100), i = 0;

    while (roll >= weights[i].percent)
        roll -= weights[i++].percent;
    return weights[i].kind;
}

static int draw_pe(struct lane *lane)
{
    return lane->first + lane->stride * (int)draw_below(&lane->draw, (uint64_t)lane->size);
}

/* Mostly small ones. 256 and 4 KiB are where the library's routes differ. */
static uint32_t draw_bytes(struct draw *draw)
{
    static const uint32_t limits[] = {8, 8, 16, 16, 32, 64, 64, 128, 270, 270, 600, 4096};

    return 1 + draw_below(draw, limits[draw_below(draw, sizeof limits / sizeof *limits)]);
}

/* Often near the place before, so that steps overlap. */
static uint32_t draw_at(struct lane *lane, uint32_t bytes, uint32_t align)
{
    bool in_static = draw_chance(&lane->draw, 40);
    uint32_t room = (in_static ? STATIC_BYTES : HEAP_BYTES) - bytes;
    uint32_t at = draw_below(&lane->draw, room + 1);

    if (draw_chance(&lane->draw, 35))
        at = lane->last_at < room ? lane->last_at : room;
    lane->last_at = at;
    at &= ~(align - 1);
    return in_static ? HEAP_BYTES + at : at;
}

/* Of 1, 2, 4, 8 or 16 bytes each; as many as fit into `bytes`, in blocks if strided. */
static void draw_elements(struct lane *lane, struct step *step, uint32_t bytes)
{
    struct draw *draw = &lane->draw;
    uint32_t n;

    step->size = 1u << draw_below(draw, 5);
    n = bytes > step->size ? bytes / step->size : 1;
    step->count = step->remote_stride = step->local_stride = 1;
    step->block = n;
    if (!draw_chance(draw, 25))
        return;
    step->is_strided = true;
    n = n > 40 ? 40 : n;
    step->block = draw_chance(draw, 60) ? 1 : 1 + draw_below(draw, n);
    step->count = n / step->block;
    step->remote_stride = step->block + draw_below(draw, 3);
    step->local_stride = step->block + draw_below(draw, 3);
}

static uint32_t remote_bytes(const struct step *step)
{
    return ((step->count - 1) * step->remote_stride + step->block) * step->size;
}

/* In the table, which is as long as a row's part in the heap, or in the row. */
static void draw_place(struct lane *lane, struct step *step)
{
    if (step->from_table)
        step->at = draw_below(&lane->draw, HEAP_BYTES - remote_bytes(step) + 1) & ~(step->size - 1);
    else
        step->at = draw_at(lane, remote_bytes(step), step->size);
}

static void draw_signal(struct lane *lane, struct step *step)
{
    step->signal = draw_below(&lane->draw, SIGNALS);
    step->compare = draw_bits(&lane->draw);
    step->op = step->signal >= SIGNALS / 2 || draw_chance(&lane->draw, 50) ? OP_ADD : OP_SET;
}

static void draw_put(struct lane *lane, struct step *step)
{
    unsigned roll = draw_below(&lane->draw, 100);

    draw_elements(lane, step, draw_bytes(&lane->draw));
    draw_place(lane, step);
    step->type = draw_below(&lane->draw, 4);
    if (step->is_strided || roll < 40)
        step->form = BLOCKING;
    else if (roll < 75)
        step->form = NBI;
    else if (roll < 95)
        step->form = roll % 2 ? WITH_SIGNAL : WITH_SIGNAL_NBI;
    else
        step->form = lane->context == NOSTORE || !plan_stores ? BLOCKING : STORE;
    if (step->form == WITH_SIGNAL || step->form == WITH_SIGNAL_NBI)
        draw_signal(lane, step);
}

static void draw_get(struct lane *lane, struct step *step)
{
    draw_elements(lane, step, draw_bytes(&lane->draw));
    step->from_table = draw_chance(&lane->draw, 60);
    draw_place(lane, step);
    step->type = draw_below(&lane->draw, 4);
    if (!step->is_strided && draw_chance(&lane->draw, 60))
        step->form = NBI;
}

/* p and g: a float or a double as well. */
static void draw_scalar(struct lane *lane, struct step *step)
{
    step->size = 1u << draw_below(&lane->draw, 4);
    step->block = step->count = step->remote_stride = step->local_stride = 1;
    step->type = draw_below(&lane->draw, 2);
    step->from_table = step->kind == G && draw_chance(&lane->draw, 60);
    draw_place(lane, step);
}

static void draw_word(struct lane *lane, struct step *step)
{
    step->size = draw_chance(&lane->draw, 60) ? 8 : 4;
    step->block = step->count = step->remote_stride = step->local_stride = 1;
    step->type = draw_below(&lane->draw, 64);
    step->in_static = draw_chance(&lane->draw, 40);
}

static enum form draw_amo_form(struct lane *lane, enum op op)
{
    unsigned roll = draw_below(&lane->draw, 100);

    if (op == OP_SET || (roll < 45 && op != OP_FETCH && op != OP_SWAP && op != OP_CSWAP))
        return BLOCKING;
    return roll < 70 ? FETCHING : FETCHING_NBI;
}

static void draw_amo(struct lane *lane, struct step *step)
{
    uint64_t word = 0;

    draw_word(lane, step);
    step->op = (enum op)draw_below(&lane->draw, OPS);
    step->form = draw_amo_form(lane, step->op);
    step->at = draw_at(lane, 8, 8);
    if (step->op == OP_CSWAP && draw_chance(&lane->draw, 60)) {
        memcpy(&word, lane->rows[step->pe].bytes + step->at, 8);
        step->compare = word; /* so that it swaps */
    }
}

/* Sums of values below 2^32 and 2^16: the counters do not overflow. */
static void draw_shared(struct lane *lane, struct step *step)
{
    static const enum op ops[] = {OP_ADD, OP_ADD, OP_INC, OP_AND, OP_OR, OP_XOR};

    draw_word(lane, step);
    step->op = ops[draw_below(&lane->draw, sizeof ops / sizeof *ops)];
    step->form = draw_amo_form(lane, step->op);
    step->at = draw_below(&lane->draw, SHARED_WORDS);
    if (step->op == OP_ADD)
        step->value = draw_below(&lane->draw, UINT64_C(1) << (step->size == 8 ? 31 : 14));
    else if (step->op == OP_OR)
        step->value = UINT64_C(1) << draw_below(&lane->draw, step->size * 8);
    else if (step->op == OP_AND)
        step->value = ~(UINT64_C(1) << draw_below(&lane->draw, step->size * 8));
}

static void draw_ticket(struct lane *lane, struct step *step)
{
    draw_word(lane, step);
    step->op = draw_chance(&lane->draw, 50) ? OP_INC : OP_ADD;
    step->value = 1;
    step->form = draw_chance(&lane->draw, 30) ? FETCHING : FETCHING_NBI;
    step->at = draw_below(&lane->draw, TICKETS);
}

static struct step draw_step(struct lane *lane)
{
    struct step step = {.kind = draw_kind(&lane->draw), .pe = draw_pe(lane)};

    step.value = draw_bits(&lane->draw);
    step.compare = draw_bits(&lane->draw);
    switch (step.kind) {
    case PUT:
        draw_put(lane, &step);
        break;
    case GET:
        draw_get(lane, &step);
        break;
    case P:
    case G:
        draw_scalar(lane, &step);
        break;
    case AMO:
        draw_amo(lane, &step);
        break;
    case SHARED:
        draw_shared(lane, &step);
        break;
    case TICKET:
        draw_ticket(lane, &step);
        break;
    case SIGNAL:
        draw_signal(lane, &step);
        break;
    default:
        step.type = draw_below(&lane->draw, 4);
        break;
    }
    return step;
}

/* Each start on a boundary of 16 bytes. */
static uint32_t arena_bytes(const struct step *step)
{
    bool used = step_is_nbi(step) && step->kind != SIGNAL;

    return used ? ((uint32_t)step_local_bytes(step) + 31) & ~15u : 0;
}

static bool has_room(const struct lane *lane, const struct step *step)
{
    return lane->used + arena_bytes(step) <= ARENA_BYTES && lane->n_pending + 1 < MAX_PENDING;
}

static struct step ordering(struct lane *lane, enum kind kind)
{
    return (struct step){.kind = kind, .type = draw_below(&lane->draw, 4), .pe = lane->first};
}

bool plan_next(struct lane *lane, struct step *step)
{
    if (lane->ended)
        return false;
    if (!lane->holds && lane->number >= lane->n_steps) {
        *step = ordering(lane, QUIET);
        lane->ended = true;
        return true;
    }
    if (!lane->holds)
        lane->held = draw_step(lane);
    lane->number++;
    if (model_needs_quiet(lane, &lane->held) || !has_room(lane, &lane->held)) {
        lane->holds = true;
        *step = ordering(lane, QUIET);
    } else if (model_needs_fence(lane, &lane->held)) {
        lane->holds = true;
        *step = ordering(lane, draw_chance(&lane->draw, 85) ? FENCE : QUIET);
    } else {
        lane->holds = false;
        *step = lane->held;
        lane->used += arena_bytes(step);
        lane->n_pending += step_is_nbi(step);
    }
    return true;
}

/* On the team of every other PE, a lane reaches those that are even or odd as its PE is. */
void lane_begin(struct lane *lane, const struct round *round, int pe, int index, struct row *rows)
{
    *lane = (struct lane){
        .pe = pe, .index = index, .rows = rows, .first = 0, .stride = 1, .size = soak_n_pes};
    lane->draw = draw_from(round->seed, DRAW_LANE, (uint64_t)(pe * MAX_LANES + index));
    lane->context = (enum context)draw_below(&lane->draw, CONTEXTS);
    lane->fence_epoch = lane->quiet_epoch = 1;
    lane->n_steps = 100 + draw_below(&lane->draw, 1500);
    if (lane->context == REVERSED) {
        lane->first = soak_n_pes - 1;
        lane->stride = -1;
    } else if (lane->context == PARITY) {
        lane->first = pe % 2;
        lane->stride = 2;
        lane->size = (soak_n_pes + 1 - pe % 2) / 2;
    }
    memset(rows, 0, (size_t)soak_n_pes * sizeof *rows);
    for (int target = 0; target < soak_n_pes; target++)
        for (uint32_t at = 0; at < SIGNALS_AT; at++)
            rows[target].bytes[at] = model_start(pe, index, target, at);
}
