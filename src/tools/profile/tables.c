/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a PE's profile: of fixed size, so that long runs are recorded more coarsely. */
#include "tools/profile/tables.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/profile/modules.h"
#include "tools/profile/part_file.h"

#define N(table) (sizeof(table) / sizeof((table)[0]))

static struct tern_profile *profile;
static const void *site_addresses[TERN_PROFILE_SITES];
static const char *site_routines[TERN_PROFILE_SITES];
static uint16_t site_slots[2 * TERN_PROFILE_SITES]; /* index + 1 of a site, by its hash */
static uint16_t update_slots[2 * TERN_PROFILE_WORDS], wait_slots[2 * TERN_PROFILE_WORDS];

static uint16_t n_threads; /* threads with numbers; one more number stands for all others */
static __thread uint16_t thread_number; /* of this thread, from 1 on; 0: not given yet */

static size_t hash(uint64_t a, uint64_t b)
{
    return (size_t)((a * UINT64_C(0x9e3779b97f4a7c15) ^ b * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 40);
}

static void read_command(struct tern_profile_head *head)
{
    FILE *file = fopen("/proc/self/cmdline", "re");

    if (!file)
        return;
    head->command_bytes = fread(head->command, 1, sizeof head->command, file);
    fclose(file);
}

/* The tool numbers threads itself, because the system reuses the numbers of ended threads. */
static uint16_t this_thread(void)
{
    if (thread_number == 0) {
        n_threads += n_threads <= TERN_PROFILE_THREADS;
        thread_number = n_threads;
    }
    return thread_number;
}

static void fill_head(struct tern_profile_head *head, uint32_t pe, uint32_t n_pes, uint64_t now)
{
    head->pe = pe;
    head->n_pes = n_pes;
    head->began = head->last = now;
    head->bucket_ns = 1024;
    head->date = (int64_t)time(NULL);
    head->cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    gethostname(head->host, sizeof head->host - 1);
    read_command(head);
    head->magic = TERN_PROFILE_MAGIC; /* last: from now on the file is a profile */
}

struct tern_profile *tern_tables_open(uint32_t pe, uint32_t n_pes, uint64_t now)
{
    if (profile) {
        tern_tables_spend(TERN_APART, profile->head.ended, now);
        profile->head.ended = 0;
    } else {
        profile = tern_part_file_open(pe, n_pes);
        if (!profile)
            return NULL;
        fill_head(&profile->head, pe, n_pes, now);
    }
    profile->head.main_thread = this_thread();
    tern_modules_update(profile);
    return profile;
}

/* ---- call sites ---- */

/* offset: the address as in the module's file, without the load bias. */
static int32_t find_module(const void *address, uint64_t *offset)
{
    int i = tern_modules_find(profile, (uintptr_t)address);

    if (i < 0) { /* the program has loaded files meanwhile */
        tern_modules_update(profile);
        i = tern_modules_find(profile, (uintptr_t)address);
    }
    *offset = (uintptr_t)address - (i < 0 ? 0 : profile->modules[i].bias);
    return i;
}

static int add_site(const void *address, const char *routine, enum tern_activity activity)
{
    struct tern_profile_head *head = &profile->head;
    struct tern_profile_site *site = &profile->sites[head->n_sites];

    if (head->n_sites == TERN_PROFILE_SITES)
        return -1;
    site->module = find_module(address, &site->address);
    site->activity = (uint8_t)activity;
    snprintf(site->routine, sizeof site->routine, "%s", routine);
    site_addresses[head->n_sites] = address;
    site_routines[head->n_sites] = routine;
    return (int)head->n_sites++;
}

int tern_tables_site(const void *address, const char *routine, enum tern_activity activity)
{
    size_t i = hash((uintptr_t)address, (uintptr_t)routine);

    for (;; i++) {
        uint16_t *slot = &site_slots[i % N(site_slots)];

        if (*slot == 0) {
            *slot = (uint16_t)(add_site(address, routine, activity) + 1);
            return *slot - 1;
        }
        if (site_addresses[*slot - 1] == address && site_routines[*slot - 1] == routine)
            return *slot - 1;
    }
}

/* ---- calls ---- */

static void drop_short_events(void)
{
    struct tern_profile_head *head = &profile->head;
    uint32_t kept = TERN_PROFILE_EVENTS;

    while (kept > TERN_PROFILE_EVENTS / 2) {
        head->shortest_event = head->shortest_event ? 2 * head->shortest_event : 256;
        kept = 0;
        for (uint32_t i = 0; i < head->n_events; i++)
            if (profile->events[i].ns >= head->shortest_event)
                profile->events[kept++] = profile->events[i];
        head->n_events = kept;
    }
}

/* Keeps the call if it is one of the longest. */
static void add_event(int site, const struct tern_profile_call *call)
{
    struct tern_profile_head *head = &profile->head;
    uint64_t ns = call->ended - call->began;

    if (ns < head->shortest_event)
        return;
    if (head->n_events == TERN_PROFILE_EVENTS)
        drop_short_events();
    profile->events[head->n_events++] = (struct tern_profile_event){
        .began = call->began,
        .ns = ns,
        .bytes = call->bytes,
        .word = call->word,
        .thread = this_thread(),
        .site = (uint16_t)site,
        .peer = call->peer,
    };
}

void tern_tables_call(int site, const struct tern_profile_call *call)
{
    struct tern_profile_head *head = &profile->head;
    uint64_t ns = call->ended - call->began;

    head->calls++;
    head->last = call->ended;
    if (site < 0) {
        head->other_sites++;
        return;
    }
    profile->sites[site].calls++;
    profile->sites[site].ns += ns;
    profile->sites[site].bytes += call->bytes;
    if (ns > profile->sites[site].longest_ns)
        profile->sites[site].longest_ns = ns;
    add_event(site, call);
}

void tern_tables_calls(int site, uint64_t n, uint64_t ns, uint64_t bytes)
{
    profile->head.calls += n;
    profile->head.estimated += n;
    if (site < 0) {
        profile->head.other_sites += n;
        return;
    }
    profile->sites[site].calls += n;
    profile->sites[site].ns += ns;
    profile->sites[site].bytes += bytes;
}

void tern_tables_enter(int site, uint64_t now)
{
    profile->head.current_since = now;
    profile->head.current_site = (uint32_t)(site + 1);
}

void tern_tables_leave(void)
{
    profile->head.current_site = 0;
}

/* ---- time, in buckets that widen as the run goes on ---- */

static void widen(struct tern_profile_head *head)
{
    for (size_t i = 0; i < TERN_PROFILE_BUCKETS; i++)
        for (int a = 0; a < TERN_N_SPENT; a++) {
            uint64_t ns = head->buckets[i][a];

            head->buckets[i][a] = 0;
            head->buckets[i / 2][a] += ns;
        }
    head->bucket_ns *= 2;
}

void tern_tables_spread(enum tern_activity activity, uint64_t began, uint64_t ended, uint64_t ns)
{
    struct tern_profile_head *head = &profile->head;
    uint64_t from = began - head->began, to = ended - head->began, span = to - from, given = 0;

    if (began < head->began || ended <= began)
        return;
    if (ns > span)
        ns = span;
    head->spent[activity] += ns;
    while (to / head->bucket_ns >= TERN_PROFILE_BUCKETS)
        widen(head);
    for (uint64_t at = from; at < to;) {
        uint64_t bucket = at / head->bucket_ns, end = (bucket + 1) * head->bucket_ns, due;

        if (end > to)
            end = to;
        due =
            ns == span ? end - from : (uint64_t)((double)ns * (double)(end - from) / (double)span);
        if (end == to)
            due = ns;
        head->buckets[bucket][activity] += due - given;
        given = due;
        at = end;
    }
}

void tern_tables_spend(enum tern_activity activity, uint64_t began, uint64_t ended)
{
    tern_tables_spread(activity, began, ended, ended - began);
}

void tern_tables_spend_beside(uint64_t calls, uint64_t ns)
{
    profile->head.calls_beside += calls;
    profile->head.ns_beside += ns;
}

/* ---- who with whom ---- */

void tern_tables_transfer(enum tern_transfer transfer, size_t bytes, int peer, uint64_t n)
{
    int size = bytes ? 63 - __builtin_clzll(bytes) : 0;
    struct tern_profile_peer *with;

    profile->head.sizes[transfer][size < TERN_PROFILE_SIZES ? size : TERN_PROFILE_SIZES - 1] += n;
    if (peer < 0 || (uint32_t)peer >= profile->head.n_pes)
        return;
    with = &profile->peers[peer];
    with->operations += n;
    if (transfer == TERN_PUTS)
        with->put_bytes += n * bytes;
    else if (transfer == TERN_GETS)
        with->get_bytes += n * bytes;
    else
        with->atomics += n;
}

/* Finds the word in a table, or adds it. Returns NULL if there is no room. */
static struct tern_profile_word *find_word(struct tern_profile_word *words, uint32_t *n,
                                           uint16_t *slots, uint64_t word, int pe)
{
    for (size_t i = hash(word, (uint64_t)pe);; i++) {
        uint16_t *slot = &slots[i % N(update_slots)];
        struct tern_profile_word *known;

        if (*slot == 0) {
            if (*n == TERN_PROFILE_WORDS)
                return NULL;
            words[*n] = (struct tern_profile_word){word, pe, 0, 0};
            *slot = (uint16_t)++ * n;
        }
        known = &words[*slot - 1];
        if (known->word == word && known->pe == pe)
            return known;
    }
}

void tern_tables_wait(uint64_t word, uint64_t ns)
{
    struct tern_profile_word *known =
        find_word(profile->waits, &profile->head.n_waits, wait_slots, word, -1);

    if (!known)
        return;
    known->times++;
    known->ns += ns;
}

static bool is_kept(uint64_t time, uint32_t shift)
{
    return ((time >> TERN_PROFILE_WINDOW_SHIFT) & ((UINT64_C(1) << shift) - 1)) == 0;
}

static void add_put(const struct tern_profile_put *put)
{
    struct tern_profile_head *head = &profile->head;

    while (head->n_puts == TERN_PROFILE_PUTS && head->put_shift < 32) {
        uint32_t kept = 0;

        head->put_shift++;
        for (uint32_t i = 0; i < head->n_puts; i++)
            if (is_kept(profile->puts[i].began, head->put_shift))
                profile->puts[kept++] = profile->puts[i];
        head->n_puts = kept;
    }
    if (is_kept(put->began, head->put_shift) && head->n_puts < TERN_PROFILE_PUTS)
        profile->puts[head->n_puts++] = *put;
}

void tern_tables_update(uint64_t word, int pe, int site, uint64_t began, uint64_t ended, uint64_t n)
{
    struct tern_profile_word *known =
        find_word(profile->updates, &profile->head.n_updates, update_slots, word, pe);

    if (known)
        known->times += n;
    if (site >= 0)
        add_put(&(struct tern_profile_put){word, began, ended - began, pe, this_thread(),
                                           (uint16_t)site});
}

/* All PEs keep the same meetings, since these are chosen by their number. */
void tern_tables_meeting(const struct tern_profile_meeting *meeting)
{
    struct tern_profile_head *head = &profile->head;
    struct tern_profile_meeting *meetings = profile->meetings;

    while (head->n_meetings == TERN_PROFILE_MEETINGS) {
        uint32_t kept = 0;

        head->meeting_shift++;
        for (uint32_t i = 0; i < head->n_meetings; i++)
            if (meetings[i].number >> head->meeting_shift << head->meeting_shift ==
                meetings[i].number)
                meetings[kept++] = meetings[i];
        head->n_meetings = kept;
    }
    if (meeting->number >> head->meeting_shift << head->meeting_shift == meeting->number)
        meetings[head->n_meetings++] = *meeting;
}

/* ---- the end ---- */

void tern_tables_save(uint64_t now)
{
    profile->head.ended = profile->head.last = now;
    tern_modules_update(profile);
    tern_part_file_save();
}

void tern_tables_resume(void)
{
    profile->head.ended = 0;
}
