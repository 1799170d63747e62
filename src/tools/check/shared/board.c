/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps one memfd of the machine's first PE into all its PEs, by way of /proc. */
#include "tools/check/shared/board.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/boot_id.h"
#include "base/hash.h"
#include "base/pe_list.h"
#include "base/text_buffer.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/pages.h"
#include "tools/no_memory.h"

/* What other PEs need to know to open a PE's file. */
struct card {
    uint64_t machine;
    int32_t pid, fd;
    int64_t extra_bytes; /* bytes wanted behind the board */
};

static struct tern_check_board *board;
static struct tern_check_slot *my_slot;
static void *extra;
static int first_requester;

/* A number for the running kernel and this process's PID namespace. */
static uint64_t name_machine(void)
{
    char id[TERN_BOOT_ID_BYTES], processes[64];
    ssize_t n = readlink("/proc/self/ns/pid", processes, sizeof processes);
    uint64_t key;

    tern_boot_id_read(id);
    key = tern_hash_add_bytes(TERN_HASH_START, id, strlen(id));
    return tern_hash_add_bytes(key, processes, n > 0 ? (size_t)n : 0);
}

static size_t bytes_for(int n)
{
    return tern_check_pages_round_up(sizeof *board + (size_t)n * sizeof board->slots[0]);
}

static struct tern_check_board *map(int fd, int n)
{
    int flags = fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
    void *memory = mmap(NULL, bytes_for(n), PROT_READ | PROT_WRITE, flags, fd, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* The extra memory behind the board begins with a page that counts the PEs that have mapped it. */
#define HEAD PAGE_BYTES

static void map_extra(int fd, int n, size_t extra_bytes)
{
    void *memory = mmap(NULL, HEAD + extra_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, fd, (off_t)bytes_for(n));

    if (memory == MAP_FAILED)
        return;
    extra = memory;
    __atomic_add_fetch((int *)extra, 1, __ATOMIC_RELAXED);
}

/* Maps the file of the machine's first PE. */
static struct tern_check_board *map_of(const struct card *first, int n)
{
    struct tern_check_board *mapped = NULL;
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/%d/fd/%d", first->pid, first->fd);
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd >= 0) {
        mapped = map(fd, n);
        if (mapped && first->extra_bytes)
            map_extra(fd, n, (size_t)first->extra_bytes);
        close(fd);
    }
    return mapped;
}

/*
 * Returns this PE's rank among the machine's PEs. *n: how many there are. *first: the card of the
 * first one, with no extra memory unless all PEs want some.
 */
static int find_others(const struct card *cards, const struct card *mine, int *n,
                       struct card *first)
{
    int rank = -1;
    bool all_want_extra = true;

    first_requester = -1;

    *n = 0;
    for (int pe = 0; pe < tern_check_n_pes(); pe++) {
        if (cards[pe].extra_bytes && first_requester < 0)
            first_requester = pe;
        all_want_extra &= cards[pe].extra_bytes && cards[pe].machine == mine->machine;
        if (cards[pe].machine != mine->machine)
            continue;
        if (pe == tern_check_my_pe())
            rank = *n;
        if ((*n)++ == 0)
            *first = cards[pe];
    }
    if (!all_want_extra)
        first->extra_bytes = 0;
    return rank;
}

static void take_slot(struct tern_check_board *found, int rank, int n)
{
    board = found;
    board->n_slots = n;
    my_slot = &board->slots[rank];
    my_slot->pe = tern_check_my_pe();
    my_slot->pid = (int32_t)getpid();
    __atomic_store_n(&my_slot->state, SLOT_RUNS, __ATOMIC_RELEASE);
}

/* All PEs' cards, gathered through symmetric memory; NULL if that can't be allocated. */
static struct card *exchange(const struct card *mine)
{
    struct card *posted = TERN_REAL(shmem_malloc)(sizeof *posted), *cards;
    size_t n = (size_t)tern_check_n_pes();

    if (!posted)
        return NULL;
    *posted = *mine;
    TERN_REAL(shmem_barrier_all)();
    cards = malloc(n * sizeof *cards);
    if (!cards)
        tern_tool_no_memory("--check", "the list of PEs", n * sizeof *cards);
    for (int pe = 0; pe < (int)n; pe++)
        TERN_REAL(shmem_getmem)(&cards[pe], posted, sizeof *posted, pe);
    TERN_REAL(shmem_free)(posted);
    return cards;
}

/* Makes this PE's file, which becomes the board if this PE is the machine's first. */
static int make_file(size_t extra_bytes)
{
    int fd = memfd_create("tern-check", MFD_CLOEXEC), n = tern_check_n_pes();
    size_t bytes = bytes_for(n) + (extra_bytes ? HEAD + extra_bytes : 0);

    if (fd >= 0 && ftruncate(fd, (off_t)bytes) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/*
 * Each PE makes a file, as none knows yet which is the first; all but the first one's are closed.
 */
static void open_board(size_t extra_bytes)
{
    struct card mine = {name_machine(), (int32_t)getpid(), make_file(extra_bytes),
                        (int64_t)extra_bytes};
    struct card *cards = exchange(&mine), first = {.extra_bytes = 0};
    int rank = 0, n = 1;

    first_requester = tern_check_my_pe(); /* until the others' cards are known */
    if (cards)
        rank = find_others(cards, &mine, &n, &first);
    if (cards && rank > 0)
        board = map_of(&first, n);
    else if (mine.fd >= 0)
        board = map(mine.fd, n);
    if (board && rank == 0 && first.extra_bytes && mine.fd >= 0)
        map_extra(mine.fd, n, extra_bytes);
    if (!board) {
        rank = 0;
        n = 1;
        board = map(-1, n);
    }
    if (board)
        take_slot(board, rank, n);
    TERN_REAL(shmem_barrier_all)(); /* all have opened the first one's file */
    if (mine.fd >= 0)
        close(mine.fd);
    free(cards);
}

void *tern_check_board_extra(void)
{
    if (!extra || __atomic_load_n((int *)extra, __ATOMIC_RELAXED) != tern_check_n_pes())
        return NULL;
    return (char *)extra + HEAD;
}

bool tern_check_board_is_first_requester(void)
{
    return first_requester == tern_check_my_pe();
}

struct tern_check_board *tern_check_board_open(size_t extra_bytes, struct tern_check_slot **mine)
{
    if (board)
        __atomic_store_n(&my_slot->state, SLOT_RUNS, __ATOMIC_RELEASE);
    else
        open_board(extra_bytes);
    *mine = my_slot;
    return board;
}

void tern_check_board_add_pes(const struct tern_check_board *board, const bool *has_pe, char *text,
                              size_t size)
{
    struct tern_pe_list list = {.n_ranges = 0};
    int n = 0;

    for (int i = 0; i < board->n_slots; i++)
        n += has_pe[i];
    for (int i = 0, last; i < board->n_slots; i++) {
        if (!has_pe[i])
            continue;
        for (last = i; last + 1 < board->n_slots && has_pe[last + 1] &&
                       board->slots[last + 1].pe == board->slots[last].pe + 1;)
            last++;
        tern_pe_list_add(&list, (uint32_t)board->slots[i].pe, (uint32_t)board->slots[last].pe);
        i = last;
    }
    tern_text_buffer_add(text, size, "%s %s", n == 1 ? "PE" : "PEs", list.text);
}

bool tern_check_board_find_holder(uint64_t name, int *pe,
                                  struct tern_check_portable_location *location)
{
    for (int i = 0; board && i < board->n_slots; i++)
        for (int k = 0; k < MAX_LOCKS; k++) /* partner: the release in hang/waits.c */
            if (__atomic_load_n(&board->slots[i].locks[k].name, __ATOMIC_ACQUIRE) == name) {
                *pe = board->slots[i].pe;
                *location = board->slots[i].locks[k].location;
                return true;
            }
    return false;
}

void tern_check_board_wait(uint32_t *word, uint32_t value, int ms)
{
    struct timespec span = {ms / 1000, ms % 1000 * 1000000L};

    syscall(SYS_futex, word, FUTEX_WAIT, value, &span, NULL, 0);
}

void tern_check_board_ring(uint32_t *word)
{
    __atomic_add_fetch(word, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
