/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a call stands in the program's source. */
#ifndef TERN_CHECK_SOURCE_LOCATION_H
#define TERN_CHECK_SOURCE_LOCATION_H

#include "tools/call.h"

/*
 * The location of the program that a call comes from: call->site, or that of the caller's caller
 * for a call by the library of another language. Of a call by Python it is the line of the program,
 * a site without an address. Has to be asked while the call is running.
 */
const void *tern_check_source_location_site(const struct tern_call *call);

/* Sites without an address: that of this name, and the name of one; NULL if it has an address. */
const void *tern_check_source_location_named_site(const char *name);
const char *tern_check_source_location_site_name(const void *site);

/*
 * "heat.c:42", or without debug information "step in heat" or "heat+0x1234". The text stays valid.
 * The first time is slow, as addr2line is run.
 */
const char *tern_check_source_location_text(const void *site);

/* The file's name without folders. */
const char *tern_check_source_location_base_name(const char *path);

#endif
