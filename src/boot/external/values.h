/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of any length over a protocol that limits theirs: they are sent in parts. */
#ifndef TERN_BOOT_EXTERNAL_VALUES_H
#define TERN_BOOT_EXTERNAL_VALUES_H

#include <stddef.h>

#include "boot/external/protocol.h"

struct tern_values {
    const struct tern_protocol *protocol;
    size_t most_bytes; /* see struct tern_protocol_job */
};

/* This PE's value: others can read it after the next fence. 0, or -errno after a message. */
int tern_values_put(const struct tern_values *v, const char *key, const char *text);

/* A PE's value. 0, or -errno after a message. */
int tern_values_get(const struct tern_values *v, int pe, const char *key, char *text,
                    size_t text_bytes);

/* Reports that a PE's value can't be read; -EPROTO. */
int tern_values_refuse(int pe, const char *text);

#endif
