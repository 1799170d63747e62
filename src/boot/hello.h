/* SPDX-License-Identifier: BSD-3-Clause */
/* What a PE tells all others through the launcher when it joins the job: one short value. */
#ifndef TERN_BOOT_HELLO_H
#define TERN_BOOT_HELLO_H

#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"
#include "boot/nodes.h"

/* Raised with every change of the value's text or of what PEs of a machine do with each other. */
#define TERN_VALUE_PROTOCOL 3

#define TERN_VALUE_BYTES 192

struct tern_value {
    int protocol;
    char version[32]; /* of Tern; what follows is filled in if the protocol is ours */
    struct tern_nodes_pe place;
    uint64_t system;       /* equal for PEs under one running kernel, whose cores they share */
    uint64_t nonce;        /* by which PEs of a machine know that they are of one job */
    uint64_t heap, memory; /* see struct tern_boot_wish */
};

void tern_value_write(const struct tern_value *value, char text[TERN_VALUE_BYTES]);

/* 0, or -EPROTO. */
int tern_value_read(const char *text, struct tern_value *value);

/*
 * Whether all PEs can be one job: 0, or -EPROTO or -EINVAL with a text that names two that differ.
 * me: the PE that looks.
 */
int tern_value_compare(const struct tern_value *values, int n, int me, char *text,
                       size_t text_bytes);

/* What each PE may use for its heap by default: the least share on any machine. */
uint64_t tern_value_share(const struct tern_value *values, int n);

#endif
