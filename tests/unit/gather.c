/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The entries of frames: what each form says, and that invalid ones change no memory; the memory
 * for frames.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/gather/buffer.h"
#include "net/gather/carry_out.h"

#define PES 3
#define BYTES 4096

static uint64_t memory[PES * TERN_NET_SEGMENTS][BYTES / 8];
static const struct tern_pe_range nodes[] = {{.start = 0, .stride = 1, .size = PES}};
static unsigned distance_bits;
static int rings[PES];

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

static struct tern_gather_memory find(int pe, enum tern_net_segment segment)
{
    return (struct tern_gather_memory){
        .start = (char *)memory[pe * TERN_NET_SEGMENTS + (int)segment],
        .bytes = BYTES,
    };
}

static void ring(int pe)
{
    rings[pe]++;
}

static uint64_t *word_of(int pe, uint64_t distance)
{
    return &memory[pe * TERN_NET_SEGMENTS + TERN_NET_HEAP][distance / 8];
}

static uint64_t short_entry(int pe, uint64_t distance, unsigned op, size_t bytes, uint64_t operand)
{
    return tern_entry_pack_short((uint64_t)pe << distance_bits, distance_bits, distance, op, bytes,
                                 operand);
}

/* Returns the words of the answer. */
static size_t carry_out(const uint64_t *frame, size_t words, uint64_t *answer)
{
    return tern_carry_out(frame, words * 8, answer) / 8;
}

/* Sets and fetches an object; all bits around it are 1, and stay so. */
static void expect_operand(uint64_t operand, size_t bytes, bool is_short)
{
    uint64_t answer[TERN_FRAME_WORDS], distance = BYTES - bytes, set, frame[2];
    uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;

    set = short_entry(PES - 1, distance, TERN_NET_SET, bytes, operand);
    CHECK((set != 0) == is_short);
    if (!is_short)
        return;
    CHECK(tern_entry_is_short(set) && tern_entry_length(set) == bytes && !tern_entry_body(set));
    CHECK(tern_entry_pe(set, distance_bits) == PES - 1);
    CHECK(tern_entry_distance(set, distance_bits) == distance);
    memset(memory, 0xff, sizeof memory);
    memset(rings, 0, sizeof rings);
    frame[0] = set;
    frame[1] = short_entry(PES - 1, distance, TERN_NET_FETCH | TERN_ENTRY_FETCHES, bytes, 0);
    CHECK(carry_out(frame, 2, answer) == 1 && answer[0] == (operand & mask));
    if (bytes == 4)
        CHECK((uint32_t)*word_of(PES - 1, BYTES - 8) == UINT32_MAX);
    CHECK(*word_of(PES - 1, BYTES - 16) == UINT64_MAX);
    CHECK(rings[PES - 1] == 1 && !rings[0] && !rings[1]);
}

static void test_operands(void)
{
    uint64_t most = (UINT64_C(1) << (TERN_ENTRY_OPERAND - 1)) - 1, least = ~most;

    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        const uint64_t in[] = {0, 1, most - 1, most, (uint64_t)-1, least + 1, least};
        const uint64_t beyond[] = {most + 1, least - 1, INT32_MAX, (uint64_t)INT32_MIN};

        for (size_t i = 0; i < sizeof in / sizeof *in; i++)
            expect_operand(in[i], bytes, true);
        for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
            expect_operand(beyond[i], bytes, false);
    }
    expect_operand(UINT32_MAX, 4, true); /* -1 of an int, without its sign */
    expect_operand(UINT32_MAX, 8, false);
    expect_operand(UINT64_C(1) << 32, 8, false);
    expect_operand((uint64_t)INT64_MIN, 8, false);
    expect_operand(INT64_MAX, 8, false);
}

static void expect_result(enum tern_net_op op, uint64_t before, uint64_t operand, uint64_t after)
{
    uint64_t answer[TERN_FRAME_WORDS], at = op == TERN_NET_ADD ? 8 : 16;
    uint64_t frame[] = {short_entry(1, at, op, 8, operand),
                        short_entry(1, at, op | TERN_ENTRY_FETCHES, 8, operand)};

    *word_of(1, at) = before;
    CHECK(carry_out(frame, 1, answer) == 0 && *word_of(1, at) == after);
    *word_of(1, at) = before;
    CHECK(carry_out(frame + 1, 1, answer) == 1 && answer[0] == before && *word_of(1, at) == after);
}

static void test_operations(void)
{
    expect_result(TERN_NET_ADD, 5, 1, 6);
    expect_result(TERN_NET_ADD, 0, (uint64_t)-1, UINT64_MAX);
    expect_result(TERN_NET_SWAP, 5, (uint64_t)-3, (uint64_t)-3);
    expect_result(TERN_NET_AND, UINT64_MAX, (uint64_t)-8, (uint64_t)-8);
    expect_result(TERN_NET_OR, 0x50, 5, 0x55);
    expect_result(TERN_NET_XOR, UINT64_MAX, (uint64_t)-1, 0);
}

/* Both forms and a put in one frame, in their order. */
static void test_mixed(void)
{
    uint64_t answer[TERN_FRAME_WORDS], place = UINT64_C(2) << distance_bits;
    uint64_t frame[] = {
        tern_entry_pack(place, 64, TERN_ENTRY_PUT, 256 - 8),
        [32] = short_entry(2, 64, TERN_NET_ADD | TERN_ENTRY_FETCHES, 8, 7),
        tern_entry_pack(place, 64, TERN_NET_ADD | TERN_ENTRY_FETCHES, 8),
        UINT64_C(1) << 40,
        tern_entry_pack(place, 64, TERN_ENTRY_GET, 8),
    };

    frame[1] = 100;
    CHECK(carry_out(frame, sizeof frame / 8, answer) == 3);
    CHECK(answer[0] == 100 && answer[1] == 107 && answer[2] == 107 + (UINT64_C(1) << 40));
}

/* Entries of one operation in a row, and fields of the word that end the row, in a long frame. */
static void test_runs(void)
{
    enum { N = 500 };
    static uint64_t frame[2 * N], answer[TERN_FRAME_WORDS], mirror[PES][BYTES / 8];
    size_t words = 0, results = 0;

    memset(memory, 0, sizeof memory);
    for (uint64_t i = 0; i < N; i++) {
        int pe = (int)(i * 7 / 3 % PES);
        uint64_t word = i * 13 % (BYTES / 8), operand = i % 100 < 70 ? i + 1 : i << 40;
        unsigned op = i % 90 < 40 ? TERN_NET_ADD : TERN_NET_XOR;
        bool fetches = i % 50 < 5;
        uint64_t entry =
            short_entry(pe, 8 * word, op | (fetches ? TERN_ENTRY_FETCHES : 0), 8, operand);

        frame[words++] = entry ? entry
                               : tern_entry_pack((uint64_t)pe << distance_bits, 8 * word,
                                                 op | (fetches ? TERN_ENTRY_FETCHES : 0), 8);
        if (!entry)
            frame[words++] = operand;
        results += fetches;
    }
    CHECK(carry_out(frame, words, answer) == results);
    results = 0;
    for (uint64_t i = 0; i < N; i++) {
        uint64_t *at = &mirror[i * 7 / 3 % PES][i * 13 % (BYTES / 8)];
        uint64_t operand = i % 100 < 70 ? i + 1 : i << 40;

        if (i % 50 < 5)
            CHECK(answer[results++] == *at);
        *at = i % 90 < 40 ? *at + operand : *at ^ operand;
    }
    for (int pe = 0; pe < PES; pe++)
        CHECK(memcmp(word_of(pe, 0), mirror[pe], BYTES) == 0);
}

/* More results than an answer may have: operations without room for theirs are not carried out. */
static void test_long_answer(void)
{
    enum { N = TERN_FRAME_WORDS - 10, TOO_MANY = 20 };
    static uint64_t frame[N + TOO_MANY], answer[TERN_FRAME_WORDS];

    *word_of(0, 0) = *word_of(0, 8) = 0;
    for (size_t i = 0; i < N; i++)
        frame[i] = short_entry(0, 0, TERN_NET_ADD | TERN_ENTRY_FETCHES, 8, 1);
    for (size_t i = 0; i < TOO_MANY; i++)
        frame[N + i] = short_entry(0, 8, TERN_NET_ADD | TERN_ENTRY_FETCHES, 8, 1);
    CHECK(carry_out(frame, N + TOO_MANY, answer) == TERN_FRAME_WORDS);
    CHECK(*word_of(0, 0) == N && *word_of(0, 8) == TERN_FRAME_WORDS - N);
}

/* The last entry lacks its operand. */
static void test_cut(void)
{
    uint64_t answer[TERN_FRAME_WORDS], add = tern_entry_pack(0, 0, TERN_NET_ADD, 8);
    uint64_t frame[] = {add, 5, add, 7, add};

    *word_of(0, 0) = 0;
    CHECK(carry_out(frame, sizeof frame / 8, answer) == 0 && *word_of(0, 0) == 12);
}

/* Places stay in their half of a buffer, also those of two words each. */
static void test_places(struct tern_buffer *buffer, uint32_t frame_words)
{
    struct tern_net_group group = {0};
    uint32_t n = 0;
    char dest;

    for (; tern_buffer_has_room(buffer); n++)
        tern_buffer_add_place(buffer, &dest, 1, &group);
    CHECK(n == frame_words / 2 && buffer->end - buffer->n_places >= buffer->words + frame_words);
}

/* Frames are shorter where the bound would not leave two buffers to each node. */
static void test_memory(void)
{
    static const struct {
        size_t nodes;
        uint32_t words;
    } jobs[] = {{2, 4096}, {127, 4096}, {128, 2048}, {255, 2048}, {256, 1024}, {1000, 1024}};
    const size_t most = (size_t)16 << 20;
    struct tern_buffer *taken = NULL, *buffer;
    size_t bytes = 0;

    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        CHECK(tern_buffer_start(most, jobs[i].nodes) == jobs[i].words);
    for (;;) {
        CHECK(tern_buffer_take(false, &buffer) == 0);
        if (!buffer)
            break;
        test_places(buffer, 1024);
        bytes += sizeof *buffer + 2 * 8 * 1024;
        buffer->next = taken;
        taken = buffer;
    }
    CHECK(bytes <= most && bytes > most * 99 / 100);
    while ((buffer = taken)) {
        taken = buffer->next;
        tern_buffer_give(buffer);
    }
}

/* Objects that short entries cannot name. */
static void test_reach(void)
{
    unsigned bits = distance_bits - (TERN_ENTRY_SEGMENT - TERN_ENTRY_SHORT_PLACE);
    uint64_t last = ((UINT64_C(1) << bits) - 1) * 8, word;

    word = short_entry(PES - 1, last, TERN_NET_ADD, 8, 1);
    CHECK(tern_entry_distance(word, distance_bits) == last);
    CHECK(tern_entry_pe(word, distance_bits) == PES - 1);
    CHECK(!short_entry(0, last + 8, TERN_NET_ADD, 8, 1));
    CHECK(short_entry(0, last / 2, TERN_NET_ADD, 4, 1));
    CHECK(!short_entry(0, last / 2 + 4, TERN_NET_ADD, 4, 1));
    CHECK(!short_entry(0, 4, TERN_NET_ADD, 8, 1) && !short_entry(0, 2, TERN_NET_ADD, 4, 1));
}

/* The same distance in both segments. */
static void test_segments(void)
{
    uint64_t answer[TERN_FRAME_WORDS];
    uint64_t frame[] = {short_entry(1, 24, TERN_NET_SET, 8, 3),
                        short_entry(1, TERN_NET_STATIC_BIT | 24, TERN_NET_SET, 8, 4)};

    CHECK(carry_out(frame, 2, answer) == 0);
    CHECK(*word_of(1, 24) == 3 && memory[TERN_NET_SEGMENTS + TERN_NET_STATIC][3] == 4);
}

/* With one PE on each node, numbers of PEs take no bits. */
static void test_single(void)
{
    uint64_t word =
        tern_entry_pack_short(0, TERN_ENTRY_SEGMENT, 8 * UINT64_C(0xfffffff1), TERN_NET_ADD, 8, 1);

    CHECK(tern_entry_pe(word, TERN_ENTRY_SEGMENT) == 0);
    CHECK(tern_entry_distance(word, TERN_ENTRY_SEGMENT) == 8 * UINT64_C(0xfffffff1));
}

/* An invalid entry, and whatever follows it, is not carried out. */
static void expect_invalid(uint64_t word)
{
    uint64_t answer[TERN_FRAME_WORDS];
    uint64_t frame[] = {word, short_entry(0, 0, TERN_NET_SET, 8, 1), 0, 0};

    memset(memory, 0xff, sizeof memory);
    CHECK(carry_out(frame, sizeof frame / 8, answer) == 0);
    for (size_t i = 0; i < PES * TERN_NET_SEGMENTS; i++)
        for (size_t k = 0; k < BYTES / 8; k++)
            CHECK(memory[i][k] == UINT64_MAX);
}

static void test_invalid(void)
{
    uint64_t valid = short_entry(0, 0, TERN_NET_SET, 8, 0);

    expect_invalid(short_entry(0, BYTES, TERN_NET_SET, 8, 0));
    expect_invalid(short_entry(0, BYTES, TERN_NET_SET, 4, 0));
    expect_invalid(short_entry(PES, 0, TERN_NET_SET, 8, 0));
    expect_invalid(valid | UINT32_MAX);
    expect_invalid(short_entry(0, 0, TERN_NET_COMPARE_SWAP, 8, 0));
    for (uint64_t length = 1; length <= 128; length++)
        if (length != 4 && length != 8)
            expect_invalid((valid & ~(UINT64_C(127) << TERN_ENTRY_LENGTH)) |
                           (length - 1) << TERN_ENTRY_LENGTH);
    expect_invalid(tern_entry_pack(0, 4, TERN_NET_SET, 8));
    expect_invalid(tern_entry_pack((uint64_t)PES << distance_bits, 0, TERN_NET_SET, 8));
}

int main(void)
{
    static const struct tern_gather_job job = {
        .nodes = nodes,
        .n_nodes = 1,
        .find = find,
        .ring = ring,
    };

    distance_bits = tern_entry_distance_bits(nodes, 1);
    tern_carry_out_start(NULL, &job);
    test_operands();
    test_operations();
    test_mixed();
    test_runs();
    test_long_answer();
    test_cut();
    test_memory();
    test_reach();
    test_segments();
    test_single();
    test_invalid();
    return 0;
}
