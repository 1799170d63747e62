/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small operations of all kinds to random PEs, as many as fill frames. Each PE computes from the
 * others' seeds what they have done to its memory.
 */
#include "harness/board.h"

enum { ROUNDS = 6, WORDS = 2000, STEPS = 6000, PES = 24, LONGEST = 40 };

static uint64_t counters[WORDS], bits[WORDS], signals[WORDS], rows[PES][WORDS];
static uint32_t halves[WORDS];
static uint64_t expected_counters[WORDS], expected_bits[WORDS], expected_signals[WORDS];
static uint64_t expected_rows[PES][WORDS];
static uint32_t expected_halves[WORDS];
static uint64_t fetched[STEPS], got[WORDS], reference[WORDS];

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 8;
}

/* One step of PE `from`, which has drawn it. */
struct step {
    unsigned kind;
    int to;
    size_t at, n;
    uint64_t value;
};

static struct step draw_step(uint64_t *state)
{
    struct step step = {.kind = (unsigned)(draw(state) % 8)};

    step.to = (int)(draw(state) % (uint64_t)check_n_pes());
    step.at = draw(state) % (WORDS - LONGEST);
    step.n = 1 + draw(state) % LONGEST;
    step.value = draw(state);
    return step;
}

/* A fence before each put keeps puts to the same words in order. */
static void perform(const struct step *step, size_t i)
{
    uint64_t values[LONGEST], *row = rows[check_pe()] + step->at;

    for (size_t k = 0; k < step->n; k++)
        values[k] = step->value + k;
    switch (step->kind) {
    case 0:
        shmem_uint64_atomic_add(counters + step->at, step->value, step->to);
        break;
    case 1:
        shmem_fence();
        shmem_uint64_p(row, step->value, step->to);
        break;
    case 2:
        shmem_fence();
        shmem_uint64_put(row, values, step->n, step->to);
        break;
    case 3:
        shmem_uint64_atomic_xor(bits + step->at, step->value, step->to);
        break;
    case 4:
        shmem_uint32_atomic_add(halves + step->at, (uint32_t)step->value, step->to);
        break;
    case 5:
        shmem_uint64_atomic_fetch_add_nbi(fetched + i, counters + step->at, step->value, step->to);
        break;
    case 6:
        shmem_fence();
        shmem_uint64_put_signal(row, values, step->n, signals + step->at, step->value,
                                SHMEM_SIGNAL_ADD, step->to);
        break;
    case 7:
        shmem_uint64_atomic_fetch_add(counters + step->at, step->value, step->to);
        break;
    }
}

/* The same in this PE's copies. */
static void predict(const struct step *step, int from)
{
    uint64_t *row = expected_rows[from] + step->at;

    switch (step->kind) {
    case 0:
    case 5:
    case 7:
        expected_counters[step->at] += step->value;
        break;
    case 1:
        row[0] = step->value;
        break;
    case 3:
        expected_bits[step->at] ^= step->value;
        break;
    case 4:
        expected_halves[step->at] += (uint32_t)step->value;
        break;
    case 6:
        expected_signals[step->at] += step->value;
        /* fall through */
    case 2:
        for (size_t k = 0; k < step->n; k++)
            row[k] = step->value + k;
        break;
    }
}

static uint64_t seed_of(int pe, int round)
{
    return oracle_bits(pe, (size_t)round, SALT_SENT) | 1;
}

static void run_steps(int round)
{
    uint64_t state = seed_of(check_pe(), round);

    for (size_t i = 0; i < STEPS; i++) {
        struct step step = draw_step(&state);

        perform(&step, i);
    }
    shmem_barrier_all();
}

static void predict_steps(int round)
{
    for (int from = 0; from < check_n_pes(); from++) {
        uint64_t state = seed_of(from, round);

        for (size_t i = 0; i < STEPS; i++) {
            struct step step = draw_step(&state);

            if (step.to == check_pe())
                predict(&step, from);
        }
    }
}

static void check_memory(int round)
{
    check_case("round %d", round);
    check_array(counters, expected_counters, WORDS, "additions-together");
    check_array(bits, expected_bits, WORDS, "xors-together");
    check_array(halves, expected_halves, WORDS, "additions-of-32-bits-together");
    check_array(signals, expected_signals, WORDS, "signals-together");
    for (int from = 0; from < check_n_pes(); from++)
        check_array(rows[from], expected_rows[from], WORDS, "puts-together");
}

/* A get of the whole row is never gathered; short ones can be. */
static void check_gets(int pe)
{
    shmem_uint64_get(reference, rows[0], WORDS, pe);
    memset(got, 0xff, sizeof got);
    for (size_t i = 0, n; i < WORDS; i += n) {
        n = 1 + i % LONGEST;
        n = n < WORDS - i ? n : WORDS - i;
        shmem_uint64_get_nbi(got + i, rows[0] + i, n, pe);
    }
    shmem_quiet();
    check_array(got, reference, WORDS, "gets-together");
}

/* All PEs fetch and add 1 to one word: together they get each number once. */
static void check_fetches(void)
{
    static uint64_t ticket, sum;
    uint64_t own = 0, n = (uint64_t)STEPS * (uint64_t)check_n_pes();

    for (size_t i = 0; i < STEPS; i++)
        shmem_uint64_atomic_fetch_inc_nbi(fetched + i, &ticket, 0);
    shmem_quiet();
    for (size_t i = 0; i < STEPS; i++)
        own += fetched[i];
    shmem_uint64_atomic_add(&sum, own, 0);
    shmem_barrier_all();
    if (check_pe() == 0)
        check_equal(sum, n * (n - 1) / 2, "fetches-together");
}

int main(void)
{
    int rounds;

    check_init("remote/together");
    rounds = check_n_pes() > 8 ? 1 : ROUNDS; /* each takes seconds on few cores */
    if (check_n_pes() > PES)
        return check_finish();
    for (int round = 0; round < rounds; round++) {
        run_steps(round);
        predict_steps(round);
        check_memory(round);
        for (int pe = 0; pe < check_n_pes(); pe++)
            check_gets(pe);
        shmem_barrier_all();
    }
    check_fetches();
    return check_finish();
}
