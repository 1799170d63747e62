/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of a profile. Those of two PEs are sound, and the input is a list of changes: a part of the
 * file, an offset in it, and the number that is written there.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/tool_protocol.h"
#include "fuzz/target.h"
#include "tools/report/addresses.h"
#include "tools/report/job.h"

enum { PES = 2 };
#define BYTES (sizeof(struct tern_profile) + PES * sizeof(struct tern_profile_peer))

struct change {
    uint8_t part, pe, width, unused;
    uint32_t offset;
    uint64_t value;
};

/* The parts, each only as far as the sound files use it; the last one is the file's length. */
#define PART(from, bytes)                                                                          \
    {                                                                                              \
        offsetof(struct tern_profile, from), bytes                                                 \
    }
static const struct {
    size_t from, bytes;
} parts[] = {
    PART(head, offsetof(struct tern_profile_head, sizes)),
    PART(head.bucket_ns, sizeof(uint64_t)),
    PART(head.n_modules,
         sizeof(struct tern_profile_head) - offsetof(struct tern_profile_head, n_modules)),
    PART(modules, sizeof(struct tern_profile_module)),
    PART(sites, 2 * sizeof(struct tern_profile_site)),
    PART(updates, sizeof(struct tern_profile_word)),
    PART(waits, sizeof(struct tern_profile_word)),
    PART(meetings, sizeof(struct tern_profile_meeting)),
    PART(events, 2 * sizeof(struct tern_profile_event)),
    PART(puts, sizeof(struct tern_profile_put)),
    PART(samples, sizeof(struct tern_profile_sample)),
    PART(phases, sizeof(struct tern_profile_phase)),
    PART(spans, sizeof(struct tern_profile_span)),
    PART(peers, PES * sizeof(struct tern_profile_peer)),
    {0, BYTES + 8},
};
enum { PARTS = sizeof parts / sizeof parts[0], LENGTH = PARTS - 1, MOST_CHANGES = 16 };

static char folder[64];
static struct tern_profile *profiles[PES];
static int files[PES];

/* addr2line is not run: it would take most of the time. */
int tern_addresses_find(struct tern_address *addresses, uint32_t n)
{
    return 0;
}

void tern_addresses_format(const struct tern_address *address, char *text, size_t bytes)
{
    snprintf(text, bytes, "%.200s", address->file);
}

static const char *name_of(uint32_t pe)
{
    static char name[128];

    snprintf(name, sizeof name, "%s/" TERN_PROFILE_PART, folder, pe);
    return name;
}

static void remove_folder(void)
{
    for (uint32_t pe = 0; pe < PES; pe++)
        unlink(name_of(pe));
    rmdir(folder);
}

/* PE 1 updates a word that PE 0 waits for, and is killed in a barrier. */
static void fill(struct tern_profile *p, uint32_t pe)
{
    p->head = (struct tern_profile_head){
        .magic = TERN_PROFILE_MAGIC,
        .pe = pe,
        .n_pes = PES,
        .host = "host",
        .command = "program\0word",
        .command_bytes = 13,
        .began = 1000 + pe,
        .ended = pe ? 0 : 900000,
        .last = 800000,
        .spent = {1000, 2000, 3000, 0},
        .bucket_ns = 2048,
        .n_modules = 1,
        .n_sites = 2,
        .n_updates = 1,
        .n_waits = 1,
        .n_meetings = 1,
        .n_events = 2,
        .n_puts = 1,
        .n_phases = 1,
        .n_spans = 1,
        .main_thread = 1,
        .current_site = pe ? 2 : 0,
        .current_since = 700000,
        .samples_main = 1,
        .samples_on = 1,
        .cores = 2,
    };
    p->modules[0] = (struct tern_profile_module){0x1000, 0x2000, 0, "/bin/program"};
    p->sites[0] = (struct tern_profile_site){0x1100, 0, TERN_TRANSFERS, "shmem_put", 3, 9, 5, 24};
    p->sites[1] = (struct tern_profile_site){0x1200, 0, TERN_WAITING, "shmem_barrier", 2, 8, 5, 0};
    p->updates[0] = (struct tern_profile_word){64, !pe, 1, 0};
    p->waits[0] = (struct tern_profile_word){64, -1, 1, 5000};
    p->meetings[0] = (struct tern_profile_meeting){1, 1, PES, 600000 + 10000 * pe, 620000};
    p->events[0] = (struct tern_profile_event){2000, 5000, 8, 0, 1, 0, 1};
    p->events[1] = (struct tern_profile_event){9000, 6000, 0, 64, 1, 1, -1};
    p->puts[0] = (struct tern_profile_put){64, 12000, 100, !pe, 1, 0};
    p->samples[0] = (struct tern_profile_sample){0x1150, 0, 1, 1};
    p->phases[0] = (struct tern_profile_phase){.name = "phase", .times = 1, .ns = 400000};
    p->spans[0] = (struct tern_profile_span){3000, 400000, 0};
    p->peers[!pe] = (struct tern_profile_peer){3, 24, 0, 0};
}

static void start(void)
{
    const char *where = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%s/tern-fuzz-XXXXXX", where ? where : "/tmp");
    if (!mkdtemp(folder))
        abort();
    atexit(remove_folder);
    for (uint32_t pe = 0; pe < PES; pe++) {
        files[pe] = open(name_of(pe), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (files[pe] < 0 || ftruncate(files[pe], BYTES) != 0)
            abort();
        profiles[pe] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, files[pe], 0);
        if (profiles[pe] == MAP_FAILED)
            abort();
        fill(profiles[pe], pe);
    }
}

static void apply(const struct change *change)
{
    uint32_t pe = change->pe % PES, part = change->part % PARTS;
    size_t width = (size_t)1 << change->width % 4;

    if (part != LENGTH && change->offset % parts[part].bytes + width <= parts[part].bytes)
        memcpy((char *)profiles[pe] + parts[part].from + change->offset % parts[part].bytes,
               &change->value, width);
}

static void set_length(const struct change *change)
{
    if (change->part % PARTS == LENGTH &&
        ftruncate(files[change->pe % PES], change->offset % parts[LENGTH].bytes) != 0)
        abort();
}

/* After the last change of the input, everything is as it was. */
static void restore(void)
{
    for (uint32_t pe = 0; pe < PES; pe++) {
        if (ftruncate(files[pe], BYTES) != 0)
            abort();
        for (int i = 0; i < LENGTH; i++)
            memset((char *)profiles[pe] + parts[i].from, 0, parts[i].bytes);
        fill(profiles[pe], pe);
    }
}

static void report(void)
{
    struct tern_report found = {.n_pes = 0};
    FILE *out = fopen("/dev/null", "w");

    if (!out)
        abort();
    if (tern_report_read(&found, folder) == 0 && tern_report_find_lines(&found) == 0 &&
        tern_report_sort_places(&found) == 0 && tern_report_find_waits(&found) == 0 &&
        tern_report_find_spots(&found) == 0) {
        tern_report_print(&found, out);
        tern_report_write_page(&found, out);
        tern_report_write_trace(&found, out);
    }
    tern_report_free(&found);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct change changes[MOST_CHANGES];
    size_t n = bytes / sizeof changes[0];

    if (!profiles[0])
        start();
    n = n < MOST_CHANGES ? n : MOST_CHANGES;
    if (n)
        memcpy(changes, data, n * sizeof changes[0]);
    for (size_t i = 0; i < n; i++)
        apply(&changes[i]);
    for (size_t i = 0; i < n; i++)
        set_length(&changes[i]);
    report();
    restore();
    return 0;
}
