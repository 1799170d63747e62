/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of settings as pages of documentation. */
#ifndef TERN_INFO_PAGES_H
#define TERN_INFO_PAGES_H

#include <stdio.h>

/* docs/settings.md */
void tern_pages_print_markdown(FILE *out);

/* man/tern-settings.7 */
void tern_pages_print_man(FILE *out);

#endif
