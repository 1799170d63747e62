/* SPDX-License-Identifier: BSD-3-Clause */
/* Places in words that mean the same on all PEs. */
#ifndef TERN_CHECK_PORTABLE_LOCATION_H
#define TERN_CHECK_PORTABLE_LOCATION_H

#include <stdint.h>

#include "tools/call.h"

#define PORTABLE_LINE (UINT64_C(1) << 63)

/* A place in the program: PEs may have its parts at different addresses. */
struct tern_check_portable_location {
    uint64_t offset; /* or PORTABLE_LINE and the number of a line in a source file */
    char module[24]; /* the file, as far as there is room */
};

/* Finds out where the program lies. */
void tern_check_portable_location_start(void);

/* tern_check_source_location_site(), quick for calls that the program's own file makes. */
const void *tern_check_portable_location_site(const struct tern_call *call);

/* The location of such a place of this PE. */
void tern_check_portable_location_of(const void *site,
                                     struct tern_check_portable_location *location);

/* That place in words, as tern_check_source_location_text() has them. The text stays valid. */
const char *tern_check_portable_location_text(const struct tern_check_portable_location *location);

#endif
