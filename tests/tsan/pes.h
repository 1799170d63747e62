/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs for tests that look inside the library: threads of one process, or processes of oshrun. */
#ifndef TSAN_PES_H
#define TSAN_PES_H

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A test is
 *
 *     static void body(void) { ... expect(x == 3, "put-lands", "x is %d", x); ... }
 *
 *     int main(int argc, char **argv)
 *     {
 *         return pes_run(argc, argv, "litmus/put", body);
 *     }
 *
 * and every PE runs the body between shmem_init and shmem_finalize. tsan/pes.c makes PEs of as many
 * threads as the first argument says, under ThreadSanitizer; litmus/processes.c leaves it to oshrun
 * to start processes. With "asleep" for the last argument waits sleep at once. Statics of a
 * test would be shared by threads and not by processes: it has none.
 */
int pes_run(int argc, char **argv, const char *name, void (*body)(void));

/* How often to repeat what takes `native` rounds for processes: less under the sanitizer. */
int pes_rounds(int native);

/*
 * From now on this PE's waits sleep at once, and for so long that a wake that gets lost is a hang,
 * which ends the test. For this thread of the PE.
 */
void pes_sleep_at_once(void);

/* Collective: zeroed memory on PE 0's heap, at the address where this PE can load and store. */
void *pes_shared(size_t bytes);

/* Without the library, and awake: until another PE has stored `value` or more, with release. */
void pes_await(const uint64_t *word, uint64_t value);

/* Spends up to `most` turns of a short loop; what `seed` points to decides. */
void pes_dawdle(uint32_t *seed, uint32_t most);

/* A pseudo-random number; every seed makes another sequence. */
static inline uint32_t pes_random(uint32_t *seed)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return *seed >> 8;
}

/* Ends the test with a line about the check that does not hold. */
#define expect(condition, check, ...)                                                              \
    ((condition) ? (void)0 : pes_fail(__FILE__, __LINE__, check, __VA_ARGS__))

void pes_fail(const char *file, int line, const char *check, const char *format, ...)
    __attribute__((format(printf, 4, 5), noreturn));

#endif
