/* SPDX-License-Identifier: BSD-3-Clause */
/* Cards in fewer bytes: most of a card are zeros. */
#ifndef TERN_BOOT_EXTERNAL_CARD_BYTES_H
#define TERN_BOOT_EXTERNAL_CARD_BYTES_H

#include <stddef.h>

#include "boot/job_area.h"

/* The most bytes that a card takes. */
#define TERN_CARD_BYTES_MOST (2 * TERN_BOOT_CARD_BYTES)

/* Every run of zeros becomes a zero and the number of further zeros. Returns the bytes written. */
size_t tern_card_bytes_shorten(const struct tern_boot_card *card, unsigned char *bytes);

/* The other way; returns the bytes read, or 0 if these n bytes do not begin with a card. */
size_t tern_card_bytes_restore(const unsigned char *bytes, size_t n, struct tern_boot_card *card);

#endif
