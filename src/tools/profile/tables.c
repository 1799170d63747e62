/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a PE's profile: of fixed size, so that long runs are recorded more coarsely. */
#include "tools/profile/tables.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/tool_protocol.h"

#define N(table) (sizeof(table) / sizeof((table)[0]))

/* Words that are updated and those that are waited for, found by their hash. */
struct words {
    struct tern_profile_word list[TERN_PROFILE_WORDS];
    uint32_t n;
};

static struct tern_profile_head head;
static struct tern_profile_peer *peers;
static struct tern_profile_module modules[TERN_PROFILE_MODULES];
static struct tern_profile_site sites[TERN_PROFILE_SITES];
static const void *site_addresses[TERN_PROFILE_SITES];
static const char *site_routines[TERN_PROFILE_SITES];
static uint16_t site_slots[2 * TERN_PROFILE_SITES]; /* index + 1 of a site, by its hash */
static struct words updates, waits;
static uint16_t update_slots[2 * TERN_PROFILE_WORDS], wait_slots[2 * TERN_PROFILE_WORDS];
static struct tern_profile_meeting meetings[TERN_PROFILE_MEETINGS];
static struct tern_profile_event events[TERN_PROFILE_EVENTS];

static uint16_t n_threads; /* threads with numbers; one more number stands for all others */
static __thread uint16_t thread_number; /* of this thread, from 1 on; 0: not given yet */

static size_t hash(uint64_t a, uint64_t b)
{
    return (size_t)((a * UINT64_C(0x9e3779b97f4a7c15) ^ b * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 40);
}

static void read_command(void)
{
    FILE *file = fopen("/proc/self/cmdline", "re");

    if (!file)
        return;
    head.command_bytes = fread(head.command, 1, sizeof head.command, file);
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

bool tern_tables_open(uint32_t pe, uint32_t n_pes, uint64_t now)
{
    head.main_thread = this_thread();
    if (peers) {
        tern_tables_spend(TERN_APART, head.ended, now);
        return true;
    }
    peers = calloc(n_pes, sizeof *peers);
    head.magic = TERN_PROFILE_MAGIC;
    head.pe = pe;
    head.n_pes = n_pes;
    head.began = now;
    head.bucket_ns = 1024;
    head.date = (int64_t)time(NULL);
    gethostname(head.host, sizeof head.host - 1);
    read_command();
    return peers != NULL;
}

/* ---- call sites ---- */

/* Makes the path of a module absolute: the executable's is as it was typed. */
static void resolve(const char *name, char *path, size_t path_bytes)
{
    char *full = realpath(name, NULL);

    snprintf(path, path_bytes, "%s", full ? full : name);
    free(full);
}

/* offset: the address as in the module's file, without the load bias. */
static int32_t find_module(const void *address, uint64_t *offset)
{
    struct link_map *map;
    uint32_t i = 0;
    Dl_info info;

    *offset = (uintptr_t)address;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) || !info.dli_fname)
        return -1;
    while (i < head.n_modules && modules[i].base != (uintptr_t)info.dli_fbase)
        i++;
    if (i == TERN_PROFILE_MODULES)
        return -1;
    if (i == head.n_modules) {
        head.n_modules++;
        modules[i].base = (uintptr_t)info.dli_fbase;
        resolve(info.dli_fname, modules[i].path, sizeof modules[i].path);
    }
    *offset -= map->l_addr;
    return (int32_t)i;
}

static int add_site(const void *address, const char *routine, enum tern_activity activity)
{
    struct tern_profile_site *site = &sites[head.n_sites];

    if (head.n_sites == TERN_PROFILE_SITES)
        return -1;
    site->module = find_module(address, &site->address);
    site->activity = (uint8_t)activity;
    snprintf(site->routine, sizeof site->routine, "%s", routine);
    site_addresses[head.n_sites] = address;
    site_routines[head.n_sites] = routine;
    return (int)head.n_sites++;
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

/* ---- events: the longest are kept ---- */

static void drop_short_events(void)
{
    uint32_t kept = TERN_PROFILE_EVENTS;

    while (kept > TERN_PROFILE_EVENTS / 2) {
        head.shortest_event = head.shortest_event ? 2 * head.shortest_event : 256;
        kept = 0;
        for (uint32_t i = 0; i < head.n_events; i++)
            if (events[i].ns >= head.shortest_event)
                events[kept++] = events[i];
        head.n_events = kept;
    }
}

void tern_tables_call(int site, uint64_t began, uint64_t ended, size_t bytes, int peer)
{
    uint64_t ns = ended - began;

    head.calls++;
    if (site < 0) {
        head.other_sites++;
        return;
    }
    sites[site].calls++;
    sites[site].ns += ns;
    sites[site].bytes += bytes;
    if (ns > sites[site].longest_ns)
        sites[site].longest_ns = ns;
    if (ns < head.shortest_event)
        return;
    if (head.n_events == TERN_PROFILE_EVENTS)
        drop_short_events();
    events[head.n_events++] = (struct tern_profile_event){
        .began = began,
        .ns = ns,
        .bytes = bytes,
        .thread = this_thread(),
        .site = (uint16_t)site,
        .peer = peer,
    };
}

/* ---- time, in buckets that widen as the run goes on ---- */

static void widen(void)
{
    for (size_t i = 0; i < TERN_PROFILE_BUCKETS; i++)
        for (int a = 0; a < TERN_N_SPENT; a++) {
            uint64_t ns = head.buckets[i][a];

            head.buckets[i][a] = 0;
            head.buckets[i / 2][a] += ns;
        }
    head.bucket_ns *= 2;
}

void tern_tables_spend(enum tern_activity activity, uint64_t began, uint64_t ended)
{
    uint64_t from = began - head.began, to = ended - head.began;

    if (began < head.began)
        return;
    head.spent[activity] += to - from;
    while (to / head.bucket_ns >= TERN_PROFILE_BUCKETS)
        widen();
    while (from < to) {
        uint64_t bucket = from / head.bucket_ns, end = (bucket + 1) * head.bucket_ns;

        if (end > to)
            end = to;
        head.buckets[bucket][activity] += end - from;
        from = end;
    }
}

void tern_tables_spend_beside(uint64_t began, uint64_t ended)
{
    head.calls_beside++;
    head.ns_beside += ended - began;
}

/* ---- who with whom ---- */

void tern_tables_transfer(enum tern_transfer transfer, size_t bytes, int peer)
{
    int size = bytes ? 63 - __builtin_clzll(bytes) : 0;

    head.sizes[transfer][size < TERN_PROFILE_SIZES ? size : TERN_PROFILE_SIZES - 1]++;
    if (peer < 0 || (uint32_t)peer >= head.n_pes)
        return;
    peers[peer].operations++;
    if (transfer == TERN_PUTS)
        peers[peer].put_bytes += bytes;
    else if (transfer == TERN_GETS)
        peers[peer].get_bytes += bytes;
    else
        peers[peer].atomics++;
}

void tern_tables_word(uint64_t word, int pe, uint64_t ns)
{
    struct words *words = pe < 0 ? &waits : &updates;
    uint16_t *slots = pe < 0 ? wait_slots : update_slots;
    struct tern_profile_word *known;
    size_t i = hash(word, (uint64_t)pe);

    for (;; i++) {
        uint16_t *slot = &slots[i % N(update_slots)];

        if (*slot == 0) {
            if (words->n == TERN_PROFILE_WORDS)
                return;
            words->list[words->n] = (struct tern_profile_word){word, pe, 0, 0};
            *slot = (uint16_t)++words->n;
        }
        known = &words->list[*slot - 1];
        if (known->word == word && known->pe == pe)
            break;
    }
    known->times++;
    known->ns += ns;
}

/* All PEs keep the same meetings, since these are chosen by their number. */
void tern_tables_meeting(const struct tern_profile_meeting *meeting)
{
    while (head.n_meetings == TERN_PROFILE_MEETINGS) {
        uint32_t kept = 0;

        head.meeting_shift++;
        for (uint32_t i = 0; i < head.n_meetings; i++)
            if (meetings[i].number >> head.meeting_shift << head.meeting_shift ==
                meetings[i].number)
                meetings[kept++] = meetings[i];
        head.n_meetings = kept;
    }
    if (meeting->number >> head.meeting_shift << head.meeting_shift == meeting->number)
        meetings[head.n_meetings++] = *meeting;
}

/* ---- the end ---- */

int tern_tables_write(const char *folder, uint64_t now)
{
    char name[32], path[4096];
    bool complete;
    FILE *file;

    mkdir(folder, 0777);
    snprintf(name, sizeof name, TERN_PROFILE_PART, head.pe);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "we");
    if (!file)
        return -errno;
    head.ended = now;
    head.n_updates = updates.n;
    head.n_waits = waits.n;
    fwrite(&head, sizeof head, 1, file);
    fwrite(peers, sizeof *peers, head.n_pes, file);
    fwrite(modules, sizeof *modules, head.n_modules, file);
    fwrite(sites, sizeof *sites, head.n_sites, file);
    fwrite(updates.list, sizeof *updates.list, updates.n, file);
    fwrite(waits.list, sizeof *waits.list, waits.n, file);
    fwrite(meetings, sizeof *meetings, head.n_meetings, file);
    fwrite(events, sizeof *events, head.n_events, file);
    complete = !ferror(file);
    return fclose(file) == 0 && complete ? 0 : -EIO;
}
