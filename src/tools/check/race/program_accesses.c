/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gathers the program's loads and stores of symmetric memory. A line of 64 bytes has a list of the
 * sites that accessed it, with the bytes that each was the first to access. Lines that one site has
 * accessed completely are gathered by pages. A load of bytes that the thread has accessed already
 * adds nothing.
 */
#include "tools/check/race/program_accesses.h"

#include <string.h>
#include <sys/mman.h>

#include "instrument/hooks.h"
#include "tools/check/args/blocks.h"
#include "tools/check/args/library_state.h"
#include "tools/check/race/access_log.h"
#include "tools/check/race/peer_memory.h"
#include "tools/check/race/private_buffers.h"
#include "tools/check/race/race.h"
#include "tools/check/race/site_table.h"
#include "tools/check/race/sync_objects.h"
#include "tools/check/race/threads.h"
#include "tools/check/report/findings.h"
#include "tools/check/shared/identity.h"
#include "tools/check/shared/records_lock.h"
#include "tools/check/shared/static_objects.h"

#define LINES 1024 /* gathered at a time, by a thread */
#define PAGES 16
#define SITES 4 /* of a line */
#define WHOLE (~UINT64_C(0))

struct site {
    const void *address;
    uint64_t mask;
    bool writes;
};

struct line {
    uintptr_t number;
    uint32_t round; /* of the thread; an earlier one: the line is empty */
    uint32_t n_sites;
    uint64_t seen; /* bytes that were accessed; a load of these adds nothing */
    uint64_t stored;
    struct site sites[SITES];
};

struct page {
    uintptr_t number;
    uint64_t mask; /* of its lines; 0: the page is empty */
    const void *address;
    bool writes;
};

/* A word that is loaded again and again by one instruction. */
struct poll {
    uintptr_t word;
    const void *site;
    uint32_t bytes, times;
    uint64_t value;
};

struct thread {
    uint32_t round; /* counts flushes, from 1 on */
    uint32_t n_used;
    uint64_t when; /* of the accesses gathered; 0: not known yet */
    struct poll poll;
    bool has_pages; /* any that are not empty */
    struct page pages[PAGES];
    uint16_t used[LINES]; /* lines of this round */
    struct line lines[LINES];
};

bool tern_check_program_accesses_are_seen;

static bool is_on;
static __thread struct thread *mine __attribute__((tls_model("initial-exec")));

/* ---- what is gathered becomes records ---- */

static struct tern_call call_of(enum tern_check_program_access access, const void *site)
{
    struct tern_call call;

    call.routine = &tern_check_program_routines[access];
    call.site = site;
    return call;
}

static void log_page(const struct thread *thread, struct page *page)
{
    const struct tern_call call =
        call_of(page->writes ? PROGRAM_STORE : PROGRAM_LOAD, page->address);

    if (page->mask)
        tern_check_access_log_add_page(&call, page->number * 4096, page->mask,
                                       ACCESS_WORD | (page->writes ? ACCESS_WRITES : 0u),
                                       thread->when);
    page->mask = 0;
}

static void log_whole_line(struct thread *thread, uintptr_t number, const struct site *site)
{
    uintptr_t in_page = number / 64;
    struct page *page = &thread->pages[(in_page ^ (uintptr_t)site->address >> 2) % PAGES];

    if (page->mask &&
        (page->number != in_page || page->address != site->address || page->writes != site->writes))
        log_page(thread, page);
    thread->has_pages = true;
    page->number = in_page;
    page->address = site->address;
    page->writes = site->writes;
    page->mask |= UINT64_C(1) << number % 64;
}

static void log_site(struct thread *thread, uintptr_t number, const struct site *site)
{
    const struct tern_call call =
        call_of(site->writes ? PROGRAM_STORE : PROGRAM_LOAD, site->address);

    if (site->mask == WHOLE)
        log_whole_line(thread, number, site);
    else if (site->mask) /* 0: it polled, see drop_loads() */
        tern_check_access_log_add_line(&call, tern_check_my_pe(), number * 64, site->mask,
                                       ACCESS_WORD | (site->writes ? ACCESS_WRITES : 0u),
                                       thread->when);
}

static void log_line(struct thread *thread, struct line *line)
{
    for (uint32_t i = 0; i < line->n_sites; i++)
        log_site(thread, line->number, &line->sites[i]);
    line->n_sites = 0;
}

/* ---- polls ---- */

static uint64_t value_of(const struct poll *poll)
{
    switch (poll->bytes) {
    case 1:
        return *(const volatile uint8_t *)poll->word;
    case 2:
        return *(const volatile uint16_t *)poll->word;
    case 4:
        return *(const volatile uint32_t *)poll->word;
    default:
        return *(const volatile uint64_t *)poll->word;
    }
}

/* The thread's loads of the word become no records: they have waited for its value to change. */
static void drop_loads(struct thread *thread, const struct poll *poll)
{
    struct line *line = &thread->lines[poll->word / 64 % LINES];
    uint64_t bytes = ((UINT64_C(1) << poll->bytes) - 1) << poll->word % 64;

    if (line->number != poll->word / 64 || line->round != thread->round)
        return;
    for (uint32_t i = 0; i < line->n_sites; i++)
        if (!line->sites[i].writes)
            line->sites[i].mask &= ~bytes;
}

static void learn_word(uintptr_t word, uint32_t bytes)
{
    tern_check_access_log_await(word, bytes);
    tern_check_access_log_learn(tern_check_my_pe(), word, bytes);
}

/* The thread has accessed something else. */
static void end_poll(struct thread *thread)
{
    struct poll poll = thread->poll;

    thread->poll = (struct poll){0};
    if (poll.times < 2 || value_of(&poll) == poll.value)
        return;
    drop_loads(thread, &poll);
    tern_check_program_accesses_flush();
    learn_word(poll.word, poll.bytes);
}

static void begin_poll(struct thread *thread, uintptr_t word, uint32_t bytes, const void *site)
{
    thread->poll = (struct poll){.word = word, .site = site, .bytes = bytes, .times = 1};
    thread->poll.value = value_of(&thread->poll);
}

/* ---- rounds ---- */

static void add_thread(void)
{
    void *memory =
        mmap(NULL, sizeof *mine, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    tern_check_threads_enter();
    if (memory == MAP_FAILED)
        return;
    mine = memory;
    mine->round = 1;
}

static void flush(struct thread *thread)
{
    for (uint32_t i = 0; i < thread->n_used; i++)
        log_line(thread, &thread->lines[thread->used[i]]);
    for (int i = 0; i < PAGES && thread->has_pages; i++)
        log_page(thread, &thread->pages[i]);
    thread->has_pages = false;
    thread->n_used = 0;
    thread->when = 0;
    thread->round++;
}

void tern_check_program_accesses_flush(void)
{
    struct thread *thread = mine;

    if (!thread)
        return;
    if (thread->poll.times >= 2)
        end_poll(thread);
    if (thread->n_used > 0)
        flush(thread);
}

void tern_check_program_accesses_end_thread(void)
{
    tern_check_program_accesses_flush();
    if (mine)
        munmap(mine, sizeof *mine);
    mine = NULL;
}

/* ---- accesses ---- */

/* The line as it is in this round. */
static struct line *line_of(struct thread *thread, uintptr_t number)
{
    struct line *line = &thread->lines[number % LINES];

    if (line->round == thread->round && line->number == number)
        return line;
    if (line->round == thread->round)
        log_line(thread, line);
    else
        thread->used[thread->n_used++] = (uint16_t)(number % LINES);
    line->round = thread->round;
    line->number = number;
    line->n_sites = 0;
    line->seen = line->stored = 0;
    return line;
}

static struct site *site_of(struct thread *thread, struct line *line, const void *address,
                            bool writes)
{
    for (uint32_t i = 0; i < line->n_sites; i++)
        if (line->sites[i].address == address && line->sites[i].writes == writes)
            return &line->sites[i];
    if (line->n_sites == SITES)
        log_line(thread, line);
    line->sites[line->n_sites] = (struct site){.address = address, .writes = writes};
    return &line->sites[line->n_sites++];
}

static void add(struct thread *thread, uintptr_t number, uint64_t mask, const void *address,
                bool writes)
{
    struct line *line = line_of(thread, number);

    if (!thread->when)
        thread->when = tern_check_clocks_now();
    mask &= ~(writes ? line->stored : line->seen);
    if (!mask)
        return;
    site_of(thread, line, address, writes)->mask |= mask;
    line->seen |= mask;
    if (writes)
        line->stored |= mask;
}

static void add_range(struct thread *thread, uintptr_t start, size_t bytes, const void *address,
                      bool writes)
{
    while (bytes > 0) {
        size_t at = start % 64, n = bytes < 64 - at ? bytes : 64 - at;
        uint64_t mask = (n == 64 ? WHOLE : (UINT64_C(1) << n) - 1) << at;

        add(thread, start / 64, mask, address, writes);
        start += n;
        bytes -= n;
    }
}

/* ---- memory that is not this PE's own symmetric memory ---- */

static void check_private(uintptr_t start, size_t bytes, const void *site, bool writes)
{
    const struct tern_call call = call_of(writes ? PROGRAM_STORE : PROGRAM_LOAD, site);
    bool is_alone = tern_check_library_state_is_alone();

    if (!is_alone)
        tern_check_records_lock();
    tern_check_access_log_check_private(&call, start, bytes, writes);
    if (!is_alone)
        tern_check_records_unlock();
}

/*
 * Another PE's memory. A store becomes a record at once: it may set a flag, and the PE that sees
 * the flag has to find the record.
 */
static void access_peer(uintptr_t start, size_t bytes, const void *site, unsigned how,
                        enum tern_check_program_access access)
{
    const struct tern_call call = call_of(access, site);
    int pe;
    uintptr_t own = tern_check_peer_memory_find(start, &pe);

    while (own && bytes > 0) {
        size_t at = own % 64, n = bytes < 64 - at ? bytes : 64 - at;
        uint64_t mask = (n == 64 ? WHOLE : (UINT64_C(1) << n) - 1) << at;

        tern_check_access_log_add_line(&call, pe, own - at, mask, how, tern_check_clocks_now());
        own += n;
        bytes -= n;
    }
}

/* ---- hooks ---- */

static bool is_own(uintptr_t address)
{
    return tern_check_blocks_span(address) || tern_check_static_objects_span(address);
}

static bool is_of_interest(uintptr_t address)
{
    return is_own(address) || tern_span_has(&tern_check_private_buffers_range, address) ||
           tern_span_has(&tern_check_peer_memory_range, address);
}

#define INSIDE(...)                                                                                \
    do {                                                                                           \
        unsigned char state_ = tern_thread_state;                                                  \
                                                                                                   \
        tern_thread_state = TERN_INSIDE;                                                           \
        __VA_ARGS__;                                                                               \
        tern_thread_state = state_;                                                                \
    } while (0)

/* False if the access is not the program's, or counts no more. */
static bool enter(void)
{
    if (!is_on || !tern_check_race_is_on || tern_thread_state == TERN_INSIDE)
        return false;
    if (!mine)
        INSIDE(add_thread());
    return mine;
}

static void take(uintptr_t start, size_t bytes, const void *site, bool writes)
{
    struct thread *thread = mine;

    if (thread->poll.times && !(thread->poll.word == start && thread->poll.site == site))
        end_poll(thread);
    if (is_own(start)) {
        add_range(thread, start, bytes, site, writes);
        if (!writes && bytes <= 8 && start % 64 + bytes <= 64 && !thread->poll.times)
            begin_poll(thread, start, (uint32_t)bytes, site);
    } else if (tern_span_has(&tern_check_private_buffers_range, start)) {
        check_private(start, bytes, site, writes);
    } else {
        if (writes)
            tern_check_program_accesses_flush();
        access_peer(start, bytes, site, ACCESS_WORD | (writes ? ACCESS_WRITES : 0u),
                    writes ? PROGRAM_STORE : PROGRAM_LOAD);
    }
}

/* An access that is not the usual case: its bytes are new in this round, or not in one line. */
static void __attribute__((noinline))
take_slowly(uintptr_t start, size_t bytes, const void *site, bool writes)
{
    if (enter() && bytes > 0)
        INSIDE(take(start, bytes, site, writes));
}

/* The line of this round with these bytes, and their mask; NULL if there is no such line. */
static inline struct line *find_line(uintptr_t start, size_t bytes, uint64_t *mask)
{
    struct thread *thread = mine;
    struct line *line;

    if (!thread || bytes > 16 || start % 64 + bytes > 64)
        return NULL;
    line = &thread->lines[start / 64 % LINES];
    *mask = ((UINT64_C(1) << bytes) - 1) << start % 64;
    return line->number == start / 64 && line->round == thread->round ? line : NULL;
}

/*
 * Adds bytes to those of a site that has accessed the line before, as loops over arrays do. False
 * if there is no such site, or if the access does not count. The thread's time is known, as it has
 * lines of this round.
 */
static inline bool add_to_line(struct line *line, uint64_t mask, const void *site, bool writes)
{
    if (tern_thread_state == TERN_INSIDE)
        return false;
    for (uint32_t i = 0; i < line->n_sites; i++) {
        struct site *known = &line->sites[i];

        if (known->address != site || known->writes != writes)
            continue;
        known->mask |= mask & ~(writes ? line->stored : line->seen);
        line->seen |= mask;
        if (writes)
            line->stored |= mask;
        return true;
    }
    return false;
}

/* Whether these bytes were accessed in this round; if possible, they are by this load. */
static inline bool is_loaded(uintptr_t start, size_t bytes, const void *site)
{
    uint64_t mask;
    struct line *line = find_line(start, bytes, &mask);

    return line && (!(mask & ~line->seen) ||
                    (mine->poll.times < 2 && add_to_line(line, mask, site, false)));
}

static void load(const void *address, size_t bytes, const void *site)
{
    uintptr_t start = (uintptr_t)address;
    struct poll *poll;

    if (__builtin_expect(!is_of_interest(start), 1))
        return;
    if (!is_loaded(start, bytes, site)) {
        take_slowly(start, bytes, site, false);
        return;
    }
    poll = &mine->poll;
    if (poll->word == start && poll->site == site)
        poll->times++;
    else if (poll->times >= 2)
        take_slowly(start, bytes, site, false);
    else if (bytes <= 8)
        begin_poll(mine, start, (uint32_t)bytes, site);
}

static void store(const void *address, size_t bytes, const void *site)
{
    uintptr_t start = (uintptr_t)address;
    struct line *line;
    uint64_t mask;

    if (__builtin_expect(!is_of_interest(start), 1))
        return;
    line = find_line(start, bytes, &mask);
    if (line && !(mask & ~line->stored)) {
        if (mine->poll.word == start)
            mine->poll = (struct poll){0};
    } else if (line && mine->poll.times < 2 && add_to_line(line, mask, site, true)) {
        mine->poll.word = 0;
        mine->poll.times = 0;
    } else {
        take_slowly(start, bytes, site, true);
    }
}

/* ---- volatile and atomic accesses ---- */

/* Other actors may see such a store, and this one others' stores: nothing is gathered. */
static void log_at_once(uintptr_t start, size_t bytes, const void *site, unsigned how,
                        enum tern_check_program_access access)
{
    uint64_t when;

    if (!is_own(start) || bytes > 64 - start % 64) {
        access_peer(start, bytes, site, how, access);
        return;
    }
    when = how & ACCESS_WRITES ? tern_check_clocks_release() : tern_check_clocks_now();
    const struct tern_call call = call_of(access, site);
    tern_check_access_log_add_line(&call, tern_check_my_pe(), start & ~(uintptr_t)63,
                                   (bytes >= 64 ? WHOLE : (UINT64_C(1) << bytes) - 1) << start % 64,
                                   how, when);
}

static void begin_word(uintptr_t start, size_t bytes, const void *site, unsigned how,
                       enum tern_check_program_access access)
{
    if (how & ACCESS_WRITES)
        tern_check_sync_objects_release((const void *)start);
    else
        tern_check_program_accesses_flush();
    if (is_own(start) || tern_span_has(&tern_check_peer_memory_range, start))
        log_at_once(start, bytes, site, how | (bytes <= 8 ? ACCESS_WORD : 0u), access);
    else if (tern_span_has(&tern_check_private_buffers_range, start))
        check_private(start, bytes, site, how & ACCESS_WRITES);
}

/* The thread knows what the word's writers knew. */
static void end_word(uintptr_t start, size_t bytes)
{
    int pe = tern_check_my_pe();
    uintptr_t own = is_own(start) ? start : tern_check_peer_memory_find(start, &pe);

    tern_check_sync_objects_acquire((const void *)start);
    if (own)
        tern_check_access_log_learn(pe, own, bytes);
}

static void atomic_begin(const void *address, size_t bytes, unsigned access, const void *site)
{
    unsigned how = ACCESS_ATOMIC | (bytes == 8 ? ACCESS_WIDE : 0u) |
                   (access & TERN_STORES ? ACCESS_WRITES : ACCESS_POLLS);
    enum tern_check_program_access kind = access == TERN_LOADS    ? PROGRAM_ATOMIC_LOAD
                                          : access == TERN_STORES ? PROGRAM_ATOMIC_STORE
                                                                  : PROGRAM_ATOMIC_UPDATE;

    if (enter())
        INSIDE(begin_word((uintptr_t)address, bytes, site, how, kind));
}

static void atomic_end(const void *address, size_t bytes, unsigned access)
{
    if (access & TERN_LOADS && enter())
        INSIDE(end_word((uintptr_t)address, bytes));
}

/*
 * The value is loaded after this call. So the thread may learn a little less than it could; it does
 * at its next load of the word.
 */
static void load_volatile(const void *address, size_t bytes, const void *site)
{
    uintptr_t start = (uintptr_t)address;

    if (!enter() || !(is_of_interest(start) || tern_check_clocks_has_threads()))
        return;
    INSIDE(begin_word(start, bytes, site, ACCESS_POLLS, PROGRAM_VOLATILE_LOAD);
           end_word(start, bytes));
    mine->poll = (struct poll){start, site, bytes <= 8 ? (uint32_t)bytes : 8, 2, 0};
    mine->poll.value = ~value_of(&mine->poll); /* so it counts as changed */
}

static void store_volatile(const void *address, size_t bytes, const void *site)
{
    uintptr_t start = (uintptr_t)address;

    if (enter() && (is_of_interest(start) || tern_check_clocks_has_threads()))
        INSIDE(begin_word(start, bytes, site, ACCESS_WRITES, PROGRAM_VOLATILE_STORE));
}

/* ---- start ---- */

static const struct tern_instrument_hooks hooks = {
    .load = load,
    .store = store,
    .load_volatile = load_volatile,
    .store_volatile = store_volatile,
    .atomic_begin = atomic_begin,
    .atomic_end = atomic_end,
};

tern_instrument_tool_function tern_instrument_tool __attribute__((visibility("default")));

const struct tern_instrument_hooks *tern_instrument_tool(void)
{
    tern_check_findings_start(); /* the libraries of the program are started before the tool */
    if (!tern_check_findings_wants_races())
        return NULL;
    tern_check_program_accesses_are_seen = true;
    return &hooks;
}

void tern_check_program_accesses_start(void)
{
    is_on = true;
}
