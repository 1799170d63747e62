/* SPDX-License-Identifier: BSD-3-Clause */
/* Large transfers, and transfers of bytes at every small offset and length. */
#include "harness/board.h"

#include <stdlib.h>

enum { BUFFER = (1 << 20) + 64 };

static _Alignas(64) unsigned char static_buffer[BUFFER];

/* Private: what the buffer of the PE that sends holds, and what dest should hold in the end. */
static unsigned char *sent, *expected;

static void fill(unsigned char *buffer, int pe, unsigned salt)
{
    uint64_t *words = (void *)buffer;

    for (size_t i = 0; i < BUFFER / 8; i++)
        words[i] = oracle_bits(pe, i, salt);
}

static void check_buffer(const unsigned char *got, const char *name)
{
    if (memcmp(got, expected, BUFFER) == 0)
        check_passed();
    else
        check_array(got, expected, BUFFER, name);
}

enum verb { PUT, PUT_NBI, GET, GET_NBI };

static const char *const verb_names[] = {"putmem", "putmem_nbi", "getmem", "getmem_nbi"};

static void move(enum verb verb, void *dest, const void *source, size_t nbytes, int pe)
{
    switch (verb) {
    case PUT:
        shmem_putmem(dest, source, nbytes, pe);
        break;
    case PUT_NBI:
        shmem_putmem_nbi(dest, source, nbytes, pe);
        break;
    case GET:
        shmem_getmem(dest, source, nbytes, pe);
        break;
    case GET_NBI:
        shmem_getmem_nbi(dest, source, nbytes, pe);
        break;
    }
}

static bool is_put(enum verb verb)
{
    return verb == PUT || verb == PUT_NBI;
}

/* Fills everything for transfers with the PE `steps` places further on, whose number it returns. */
static int prepare(enum verb verb, unsigned char *dest, unsigned char *source, int steps)
{
    int me = check_pe(), n = check_n_pes();
    int peer = (me + steps) % n, sender = is_put(verb) ? (me + n - steps % n) % n : peer;

    fill(dest, me, SALT_GUARD);
    fill(source, me, SALT_SENT);
    fill(sent, sender, SALT_SENT);
    fill(expected, me, SALT_GUARD);
    shmem_barrier_all();
    return peer;
}

static void check_move(enum verb verb, unsigned char *dest, size_t dest_offset,
                       unsigned char *source, size_t source_offset, size_t nbytes, int steps)
{
    int peer = prepare(verb, dest, source, steps);

    check_case("%s, %zu bytes from offset %zu to %zu, %d PEs away", verb_names[verb], nbytes,
               source_offset, dest_offset, steps);
    move(verb, dest + dest_offset, source + source_offset, nbytes, peer);
    shmem_barrier_all();
    memcpy(expected + dest_offset, sent + source_offset, nbytes);
    check_buffer(dest, is_put(verb) ? "large-put-lands" : "large-get-lands");
    shmem_barrier_all();
}

/* Each combination of offsets and length in an area of its own. */
static void check_small_moves(enum verb verb, unsigned char *dest, unsigned char *source)
{
    static const size_t lengths[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 12,  15, 16,
                                     17, 23, 24, 31, 32, 33, 47, 63, 64, 65, 127, 129};
    enum { AREA = 160 };
    int peer = prepare(verb, dest, source, 1);
    size_t area = 0;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (size_t offsets = 0; offsets < 81; offsets++, area += AREA) {
            size_t to = area + 8 + offsets % 9, from = area + offsets / 9;

            move(verb, dest + to, source + from, lengths[i], peer);
            memcpy(expected + to, sent + from, lengths[i]);
        }
    }
    shmem_barrier_all();
    check_case("%s at all offsets and small lengths, areas of %d bytes", verb_names[verb], AREA);
    check_buffer(dest, "mem-routines-unaligned");
    shmem_barrier_all();
}

int main(void)
{
    check_init("rma/large");
    const size_t all = BUFFER - 32, odd = (1 << 20) + 3, half = BUFFER / 2 + 1;
    int last = check_n_pes() - 1;
    unsigned char *heap = shmem_align(64, BUFFER);
    unsigned char *private = aligned_alloc(64, BUFFER);

    sent = aligned_alloc(64, BUFFER);
    expected = aligned_alloc(64, BUFFER);

    check_move(PUT, heap, 0, private, 0, all, 1);
    check_move(PUT, static_buffer, 1, heap, 8, odd, 1);
    check_move(PUT, heap, 5, static_buffer, 2, half, last);
    check_move(PUT, static_buffer, 32, private, 32, all, 0);
    check_move(PUT_NBI, heap, 3, private, 7, odd, 1);
    check_move(PUT_NBI, static_buffer, 8, heap, 16, half, last);
    check_move(GET, private, 0, heap, 0, all, 1);
    check_move(GET, heap, 9, static_buffer, 4, odd, 1);
    check_move(GET, static_buffer, 2, heap, 1, half, last);
    check_move(GET, private, 16, static_buffer, 16, all, 0);
    check_move(GET_NBI, private, 7, heap, 3, odd, 1);
    check_move(GET_NBI, heap, 24, static_buffer, 0, half, last);

    check_small_moves(PUT, heap, private);
    check_small_moves(PUT, static_buffer, heap);
    check_small_moves(GET, private, static_buffer);
    check_small_moves(GET_NBI, static_buffer, heap);

    free(expected);
    free(sent);
    free(private);
    shmem_free(heap);
    return check_finish();
}
