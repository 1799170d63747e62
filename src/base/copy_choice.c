/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the code that can copy on this processor, and chooses by size. */
#include "base/copy_choice.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/atomics.h"
#include "base/copy_kernels.h"
#include "base/os.h"

TERN_PE_LOCAL struct tern_copy_limits tern_copy_limits;
TERN_PE_LOCAL bool tern_copy_is_chosen;

/* The code, by the level of vectors that it uses. */
#define MEMCPY TERN_VECTORS_PLAIN
#define NARROW TERN_VECTORS_AVX2
#define WIDE TERN_VECTORS_AVX512

/* The least of several times counts: a core may be slow at first, or leave for another process. */
#define ROUNDS 5
#define ENDS_MOST ((size_t)512)
#define LARGE ((size_t)8192)
#define ROOM (LARGE + 4096)

/* What is measured. The offsets of dest and source in their pages matter to `rep movsb`. */
enum { SHORT, MIDDLE, LONG, UNLUCKY, N_SAMPLES };

static const struct sample {
    size_t bytes, dest, source;
    int times;
} samples[N_SAMPLES] = {
    [SHORT] = {192, 0, 1024, 64},
    [MIDDLE] = {384, 0, 1024, 64},
    [LONG] = {LARGE, 0, 64, 3},
    [UNLUCKY] = {LARGE, 65, 64, 1}, /* AMD's processors take 30 times as long */
};

struct times {
    uint64_t ns[N_SAMPLES][TERN_N_VECTORS]; /* for as many copies as the sample says */
};

static void copy(enum tern_vectors code, char *to, const char *from, size_t bytes)
{
    if (code == MEMCPY)
        memcpy(to, from, bytes);
    else if (code == NARROW)
        tern_copy_narrow(to, from, bytes);
    else
        tern_copy_wide(to, from, bytes);
    tern_compiler_barrier();
}

static uint64_t time_once(const struct sample *s, enum tern_vectors code, char *room)
{
    uint64_t start = tern_os_now_ns();

    for (int i = 0; i < s->times; i++)
        copy(code, room + s->dest, room + ROOM + s->source, s->bytes);
    return tern_os_now_ns() - start;
}

static void measure(struct times *times, char *room)
{
    memset(times, 1, sizeof *times); /* long, and small enough to be multiplied */
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < N_SAMPLES; i++)
            for (int code = MEMCPY; code <= (int)tern_vectors; code++) {
                uint64_t ns = time_once(&samples[i], (enum tern_vectors)code, room);

                if (ns < times->ns[i][code])
                    times->ns[i][code] = ns;
            }
}

/* A cache's bytes, which the loader has asked the processor for. */
static size_t cache_bytes(int name, size_t unknown)
{
    long bytes = sysconf(name);

    return bytes > 0 ? (size_t)bytes : unknown;
}

/* Up to how many bytes the loop is to be used instead of memcpy(). */
static size_t limit_of_loop(const struct times *times, enum tern_vectors loop)
{
    /* Where memcpy() is `rep movsb`, which is so up to the size of the second cache. */
    if (times->ns[UNLUCKY][MEMCPY] > 2 * times->ns[UNLUCKY][loop])
        return cache_bytes(_SC_LEVEL2_CACHE_SIZE, (size_t)1 << 20);
    /* Where dest and source leave room in the first cache, as in the measurement. */
    if (times->ns[LONG][loop] < times->ns[LONG][MEMCPY])
        return cache_bytes(_SC_LEVEL1_DCACHE_SIZE, (size_t)48 << 10) / 3;
    return times->ns[MIDDLE][loop] < times->ns[MIDDLE][MEMCPY] ? 2 * samples[MIDDLE].bytes : 0;
}

/*
 * Whether both ends of a short copy are to be moved by wide vectors. They take fewer instructions,
 * which counts in a put, so they may take a quarter longer here.
 */
static bool are_wide_ends_good(const uint64_t *ns)
{
    return 4 * ns[WIDE] < 5 * ns[MEMCPY] && 4 * ns[WIDE] < 5 * ns[NARROW];
}

static struct tern_copy_limits choose_limits(const struct times *times)
{
    const uint64_t *of_long = times->ns[LONG];
    struct tern_copy_limits limits = {0};

    if (are_wide_ends_good(times->ns[SHORT]))
        limits.ends = are_wide_ends_good(times->ns[MIDDLE]) ? ENDS_MOST : ENDS_MOST / 2;
    if (20 * of_long[NARROW] <= 21 * of_long[WIDE]) /* nearly equal: the narrow one starts sooner */
        limits.narrow = limit_of_loop(times, NARROW);
    else
        limits.wide = limit_of_loop(times, WIDE);
    return limits;
}

static void set_limits(struct tern_copy_limits limits)
{
    tern_store_relaxed(&tern_copy_limits.ends, limits.ends);
    tern_store_relaxed(&tern_copy_limits.narrow, limits.narrow);
    tern_store_relaxed(&tern_copy_limits.wide, limits.wide);
}

void tern_copy_measure(void)
{
    struct times times;
    char *room;

    if (__atomic_exchange_n(&tern_copy_is_chosen, true, __ATOMIC_RELAXED) ||
        tern_vectors == TERN_VECTORS_PLAIN)
        return;
    room = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                -1, 0);
    if (room == MAP_FAILED)
        return;
    measure(&times, room);
    munmap(room, 2 * ROOM);
    set_limits(choose_limits(&times));
}

void tern_copy_force(enum tern_vectors level)
{
    set_limits((struct tern_copy_limits){
        .ends = level == WIDE ? ENDS_MOST : 0,
        .narrow = level == NARROW ? SIZE_MAX : 0,
        .wide = level == WIDE ? SIZE_MAX : 0,
    });
    tern_store_relaxed(&tern_copy_is_chosen, true);
}
