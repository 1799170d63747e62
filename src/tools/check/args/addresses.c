/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes the bytes that calls access, and compares them with the blocks and objects that exist.
 */
#include "tools/check/args/addresses.h"

#include <shmem.h>
#include <stdio.h>
#include <string.h>

#include "tools/check/args/blocks.h"
#include "tools/check/args/contexts.h"
#include "tools/check/args/heap_range.h"
#include "tools/check/args/private_extents.h"
#include "tools/check/args/signature.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/ishmem.h"
#include "tools/check/shared/static_objects.h"
#include "tools/program.h"

/* A range of bytes that a call accesses through one argument. */
struct range {
    const char *name; /* of the argument */
    uintptr_t start;
    size_t bytes; /* from the first byte to the last, gaps included */
    size_t alignment;
    bool symmetric; /* it has to be */
    bool is_got;    /* the source of a get, which may be a constant of the program as well */
    bool has_gaps;
};

/* ---- extents, saturating ---- */

static size_t times(size_t a, size_t b)
{
    size_t product;

    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* The extent of n blocks of bsize elements, whose starts are stride elements apart. */
static size_t strided(size_t n, int64_t stride, size_t bsize)
{
    size_t all;

    if (n == 0 || bsize == 0)
        return 0;
    if (stride < 0) /* invalid; not an error of the extent */
        return bsize;
    all = times(n - 1, (size_t)stride);
    return __builtin_add_overflow(all, bsize, &all) ? SIZE_MAX : all;
}

/* ---- the usual cases, which are correct ---- */

/*
 * Notes the symmetric block or object that the last address was in; args/blocks.c clears it when a
 * block is freed.
 */
static void remember(uintptr_t start, size_t size)
{
    tern_quick.known = (struct tern_span){start, size};
}

/* Whether n elements of the routine's type are aligned and in the block noted last. */
static inline bool is_known(const struct tern_routine *routine, const void *elements, size_t n)
{
    return tern_quick_knows(elements, n, routine->element, routine->alignment);
}

/* Whether the address is in no memory that the check knows: on the stack, for instance. */
static inline bool is_elsewhere(uintptr_t address)
{
    return !tern_check_blocks_span(address) && !tern_check_static_objects_span(address);
}

/* ---- one range ---- */

/* Describes a private address by /proc/self/maps. */
static void describe_private(uintptr_t address, char *text, size_t size)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    unsigned long start, end;
    char line[512], name[256];

    snprintf(text, size, "no memory is mapped there");
    while (maps && fgets(line, sizeof line, maps)) {
        name[0] = '\0';
        if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %255[^\n]", &start, &end, name) < 2 ||
            address < start || address >= end)
            continue;
        if (strcmp(name, "[stack]") == 0)
            snprintf(text, size, "it is on the stack");
        else if (strcmp(name, "[heap]") == 0)
            snprintf(text, size, "it is on the private heap, malloc's");
        else if (name[0])
            snprintf(text, size, "it is private memory of %.200s", name);
        else
            snprintf(text, size, "it is private memory: malloc's, or a thread's stack");
        break;
    }
    if (maps)
        fclose(maps);
}

static void report_block_end(const struct tern_call *call, const struct range *range,
                             const struct tern_check_block *block)
{
    size_t offset = range->start - block->start;
    char origin[512];

    tern_check_blocks_format_origin(&block->allocated, origin, sizeof origin);
    tern_check_findings_report(
        call, FINDING_BOUNDS,
        "%s begins at byte %zu of a block of %zu bytes, and %zu bytes are accessed\n"
        "the block was allocated by %s",
        range->name, offset, block->size, range->bytes, origin);
}

static void report_static_end(const struct tern_call *call, const struct range *range,
                              const struct tern_check_static_object *object)
{
    char name[200];

    tern_check_static_objects_name(object, name, sizeof name);
    tern_check_findings_report(
        call, FINDING_BOUNDS,
        "%s begins at byte %zu of %s, an object of %zu bytes, and %zu bytes are "
        "accessed",
        range->name, range->start - object->start, name, object->size, range->bytes);
}

static void report_freed(const struct tern_call *call, const struct range *range,
                         const struct tern_check_block *block)
{
    char origin[512], end[512];

    tern_check_blocks_format_origin(&block->allocated, origin, sizeof origin);
    tern_check_blocks_format_origin(&block->freed, end, sizeof end);
    tern_check_findings_report(call, FINDING_FREED,
                               "%s begins at byte %zu of a block of %zu bytes\n"
                               "it was freed by %s\nand had been allocated by %s",
                               range->name, range->start - block->start, block->size, end, origin);
}

/* The distance of an address in no block from one, in words: "40 bytes before the start". */
static void format_distance(uintptr_t address, const struct tern_check_block *block, char text[64])
{
    bool is_before = address < block->start;
    size_t bytes = is_before ? block->start - address : address - block->start - block->size;

    if (bytes == 0)
        snprintf(text, 64, "right behind the end");
    else
        snprintf(text, 64, "%zu byte%s %s", bytes, bytes == 1 ? "" : "s",
                 is_before ? "before the start" : "behind the end");
}

/* The block that is nearest to the address, or NULL. */
static const struct tern_check_block *find_nearest(uintptr_t address)
{
    const struct tern_check_block *before = tern_check_blocks_find_before(address),
                                  *behind = tern_check_blocks_find_behind(address);

    if (!before || !behind)
        return before ? before : behind;
    return behind->start - address < address - before->start - before->size ? behind : before;
}

static void report_between_blocks(const struct tern_call *call, const struct range *range)
{
    const struct tern_check_block *block = find_nearest(range->start);
    char origin[512], distance[64];

    if (!block) {
        tern_check_findings_report(call, FINDING_BOUNDS,
                                   "%s is in the symmetric heap, where the program has no block",
                                   range->name);
        return;
    }
    tern_check_blocks_format_origin(&block->allocated, origin, sizeof origin);
    format_distance(range->start, block, distance);
    tern_check_findings_report(call, FINDING_BOUNDS,
                               "%s is in no block of the symmetric heap, but %s of "
                               "a block of %zu bytes\nthe block was allocated by %s",
                               range->name, distance, block->size, origin);
}

/*
 * Whether the address is in that PE's part of a segment that begins at `own` on this PE. *mine:
 * this PE's address of the same object.
 */
static bool is_at_pe(uintptr_t address, const struct tern_span *own, int pe, uintptr_t *mine)
{
    uintptr_t start = own->size ? (uintptr_t)TERN_REAL(shmem_ptr)((const void *)own->start, pe) : 0;

    *mine = own->start + (address - start);
    return start && address - start < own->size;
}

/* An address that shmem_ptr has given belongs to another PE. Returns whether it does. */
static bool describe_peer(uintptr_t address, char *text, size_t size)
{
    uintptr_t mine;

    for (int pe = 0; pe < tern_check_n_pes(); pe++) {
        if (pe == tern_check_my_pe() || (!is_at_pe(address, &tern_quick.heap, pe, &mine) &&
                                         !is_at_pe(address, &tern_quick.program, pe, &mine)))
            continue;
        snprintf(text, size,
                 "it is memory of PE %d, from shmem_ptr; this PE's address of the same object is "
                 "%p",
                 pe, (void *)mine);
        return true;
    }
    return false;
}

static void report_private(const struct tern_call *call, const struct range *range)
{
    char where[256];

    if (!describe_peer(range->start, where, sizeof where))
        describe_private(range->start, where, sizeof where);
    tern_check_findings_report(call, FINDING_NOT_SYMMETRIC,
                               "%s is %p, and %s\n"
                               "symmetric memory is what shmem_malloc and similar routines "
                               "allocate, and static and global objects",
                               range->name, (void *)range->start, where);
}

/* Whether the library accepts the address as symmetric. */
static bool is_symmetric(uintptr_t address)
{
    return TERN_REAL(shmem_addr_accessible)((const void *)address, tern_check_my_pe()) != 0;
}

/* Checks a range that begins in no block. */
static void check_outside(const struct tern_call *call, const struct range *range)
{
    const struct tern_check_block *freed;
    struct tern_check_static_object *object;

    if (!range->symmetric && is_elsewhere(range->start)) {
        tern_check_private_extents_check(call, range->name, range->start, range->bytes);
        return;
    }
    object = tern_check_static_objects_find(range->start);
    if (range->symmetric && !(object && object->is_symmetric)) {
        if (!is_symmetric(range->start)) {
            if (!range->is_got || !tern_program_has((const void *)range->start))
                report_private(call, range);
            return;
        }
        if (object)
            object->is_symmetric = true;
    }
    if (object) {
        if (range->bytes > object->size - (range->start - object->start))
            report_static_end(call, range, object);
        else if (range->symmetric)
            remember(object->start, object->size);
        return;
    }
    if (!tern_check_blocks_span(range->start) || !is_symmetric(range->start))
        return;
    freed = tern_check_blocks_find_freed(range->start);
    if (freed)
        report_freed(call, range, freed);
    else if (tern_check_heap_range_is_complete())
        report_between_blocks(call, range);
}

static void check_range(const struct tern_call *call, const struct range *range)
{
    const struct tern_check_block *block;

    if (range->bytes == 0 || (tern_span_holds(&tern_quick.known, range->start, range->bytes) &&
                              (range->start & (range->alignment - 1)) == 0))
        return;
    if (range->start == 0) {
        tern_check_findings_report(call, FINDING_NULL_POINTER,
                                   "%s is NULL, and %zu bytes are accessed", range->name,
                                   range->bytes);
        return;
    }
    if (range->alignment > 1 && range->start % range->alignment)
        tern_check_findings_report(
            call, FINDING_ALIGNMENT,
            "%s is %p; elements of this type need an address that is a multiple of %zu",
            range->name, (void *)range->start, range->alignment);
    block = tern_check_blocks_find(range->start);
    if (!block)
        check_outside(call, range);
    else if (range->bytes > block->size - (range->start - block->start))
        report_block_end(call, range, block);
    else if (range->symmetric) /* a local one is in another block next time */
        remember(block->start, block->size);
}

/* ---- two ranges ---- */

static bool overlap(const struct range *a, const struct range *b)
{
    return a->bytes && b->bytes && a->start < b->start + b->bytes && b->start < a->start + a->bytes;
}

static void check_overlap(const struct tern_call *call, const struct range *a,
                          const struct range *b, const char *where)
{
    if (a->has_gaps || b->has_gaps || !overlap(a, b))
        return;
    tern_check_findings_report(call, FINDING_OVERLAP, "%s is %p to %p, and %s %p to %p%s", a->name,
                               (void *)a->start, (void *)(a->start + a->bytes - 1), b->name,
                               (void *)b->start, (void *)(b->start + b->bytes - 1), where);
}

/* ---- calls ---- */

static struct range range_of(struct tern_call *call, enum tern_role role, const char *name,
                             size_t bytes, bool symmetric)
{
    return (struct range){
        .name = name,
        .start = (uintptr_t)tern_call_pointer(call, role),
        .bytes = bytes,
        .alignment = call->routine->alignment,
        .symmetric = symmetric,
    };
}

/*
 * Reports a count that is negative, or was before its conversion to size_t. Then the extents of
 * arguments mean nothing. Returns whether there is one.
 */
static bool has_negative_count(struct tern_call *call)
{
    static const enum tern_role counts[] = {TERN_NELEMS, TERN_BSIZE, TERN_NBLOCKS};
    char name[32];

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        int64_t n = tern_call_number(call, counts[i], 0);

        if (n >= 0)
            continue;
        tern_check_signature_name(call->routine, call->routine->place[counts[i]] - 1, name);
        tern_check_findings_report(call, FINDING_BOUNDS,
                                   "%s is %lld: a count of elements is not negative", name,
                                   (long long)n);
        return true;
    }
    return false;
}

/* Bytes from the first to the last element of dest or source, gaps included. */
static size_t span(struct tern_call *call, enum tern_role stride_role)
{
    const struct tern_routine *routine = call->routine;
    int64_t stride = tern_call_number(call, stride_role, 1);
    size_t elements;

    if (routine->place[TERN_NBLOCKS])
        elements = strided((size_t)tern_call_number(call, TERN_NBLOCKS, 0), stride,
                           (size_t)tern_call_number(call, TERN_BSIZE, 0));
    else
        elements = strided((size_t)tern_call_number(call, TERN_NELEMS, 1), stride, 1);
    return times(elements, routine->element);
}

static void check_signal(struct tern_call *call, const struct range *dest)
{
    struct range signal = range_of(call, TERN_SIG_ADDR, "sig_addr", sizeof(uint64_t), true);

    signal.alignment = sizeof(uint64_t);
    check_range(call, &signal);
    if (dest)
        check_overlap(call, dest, &signal, "");
}

/*
 * Whether a transfer is contiguous, between the block noted last and private memory: then there is
 * nothing to report.
 */
static bool is_plain(struct tern_call *call, enum tern_role symmetric, enum tern_role local)
{
    const struct tern_routine *routine = call->routine;
    size_t n = routine->place[TERN_NELEMS] ? call->arg[routine->place[TERN_NELEMS] - 1].u : 1;

    return !routine->place[TERN_DST] && !routine->place[TERN_SIG_ADDR] &&
           is_known(routine, call->arg[routine->place[symmetric] - 1].p, n) &&
           (!routine->place[local] ||
            tern_quick_is_private(call->arg[routine->place[local] - 1].p, n * routine->element,
                                  routine->alignment));
}

static void transfer(struct tern_call *call, bool is_put)
{
    const struct tern_routine *routine = call->routine;
    bool has_both = routine->place[TERN_DEST] && routine->place[TERN_SOURCE];
    struct range dest = range_of(call, TERN_DEST, "dest", span(call, TERN_DST), is_put);
    struct range source = range_of(call, TERN_SOURCE, "source", span(call, TERN_SST), !is_put);

    if (has_negative_count(call))
        return;
    source.is_got = !is_put;
    dest.has_gaps = tern_call_number(call, TERN_DST, 1) != 1;
    source.has_gaps = tern_call_number(call, TERN_SST, 1) != 1;
    if (routine->place[TERN_DEST])
        check_range(call, &dest);
    if (routine->place[TERN_SOURCE])
        check_range(call, &source);
    if (has_both && overlap(&dest, &source) && tern_check_contexts_target_is_me(call))
        check_overlap(call, &dest, &source, ", on the same PE");
    if (routine->place[TERN_SIG_ADDR])
        check_signal(call, &dest);
}

/* Whether an atomic operation is on the block noted last, and writes no memory of the caller. */
static bool is_plain_atomic(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;
    int place = routine->place[TERN_DEST] ? routine->place[TERN_DEST] : routine->place[TERN_SOURCE];

    return routine->kind != TERN_KIND_AMO_NBI && is_known(routine, call->arg[place - 1].p, 1);
}

static void atomic(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;
    size_t bytes = routine->element;
    struct range target = routine->place[TERN_DEST]
                              ? range_of(call, TERN_DEST, "dest", bytes, true)
                              : range_of(call, TERN_SOURCE, "source", bytes, true);
    struct range fetch = {
        .name = "fetch",
        .bytes = bytes,
        .alignment = routine->alignment,
    };

    if (tern_check_ishmem_is_byte(call, &target.start, &target.bytes))
        target.alignment = 1;
    check_range(call, &target);
    if (routine->kind != TERN_KIND_AMO_NBI)
        return;
    fetch.start = (uintptr_t)call->arg[routine->place[TERN_CTX]]
                      .p; /* the argument behind ctx, or the first */
    check_range(call, &fetch);
    if (overlap(&fetch, &target) && tern_check_contexts_target_is_me(call))
        check_overlap(call, &fetch, &target, ", on the same PE");
}

/* The name of the argument that TERN_IVAR stands for. */
static const char *name_of_ivar(const struct tern_routine *routine)
{
    if (routine->place[TERN_NELEMS])
        return "ivars";
    return strcmp(routine->arguments, "p lock") == 0 ? "lock" : "ivar";
}

/* The arrays that stand beside n variables, one element for each. */
static void check_arrays_of_set(struct tern_call *call, size_t n)
{
    const struct tern_routine *routine = call->routine;
    struct range status = range_of(call, TERN_STATUS, "status", times(n, sizeof(int)), false);
    struct range indices = range_of(call, TERN_INDICES, "indices", times(n, sizeof(size_t)), false);
    struct range values =
        range_of(call, TERN_CMP_VALUES, "cmp_values", times(n, routine->element), false);

    status.alignment = _Alignof(int);
    if (status.start) /* NULL is allowed: then all variables count */
        check_range(call, &status);
    indices.alignment = _Alignof(size_t);
    if (routine->place[TERN_INDICES])
        check_range(call, &indices);
    if (routine->place[TERN_CMP_VALUES])
        check_range(call, &values);
}

/* Variables have the routine's type; those of locks and of the oldest routines are long. */
static void wait_or_test(struct tern_call *call)
{
    const struct tern_routine *routine = call->routine;
    size_t n = (size_t)tern_call_number(call, TERN_NELEMS, 1);
    bool is_typed = routine->element > 1;
    struct range ivar = range_of(call, TERN_IVAR, name_of_ivar(routine),
                                 times(n, is_typed ? routine->element : sizeof(long)), true);

    if (routine->place[TERN_SIG_ADDR])
        check_signal(call, NULL);
    if (!routine->place[TERN_IVAR] || (is_typed && !routine->place[TERN_NELEMS] &&
                                       is_known(routine, (const void *)ivar.start, 1)))
        return;
    if (has_negative_count(call))
        return;
    if (!is_typed)
        ivar.alignment = _Alignof(long);
    check_range(call, &ivar);
    check_arrays_of_set(call, n);
}

static size_t members(struct tern_call *call)
{
    int64_t n = tern_call_number(call, TERN_PE_SIZE, 0);

    if (call->routine->place[TERN_TEAM])
        n = TERN_REAL(shmem_team_n_pes)(tern_call_pointer(call, TERN_TEAM));
    return n > 0 ? (size_t)n : 0;
}

/*
 * The movement of data says how many blocks there are, and whether source and dest may be the same.
 */
static void collective(struct tern_call *call)
{
    enum tern_movement movement = call->routine->movement;
    bool to_all = movement == TERN_ALLTOALL, gathers = movement == TERN_FCOLLECT;
    bool in_place = movement == TERN_REDUCTION || movement == TERN_SCAN;
    size_t n = (size_t)tern_call_number(call, TERN_NELEMS, 0);
    size_t others = to_all || gathers ? members(call) : 1;
    size_t dest_n = strided(times(n, others), tern_call_number(call, TERN_DST, 1), 1);
    size_t source_n =
        strided(times(n, to_all ? others : 1), tern_call_number(call, TERN_SST, 1), 1);
    size_t element = call->routine->element;
    struct range dest = range_of(call, TERN_DEST, "dest", times(dest_n, element), true);
    struct range source = range_of(call, TERN_SOURCE, "source", times(source_n, element), true);

    if (!call->routine->place[TERN_DEST] || has_negative_count(call))
        return;
    dest.has_gaps = tern_call_number(call, TERN_DST, 1) != 1;
    source.has_gaps = tern_call_number(call, TERN_SST, 1) != 1;
    check_range(call, &dest);
    check_range(call, &source);
    if (!(in_place && dest.start == source.start))
        check_overlap(call, &dest, &source, "");
}

void tern_check_addresses_check_collected(struct tern_call *call, size_t bytes)
{
    struct range dest = range_of(call, TERN_DEST, "dest", bytes, true);

    check_range(call, &dest);
}

static void free_block(struct tern_call *call)
{
    uintptr_t address = (uintptr_t)tern_call_pointer(call, TERN_BLOCK);
    const struct tern_check_block *block = tern_check_blocks_find(address), *freed;
    char origin[512], end[512];

    if (address == 0 || (block && block->start == address))
        return;
    if (block) {
        tern_check_blocks_format_origin(&block->allocated, origin, sizeof origin);
        tern_check_findings_report(call, FINDING_FREE,
                                   "ptr is at byte %zu of a block of %zu bytes\nallocated by %s",
                                   address - block->start, block->size, origin);
        return;
    }
    freed = tern_check_blocks_find_freed(address);
    if (freed) {
        tern_check_blocks_format_origin(&freed->allocated, origin, sizeof origin);
        tern_check_blocks_format_origin(&freed->freed, end, sizeof end);
        tern_check_findings_report(
            call, FINDING_FREE, "the block was freed before, by %s\nand had been allocated by %s",
            end, origin);
        return;
    }
    /* A block that a wrapper function of the program has allocated is unknown, and may be valid. */
    if (tern_check_heap_range_is_complete() || !is_symmetric(address))
        tern_check_findings_report(call, FINDING_FREE, "no block of symmetric memory begins there");
}

void tern_check_addresses_check(struct tern_call *call)
{
    switch (call->routine->kind) {
    case TERN_KIND_PUT:
    case TERN_KIND_PUT_NBI:
    case TERN_KIND_PUT_SIGNAL:
    case TERN_KIND_PUT_SIGNAL_NBI:
        if (!is_plain(call, TERN_DEST, TERN_SOURCE))
            transfer(call, true);
        break;
    case TERN_KIND_GET:
    case TERN_KIND_GET_NBI:
        if (!is_plain(call, TERN_SOURCE, TERN_DEST))
            transfer(call, false);
        break;
    case TERN_KIND_AMO:
    case TERN_KIND_AMO_FETCH:
    case TERN_KIND_AMO_NBI:
        if (!is_plain_atomic(call))
            atomic(call);
        break;
    case TERN_KIND_SIGNAL:
        check_signal(call, NULL);
        break;
    case TERN_KIND_WAIT:
    case TERN_KIND_TEST:
    case TERN_KIND_LOCK_CLEAR:
        wait_or_test(call);
        break;
    case TERN_KIND_COLLECTIVE:
        collective(call);
        break;
    case TERN_KIND_ALLOC:
        free_block(call);
        break;
    default:
        break;
    }
}
