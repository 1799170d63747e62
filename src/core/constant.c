/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares this PE's program with that of another PE, whose constants a get reads. */
#include "core/constant.h"

#include <stdint.h>
#include <stdio.h>

#include "base/atomics.h"
#include "base/log.h"
#include "core/job.h"
#include "core/network.h"
#include "mem/static_data.h"

/* Bytes from addr to the part's end, 0 if addr is outside of it. */
static size_t bytes_left(const struct tern_static_data_part *part, const void *addr)
{
    uintptr_t offset = (uintptr_t)addr - part->start;

    return offset < part->bytes ? part->bytes - offset : 0;
}

/* The same for all parts with constants. */
static size_t constant_bytes_left(const void *addr)
{
    const struct tern_static_data *image = tern_static_data_own();
    size_t left = 0;

    for (int i = 0; i < image->n_constants && !left; i++)
        left = bytes_left(&image->constants[i], addr);
    return left;
}

bool tern_constant_has(const void *addr, size_t bytes)
{
    return bytes && bytes <= constant_bytes_left(addr);
}

static uint32_t program_of(int pe)
{
    int node_pe = tern_boot_node_pe(tern_job.boot, pe);

    if (node_pe < 0)
        return tern_network_program(pe);
    return tern_load_relaxed(&tern_boot_slot(tern_job.boot, node_pe)->program);
}

void tern_constant_require_same(const void *addr, int pe, const char *routine)
{
    uint32_t own = tern_static_data_own()->program, theirs;

    if (pe == tern_job.pe)
        return;
    theirs = program_of(pe);
    if (!own || !theirs)
        tern_fatal(routine,
                   "source %p is a constant, and whether PE %d runs the same program is not known: "
                   "link it with -Wl,--build-id",
                   addr, pe);
    if (own != theirs)
        tern_fatal(routine,
                   "source %p is a constant, and PE %d runs another program: constants can be got "
                   "from PEs that run the same one",
                   addr, pe);
}

const char *tern_constant_explain(const void *addr, size_t bytes, char *text, size_t text_bytes)
{
    size_t left = constant_bytes_left(addr);

    if (left && bytes > left) {
        snprintf(text, text_bytes,
                 "leaves the program's read-only data: %zu bytes from there, but it ends after %zu",
                 bytes, left);
        return text;
    }
    if (left)
        return "is a constant, in read-only data of the program: it can be the source of a get, "
               "and nothing else";
    if (bytes_left(&tern_static_data_own()->relocated, addr))
        return "is a constant with addresses in it, which are other ones at each PE: make it a "
               "variable";
    return NULL;
}
