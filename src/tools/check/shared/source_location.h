/* SPDX-License-Identifier: BSD-3-Clause */
/* Source locations of calls. */
#ifndef TERN_CHECK_SOURCE_LOCATION_H
#define TERN_CHECK_SOURCE_LOCATION_H

#include "tools/call.h"

/*
 * The site in the program that the call comes from: call->site, or the caller's caller where a
 * library for another language makes the call. For calls by Python it is a site without an address,
 * which names the line of the program. To be called while the call runs.
 */
const void *tern_check_source_location_site(const struct tern_call *call);

/*
 * Sites without an address: the first function returns the one of this name, the second one its
 * name, or NULL for a site with an address.
 */
const void *tern_check_source_location_named_site(const char *name);
const char *tern_check_source_location_site_name(const void *site);

/*
 * "heat.c:42", or without debug information "step in heat" or "heat+0x1234". The text stays valid.
 * The first call for a site is slow: it runs addr2line.
 */
const char *tern_check_source_location_text(const void *site);

/* The path's last part. */
const char *tern_check_source_location_base_name(const char *path);

#endif
