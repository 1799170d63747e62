/* SPDX-License-Identifier: BSD-3-Clause */
/* Source locations in a form that means the same on all PEs. */
#ifndef TERN_CHECK_PORTABLE_LOCATION_H
#define TERN_CHECK_PORTABLE_LOCATION_H

#include <stdint.h>

#include "tools/call.h"

#define PORTABLE_LINE (UINT64_C(1) << 63)

/* A location in the program; PEs may have its modules at different addresses. */
struct tern_check_portable_location {
    uint64_t offset; /* in the module; or PORTABLE_LINE and the number of a line of a source file */
    char module[24]; /* the file's name, cut off where it is too long */
};

/* Finds the program in memory. */
void tern_check_portable_location_start(void);

/*
 * The same as tern_check_source_location_site(), and faster for calls made by the program's own
 * file.
 */
const void *tern_check_portable_location_site(const struct tern_call *call);

/* Converts a site of this PE. */
void tern_check_portable_location_of(const void *site,
                                     struct tern_check_portable_location *location);

/* The location in words, as by tern_check_source_location_text(). The text stays valid. */
const char *tern_check_portable_location_text(const struct tern_check_portable_location *location);

#endif
