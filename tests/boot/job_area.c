/* SPDX-License-Identifier: BSD-3-Clause */
/* The job area: its layout is the documented one, and PEs read what the launcher wrote. */
#include "boot/job_area.h"

#include "unit/unit.h"

static void is(struct tern_job_handle handle, const char *words)
{
    struct tern_job_handle read = {0};
    char text[64];

    tern_job_handle_write(&handle, text, sizeof text);
    CHECK(strcmp(text, words) == 0);
    CHECK(tern_job_handle_read(text, &read));
    CHECK(read.fd == handle.fd && read.launcher == handle.launcher && read.key == handle.key);
}

static void refused(void)
{
    static const char *const texts[] = {
        "",
        "oshrun:",
        "oshrun:3:4",
        "oshrun:3:4:",
        "oshrun::4:00000000000000ff",
        "oshrun:3:4:00000000000000fg",
        "oshrun:3:4:00000000000000FF",
        "oshrun:3:4:10000000000000000",
        "oshrun:3:4:00000000000000ff:",
        "oshrun:-3:4:00000000000000ff",
        "oshrun:2147483648:4:00000000000000ff",
        "oshrun:3:2147483648:00000000000000ff",
        "shmemrun:3:4:00000000000000ff",
    };
    struct tern_job_handle handle;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK(!tern_job_handle_read(texts[i], &handle));
}

int main(void)
{
    is((struct tern_job_handle){3, 4711, 255}, "oshrun:3:4711:00000000000000ff");
    is((struct tern_job_handle){0, 1, 0}, "oshrun:0:1:0000000000000000");
    is((struct tern_job_handle){INT_MAX, INT_MAX, UINT64_MAX},
       "oshrun:2147483647:2147483647:ffffffffffffffff");
    refused();
    return 0;
}
