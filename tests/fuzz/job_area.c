/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The job area, into which any PE can write anything: what oshrun prints of it. The first byte is
 * the number of PEs, the second has a bit for each that runs, the rest is what the slots hold. The
 * same input is the variable by which a PE finds the area.
 */
#include "boot/job_area.h"

#include "fuzz/target.h"
#include "launch/job/activity.h"

enum { MOST_PES = 8 };

static void read_handle(const uint8_t *data, size_t bytes)
{
    struct tern_job_handle handle, again;
    char *text = text_of(data, bytes), words[64];

    if (tern_job_handle_read(text, &handle)) {
        tern_job_handle_write(&handle, words, sizeof words);
        if (!tern_job_handle_read(words, &again) || again.fd != handle.fd ||
            again.launcher != handle.launcher || again.key != handle.key)
            abort();
    }
    free(text);
}

/* In memory of the exact length, and with no byte that a terminal could take for a command. */
static void describe(const struct tern_launch_job *job, size_t room)
{
    char *text = malloc(room);

    if (!text)
        abort();
    for (int which = 0; which < 3; which++) {
        if (which < 2)
            tern_activity_describe(job, which ? &job->pes[0] : NULL, text, room);
        else
            tern_activity_list(job, text, room);
        if (strnlen(text, room) == room)
            abort();
        for (const char *c = text; *c; c++)
            if (*c != '\n' && (*c < ' ' || *c > '~'))
                abort();
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const size_t rooms[] = {1, 2, 20, 200, 1024};
    struct tern_launch_job job = {.n_pes = bytes ? 1 + data[0] % MOST_PES : 1};
    size_t slots = job.n_pes * sizeof(struct tern_slot);
    struct tern_pe pes[MOST_PES];

    read_handle(data, bytes);
    if (bytes < 2)
        return 0;
    job.object.shared = calloc(1, tern_job_area_bytes(job.n_pes));
    if (!job.object.shared)
        abort();
    memcpy(job.object.shared->slots, data + 2, bytes - 2 < slots ? bytes - 2 : slots);
    job.pes = pes;
    for (uint32_t i = 0; i < job.n_pes; i++)
        pes[i] = (struct tern_pe){.job = &job, .number = i, .running = data[1] >> i & 1};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++)
        describe(&job, rooms[i]);
    free(job.object.shared);
    return 0;
}
